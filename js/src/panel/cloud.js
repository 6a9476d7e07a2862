// The cloud: one dot per sentence on a canvas that fills its frame, and the names of topics at
// their centres.

import { median } from "d3-array";
import { cover, nearestDot, nextDot, placement } from "../shared/cloud.js";
import { attribute, button, consume, div, element, onResize, span, zoomOf } from "../shared/dom.js";
import { colour, marker } from "../shared/palette.js";
import { clamp, Painter } from "./painter.js";
import { eased } from "./transport.js";

// pixels around a dot in which the pointer selects it
const REACH = 14;
// the same below a name, which can be clicked beside its dots
const CLOSE = 6;
// pixels around the dots: below the field and the switch
const MARGIN = { side: 20, top: 44, bottom: 20 };
// at most, of one axis against the other, so that the cloud fills its frame
const STRETCH = 2.5;
// milliseconds in which dots move to another map
const MOVE = 600;

/** The cloud of one run; `row` is always a sentence's row in this run. */
export class Cloud {
  /**
   * `hooks`: hover(row or -1), choose(row), key(event) -> whether it was used, pin(group),
   * resized().
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.canvas = element("canvas", {
      class: "cloud-canvas",
      tabindex: 0,
      role: "application",
      onpointermove: (event) => hooks.hover(this.under(event)),
      onclick: (event) => hooks.choose(this.under(event)),
      onkeydown: (event) => hooks.key(event) && consume(event),
    });
    this.topics = new Topics((group, event) => {
      // a dot below a name has the pointer first; a key has none
      const row = event.detail ? this.under(event, CLOSE) : -1;
      if (row < 0) hooks.pin(group);
      else hooks.choose(row);
    });
    this.topics.root.onpointermove = (event) => hooks.hover(this.under(event, CLOSE));
    this.root = div("cloud-frame", this.canvas, this.topics.root);
    this.root.onpointerleave = () => hooks.hover(-1);
    // pixels, two numbers per row
    this.at = new Float32Array(0);
    // pixels of own sentences, [x, y]
    this.own = [];
    this.scene = null;
    // what moves to another map: when it began, and the pixel of each text at that time
    this.move = null;
    this.painter = new Painter(this);
    this.width = this.height = 0;
    onResize(this.root, (width, height) => {
      Object.assign(this, { width, height });
      hooks.resized();
    });
  }

  /** The row under the pointer, or -1. */
  under({ clientX, clientY }, reach = REACH) {
    const zoom = zoomOf(this.canvas);
    const { left, top } = this.canvas.getBoundingClientRect();
    return nearestDot(this.dots(), (clientX - left) / zoom, (clientY - top) / zoom, reach);
  }

  /** [row, [x, y]] of all dots, in pixels. */
  *dots() {
    for (let row = 0; row < this.at.length / 2; row++)
      yield [row, [this.at[2 * row], this.at[2 * row + 1]]];
  }

  /**
   * The dot that an arrow key selects, starting from `row` or else from the middle; null for other
   * keys.
   */
  next(row, event) {
    const from =
      row < 0 ? [this.width / 2, this.height / 2] : [this.at[2 * row], this.at[2 * row + 1]];
    const next = nextDot(this.dots(), from, event);
    if (next === null) return null;
    if (row < 0) return nearestDot(this.dots(), ...from);
    // no dot in this direction: stay
    return next < 0 ? row : next;
  }

  /** Move to the next scene from where the texts are in `cloud`, this one or that of another run. */
  leave({ at, scene }) {
    const places = scene?.texts.map((text, row) => [text, at.slice(2 * row, 2 * row + 2)]);
    this.move = { began: performance.now(), from: new Map(places) };
  }

  /** Shift `this.at` back by the part of a move that is still to come. */
  shift({ texts }) {
    const part = eased(this.move.began, MOVE);
    for (const [row, text] of texts.entries())
      for (const [axis, from] of this.move.from.get(text)?.entries() ?? [])
        this.at[2 * row + axis] += (1 - part) * (from - this.at[2 * row + axis]);
    if (part === 1) this.move = null;
    this.hooks.resized();
  }

  /** `scene`: see `scene` in picture.js. */
  draw(scene) {
    this.scene = scene;
    if (this.width < 20 || this.height < 20) return;
    const place = placement(scene.box, this.width, this.height, MARGIN, STRETCH);
    this.at = new Float32Array(scene.xy.length);
    for (let i = 0; i < scene.xy.length; i += 2)
      this.at.set(place(scene.xy[i], scene.xy[i + 1]), i);
    if (this.move) this.shift(scene);
    this.own = scene.own.map(({ x, y }) => place(x, y));
    this.painter.begin();
    this.topics.lay(this);
    this.painter.paint(place);
    attribute(this.canvas, "aria-label", scene.label);
  }
}

// most names, and of a narrow cloud
const MOST = 12;
const FEW = 6;
const NARROW = 500;
// height of a name in pixels
const HIGH = 20;
// pixels by which a name may be moved from the centre of its topic, the best place first
const PLACES = [0, -12, 12, -24, 24, -36, 36];

/** Buttons with the names of the largest topics; one that has no free place is hidden. */
class Topics {
  /** `pin(group, event)`: highlight a topic, or no longer. */
  constructor(pin) {
    this.pin = pin;
    this.root = element("div", { class: "topics", role: "group", "aria-label": "topics" });
    // {group, button, moved}
    this.shown = [];
  }

  /** Create the buttons if names, theme or size, and with it the type, have changed. */
  make({ groups, dark }, width) {
    const key = JSON.stringify([groups, dark, width]);
    if (key === this.key) return;
    this.key = key;
    const largest = groups
      .toSorted((a, b) => b.count - a.count)
      .slice(0, width < NARROW ? FEW : MOST);
    this.shown = (groups.length > 1 ? largest : []).map(({ group, name }) => {
      const topic = button("topic", "", (event) => this.pin(group, event), { title: name });
      topic.append(marker(group, colour(group, dark)), span("clipped", name));
      return { group, button: topic, moved: 0 };
    });
    this.root.replaceChildren(...this.shown.map(({ button }) => button));
    for (const topic of this.shown) topic.wide = topic.button.offsetWidth;
  }

  /**
   * Place each name at the centre of its topic, the median of its dots: where it was, or else at
   * the first place that no other name and no own sentence covers.
   */
  lay({ at, scene, width, height, painter }) {
    this.make(scene, width);
    const rows = Map.groupBy(Array(at.length / 2).keys(), scene.group);
    const taken = painter.told.map(({ box }) => box);
    for (const topic of this.shown) {
      const { group, wide, moved } = topic;
      const middle = [0, 1].map((axis) =>
        median(rows.get(group) ?? [], (row) => at[2 * row + axis]),
      );
      const left = clamp(middle[0] - wide / 2, 4, width - wide - 4);
      const boxAt = (away) => {
        const top = clamp(middle[1] + away - HIGH / 2, 44, height - HIGH - MARGIN.bottom);
        return [left, top, left + wide, top + HIGH];
      };
      const free = (away) => !taken.some((box) => cover(box, boxAt(away)));
      topic.moved = rows.has(group) ? [moved, ...PLACES].find(free) : undefined;
      const out = topic.moved === undefined;
      if (out) topic.moved = 0;
      else {
        taken.push(boxAt(topic.moved));
        topic.button.style.transform = `translate(${left.toFixed(1)}px,${boxAt(topic.moved)[1].toFixed(1)}px)`;
      }
      attribute(topic.button, "data-out", String(out));
      attribute(topic.button, "aria-pressed", String(scene.lit === group));
      attribute(topic.button, "data-dim", String(scene.lit !== null && scene.lit !== group));
    }
  }
}
