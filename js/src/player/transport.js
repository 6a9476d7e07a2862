// Play, single step, slow motion and the slider of time.

import { element, tell, write } from "./dom.js";

const WHOLE = 14; // seconds from the first look to the last, at most
const LEAST = 0.16; // seconds from look to look, at least
const STEP = 350; // milliseconds of a single step's move
export const PACES = [["slow motion", 0.2], ["normal", 1], ["fast", 3]];

export class Clock {
  /** Moves `t` between 0 and `last()`; calls `show(t)` on every frame that changed it, and `rest()` when it stops. */
  constructor(last, show, rest) {
    Object.assign(this, { last, show, rest, t: 0, playing: false, pace: 1, goal: null });
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  play() {
    if (this.t >= this.last()) this.t = 0;
    this.playing = true;
    this.goal = null;
    this.run();
  }

  pause() {
    this.playing = false;
    this.rest();
  }

  /** Glide to a moment; where the reader wants no motion, be there at once. */
  glide(t) {
    this.playing = false;
    const goal = Math.max(0, Math.min(this.last(), t));
    if (this.still.matches || document.hidden) return this.jump(goal);
    this.goal = { from: this.t, to: goal, began: performance.now() };
    this.run();
  }

  jump(t) {
    this.playing = false;
    this.goal = null;
    this.t = Math.max(0, Math.min(this.last(), t));
    this.show(this.t);
    this.rest();
  }

  /** The moment that the reader has asked for: where a glide will end. */
  get aim() {
    return this.goal ? this.goal.to : this.t;
  }

  run() {
    if (this.frame) return;
    this.then = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.frame = 0;
    const passed = Math.min(0.1, (now - this.then) / 1000); // a slow page plays slower, it leaves nothing out
    this.then = now;
    if (this.goal) {
      const part = Math.min(1, (now - this.goal.began) / STEP);
      this.t = this.goal.from + (this.goal.to - this.goal.from) * (1 - (1 - part) ** 3);
      if (part === 1) this.goal = null;
    } else if (this.playing) {
      this.t = Math.min(this.last(), this.t + (passed * this.pace) / Math.max(LEAST, Math.min(1, WHOLE / Math.max(1, this.last()))));
      if (this.t >= this.last()) this.playing = false;
    }
    const going = this.goal || this.playing;
    this.show(this.t);
    if (going) this.frame = requestAnimationFrame((next) => this.tick(next));
    else this.rest();
  }

  close() {
    cancelAnimationFrame(this.frame);
  }
}

export class Transport {
  constructor(clock) {
    this.clock = clock;
    const button = (text, label, act) => element("button", { class: "key", type: "button", text, "aria-label": label, title: label, onclick: act });
    this.play = button("▶", "play", () => this.toggle());
    this.back = button("◂", "one look back", () => this.step(-1));
    this.on = button("▸", "one look on", () => this.step(1));
    this.slider = element("input", {
      class: "time", type: "range", min: 0, step: "any", "aria-label": "time", oninput: () => clock.jump(Number(this.slider.value)),
    });
    this.pace = element("select", { class: "pace", "aria-label": "speed", onchange: () => (clock.pace = Number(this.pace.value)) },
      ...PACES.map(([text, value]) => element("option", { value, text, selected: value === 1 })));
    this.told = element("output", { class: "told" });
    this.root = element("div", { class: "transport" }, this.play, this.back, this.on, this.slider, this.told, this.pace);
  }

  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
    this.shown();
  }

  /** To the look before or after the one shown. */
  step(way) {
    const t = this.clock.aim;
    this.clock.glide(way > 0 ? Math.floor(t + 1 + 1e-6) : Math.ceil(t - 1 - 1e-6));
    this.shown();
  }

  shown() {
    const { playing } = this.clock;
    write(this.play, playing ? "❚❚" : "▶");
    tell(this.play, "aria-label", playing ? "pause" : "play");
    tell(this.play, "title", `${playing ? "pause" : "play"} (space)`);
  }

  show(t, last, words) {
    this.slider.max = String(last);
    this.slider.value = String(t);
    this.slider.style.setProperty("--done", `${last ? (100 * t) / last : 100}%`);
    tell(this.slider, "aria-valuetext", words);
    this.back.disabled = this.clock.aim <= 0;
    this.on.disabled = this.clock.aim >= last;
    this.shown();
  }
}
