// The page of a panel or player: creates the parts and updates them with data from the kernel and
// input from the reader.

import { followAddress, linkTo } from "../shared/address.js";
import { floats, view as viewOf } from "../shared/bytes.js";
import { Channel } from "../shared/channel.js";
import { consume, element, whenSeen, writesInto } from "../shared/dom.js";
import { firstAct } from "../shared/prose.js";
import { Layout } from "./layout.js";
import { biggestMovers } from "./movers.js";
import { Picture } from "./picture.js";
import { Runs, Timeline } from "./runs.js";
import { differ, Selection, together } from "./selection.js";
import { Clock } from "./transport.js";

/** Handle a key of the page, unless the part with the focus uses it. */
function onKey(event, page) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const { transport } = page.picture;
  const { target } = event;
  const many = event.shiftKey ? 10 : 1;
  const keys = {
    " ": () => transport.toggle(),
    ArrowRight: () => transport.step(many),
    ArrowLeft: () => transport.step(-many),
    Home: () => {
      page.clock.glide(0);
      page.moved();
    },
    End: () => page.toNow(),
    ...page.layout.knobs?.keys(),
  };
  const writes = writesInto(target);
  const presses = event.key === " " && target.matches("button, [role=button], [type=checkbox]");
  // a sheet closes by itself
  if (event.key === "Escape" && page.root.querySelector(":popover-open"))
    return event.stopPropagation();
  if (event.key === "Escape") page.layout.escape();
  else if (writes || presses || !keys[event.key]) return undefined;
  else keys[event.key]();
  return consume(event);
}

const INKS = ["ground", "ink", "accent", "pull", "push"];

/** Holds the state of the page: records of the runs, time, view, selection. */
export class Page {
  constructor(model) {
    const about = model.get("about");
    const runs = model.get("runs") ?? [];
    this.about = about;
    // else a player, which has all data and no kernel
    this.panel = about.mode === "panel";
    this.runs = new Runs(about.runs ?? 1);
    this.view = "pca";
    // the map that is shown as soon as there is one; until a run has both, none is wanted
    this.wanted = null;
    // whether the page shows the newest probe of an active run
    this.following = this.panel;
    this.own = [];
    this.said = "";
    this.clock = new Clock(
      () => this.time.last,
      () => this.draw(),
    );
    this.rebuild();
    this.root = element("section", {
      class: `clwork-look clwork-instrument ${about.mode}`,
      "aria-label": `${about.method?.title ?? "a run"}, training and its pictures`,
    });
    this.picture = new Picture(this);
    this.layout = new Layout(this);
    this.root.append(this.layout.root);
    // for the browser console and for tests
    this.root.instrument = this;
    // a page of its own handles keys wherever the focus is
    this.stopKeys = new AbortController();
    const keyed = model.get("page") ? document.body : this.root;
    keyed.addEventListener("keydown", (event) => onKey(event, this), this.stopKeys);
    if (!this.panel) {
      this.take({ runs });
      // where the question's first button leads
      const opening = firstAct(about.question ?? "");
      if (opening) this.restore(opening);
      const [{ name }] = this.records;
      followAddress(this.root, name, (text) => this.restore(text));
      // a panel has no address
      this.link = () => linkTo(name, this.moment);
      return;
    }
    this.channel = new Channel(model, {
      known: () => ({
        ...this.versions,
        runs: this.runs.known(this.further ? [this.further] : []),
        previous: this.runs.previous?.id ?? "",
      }),
      take: (news) => this.take(news),
      lively: () => this.lively,
      refused: (why, name) => this.refuse(why, name),
      standing: (state) => this.layout.stand(state),
    });
  }

  /**
   * The reader chose a column to draw. If the column has no chart of its own, request the complete
   * history again.
   */
  column(name) {
    if (this.further === name || !this.measurements?.columns.some(([one]) => one === name)) return;
    this.further = name;
    for (const record of this.records) record.reload = true;
    this.channel.ask();
  }

  /** Whether to poll the kernel often. */
  get lively() {
    const computes = this.umap?.working || this.forces?.working;
    return Boolean(this.runState?.alive || computes) || this.records.some(({ alive }) => alive);
  }

  /** Take data from the kernel, or the runs of a player. */
  take(news) {
    const [known, before] = [this.versions, this.settings];
    this.versions = { ...this.versions };
    for (const [name, part] of Object.entries(news))
      if (part?.version !== undefined) this.versions[name] = part.version;
    const { step } = this;
    const found = this.runs.take(news.runs ?? []);
    if (news.previous) this.runs.takePrevious(news.previous);
    for (const name of ["settings", "forces", "measurements"])
      if (news[name]) this[name] = news[name];
    if (news.state) this.runState = news.state;
    if (news.typed) this.own = news.typed.sentences ?? [];
    if (found.replaced) this.umap = null;
    if (news.umap) this.lay(news.umap);
    if (news.measurements) this.picture.curves.offer(news.measurements.columns);
    if (found.replaced) this.begin();
    else if (found.probes) this.addProbes(step);
    if (news.forces) this.layout.knobs.forces(news.forces);
    // the chosen dot shows its forces at each probe
    if (found.probes) this.askForces();
    this.layout.take(news, found);
    if (found.replaced || found.probes || found.rows || news.previous) this.picture.stale = true;
    this.draw();
    // a page that was just opened has missed the earlier acts
    if (known && news.act && news.act.version !== known.act) this.obey(news.act.actions, before);
  }

  /**
   * A lesson's sentence has acted: do what concerns the page alone, and show which parts are meant;
   * `before`: the earlier settings.
   */
  obey(actions, before) {
    for (const [name, value] of Object.entries(actions)) {
      if (name === "view") this.kind(value);
      if (name === "scrub") {
        this.clock.glide(this.time.t(value));
        this.moved();
      }
      const setting = before?.controls[name];
      if (setting) this.markSetting(name, setting.text);
    }
    this.layout.point(Object.keys(actions));
  }

  /** Rebuild time, groups and selection for the present records. */
  rebuild() {
    const { records } = this;
    const held = this.selection;
    this.shared = together(records);
    this.apart = records.length > 1 && differ(records);
    this.selection = new Selection(records, this.shared, () => this.draw());
    if (held && held.shared.texts.join("\n") === this.shared.texts.join("\n"))
      Object.assign(this.selection, { chosen: held.chosen, lit: held.lit });
    this.time = new Timeline(records);
    // the kernel's reply, and the strokes that the cloud draws
    this.forces = this.strokes = null;
  }

  /** The records were replaced: show them from the start, or an own run at its newest probe. */
  begin() {
    const [record] = this.records;
    this.rebuild();
    // an example, until the reader chooses one
    if (!this.panel)
      this.selection.chosen =
        biggestMovers(this.records, this.selection, record.last)[0]?.sentence ?? -1;
    // a formula with the numbers of the earlier run, too
    this.layout.knobs?.forces(null);
    if (this.hasUmap) this.wanted ??= "umap";
    this.view = this.hasUmap ? this.wanted : "pca";
    this.following = this.panel && !record.recorded;
    this.clock.jump(this.following ? this.time.last : 0);
    this.picture.begin();
    this.layout.arrange();
    // of a recorded run the end, if the reader prefers no motion
    if (!this.panel || !record.recorded) return;
    if (this.clock.still.matches) this.clock.jump(this.time.last);
    else whenSeen(this.root, () => this.clock.play());
  }

  /** Add new probes to the time; if the reader is at the end, show the newest one. */
  addProbes(step) {
    const follow = this.following && !this.clock.playing;
    // the first probe tells whether the map of the run before is that of this run, too
    if (this.hasUmap && this.wanted) this.view = this.wanted;
    this.time.refresh();
    this.clock.t = this.time.t(step);
    this.picture.leave();
    if (follow) this.clock.glide(this.time.last);
  }

  /** The records that are shown: one, or two that are compared. */
  get records() {
    return this.runs.records;
  }

  /** Send a command; resolves to true if it was carried out. */
  act(name, more = {}) {
    this.said = "";
    return this.channel.command(name, more).then((done) => {
      this.layout.report();
      return done;
    });
  }

  /**
   * A control has changed: mark this on the curves of an active run before a history row reports
   * it.
   */
  markSetting(name, before) {
    const [record] = this.records;
    const { hot } = this.about.fields.find((field) => field.name === name) ?? {};
    const { text } = this.settings.controls[name];
    if (!record.alive || record.recorded || !hot || text === before) return;
    record.expect(`${name.replaceAll("_", " ")} → ${text}`);
    this.picture.stale = true;
    this.draw();
  }

  /** Report a rejected command. */
  refuse(why, name) {
    const { knobs } = this.layout;
    // the setting's own control shows its error
    if (name === "set") knobs.refusal = why;
    else this.said = why;
    this.layout.report();
    this.draw();
  }

  /** Whether all records have a UMAP layout. */
  get hasUmap() {
    return this.records.every((record) => record.umap);
  }

  /** The kernel computes a UMAP, has one, or cannot compute it. */
  lay(umap) {
    const asked = this.umap?.working;
    this.umap = umap;
    if (umap.refused) return this.refuse(umap.refused, "umap");
    for (const [place, layout] of (umap.layouts ?? []).entries()) this.records[place]?.lay(layout);
    if (asked && umap.layouts && this.hasUmap) this.turn(this.wanted ?? "umap");
  }

  /** Show PCA or UMAP; pressed again, UMAP is laid out anew if there are later probes. */
  async kind(view) {
    this.wanted = view;
    const late = this.panel && this.view === "umap" && this.records.some((one) => one.outgrown);
    if (view === "pca" || (this.hasUmap && !late)) return this.turn(view);
    this.umap = { working: true };
    this.draw();
    if (!(await this.act("umap"))) this.umap = null;
    return this.draw();
  }

  /** Show another view. */
  turn(view) {
    this.view = view;
    this.picture.leave();
    this.draw();
  }

  /** Choose a sentence (-1: none); in a panel, request its forces. */
  choose(sentence) {
    this.selection.set({ chosen: sentence });
    this.forces = this.strokes = null;
    this.layout.knobs?.forces(null);
    this.askForces();
  }

  /** The row of the chosen sentence in the first run; -1: none. */
  get chosenRow() {
    return this.shared.rowOf[0][this.selection.chosen] ?? -1;
  }

  /** Request the forces on the chosen sentence of an own run. */
  askForces() {
    const row = this.chosenRow;
    if (this.panel && row >= 0 && !this.records[0].recorded) this.act("forces", { row });
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

  /** Moment, map and chosen sentence, for a link. */
  get moment() {
    return [Math.round(this.step), this.view, this.selection.chosen].join();
  }

  /** Show what a link has. */
  restore(moment) {
    const [step, view, chosen] = moment.split(",");
    if (!(Number(step) >= 0)) return;
    if (view === "pca" || (view === "umap" && this.hasUmap)) this.turn(view);
    if (this.shared.texts[chosen]) this.choose(Number(chosen));
    this.clock.jump(this.time.t(Number(step)));
    this.draw();
  }

  /** What a film of the cloud says below it. */
  get caption() {
    const [{ title, method }] = this.records;
    return `${title || this.about.method?.title || method} · step ${Math.round(this.step)}`;
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
    const known = record.recorded
      ? []
      : this.own.filter(({ at }) => at && viewOf(at).byteLength === 2 * record.axes);
    return known.map(({ text, step, at }) => {
      const [x, y] = record.placeOf(floats(at, record.scale), step, this.view);
      return { text, step, told: step === shown ? "" : ` (step ${step})`, x, y };
    });
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
    });
  }

  /** The page is removed. */
  close() {
    this.channel?.close();
    this.clock.close();
    cancelAnimationFrame(this.asked);
    this.stopKeys.abort();
  }
}
