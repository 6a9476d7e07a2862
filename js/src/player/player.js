// The player: one time for all pictures of one run, or of two side by side. It builds the parts, hears of what the reader
// does and tells each part what to show; the parts know nothing of each other.

import { followTheme } from "../shared/theme.js";
import { Cloud } from "./cloud.js";
import { Controls, alive, holds } from "./controls.js";
import { Curves } from "./curves.js";
import { Film, Timeline } from "./decode.js";
import { element, steps, write } from "./dom.js";
import { differ, together } from "./groups.js";
import { Legend } from "./legend.js";
import { Plane } from "./plane.js";
import { Reading } from "./reading.js";
import { frame, line, lists, scene, told } from "./scene.js";
import { Selection } from "./selection.js";
import { Clock, Transport } from "./transport.js";

const TAIL = 0.8; // looks that a dot's tail is long while time passes
const NARROW = 760; // pixels of width below which the parts are stacked
const TIGHT = 1000; // below which they stand closer
const HINT = "Click a dot: its way through time is drawn, and its nearest sentences stand here, then and now.";
const KEYS = "click a dot · shift-click for more · space plays, ← → step";

/** Where the curves of a run at work end: a round step somewhat ahead of it. */
function ahead(film) {
  const wanted = Math.max(10, 1.1 * Math.max(...film.known()));
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.min(film.total, [1, 2, 5, 10].find((one) => one * power >= wanted) * power);
}

export class Player {
  constructor(el, recordings, { page = false, height = null, ask = null } = {}) {
    this.films = recordings.map((given) => new Film(given));
    this.runs = this.films.map((film, run) => ({ film, name: "AB"[run], ink: `var(--run-${run})`, dash: run ? "6 3" : null }));
    this.shared = together(this.films);
    this.apart = this.films.length > 1 && differ(this.films, this.shared);
    this.ask = ask; // of a kernel, where one listens
    this.view = { kind: this.umap === "there" ? "umap" : "pca", x: 0, y: Math.min(1, this.films[0].axes - 1) };
    this.time = new Timeline(this.films);
    this.clock = new Clock(() => this.time.last, () => this.paint(), () => this.paint());
    this.clock.t = this.films.some(alive) ? this.time.last : 0;
    this.build(el, height);
    this.selection = new Selection(this.films, this.shared, this.controls.colour.value, () => this.paint());
    this.keys(page ? document : this.root);
    this.stopTheme = followTheme(this.root, (dark) => {
      this.dark = dark;
      this.paint();
    });
    this.watch = new ResizeObserver(() => this.lay());
    for (const part of [this.root, this.plane.box, ...this.curves.charts.map((chart) => chart.box)]) this.watch.observe(part);
    this.lay();
  }

  // --- building -------------------------------------------------------------------------------------------------

  build(el, height) {
    this.controls = new Controls(this.runs, {
      colour: (by) => this.selection.colour(by),
      words: (words) => this.selection.colour("words", words),
      axes: (x, y) => this.turn({ ...this.view, x, y }),
      kind: (kind) => this.kind(kind),
      find: (query) => this.selection.find(query),
      next: () => this.selection.next(),
    });
    this.legend = new Legend({
      toggle: (group) => this.selection.toggle(group),
      only: (group) => this.selection.only(group),
      all: () => this.selection.reveal(),
      lift: () => this.selection.choose(-1),
    });
    this.clouds = this.runs.map((_, run) => this.cloud(run));
    this.curves = new Curves((step) => this.clock.jump(this.time.t(step)));
    this.plane = new Plane();
    this.reading = new Reading((sentence) => this.selection.choose(sentence));
    this.transport = new Transport(this.clock);
    this.notes = this.runs.map(() => element("div", { class: "cloud-note" }));
    this.trends = this.runs.map(() => element("div", { class: "cloud-trend" }));
    const frames = this.runs.map(({ name, ink }, run) => {
      const key = this.runs.length > 1 ? element("span", { class: "run-key", style: `background: ${ink}`, text: name }) : "";
      return element("div", { class: "cloud" }, this.clouds[run].root,
        element("div", { class: "cloud-head" }, key, this.notes[run]), this.trends[run], run ? "" : element("div", { class: "cloud-keys", text: KEYS }));
    });
    this.root = element("section", { class: "clwork-player", "aria-label": "a run through time" },
      this.controls.root,
      element("div", { class: "stage" }, this.legend.root, element("div", { class: "clouds" }, ...frames)),
      element("div", { class: "side" }, this.curves.root, this.plane.root),
      this.transport.root,
      this.reading.root,
    );
    if (height) this.root.style.setProperty("--height", `${height}px`);
    this.root.player = this; // for a reader's console, and for tests
    el.append(this.root);
  }

  cloud(run) {
    const sentence = (row) => (row < 0 ? -1 : this.shared.ofRow[run][row]);
    return new Cloud({
      hover: (row) => this.selection.point(sentence(row)),
      choose: (row, more) => this.selection.choose(sentence(row), more),
      key: (event) => this.selection.walk(event, run),
    });
  }

  keys(target) {
    this.listened = target;
    this.onKey = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { tagName = "", type } = event.target;
      const writes = (tagName === "INPUT" && type !== "range") || tagName === "SELECT" || tagName === "TEXTAREA";
      if (event.key === "Escape") this.selection.choose(-1);
      else if (writes || (tagName === "BUTTON" && event.key === " ")) return;
      else if (event.key === " ") this.transport.toggle();
      else if (event.key === "ArrowRight") this.transport.step(1);
      else if (event.key === "ArrowLeft") this.transport.step(-1);
      else if (event.key === "Home") this.clock.glide(0);
      else if (event.key === "End") this.clock.glide(this.time.last);
      else return;
      event.preventDefault();
    };
    target.addEventListener("keydown", this.onKey);
  }

  // --- the view -------------------------------------------------------------------------------------------------

  turn(view) {
    this.view = view;
    this.paint();
  }

  get umap() {
    if (this.films.every((film) => film.umap)) return "there";
    return this.ask ? (this.asked ? "asked" : "possible") : "missing";
  }

  kind(kind) {
    if (kind === "umap" && this.umap !== "there") {
      this.asked = true;
      this.said = "";
      this.ask({ ask: "umap" });
      return this.paint();
    }
    return this.turn({ ...this.view, kind });
  }

  /** What was asked of Python cannot be had: say why. */
  refuse(why) {
    this.asked = false;
    this.said = why;
    this.paint();
  }

  // --- what a run at work sends ---------------------------------------------------------------------------------

  /** The last look and row of each run that are here. */
  known() {
    return this.films.map((film) => film.known());
  }

  take(news) {
    const step = this.step;
    const followed = !this.clock.playing && this.clock.aim >= this.time.last;
    const shown = this.umap;
    const fresh = news.map((one, run) => this.films[run].add(one));
    if (fresh.some(Boolean)) {
      this.time.refresh();
      this.clock.t = this.time.t(step);
      if (followed) this.clock.glide(this.time.last);
    }
    if (this.asked && shown !== "there" && this.umap === "there") {
      this.asked = false;
      this.view = { ...this.view, kind: "umap" };
    }
    this.lay();
  }

  // --- showing --------------------------------------------------------------------------------------------------

  get step() {
    return this.time.step(this.clock.t);
  }

  /** Where a run's dots are now: x, y of row after row. For a reader's console, and for tests. */
  positions(run = 0) {
    return [...this.films[run].places(this.step, this.view)];
  }

  lay() {
    if (!this.root.clientWidth) return;
    this.root.classList.toggle("narrow", this.root.clientWidth < NARROW);
    this.root.classList.toggle("tight", this.root.clientWidth >= NARROW && this.root.clientWidth < TIGHT);
    const end = Math.max(...this.films.map((film) => (alive(film) ? ahead(film) : Math.max(...film.known()))));
    this.curves.lay(this.runs, end);
    this.plane.lay(this.runs);
    this.paint();
  }

  paint() {
    if (this.asked_frame) return;
    this.asked_frame = requestAnimationFrame(() => {
      this.asked_frame = 0;
      this.draw();
    });
  }

  draw() {
    const { step, selection } = this;
    const words = told(this.runs, step, this.time.steps.at(-1));
    this.controls.show(this.view, this.umap);
    this.legend.show(selection.groups.groups, selection.hidden, this.dark, selection.chosen.length > 0);
    this.drawClouds(step, words);
    if (this.curves.charts[0].x) {
      this.curves.show(this.runs, step);
      this.plane.show(this.runs, step);
    }
    this.transport.show(this.clock.t, this.time.last, words);
    write(this.transport.told, `step ${steps(step)} of ${steps(this.time.steps.at(-1))}`);
    this.reading.say(line(selection), this.dark);
    this.reading.list(lists(this.runs, selection, step), this.dark, this.said || (selection.query ? "" : HINT));
  }

  drawClouds(step, words) {
    const { view, dark } = this;
    const moving = this.clock.playing || this.clock.goal;
    const start = moving ? this.time.step(Math.max(0, this.clock.t - TAIL)) : null;
    const box = frame(this.films, view);
    this.clouds.forEach((cloud, run) => {
      const film = this.films[run];
      cloud.draw(scene(film, run, this.selection, { step, start, view, box, words, dark }));
      const { stretch } = cloud;
      const wide = Math.abs(Math.log(stretch)) > 0.05 ? ` · ${stretch > 1 ? `${stretch.toFixed(1)} × wider` : `${(1 / stretch).toFixed(1)} × higher`}` : "";
      write(this.notes[run], holds(film, step, view, this.runs.length > 1) + (run && this.apart ? " · axes of its own" : "") + wide);
      write(this.trends[run], film.trend(step));
    });
  }

  close() {
    this.clock.close();
    cancelAnimationFrame(this.asked_frame);
    this.watch.disconnect();
    this.stopTheme();
    this.listened.removeEventListener("keydown", this.onKey);
    this.clouds.forEach((cloud) => cloud.close());
    this.root.remove();
  }
}
