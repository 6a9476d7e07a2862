// Handles the reader's input in the lab, and time: the steps and the frames that draw them.

import { followAddress, linkTo } from "../shared/address.js";
import { element, onResize } from "../shared/dom.js";
import { onSlide } from "../shared/mount.js";
import { playable } from "../shared/prose.js";
import { copyText } from "../shared/save.js";
import { curves, Record } from "./curves.js";
import { formula } from "./formula.js";
import * as losses from "./losses.js";
import { build } from "./page.js";
import { followPointer } from "./pointer.js";
import { Scene } from "./scene.js";
import { EXPERIMENTS, numbers, words } from "./show.js";
import { read, write } from "./text.js";
import { World } from "./world.js";

// steps per second, and the most in one frame
const PACE = 30;
const MOST_STEPS = 4;
// milliseconds between two changes of text, so that it can be read
const CALM = 250;
const FIRST =
  "Each point is a sentence, each colour a meaning. Drag a point, or the background to turn.";
// settings that an experiment does not change
const KEPT = ["shape", "points", "meanings", "seed", "chosen"];

/** The whole page; `playing` says whether time passes. */
export class Lab {
  constructor(model) {
    this.root = element("div", { class: "clwork-look clwork-sphere", "data-slide": onSlide() });
    // for tests and the browser console
    this.root.lab = Object.assign(this, { losses });
    this.table = model.get("table");
    this.parts = build(this.table, (name, value) => this.set(name, value));
    this.root.append(this.parts.root);
    this.scene = new Scene(this.parts.canvas);
    this.curves = curves(this.parts.sheets);
    this.formula = formula(this.parts.math, this.parts.symbols);
    this.playing = false;
    this.load(model.get("text"));
    const start = (settings) => this.obey(`${model.get("text")} ${settings}`);
    const asks = playable(model.get("question") || FIRST, start);
    this.parts.ask.replaceChildren(...asks);
    // a question with buttons has experiments of its own
    this.parts.tries.hidden = asks.length > 1;
    this.listen();
    if (model.get("play")) this.play(true);
    this.save = followAddress(this.root, "sphere", (text) => {
      const { playing } = this;
      this.tryLoad(text);
      this.play(playing);
    });
  }

  /** Connect the buttons. */
  listen() {
    const { play, step, reset, experiments, text, copy, load } = this.parts;
    play.addEventListener("click", () => this.play(!this.playing));
    step.addEventListener("click", () => {
      this.play(false);
      this.advance();
      this.show();
    });
    reset.addEventListener("click", () => {
      this.play(false);
      this.begin(new World(this.world.settings, this.world.given));
    });
    experiments.forEach((button, k) => {
      button.addEventListener("click", () => this.experiment(EXPERIMENTS[k]));
    });
    copy.addEventListener("click", () => this.copy());
    load.addEventListener("click", () => this.tryLoad(text.value));
    text.addEventListener("keydown", (event) => event.key === "Enter" && this.tryLoad(text.value));
    followPointer(this.parts.canvas, this);
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
    const world = new World(settings, from);
    if (at) world.x = at;
    world.step = step;
    world.evaluateBatch();
    const [x, y] = world.row(world.settings.chosen);
    // turn the chosen point to the front
    if (world.D === 3) this.scene.yaw = Math.atan2(y, x) - 0.5;
    this.begin(world, at !== null);
  }

  /** Show a new world; `moved`: whether its points are elsewhere than at its step 0. */
  begin(world, moved = false) {
    this.world = world;
    this.moved = moved;
    this.record = new Record();
    this.record.add(world.step, world.measured);
    this.show();
  }

  /** Change a setting; some of them make a new world. */
  set(name, value) {
    const { world } = this;
    const settings = { ...world.settings, [name]: value };
    if (this.table.find((setting) => setting.name === name).restarts) {
      const isNewStart = name === "seed" || name === "start";
      return this.begin(new World(settings, isNewStart ? null : world.given));
    }
    world.settings = settings;
    if (name !== "chosen") this.record.mark(world.step);
    world.evaluateBatch();
    this.show();
  }

  /** Move a point to a direction. */
  put(point, direction) {
    this.world.x.set(direction, point * this.world.D);
    this.moved = true;
    this.world.evaluateBatch();
    this.show();
  }

  /** Start an experiment: its settings, defaults for the rest, and the reader's own points. */
  experiment({ ask, set }) {
    const settings = {};
    for (const { name, default: initial } of this.table)
      settings[name] = KEPT.includes(name) ? this.world.settings[name] : initial;
    this.begin(new World({ ...settings, ...set }, this.world.given));
    this.parts.ask.textContent = ask;
    this.play(true);
  }

  /** The state as a text; its positions only if they differ from the start. */
  get text() {
    const { settings, step, given, x } = this.world;
    return write(this.table, { settings, step, from: given, at: this.moved ? x : null });
  }

  /** The address of the state. */
  link() {
    return linkTo("sphere", this.text);
  }

  /** Copy the state to the clipboard. */
  async copy() {
    const { text, told } = this.parts;
    text.value = this.text;
    const isCopied = await copyText(text.value);
    text.select();
    told.textContent = isCopied ? "copied" : "press Ctrl+C to copy what is marked";
  }

  /** Load a state, or say what is wrong with its text. */
  tryLoad(text) {
    this.play(false);
    const { told } = this.parts;
    told.role = null;
    try {
      this.load(text);
      this.parts.text.value = this.text;
      told.textContent = "loaded";
    } catch (error) {
      told.role = "alert";
      told.textContent = error.message;
    }
  }

  /** A button of the question: play from the first state, with other settings. */
  obey(text) {
    this.tryLoad(text);
    this.play(true);
    this.parts.canvas.scrollIntoView({ block: "nearest" });
  }

  /** Play or pause. */
  play(playing) {
    const { play, says } = this.parts;
    this.playing = playing;
    this.last = performance.now();
    this.due = 0;
    play.textContent = playing ? "Pause" : "Play";
    says.setAttribute("aria-live", playing ? "off" : "polite");
    this.show();
  }

  /** Do one step. */
  advance() {
    this.world.advance();
    this.moved = true;
    this.record.add(this.world.step, this.world.measured);
  }

  /** Draw once at the next frame, however often this is called. */
  redraw() {
    this.frame ??= requestAnimationFrame((time) => this.tick(time));
  }

  /** One frame: as many steps as its time allows, the picture, and the texts. */
  tick(time) {
    this.frame = undefined;
    if (this.playing) {
      this.due = Math.min(MOST_STEPS, this.due + ((time - this.last) * PACE) / 1000);
      this.last = time;
      for (; this.due >= 1; this.due -= 1) this.advance();
      if (time - this.spoken > CALM) {
        this.spoken = time;
        words(this);
      } else numbers(this);
    }
    this.frames = (this.frames ?? 0) + 1;
    const isMoving = this.scene.draw(this.world);
    if (this.playing || isMoving) this.redraw();
  }

  /** Show everything, after a change. */
  show() {
    this.spoken = performance.now();
    words(this);
    const { settings, given } = this.world;
    this.save?.(write(this.table, { settings, step: 0, from: given, at: null }));
    this.redraw();
  }

  /** Apply a theme. */
  paint(dark) {
    this.dark = dark;
    this.scene.theme(dark);
    this.show();
  }
}
