// Handles the reader's input in the lab, and time: the steps and the frames that draw them.

import { followAddress } from "../shared/address.js";
import { element, onResize } from "../shared/dom.js";
import { Record } from "./curves.js";
import { formula } from "./formula.js";
import * as losses from "./losses.js";
import { build } from "./page.js";
import { Scene } from "./scene.js";
import { EXPERIMENTS, even, numbers, words } from "./show.js";
import { read, write } from "./text.js";
import { World } from "./world.js";

// radians per press of an arrow key
const TURN = 0.12;
const SHIFT = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Drag a point, or the background to turn the sphere; arrow keys do the same. */
function pointer(canvas, lab) {
  // { point } or { x, y }
  let held = null;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const down = (event) => {
    const [x, y] = at(event);
    const point = lab.scene.find(x, y);
    canvas.setPointerCapture(event.pointerId);
    held = point >= 0 ? { point } : { x, y };
    if (point >= 0) lab.choose(point);
  };
  const move = (event) => {
    const [x, y] = at(event);
    if (held?.point !== undefined) {
      held.moved = true;
      return void lab.put(held.point, lab.scene.direction(x, y));
    }
    if (held && lab.world.D === 3) {
      lab.scene.yaw -= (x - held.x) / lab.scene.radius;
      lab.scene.pitch = Math.max(
        -1.5,
        Math.min(1.5, lab.scene.pitch + (y - held.y) / lab.scene.radius),
      );
      lab.scene.clear();
      held = { x, y };
    } else if (!held) {
      const over = lab.scene.find(x, y);
      if (over === lab.scene.hovered) return;
      lab.scene.hovered = over;
      canvas.title = over < 0 ? "" : `point ${over}, meaning ${lab.world.meaning[over]}`;
      canvas.style.cursor = over < 0 ? "grab" : "pointer";
    }
    lab.redraw();
  };
  const up = () => (held = null);
  const keys = (event) => {
    const { world, scene } = lab;
    const { chosen } = world.settings;
    const way = SHIFT[event.key];
    if (way && event.shiftKey) {
      const p = Array.from(world.x.subarray(chosen * world.D, (chosen + 1) * world.D));
      const [right, up] =
        world.D === 3
          ? scene.axes()
          : [
              [p[1], -p[0]],
              [-p[1], p[0]],
              // on the ring: along the circle
            ];
      const next = p.map((value, d) => value + TURN * (way[0] * right[d] + way[1] * up[d]));
      const length = Math.hypot(...next);
      lab.put(
        chosen,
        next.map((value) => value / length),
      );
    } else if (way) {
      scene.yaw -= TURN * way[0];
      scene.pitch = Math.max(-1.5, Math.min(1.5, scene.pitch + TURN * way[1]));
      scene.clear();
      lab.redraw();
    } else if (event.key === "n") lab.choose((chosen + 1) % world.N);
    else if (event.key === "p") lab.choose((chosen + world.N - 1) % world.N);
    else if (event.key === " ") lab.run(lab.mode ? null : "play");
    else return;
    event.preventDefault();
  };
  const ways = {
    pointerdown: down,
    pointermove: move,
    pointerup: up,
    pointercancel: up,
    keydown: keys,
  };
  for (const [what, call] of Object.entries(ways)) canvas.addEventListener(what, call);
}

// steps per second
const PACE = { play: 30, slow: 2 };
// seconds between two changes of text, so that it can be read
const CALM = 0.25;
const FIRST =
  "Press Play. Each point is a sentence, each colour a meaning. Drag a point, or drag the background to turn.";

/**
 * `mode`: whether it plays. `part`: how much of the last step is shown, from 0 (`before`) to 1 (the
 * world's points).
 */
export class Lab {
  constructor(model) {
    // a separate page, which the lab fills, or a part of one
    const name = model.get("fill") ? "clwork-sphere fill" : "clwork-sphere";
    this.root = element("div", { class: name });
    // for tests and the browser console
    this.root.lab = Object.assign(this, { losses, even });
    this.table = model.get("table");
    this.parts = build(this.root, this.table, (name, value) => this.set(name, value));
    this.scene = new Scene(this.parts.canvas);
    this.record = new Record();
    this.formula = formula(this.parts.math, this.parts.symbols);
    // "play" | "slow" | null
    this.mode = null;
    this.load(model.get("text"));
    this.parts.ask.textContent = model.get("question") || FIRST;
    this.listen();
    if (model.get("play")) this.run("play");
    this.save = followAddress(this.root, "sphere", (text) => {
      const { mode } = this;
      this.tryLoad(text);
      this.run(mode);
    });
    this.show();
  }

  /** Connect the buttons. */
  listen() {
    const { play, step, slow, reset, tries, text, copy, load } = this.parts;
    play.addEventListener("click", () => this.run(this.mode ? null : "play"));
    slow.addEventListener("click", () => this.run(this.mode === "slow" ? null : "slow"));
    step.addEventListener("click", () => {
      this.run(null);
      this.advance();
    });
    reset.addEventListener("click", () => {
      this.run(null);
      this.reset();
    });
    for (const [k, button] of tries.entries()) {
      button.addEventListener("click", () => this.experiment(EXPERIMENTS[k]));
    }
    copy.addEventListener("click", () => this.copy());
    load.addEventListener("click", () => this.tryLoad(text.value));
    text.addEventListener("keydown", (event) => event.key === "Enter" && this.tryLoad(text.value));
    text.addEventListener("input", () => (this.typing = true));
    pointer(this.parts.canvas, this);
    // both fill their containers
    for (const part of [this.parts.canvas, this.parts.math]) onResize(part, () => this.show());
  }

  /** The page is removed. */
  close() {
    cancelAnimationFrame(this.frame);
  }

  /** Load a state from its text; throws an error if the text is invalid. */
  load(text) {
    const { settings, step, from, at } = read(this.table, text);
    settings.chosen = Math.min(settings.chosen, settings.points - 1);
    this.world = new World(settings, from);
    if (at) this.world.x = at;
    this.world.step = step;
    this.moved = at !== null;
    this.world.evaluateBatch();
    const [x, y] = this.world.x.subarray(this.world.D * settings.chosen);
    // turn the chosen point to the front
    if (this.world.D === 3) this.scene.yaw = Math.atan2(y, x) - 0.5;
    this.begin();
  }

  /** Show a world that has just been made or loaded. */
  begin() {
    this.record.clear();
    this.record.add(this.world.step, this.world.measured);
    this.before = this.world.x;
    this.part = 1;
    this.scene.clear();
    this.typing = false;
    this.show();
  }

  /** Back to step 0 with the same settings. */
  reset() {
    this.world.reset();
    this.moved = false;
    this.begin();
  }

  /** Change a setting; some of them make a new world. */
  set(name, value) {
    const { world } = this;
    const { restarts } = this.table.find((setting) => setting.name === name);
    if (restarts) {
      const given = name === "seed" || name === "start" ? null : world.given;
      const settings = { ...world.settings, [name]: value };
      settings.chosen = Math.min(settings.chosen, settings.points - 1);
      this.world = new World(settings, given);
      this.moved = false;
      return void this.begin();
    }
    world.settings[name] = name === "chosen" ? Math.min(value, world.N - 1) : value;
    if (name !== "chosen") this.record.mark(world.step);
    world.evaluateBatch();
    this.show();
  }

  /** Show the forces on another point. */
  choose(point) {
    this.set("chosen", point);
  }

  /** Move a point to a direction. */
  put(point, direction) {
    this.world.x = Float64Array.from(this.world.x);
    this.world.x.set(direction, point * this.world.D);
    this.before = this.world.x;
    this.moved = true;
    this.world.evaluateBatch();
    this.show();
  }

  /** Start an experiment: its settings, defaults for the rest, and the reader's own points. */
  experiment({ ask, set }) {
    const keep = Object.fromEntries(
      ["shape", "points", "meanings", "seed", "chosen"].map((name) => [
        name,
        this.world.settings[name],
      ]),
    );
    const defaults = Object.fromEntries(
      this.table.map((setting) => [setting.name, setting.default]),
    );
    this.world = new World({ ...defaults, ...keep, ...set }, this.world.given);
    this.moved = false;
    this.begin();
    this.parts.ask.textContent = ask;
    this.run("play");
  }

  /** The state as a text; its positions only if they differ from the start. */
  get text() {
    const { settings, step, given, x } = this.world;
    return write(this.table, {
      settings,
      step,
      from: given,
      at: step > 0 || this.moved ? x : null,
    });
  }

  /** Copy the state to the clipboard. */
  copy() {
    const { text } = this.parts;
    text.value = this.text;
    this.typing = false;
    text.select();
    let done = false;
    try {
      // an iframe like ours may not use navigator.clipboard
      done = document.execCommand("copy");
    } catch {
      done = false;
    }
    this.report(done ? "copied" : "press Ctrl+C to copy what is marked");
  }

  /** Load a state, or report what is wrong with its text. */
  tryLoad(text) {
    this.run(null);
    try {
      this.load(text);
      this.report("loaded");
    } catch (error) {
      this.report(error.message, true);
    }
  }

  /** Show a message next to the state. */
  report(text, wrong = false) {
    const { told } = this.parts;
    told.textContent = text;
    if (wrong) told.setAttribute("role", "alert");
    else told.removeAttribute("role");
  }

  /** Play, play slowly, or pause (null). */
  run(mode) {
    this.mode = mode;
    const { play, slow, says } = this.parts;
    play.textContent = mode ? "Pause" : "Play";
    slow.setAttribute("aria-pressed", String(mode === "slow"));
    says.setAttribute("aria-live", mode ? "off" : "polite");
    this.last = null;
    if (!mode) this.part = 1;
    this.redraw();
    this.show();
  }

  /** Do one step. */
  advance() {
    this.before = this.world.x;
    this.world.advance();
    this.record.add(this.world.step, this.world.measured);
    this.moved = true;
    if (!this.mode) this.show();
  }

  /** Draw once at the next frame, however often this is called. */
  redraw() {
    this.frame ??= requestAnimationFrame((time) => this.tick(time));
  }

  /** One frame: as many steps as its time allows, at most 4, and the picture. */
  tick(time) {
    this.frame = undefined;
    if (this.mode) {
      const passed = this.last === null ? 0 : Math.min(0.25, (time - this.last) / 1000);
      this.last = time;
      this.part += passed * PACE[this.mode];
      for (let k = 0; this.part >= 1 && k < 4; k++, this.part -= 1) this.advance();
      this.part = Math.min(this.part, 1);
    }
    this.frames = (this.frames ?? 0) + 1;
    this.draw(time);
    if (this.mode || this.settling > 0) this.redraw();
    this.settling = Math.max(0, (this.settling ?? 0) - 1);
  }

  /** The points of this frame: between the last two steps while it plays. */
  between() {
    const { world, before, part } = this;
    const to = world.x;
    if (!this.mode || part >= 1 || before.length !== to.length) return to;
    return losses.unitRows(
      to.map((value, k) => before[k] + part * (value - before[k])),
      world.D,
    ).unit;
  }

  /** Show everything, after a change. */
  show() {
    const { settings, given } = this.world;
    this.shownStep = this.world.step;
    words(this);
    this.save?.(write(this.table, { settings, step: 0, from: given, at: null }));
    // frames in which stacked points on the ring come to rest
    this.settling = 20;
    this.redraw();
  }

  /** Apply a theme. */
  paint() {
    this.scene.theme();
    this.show();
  }

  /** Draw the picture; texts change less often, so that they can be read. */
  draw(time) {
    const { world, scene } = this;
    scene.draw(world, this.between());
    if (!this.mode || world.step === this.shownStep) return;
    this.shownStep = world.step;
    if (time - (this.spoken ?? 0) > CALM * 1000) {
      this.spoken = time;
      words(this);
    } else numbers(this);
  }
}
