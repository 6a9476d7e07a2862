// The page of a panel or player: creates the parts and updates them with data from the kernel and
// input from the reader.

import { followAddress } from "../shared/address.js";
import { floats, view } from "../shared/bytes.js";
import { Channel } from "../shared/channel.js";
import { consume, element } from "../shared/dom.js";
import { Layout } from "./layout.js";
import { Picture } from "./picture.js";
import { Runs, Timeline } from "./runs.js";
import { differ, Selection, together } from "./selection.js";
import { Clock } from "./transport.js";

/** Handle the keys of the page; returns a function that stops this. */
function onKeys(target, page) {
  const onKey = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName = "", type } = event.target;
    const ranges =
      tagName === "INPUT" && type === "range" && !event.target.classList.contains("time");
    const writes =
      (tagName === "INPUT" && type !== "range" && type !== "checkbox") ||
      tagName === "SELECT" ||
      tagName === "TEXTAREA";
    if (event.key === "Escape") page.layout.escape();
    else if (writes) return;
    else if (
      !act(
        event,
        page,
        tagName === "BUTTON" || event.target.getAttribute?.("role") === "button",
        ranges,
      )
    )
      return;
    consume(event);
  };
  target.addEventListener("keydown", onKey);
  return () => target.removeEventListener("keydown", onKey);
}

/** Handle a key; returns whether it was one of our keys. */
function act(event, page, button, ranges) {
  const { transport } = page.picture;
  const many = event.shiftKey ? 10 : 1;
  const moves = {
    ArrowRight: () => transport.step(1, many),
    ArrowLeft: () => transport.step(-1, many),
    Home: () => {
      page.clock.glide(0);
      page.moved();
    },
    End: () => page.toNow(),
  };
  const keys = {
    " ": button ? null : () => transport.toggle(),
    ...(ranges ? {} : moves),
    ...(page.panel ? page.layout.knobs.keys() : {}),
  };
  const found = keys[event.key];
  if (!found) return false;
  found();
  return true;
}

const INKS = ["ground", "ink", "soft", "accent", "was", "trouble"];

/** Holds the state of the page: records of the runs, time, view, selection. */
export class Page {
  constructor(model) {
    const about = model.get("about") ?? {};
    const runs = model.get("runs") ?? [];
    this.about = about;
    // else a player, which has all data and no kernel
    this.panel = about.mode === "panel";
    this.runs = new Runs(Math.max(1, runs.length, about.runs ?? 1));
    this.view = { kind: "pca", x: 0, y: 1 };
    // whether the page shows the newest probe of an active run
    this.following = this.panel;
    this.own = [];
    this.said = "";
    this.clock = new Clock(
      () => this.time.last,
      () => this.draw(),
      () => this.draw(),
    );
    this.rebuild(false);
    this.root = element("section", {
      class: `clwork-look clwork-instrument ${this.panel ? "panel" : "player"}`,
      "aria-label": `${about.method?.title ?? "a run"}, training and its pictures`,
    });
    this.picture = new Picture(this);
    this.layout = new Layout(this);
    this.root.append(this.layout.root, this.layout.help.box);
    // for the browser console and for tests
    this.root.instrument = this;
    this.stopKeys = onKeys(model.get("page") ? document : this.root, this);
    if (runs.length) this.take({ runs });
    if (!this.panel) {
      this.save = followAddress(this.root, "run", (text) => this.restore(text));
      return;
    }
    this.channel = new Channel(model, {
      known: () => ({
        ...this.versions,
        runs: this.runs.known(this.columns),
        previous: this.runs.previous?.id ?? "",
      }),
      take: (news) => this.take(news),
      lively: () => this.lively,
      refused: (why, name) => this.refuse(why, name),
      standing: (state, since) => this.layout.stand(state, since),
    });
  }

  /** A column that the page requests in addition to those of its curves. */
  get columns() {
    return this.further ? [this.further] : [];
  }

  /**
   * The reader chose a column to draw. If the column has no chart of its own, request the complete
   * history again.
   */
  column(name) {
    if (this.further === name || !this.measurements?.columns.some(([one]) => one === name)) return;
    this.further = name;
    for (const record of this.records) record.reload = true;
    this.channel?.ask();
  }

  /** Whether to poll the kernel often. */
  get lively() {
    return (
      Boolean(this.runState?.alive) ||
      this.records.some((record) => record.alive) ||
      ["umap", "forces"].some((name) => this[name]?.working)
    );
  }

  /** Take data from the kernel, or the runs of a player. */
  take(news) {
    this.versions = { ...this.versions };
    for (const [name, part] of Object.entries(news))
      if (part?.version !== undefined) this.versions[name] = part.version;
    const step = this.step;
    const found = this.runs.take(news.runs ?? []);
    if (news.previous) this.runs.takePrevious(news.previous);
    for (const name of ["settings", "bands", "forces", "measurements"])
      if (news[name]) this[name] = news[name];
    if (news.state) this.runState = news.state;
    if (news.typed) this.own = news.typed.sentences ?? [];
    if (news.umap) this.lay(news.umap);
    if (news.measurements) this.picture.curves.offer(news.measurements.columns);
    if (news.said) this.said = news.said;
    if (found.replaced) this.rebuild(true);
    else if (found.probes) this.addProbes(step);
    if (news.forces) this.layout.knobs?.forces(news.forces);
    const chosen = this.selection.chosen.at(-1);
    // the chosen dot shows its forces at each probe
    if (found.probes && this.panel && chosen !== undefined) this.askForces(chosen);
    this.layout.take(news, found);
    if (found.replaced || found.probes || found.rows || news.previous || news.bands)
      this.picture.stale = true;
    this.draw();
  }

  /** Rebuild time, groups and selection, because the records have changed. */
  rebuild(drawn) {
    const records = this.records;
    const held = this.selection;
    this.shared = together(records);
    this.apart = records.length > 1 && differ(records, this.shared);
    this.selection = new Selection(records, this.shared, () => this.draw());
    if (held && held.shared.texts.join("\n") === this.shared.texts.join("\n"))
      Object.assign(this.selection, { chosen: held.chosen, pinned: held.pinned });
    else if (!this.panel && this.shared.texts.length)
      this.selection.chosen = this.selection.example();
    this.time = new Timeline(records);
    // the kernel's reply, and the strokes that the cloud draws
    this.forces = this.strokes = null;
    // a formula with the numbers of the earlier run, too
    this.layout?.knobs?.forces(null);
    this.view = { ...this.view, kind: this.hasUmap ? "umap" : "pca" };
    this.view.y = Math.min(1, Math.max(0, (records[0].axes || 2) - 1));
    const end = this.panel && !records[0].recorded;
    this.clock.jump(end ? this.time.last : 0);
    this.following = end;
    if (!drawn) return;
    this.picture.begin();
    this.layout.begin();
    if (this.panel && records[0].recorded) this.clock.play(4);
  }

  /** Add new probes to the time; if the reader is at the end, show the newest one. */
  addProbes(step) {
    const follow = this.following && !this.clock.playing;
    this.time.refresh();
    this.clock.t = this.time.t(step);
    if (follow) this.clock.glide(this.time.last);
  }

  /** The records that are shown: one, or two that are compared. */
  get records() {
    return this.runs.records;
  }

  /** Send a command; resolves to true if it was carried out. */
  act(name, more = {}) {
    if (!this.channel) return Promise.resolve(false);
    this.said = "";
    this.layout.knobs?.pending(name);
    const done = this.channel.command(name, more);
    done.then(() => {
      this.layout.knobs?.settled(name);
      this.layout.report();
    });
    return done;
  }

  /**
   * A control has changed: mark this on the curves of an active run before a history row reports
   * it.
   */
  markSetting(name, before) {
    const [record] = this.records;
    const field = this.about.fields?.find((one) => one.name === name);
    const now = this.settings?.controls[name];
    if (!record.alive || record.recorded || !field?.hot || !now || now.wrong || now.text === before)
      return;
    record.expect(`${name.replaceAll("_", " ")} → ${now.text}`);
    this.picture.stale = true;
    this.draw();
  }

  /** Report a rejected command. */
  refuse(why, name) {
    // the setting's own control shows its error
    if (name !== "set") this.said = why;
    this.layout.knobs?.refuse(why, name);
    this.layout.report();
    this.draw();
  }

  /** Show another view: PCA with other axes, or UMAP. */
  turn(view) {
    this.view = view;
    this.picture.frame = null;
    this.draw();
  }

  /** Whether all records have a UMAP layout. */
  get hasUmap() {
    return this.records.every((record) => record.umap);
  }

  /** Show whether UMAP is ready, being computed, or unavailable. */
  lay(umap) {
    const wanted = this.umap?.working;
    this.umap = umap;
    if (umap.refused) return this.refuse(umap.refused, "umap");
    if (umap.measurements) this.records[0].lay(umap);
    if (wanted && this.hasUmap) this.turn({ ...this.view, kind: "umap" });
  }

  /** Show PCA or UMAP; pressed again, UMAP is laid out anew if there are later probes. */
  kind(kind) {
    const late =
      this.panel && this.view.kind === "umap" && this.records.some((record) => record.outgrown);
    if (kind === "umap" && (late || !this.hasUmap)) {
      this.umap = { working: true };
      this.act("umap").then((done) => {
        if (!done) this.umap = null;
        this.draw();
      });
      return this.draw();
    }
    return this.turn({ ...this.view, kind });
  }

  /** Choose a sentence (-1: none); in a panel, request its forces. */
  choose(sentence, more) {
    this.selection.choose(sentence, more);
    if (!this.panel) return;
    this.forces = this.strokes = null;
    this.layout.knobs?.forces(null);
    if (sentence >= 0 && !more) this.askForces(sentence);
  }

  /** Request the forces on a sentence of an own run. */
  askForces(sentence) {
    const row = this.shared.rowOf[0][sentence];
    if (row >= 0 && !this.records[0].recorded) this.act("forces", { row });
  }

  /**
   * The reader has moved the time. If it is before the newest probe, the page stays there while the
   * run continues.
   */
  moved() {
    this.following = this.panel && !this.clock.playing && this.clock.aim >= this.time.last;
    this.draw();
  }

  /** Move the time to the newest probe, and follow an active run. */
  toNow() {
    this.following = this.panel;
    this.clock.glide(this.time.last);
  }

  /** The step of the present time. */
  get step() {
    return this.time.step(this.clock.t);
  }

  /** Whether the page shows the newest step of an active run; null if no run is active. */
  get now() {
    return this.records.some((record) => record.alive) ? this.following : null;
  }

  /**
   * Own sentences with known positions: {text, step, told, x, y}; `told` is their step if the dots
   * are at another one.
   */
  ownPlaces(shown) {
    const [record] = this.records;
    if (record.recorded) return [];
    return this.own.flatMap(({ text, step, at }) => {
      const places = at && view(at).byteLength ? floats(at, record.scale) : [];
      const place = places.length === record.axes ? record.placeOf(places, step, this.view) : null;
      return place
        ? [{ text, step, told: step === shown ? "" : ` (step ${step})`, x: place[0], y: place[1] }]
        : [];
    });
  }

  /** The step, the view and the chosen sentence as a text, which `restore` reads. */
  get settingsText() {
    const {
      view: { kind, x, y },
      selection: { chosen },
    } = this;
    return [Math.round(this.step), kind, x, y, chosen.at(-1) ?? -1].join(" ");
  }

  /** Restore what `settingsText` wrote. */
  restore(text) {
    const [step, kind, x, y, chosen] = text.split(" ");
    const [record] = this.records;
    this.clock.jump(this.time.t(Number(step) || 0));
    const axis = (value) => Math.min(record.axes - 1, Number(value) || 0);
    this.turn({ kind: kind === "umap" && record.umap ? kind : "pca", x: axis(x), y: axis(y) });
    if (Number(chosen) < this.shared.texts.length) this.choose(Number(chosen));
  }

  /** The positions of a run's dots: x, y of each row. For the browser console and for tests. */
  positions(run = 0) {
    return [...this.records[run].places(this.step, this.view)];
  }

  /** Apply a theme. */
  paint(dark) {
    this.dark = dark;
    this.readInks();
    this.draw();
  }

  /**
   * Read the theme's colours. While a notebook holds the page outside the document, they are empty.
   */
  readInks() {
    const style = getComputedStyle(this.root);
    this.inks = Object.fromEntries(
      INKS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
    );
  }

  /** Draw once at the next frame, however often this is called. */
  draw() {
    if (this.asked || !this.layout) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      if (!this.inks.ground) this.readInks();
      this.picture.draw();
      this.save?.(this.settingsText);
    });
  }

  /** The page is removed. */
  close() {
    this.channel?.close();
    this.clock.close();
    cancelAnimationFrame(this.asked);
    this.stopKeys();
    clearTimeout(this.layout.later);
  }
}
