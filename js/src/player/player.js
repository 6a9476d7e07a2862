// The player: one time for all pictures of one run, or of two side by side. It holds what the reader has set and tells
// each part what to show; the parts know nothing of each other.

import { followTheme } from "../shared/theme.js";
import { Cloud } from "./cloud.js";
import { Controls, alive, holds } from "./controls.js";
import { Curves } from "./curves.js";
import { Film, Timeline } from "./decode.js";
import { element, number, steps, write } from "./dom.js";
import { grouped, together } from "./groups.js";
import { Legend } from "./legend.js";
import { Plane } from "./plane.js";
import { Reading } from "./reading.js";
import { Clock, Transport } from "./transport.js";

const TAIL = 0.8; // looks that a dot's tail is long while time passes
const NARROW = 760; // pixels of width below which the parts are stacked
const TIGHT = 1000; // below which they stand closer
const HINT = "Click a dot: its way through time is drawn, and its nearest sentences stand here, then and now.";
const KEYS = "click a dot · shift-click for more · space plays, ← → step";
const IDLE = "Point at a dot to read it.";

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
    this.apart = this.films.length > 1 && this.differ();
    this.ask = ask; // of a kernel, where one listens
    this.view = { kind: this.umap === "there" ? "umap" : "pca", x: 0, y: Math.min(1, this.films[0].axes - 1) };
    this.state = { by: null, words: "", hidden: new Set(), chosen: [], hover: -1, query: "" };
    this.time = new Timeline(this.films);
    this.clock = new Clock(() => this.time.last, () => this.paint(), () => this.paint());
    this.clock.t = this.films.some(alive) ? this.time.last : 0;
    this.build(el, height);
    this.keys(page ? document : this.root);
    this.stopTheme = followTheme(this.root, (dark) => {
      this.dark = dark;
      this.paint();
    });
    this.watch = new ResizeObserver(() => this.lay());
    for (const part of [this.root, this.plane.box, ...this.curves.charts.map((chart) => chart.box)]) this.watch.observe(part);
    this.colour(this.controls.colour.value);
    this.state.chosen = this.example();
    this.lay();
  }

  /** Whether two runs began differently: their axes are then not the same ones. */
  differ() {
    const [one, two] = this.films;
    if (one.axes !== two.axes) return true;
    const [a, b] = this.films.map((film) => film.unpacked(0));
    const { rowOf } = this.shared;
    return this.shared.texts.some((_, sentence) => {
      const [i, j] = [rowOf[0][sentence], rowOf[1][sentence]];
      return i >= 0 && j >= 0 && [0, 1].some((axis) => axis < one.axes && Math.abs(a[i * one.axes + axis] - b[j * one.axes + axis]) > 0.01);
    });
  }

  // --- building -------------------------------------------------------------------------------------------------

  build(el, height) {
    this.controls = new Controls(this.runs, {
      colour: (by) => this.colour(by),
      words: (words) => this.colour("words", words),
      axes: (x, y) => this.turn({ ...this.view, x, y }),
      kind: (kind) => this.kind(kind),
      find: (query) => this.find(query),
      next: () => this.next(),
    });
    this.legend = new Legend({ toggle: (group) => this.toggle(group), only: (group) => this.only(group), all: () => this.reveal(), lift: () => this.choose(-1) });
    this.clouds = this.runs.map((_, run) => this.cloud(run));
    this.curves = new Curves((step) => this.clock.jump(this.time.t(step)));
    this.plane = new Plane();
    this.reading = new Reading((sentence) => this.choose(sentence));
    this.transport = new Transport(this.clock);
    this.notes = this.runs.map(() => element("div", { class: "cloud-note" }));
    const frames = this.runs.map(({ name, ink }, run) => {
      const key = this.runs.length > 1 ? element("span", { class: "run-key", style: `background: ${ink}`, text: name }) : "";
      return element("div", { class: "cloud" }, this.clouds[run].root,
        element("div", { class: "cloud-head" }, key, this.notes[run]), run ? "" : element("div", { class: "cloud-keys", text: KEYS }));
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
      hover: (row) => this.hover(sentence(row)),
      choose: (row, more) => this.choose(sentence(row), more),
      key: (event) => this.walk(event, run),
    });
  }

  keys(target) {
    this.listened = target;
    this.onKey = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { tagName = "", type } = event.target;
      const writes = (tagName === "INPUT" && type !== "range") || tagName === "SELECT" || tagName === "TEXTAREA";
      if (event.key === "Escape") this.choose(-1);
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

  // --- what the reader does -------------------------------------------------------------------------------------

  colour(by, words = this.state.words) {
    Object.assign(this.state, { by, words });
    this.state.hidden.clear();
    this.groups = grouped(by, this.films, this.shared, words);
    this.paint();
  }

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

  toggle(group) {
    const { hidden } = this.state;
    if (!hidden.delete(group)) hidden.add(group);
    this.paint();
  }

  only(group) {
    const others = this.groups.groups.map((one) => one.group).filter((one) => one !== group);
    this.state.hidden = new Set(others);
    this.paint();
  }

  reveal() {
    this.state.hidden.clear();
    this.paint();
  }

  hover(sentence) {
    if (sentence === this.state.hover) return;
    this.state.hover = sentence;
    this.paint();
  }

  /** Choose a sentence (with `more` beside those chosen, or let go of it); -1 lets go of all. */
  choose(sentence, more = false) {
    const { chosen } = this.state;
    if (sentence < 0) this.state.chosen = more ? chosen : [];
    else if (!more) this.state.chosen = [sentence];
    else this.state.chosen = chosen.includes(sentence) ? chosen.filter((one) => one !== sentence) : [...chosen, sentence];
    this.paint();
  }

  /** What to show before anything is chosen: the sentence that came by most neighbours of its own group. */
  example() {
    const [film] = this.films;
    const { of } = this.groups;
    const ofRow = this.shared.ofRow[0];
    const alike = (look, row) => film.near(look, row).filter((one) => of[ofRow[one]] >= 0 && of[ofRow[one]] === of[ofRow[row]]).length;
    const last = film.looks.length - 1;
    const gains = film.texts.map((_, row) => alike(last, row) - alike(0, row));
    return gains.length ? [ofRow[gains.indexOf(Math.max(...gains))]] : [];
  }

  find(query) {
    this.state.query = query.trim().toLowerCase();
    this.paint();
  }

  /** Choose the next sentence that fits what is looked for. */
  next() {
    const fits = this.shared.texts.flatMap((_, sentence) => (this.fits(sentence) ? [sentence] : []));
    const now = this.state.chosen.at(-1) ?? -1;
    if (this.state.query && fits.length) this.choose(fits.find((one) => one > now) ?? fits[0]);
  }

  fits(sentence) {
    return !this.state.query || this.shared.texts[sentence].toLowerCase().includes(this.state.query);
  }

  /** Up and down read one dot after the other, Enter chooses: a cloud needs no mouse. */
  walk(event, run) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && this.state.hover >= 0) {
      this.choose(this.state.hover, event.shiftKey);
      return true;
    }
    if (!way) return false;
    const seen = this.shared.ofRow[run].filter((sentence) => this.fits(sentence) && !this.state.hidden.has(this.groups.of[sentence]));
    const now = seen.indexOf(this.state.hover);
    if (seen.length) this.hover(seen[now < 0 ? (way > 0 ? 0 : seen.length - 1) : (now + way + seen.length) % seen.length]);
    return true;
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
    if (this.asked_frame || !this.groups) return;
    this.asked_frame = requestAnimationFrame(() => {
      this.asked_frame = 0;
      this.draw();
    });
  }

  draw() {
    const { step } = this;
    const told = this.told(step);
    this.controls.show(this.view, this.umap);
    this.legend.show(this.groups.groups, this.state.hidden, this.dark, this.state.chosen.length > 0);
    this.runs.forEach((_, run) => this.drawCloud(run, step, told));
    if (this.curves.charts[0].x) {
      this.curves.show(this.runs, step);
      this.plane.show(this.runs, step);
    }
    this.transport.show(this.clock.t, this.time.last, told);
    write(this.transport.told, `step ${steps(step)} of ${steps(this.time.steps.at(-1))}`);
    this.read(step);
  }

  told(step) {
    const values = this.runs.map(({ film, name }) => {
      const loss = film.value("loss", step);
      return loss === null ? "" : `, ${this.runs.length > 1 ? `${name} ` : ""}loss ${number(loss, 2)}`;
    });
    return `step ${Math.round(step)} of ${this.time.steps.at(-1)}${values.join("")}`;
  }

  drawCloud(run, step, told) {
    const { film } = this.runs[run];
    const { hidden, chosen, hover } = this.state;
    const { rowOf, ofRow } = this.shared;
    const rows = chosen.map((sentence) => rowOf[run][sentence]).filter((row) => row >= 0);
    const row = chosen.length ? rowOf[run][chosen.at(-1)] : -1;
    const near = row < 0 ? [] : film.near(film.lookAt(step), row);
    const then = row < 0 ? [] : film.near(0, row).filter((one) => !near.includes(one));
    const moving = this.clock.playing || this.clock.goal;
    const before = moving ? film.places(this.time.step(Math.max(0, this.clock.t - TAIL)), this.view) : null;
    const group = (one) => this.groups.of[ofRow[run][one]];
    this.clouds[run].draw({
      xy: film.places(step, this.view),
      before,
      box: this.box(),
      group,
      hidden: (one) => hidden.has(group(one)),
      faint: (one) => !this.fits(ofRow[run][one]),
      hover: hover < 0 ? -1 : rowOf[run][hover],
      chosen: rows,
      near,
      then,
      tracks: rows.map((one) => [one, film.track(one, step, this.view)]),
      text: (one) => film.texts[one],
      dark: this.dark,
      label: `cloud of ${film.size} sentences, ${film.title || film.method}, ${told}. Up and down read a dot out, Enter chooses it.`,
    });
    const { stretch } = this.clouds[run];
    const wide = Math.abs(Math.log(stretch)) > 0.05 ? ` · ${stretch > 1 ? `${stretch.toFixed(1)} × wider` : `${(1 / stretch).toFixed(1)} × higher`}` : "";
    write(this.notes[run], holds(film, step, this.view, this.runs.length > 1) + (run && this.apart ? " · axes of its own" : "") + wide);
  }

  /** One frame for both runs: a length means the same in both. */
  box() {
    const all = this.films.map((film) => film.bounds(this.view));
    return [0, 1, 2, 3].map((side) => Math[side % 2 ? "max" : "min"](...all.map((box) => box[side])));
  }

  read(step) {
    const { hover, chosen, query } = this.state;
    const sentence = hover >= 0 ? hover : (chosen.at(-1) ?? -1);
    if (sentence >= 0) {
      const group = this.groups.of[sentence];
      const name = this.groups.groups.find((one) => one.group === group)?.name ?? "";
      this.reading.say({ text: this.shared.texts[sentence], group, name }, this.dark);
    } else if (query) {
      const count = this.shared.texts.filter((_, one) => this.fits(one)).length;
      this.reading.say({ text: `${count} of ${this.shared.texts.length} sentences hold “${query}”. Enter chooses one after the other.` }, this.dark);
    } else {
      this.reading.say({ text: IDLE }, this.dark);
    }
    this.reading.list(chosen.length ? this.lists(chosen.at(-1), step) : [], this.dark, this.said || (query ? "" : HINT));
  }

  /** The nearest of a sentence at the first look, now, and (of one run alone) at the last look. */
  lists(sentence, step) {
    const alone = this.runs.length === 1;
    return this.runs.flatMap(({ film, name, ink }, run) => {
      const row = this.shared.rowOf[run][sentence];
      const prefix = alone ? "nearest" : name;
      if (row < 0) return [{ title: `${name}: not among its sentences`, ink, items: [] }];
      const first = film.near(0, row);
      const now = film.lookAt(step);
      const last = film.looks.length - 1;
      const column = (title, look) => ({
        title,
        ink: alone ? null : ink,
        items: film.near(look, row).map((one) => {
          const other = this.shared.ofRow[run][one];
          return { sentence: other, text: film.texts[one], group: this.groups.of[other], fresh: look > 0 && !first.includes(one) };
        }),
      });
      const columns = [column(`${prefix} at step ${steps(film.steps[0])}`, 0), column(`${prefix} now, step ${steps(film.steps[now])}`, now)];
      if (alone) columns.push(column(`${alive(film) ? "latest" : "at the end"}, step ${steps(film.steps[last])}`, last));
      return columns;
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
