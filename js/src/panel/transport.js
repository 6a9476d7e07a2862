// Controls of time: play, a slider, a fork, and back to the newest probe of an active run.

import { attribute, partsOf, write } from "../shared/dom.js";

// seconds from the first probe to the last
const WHOLE = 6;
// milliseconds of a move between two probes
const STEP = 300;

/** How much of a move of `length` milliseconds is done, slower towards the end. */
export const eased = (began, length) =>
  1 - (1 - Math.max(0, Math.min(1, (performance.now() - began) / length))) ** 3;

/** The time of the page, in probes; it moves by itself while it plays or glides. */
export class Clock {
  /**
   * Moves `t` between 0 and `last()`; calls `show()` on every frame that changes it, and once more
   * when it stops.
   */
  constructor(last, show) {
    Object.assign(this, { last, show, t: 0, playing: false, goal: null });
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Play from the current time, or from the start if it is at the end. */
  play() {
    if (this.t >= this.last()) this.t = 0;
    this.playing = true;
    this.goal = null;
    this.run();
  }

  /** Stop playing. */
  pause() {
    this.playing = false;
    this.show();
  }

  /** Move smoothly to a time, or jump there if the reader prefers reduced motion. */
  glide(t) {
    this.playing = false;
    const goal = Math.max(0, Math.min(this.last(), t));
    if (this.still.matches || document.hidden) return this.jump(goal);
    this.goal = { from: this.t, to: goal, began: performance.now() };
    return this.run();
  }

  /** Move to a time at once. */
  jump(t) {
    this.playing = false;
    this.goal = null;
    this.t = Math.max(0, Math.min(this.last(), t));
    this.show();
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
    // the time of a frame can be before that of the click that asked for it
    const passed = Math.max(0, Math.min(0.1, (now - this.lastTick) / 1000));
    this.lastTick = now;
    if (this.goal) {
      const { from, to, began } = this.goal;
      const part = eased(began, STEP);
      this.t = from + (to - from) * part;
      if (part === 1) this.goal = null;
    } else if (this.playing) {
      this.t = Math.min(this.last(), this.t + (passed / WHOLE) * this.last());
      if (this.t >= this.last()) this.playing = false;
    }
    this.show();
    if (this.goal || this.playing) this.frame = requestAnimationFrame((next) => this.tick(next));
  }

  /** The page is removed. */
  close() {
    cancelAnimationFrame(this.frame);
  }
}

const PARTS = `
  <div class="clwork-transport lined">
    <button class="key" data-part="play">▶</button>
    <input class="time" data-part="slider" type="range" min="0" step="any" aria-label="time">
    <output class="told small" data-part="words"></output>
    <button class="clwork-fork later" data-part="fork">Fork</button>
    <button class="live later" data-part="live"
      title="Follow the run: show its newest probe (End)">Live</button>
  </div>`;

/** The buttons and the slider. */
export class Transport {
  /**
   * `hooks`: moved() after the reader moved the time, live() to show the newest probe, fork() to
   * train on from here.
   */
  constructor(clock, hooks) {
    Object.assign(this, partsOf(PARTS), { clock, hooks });
    this.play.onclick = () => this.toggle();
    this.fork.onclick = hooks.fork;
    this.live.onclick = hooks.live;
    this.slider.oninput = () => {
      clock.jump(Number(this.slider.value));
      hooks.moved();
    };
  }

  /** Play or pause. */
  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
    this.hooks.moved();
  }

  /** Move by some probes; from between two probes, first to the next one. */
  step(count) {
    const t = this.clock.aim + count;
    this.clock.glide(count > 0 ? Math.floor(t + 1e-6) : Math.ceil(t - 1e-6));
    this.hooks.moved();
  }

  /** `live`: whether the newest probe of an active run is followed; null if no run is active. */
  show(t, last, words, live) {
    const { playing } = this.clock;
    if (playing) this.hasPlayed = true;
    const isFirst = !this.hasPlayed && t === 0 && last > 0 && live === null;
    this.play.toggleAttribute("data-first", isFirst);
    write(this.play, playing ? "❚❚" : isFirst ? "▶ Play the training" : "▶");
    attribute(this.play, "aria-label", playing ? "pause" : "play");
    attribute(this.play, "title", `${playing ? "pause" : "play"} (space)`);
    this.slider.max = String(last);
    this.slider.value = String(t);
    attribute(this.slider, "aria-valuetext", words);
    attribute(this.live, "aria-pressed", String(live === true));
    this.live.disabled = live === null;
  }
}
