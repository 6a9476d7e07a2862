// Controls of time: play, one probe forward or back, speed, a slider, and back to the newest probe
// of an active run.

import { attribute, element, write } from "../shared/dom.js";

// maximum seconds from the first probe to the last
const WHOLE = 14;
// minimum seconds from probe to probe
const LEAST = 0.16;
// milliseconds of a move between two probes
const STEP = 300;
const PACES = [
  ["slow motion", 0.2],
  ["normal", 1],
  ["fast", 3],
];

/** Slow down towards the end of a move. */
const eased = (part) => 1 - (1 - Math.min(1, part)) ** 3;

/** The time of the page, in probes; it moves by itself while it plays or glides. */
export class Clock {
  /**
   * Moves `t` between 0 and `last()`; calls `show(t)` on every frame that changes it, and `rest()`
   * when it stops.
   */
  constructor(last, show, rest) {
    Object.assign(this, { last, show, rest, t: 0, playing: false, pace: 1, goal: null });
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  /**
   * Play from the current time, or from the start if it is at the end; in `seconds` in total, if
   * given.
   */
  play(seconds = null) {
    if (seconds && this.still.matches) return this.jump(this.last());
    if (this.t >= this.last()) this.t = 0;
    this.whole = seconds;
    this.playing = true;
    this.goal = null;
    return this.run();
  }

  /** Stop playing. */
  pause() {
    this.playing = false;
    this.rest();
  }

  /** Move smoothly to a time, or jump there if the reader prefers reduced motion. */
  glide(t) {
    this.playing = false;
    const goal = Math.max(0, Math.min(this.last(), t));
    if (this.still.matches || document.hidden) return this.jump(goal);
    this.goal = { from: this.t, to: goal, began: performance.now() };
    this.run();
  }

  /** Move to a time at once. */
  jump(t) {
    this.playing = false;
    this.goal = null;
    this.t = Math.max(0, Math.min(this.last(), t));
    this.show(this.t);
    this.rest();
  }

  /** How much of a move is done, from 0 to 1. */
  get part() {
    return this.goal ? eased((performance.now() - this.goal.began) / STEP) : 1;
  }

  /** The requested time, at which a move will end. */
  get aim() {
    return this.goal ? this.goal.to : this.t;
  }

  /** Call `tick` at each frame until nothing moves. */
  run() {
    if (this.frame) return;
    this.lastTick = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  /** One frame. */
  tick(now) {
    this.frame = 0;
    // on a slow page play slower instead of skipping probes
    const passed = Math.min(0.1, (now - this.lastTick) / 1000);
    this.lastTick = now;
    if (this.goal) {
      const part = Math.min(1, (now - this.goal.began) / STEP);
      this.t = this.goal.from + (this.goal.to - this.goal.from) * eased(part);
      if (part === 1) this.goal = null;
    } else if (this.playing) {
      const each = this.whole
        ? this.whole / Math.max(1, this.last())
        : Math.max(LEAST, Math.min(1, WHOLE / Math.max(1, this.last())));
      this.t = Math.min(this.last(), this.t + (passed * this.pace) / each);
      if (this.t >= this.last()) this.playing = false;
    }
    const going = this.goal || this.playing;
    this.show(this.t);
    if (going) this.frame = requestAnimationFrame((next) => this.tick(next));
    else this.rest();
  }

  /** The page is removed. */
  close() {
    cancelAnimationFrame(this.frame);
  }
}

/** The buttons and the slider; `step` moves by probes. */
export class Transport {
  /**
   * `hooks`: moved() after the reader moved the time, live() to show the newest probe; in a panel
   * fork() to train on from here.
   */
  constructor(clock, hooks) {
    Object.assign(this, { clock, hooks });
    const button = (text, label, act) =>
      element("button", {
        class: "key",
        type: "button",
        text,
        "aria-label": label,
        title: label,
        onclick: act,
      });
    this.play = button("▶", "play", () => this.toggle());
    this.back = button("◂", "one probe back", () => this.step(-1));
    this.on = button("▸", "one probe forward", () => this.step(1));
    this.slider = element("input", {
      class: "time",
      type: "range",
      min: 0,
      step: "any",
      "aria-label": "time",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.marks = element("div", { class: "time-marks", "aria-hidden": "true" });
    this.pace = element(
      "select",
      {
        class: "pace",
        "aria-label": "speed of playing",
        onchange: () => (clock.pace = Number(this.pace.value)),
      },
      ...PACES.map(([text, value]) => element("option", { value, text, selected: value === 1 })),
    );
    this.words = element("output", { class: "told" });
    this.live = element("button", {
      class: "live",
      type: "button",
      text: "Live",
      title: "Follow the run: show its newest probe (End)",
      onclick: hooks.live,
    });
    this.fork = element("button", {
      class: "clwork-fork",
      type: "button",
      text: "Fork",
      disabled: true,
      onclick: hooks.fork,
    });
    this.root = element(
      "div",
      { class: "clwork-transport", role: "group", "aria-label": "time" },
      this.play,
      this.back,
      this.on,
      element("div", { class: "time-box" }, this.slider, this.marks),
      this.words,
      this.pace,
      hooks.fork ? this.fork : "",
      this.live,
    );
  }

  /** Play or pause. */
  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
    this.hooks.moved();
  }

  /** The reader moved the slider. */
  go(t) {
    this.clock.jump(t);
    this.hooks.moved();
  }

  /**
   * Move `count` probes forward (`way` 1) or back (-1); from between two probes, first to the next
   * one.
   */
  step(way, count = 1) {
    const t = this.clock.aim;
    this.clock.glide(way > 0 ? Math.floor(t + count + 1e-6) : Math.ceil(t - count - 1e-6));
    this.hooks.moved();
  }

  /** `live`: whether the newest probe of an active run is followed; null if no run is active. */
  show(t, last, words, live) {
    const { playing } = this.clock;
    write(this.play, playing ? "❚❚" : "▶");
    attribute(this.play, "aria-label", playing ? "pause" : "play");
    attribute(this.play, "title", `${playing ? "pause" : "play"} (space)`);
    this.slider.max = String(last);
    this.slider.value = String(t);
    this.slider.style.setProperty("--done", `${last ? (100 * t) / last : 100}%`);
    attribute(this.slider, "aria-valuetext", words);
    this.back.disabled = this.clock.aim <= 0;
    this.on.disabled = this.clock.aim >= last;
    attribute(this.live, "data-live", String(live));
    attribute(this.live, "aria-pressed", String(live === true));
    this.live.disabled = live === null;
  }

  /** Mark events of the runs on the slider. */
  mark(moments, last) {
    const key = `${moments} ${last}`;
    if (key === this.marked) return;
    this.marked = key;
    this.marks.replaceChildren(
      ...moments.map((t) => element("i", { style: `left: ${last ? (100 * t) / last : 0}%` })),
    );
  }
}
