// The cloud: one dot per sentence on a canvas that fills its frame, and the names of topics at
// their centres.

import { median } from "d3-array";
import { nearestDot, nextDot, placement } from "../shared/cloud.js";
import { attribute, consume, element, onResize } from "../shared/dom.js";
import { cut } from "../shared/text.js";
import { Painter } from "./painter.js";
import { marker } from "./reading.js";

// pixels around a dot in which the pointer selects it
const REACH = 14;
// pixels around the dots, below controls
const MARGIN = { side: 20, top: 44, bottom: 24 };
// at most, of one axis against the other, so that the cloud fills its frame
const STRETCH = 2.5;

/** The cloud of one run; `row` is always a sentence's row in this run. */
export class Cloud {
  /**
   * `hooks`: hover(row or -1), choose(row, more), key(event) -> whether it was used, light(group or
   * null), pin(group), resized().
   */
  constructor(hooks) {
    this.canvas = element("canvas", { class: "cloud-canvas", tabindex: 0, role: "img" });
    this.topics = new Topics(hooks);
    this.root = element("div", { class: "cloud-frame" }, this.canvas, this.topics.root);
    this.hooks = hooks;
    // pixels, two numbers per row
    this.at = new Float32Array(0);
    // positions of own sentences, [x, y]
    this.own = [];
    this.scene = null;
    this.painter = new Painter(this);
    this.width = this.height = 0;
    this.listen();
    onResize(this.root, (width, height) => {
      Object.assign(this, { width, height });
      hooks.resized();
    });
  }

  listen() {
    const { canvas, hooks } = this;
    canvas.addEventListener("pointermove", (event) => hooks.hover(this.under(event)));
    canvas.addEventListener("pointerleave", () => hooks.hover(-1));
    canvas.addEventListener("click", (event) =>
      hooks.choose(this.under(event), event.shiftKey || event.ctrlKey || event.metaKey),
    );
    canvas.addEventListener("keydown", (event) => {
      if (hooks.key(event)) consume(event);
    });
  }

  /** The row under the pointer, or -1. */
  under({ offsetX, offsetY }) {
    return nearestDot(this.dots(), offsetX, offsetY, REACH);
  }

  /** [row, [x, y]] of all visible dots, in pixels. */
  *dots() {
    for (let row = 0; row < this.at.length / 2; row++)
      if (!this.scene?.hidden(row)) yield [row, [this.at[2 * row], this.at[2 * row + 1]]];
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

  /** `scene`: see `scene` in picture.js. */
  draw(scene) {
    this.scene = scene;
    if (this.width < 20 || this.height < 20) return;
    const place = placement(
      scene.box,
      this.width,
      this.height,
      scene.read ? { ...MARGIN, bottom: 60 } : MARGIN,
      STRETCH,
    );
    if (this.at.length !== scene.xy.length) this.at = new Float32Array(scene.xy.length);
    for (let i = 0; i < scene.xy.length; i += 2)
      this.at.set(place(scene.xy[i], scene.xy[i + 1]), i);
    this.own = scene.own.map(({ x, y }) => place(x, y));
    this.topics.lay(this);
    this.painter.paint(place);
    attribute(this.canvas, "aria-label", scene.label);
  }
}

// most names
const MOST = 12;
// height of a name in pixels
const HIGH = 20;
// pixels by which a name may be moved from the centre of its topic, the best place first
const PLACES = [
  [0, 0],
  [0, -12],
  [0, 12],
  [0, -24],
  [0, 24],
  [-24, 0],
  [24, 0],
  [-20, -18],
  [20, -18],
  [-20, 18],
  [20, 18],
];
// maximum characters
const LONGEST = 22;
// sentences from which the centres are computed
const ENOUGH = 2000;

const measure = document.createElement("canvas").getContext("2d");

/** The width of a topic's button in pixels. */
function width(text) {
  // the larger of the page's two sizes
  measure.font = "600 15px system-ui, sans-serif";
  // plus the marker and padding
  return measure.measureText(text).width + 24;
}

/**
 * Buttons with the names of the largest groups. A name that has no free place is hidden (`out`).
 */
class Topics {
  constructor(hooks) {
    this.hooks = hooks;
    this.root = element("div", { class: "topics", role: "group", "aria-label": "topics" });
    this.root.addEventListener("keydown", (event) => this.walk(event));
    // {group, middle: [x, y], moved: [x, y], out}
    this.shown = [];
    this.key = "";
  }

  /** Create the buttons if names or theme have changed. */
  make({ names, dark }) {
    const key = JSON.stringify([names, dark]);
    if (key === this.key) return;
    this.key = key;
    const largest = [...names]
      .filter(({ group }) => group >= 0 && names.length > 1)
      .sort((a, b) => b.count - a.count)
      .slice(0, MOST);
    this.shown = largest.map(({ group, name }, place) => {
      const text = cut(name, LONGEST);
      const { light, pin } = this.hooks;
      const button = element(
        "button",
        {
          class: "topic",
          type: "button",
          title: name,
          tabindex: place ? -1 : 0,
          "aria-pressed": "false",
          onpointerenter: () => light(group),
          onpointerleave: () => light(null),
          onfocus: () => light(group),
          onblur: () => light(null),
          onclick: () => pin(group),
        },
        marker(group, dark),
        element("span", { text }),
      );
      return { group, button, wide: width(text), middle: [0, 0], moved: [0, 0], out: true };
    });
    this.root.replaceChildren(...this.shown.map(({ button }) => button));
  }

  /** Place all buttons for the present positions of the dots. */
  lay(cloud) {
    const { scene } = cloud;
    this.make(scene);
    this.middles(cloud);
    this.part(cloud);
    for (const one of this.shown) {
      const { button, middle, moved, wide, out, group } = one;
      one.at = [
        clamp(middle[0] + moved[0] - wide / 2, 4, cloud.width - wide - 4),
        clamp(middle[1] + moved[1] - HIGH / 2, 44, cloud.height - HIGH - 4),
      ];
      button.style.transform = `translate(${one.at[0].toFixed(1)}px,${one.at[1].toFixed(1)}px)`;
      attribute(button, "data-out", String(out && scene.lit !== group));
      attribute(button, "aria-pressed", String(scene.pinned === group));
      attribute(button, "data-dim", String(scene.lit !== null && scene.lit !== group));
    }
  }

  /** Compute each group's centre, the median of its dots, from a sample of them. */
  middles({ at, scene }) {
    const [xs, ys] = [new Map(), new Map()];
    for (const { group } of this.shown) {
      xs.set(group, []);
      ys.set(group, []);
    }
    const every = Math.ceil(at.length / 2 / ENOUGH);
    for (let row = 0; row < at.length / 2; row += every) {
      const group = scene.group(row);
      if (!xs.has(group) || scene.hidden(row)) continue;
      xs.get(group).push(at[2 * row]);
      ys.get(group).push(at[2 * row + 1]);
    }
    for (const one of this.shown) {
      one.there = xs.get(one.group).length > 0;
      if (one.there) one.middle = [median(xs.get(one.group)), median(ys.get(one.group))];
    }
  }

  /**
   * Place each name where it was, if no other name covers that place, else at the first free one of
   * its places.
   */
  part(cloud) {
    const taken = [];
    for (const one of this.shown) {
      const boxAt = ([dx, dy]) => {
        const x = clamp(one.middle[0] + dx - one.wide / 2, 4, cloud.width - one.wide - 4);
        const y = clamp(one.middle[1] + dy - HIGH / 2, 44, cloud.height - HIGH - 4);
        return [x, y, x + one.wide, y + HIGH];
      };
      const free = [one.moved, ...PLACES].find(
        (place) => !taken.some((box) => cover(box, boxAt(place))),
      );
      one.out = !one.there || !free;
      one.moved = free ?? [0, 0];
      if (!one.out) taken.push(boxAt(one.moved));
    }
  }

  /** Names that were moved, each with the centre of its topic. */
  leaders() {
    return this.shown
      .filter(({ out, moved }) => !out && Math.hypot(...moved) > HIGH / 2 + 4)
      .map(({ at, wide, middle }) => ({
        from: middle,
        to: [clamp(middle[0], at[0], at[0] + wide), clamp(middle[1], at[1], at[1] + HIGH)],
      }));
  }

  /** Arrow keys move the focus from name to name. */
  walk(event) {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const buttons = this.shown.filter(({ out }) => !out).map(({ button }) => button);
    if (!way || !buttons.length) return;
    const next =
      buttons[(buttons.indexOf(document.activeElement) + way + buttons.length) % buttons.length];
    for (const { button } of this.shown) button.tabIndex = button === next ? 0 : -1;
    next.focus();
    consume(event);
  }
}

/** `value`, but not below `low` nor above `high`. */
const clamp = (value, low, high) => Math.max(low, Math.min(Math.max(low, high), value));
/** Whether two boxes [left, top, right, bottom] overlap. */
const cover = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
