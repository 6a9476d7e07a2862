// Updates clouds, curves, plane, time slider and reading to the clock's step.

import { attribute, element, write } from "../shared/dom.js";
import { counted, measured, percent, steps } from "../shared/text.js";
import { Cloud } from "./cloud.js";
import { Curves } from "./curves.js";
import { Plane } from "./plane.js";
import { markStep, Reading } from "./reading.js";
import { Transport } from "./transport.js";

/** The step and its losses as text for screen readers. */
function told(runs, step, last) {
  const values = runs.map(({ record, name }) => {
    const loss = record.history.value("loss", step);
    return loss === null ? "" : `, ${runs.length > 1 ? `${name} ` : ""}loss ${measured(loss)}`;
  });
  return `step ${Math.round(step)} of ${last}${values.join("")}`;
}

/** One bounding box for all runs, so that lengths are comparable. */
function frame(records, view) {
  const all = records.filter((record) => record.probes.length).map((record) => record.bounds(view));
  return all.length
    ? [0, 1, 2, 3].map((side) => Math[side % 2 ? "max" : "min"](...all.map((box) => box[side])))
    : [-1, 1, -1, 1];
}

/**
 * The data that a run's cloud draws. `moment`: step, `start` (step of the tails' start or null),
 * view, box, words, own, colours.
 */
function scene(record, run, selection, moment) {
  const { step, start, view, box, words, own, inks, dark, still, read, dimmed } = moment;
  // forces belong to the first run
  const forces = run ? null : moment.forces;
  const { hidden, chosen, hover, groups, shared, lit, pinned } = selection;
  const [rowOf, ofRow] = [shared.rowOf[run], shared.ofRow[run]];
  const there = record.probes.length > 0;
  const rows = there ? chosen.map((sentence) => rowOf[sentence]).filter((row) => row >= 0) : [];
  const row = rows.at(-1) ?? -1;
  const near = row < 0 ? [] : record.near(record.probeAt(step), row);
  const group = (one) => groups.of[ofRow[one]];
  const involved =
    forces &&
    new Set([
      forces.row,
      ...forces.pull.map(([other]) => other),
      ...forces.push.map(([other]) => other),
    ]);
  return {
    read,
    xy: there ? record.places(step, view) : new Float32Array(0),
    before: there && start !== null ? record.places(start, view) : null,
    box,
    group,
    hidden: (one) => hidden.has(group(one)),
    faint: (one) => (involved ? !involved.has(one) : selection.faint(ofRow[one])),
    hover: hover < 0 || !there ? -1 : rowOf[hover],
    chosen: rows,
    near,
    nearAtFirst: row < 0 ? [] : record.near(0, row).filter((one) => !near.includes(one)),
    tracks: rows.map((one) => [one, record.track(one, step, view)]),
    own,
    forces,
    // whether the forces are of another moment
    dimmed,
    text: (one) => record.texts[one],
    names: groups.groups.filter((one) => !hidden.has(one.group)),
    lit,
    pinned,
    still,
    dark,
    inks,
    label: `cloud of ${counted(record.size, "sentence")}${record.title ? `, ${record.title}` : ""}, ${words}. Arrow keys go from dot to dot, Enter chooses one.`,
  };
}

/** What the view shows: the share of the variance, or how a UMAP is to be read. */
function holds(record, step, view, brief) {
  if (!record.probes.length) return "";
  if (view.kind === "umap") {
    const last = record.umap.steps.at(-1);
    return step > last
      ? `UMAP up to step ${steps(last)}, then by nearest sentences`
      : "UMAP: who is near whom, not how far";
  }
  const part = percent(record.share(record.probeAt(step), view.x, view.y));
  if (brief) return `${part} of the variance`;
  return `axes ${view.x + 1} and ${view.y + 1}: ${part} of the variance`;
}

/**
 * The reading line: the sentence under the pointer, else the last one chosen, else the number of
 * search hits.
 */
function line(selection, idle) {
  const {
    hover,
    chosen,
    query,
    groups,
    shared: { texts },
  } = selection;
  const sentence = hover >= 0 ? hover : (chosen.at(-1) ?? -1);
  if (sentence >= 0) {
    const group = groups.of[sentence];
    const name = groups.groups.find((one) => one.group === group)?.name ?? "";
    return { text: texts[sentence], group, name, sentence };
  }
  if (!query) return { text: idle };
  const count = texts.filter((_, one) => selection.fits(one)).length;
  return {
    text: `${count} of ${counted(texts.length, "sentence")} ${count === 1 ? "holds" : "hold"} “${query}”. Enter chooses one after the other.`,
  };
}

/**
 * The neighbours of a sentence at the first probe, now, and (if `whole` and there is one run) at
 * the last probe.
 */
function lists(runs, { groups, shared }, sentence, step, shown, whole) {
  if (sentence < 0) return [];
  const alone = runs.length === 1;
  return runs.flatMap(({ record, name, ink }, run) => {
    const row = shared.rowOf[run][sentence];
    if (!record.probes.length) return [];
    const prefix = alone ? "nearest" : name;
    if (row < 0)
      return [{ title: `${name}: not among its sentences`, ink, name, when: "now", items: [] }];
    const first = record.near(0, row);
    const now = record.probeAt(step);
    const last = record.probes.length - 1;
    const at = record.steps[now];
    // the lists may be of another moment than the picture
    const apart = at === shown ? "" : `step ${steps(at)}`;
    const column = (title, probe, when) => ({
      title,
      when,
      step: record.steps[probe],
      name: alone ? (when === "now" && apart) || when : [name, apart].filter(Boolean).join(", "),
      ink: alone ? null : ink,
      items: record.near(probe, row).map((one) => {
        const other = shared.ofRow[run][one];
        return {
          sentence: other,
          text: record.texts[one],
          group: groups.of[other],
          fresh: probe > 0 && !first.includes(one),
        };
      }),
    });
    const columns = [
      column(`${prefix} at step ${steps(record.steps[0])}`, 0, "then"),
      column(`${prefix} now, step ${steps(record.steps[now])}`, now, "now"),
    ];
    if (alone && whole)
      columns.push(
        column(
          `${record.alive ? "latest" : "at the end"}, step ${steps(record.steps[last])}`,
          last,
          "end",
        ),
      );
    return columns;
  });
}

// length of a dot's tail, in probes
const TAIL = 0.8;
// time constant in milliseconds with which the current step approaches the newest row
const GROWS = 80;
const COMPUTING = "UMAP is being computed; its first use compiles for about a minute";
const HINT = "Click a dot to draw its track and to list its nearest sentences here, then and now.";

/** Creates and draws all parts that depend on the time. */
export class Picture {
  constructor(page) {
    this.page = page;
    // whether curves and plane must be redrawn
    this.stale = true;
    // bounding box of the clouds
    this.frame = null;
    // by part: why it could not be drawn
    this.failures = new Map();
    // the step at which curves and plane draw their current values
    this.head = 0;
    this.clouds = [];
    this.arrange();
    const resized = () => {
      this.stale = true;
      page.draw();
    };
    this.curves = new Curves(page.about.curves, {
      go: (step) => {
        page.clock.jump(page.time.t(step));
        page.moved();
      },
      column: (name) => {
        page.column(name);
        resized();
      },
      resized,
    });
    this.plane = new Plane({ resized });
    this.reading = new Reading((sentence) => page.choose(sentence), !page.panel);
    const fork = page.panel ? () => this.fork() : null;
    this.transport = new Transport(page.clock, {
      moved: () => page.moved(),
      live: () => page.toNow(),
      fork,
    });
    this.transport.fork.addEventListener("blur", () => this.askToEnd(false));
  }

  /** The step at which a fork of the first run begins. */
  get forkStep() {
    const { page } = this;
    return Math.min(Math.round(page.step), page.records[0].last);
  }

  /** Fork at the shown step. A fork ends an active run, so the first click only asks. */
  fork() {
    const { page, transport } = this;
    const active = Boolean(page.runState?.alive);
    if (active && !transport.fork.hasAttribute("data-asks")) return this.askToEnd(true);
    this.askToEnd(false);
    return page.act("fork", { step: this.forkStep, stop: active });
  }

  /** Turn the fork's button into a question, or back; returns whether it was one. */
  askToEnd(asks) {
    const { fork } = this.transport;
    const asked = fork.hasAttribute("data-asks");
    fork.toggleAttribute("data-asks", asks);
    if (asks !== asked) this.page.draw();
    return asked;
  }

  /** Make as many clouds as there are records; `slots` has letter, colour and dash of each run. */
  arrange() {
    this.slots = this.page.records.map((_, run) => ({
      name: "AB"[run],
      ink: `var(--run-${run})`,
      dash: run ? "6 3" : null,
    }));
    this.clouds.splice(this.slots.length);
    for (let run = this.clouds.length; run < this.slots.length; run++) {
      const [note, trend] = ["note", "trend"].map((name) =>
        element("div", { class: `cloud-${name}` }),
      );
      this.clouds.push(
        Object.assign(this.cloud(run), {
          note,
          trend,
          when: element("span", { class: "at-step" }),
        }),
      );
    }
  }

  /** The cloud of a run; it translates rows of the run to sentences of the selection. */
  cloud(run) {
    const { page } = this;
    const sentence = (row) => (row < 0 ? -1 : (page.shared.ofRow[run][row] ?? -1));
    const cloud = new Cloud({
      hover: (row) => page.selection.point(sentence(row)),
      choose: (row, more) => page.choose(sentence(row), more),
      key: (event) => this.walk(event, run),
      light: (group) => page.selection.light(group),
      pin: (group) => page.selection.pin(group),
      resized: () => page.draw(),
    });
    return cloud;
  }

  /** Arrow keys move from dot to dot and Enter chooses, so that a cloud works without a mouse. */
  walk(event, run) {
    const {
      page,
      clouds: { [run]: cloud },
    } = this;
    const { selection, shared } = page;
    if (event.key === "Enter" && selection.hover >= 0) {
      page.choose(selection.hover, event.shiftKey);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const next = cloud.next(selection.hover < 0 ? -1 : shared.rowOf[run][selection.hover], event);
    if (next === null) return false;
    if (next < 0) return true;
    selection.point(shared.ofRow[run][next]);
    const read = line(selection, "");
    this.reading.speak(
      [read.name, read.text, this.nearest(read.sentence)].filter(Boolean).join(". "),
    );
    return true;
  }

  /** The nearest sentence as text for screen readers. */
  nearest(sentence) {
    const { page } = this;
    const [, now] = lists(
      this.shown().slice(0, 1),
      page.selection,
      sentence,
      page.step,
      this.moment,
    );
    return now?.items.length ? `nearest: ${now.items[0].text}` : "";
  }

  /** The slots with their records; a recorded run in a panel is grey. */
  shown() {
    const { records, panel } = this.page;
    return this.slots.map((slot, run) => ({
      ...slot,
      record: records[run],
      ink: panel && !run && records[run].recorded ? "var(--was)" : slot.ink,
    }));
  }

  /**
   * Draw one part. If it fails, the other parts are drawn all the same, and the page reports the
   * failure.
   */
  part(name, draw) {
    try {
      draw();
      if (!this.failures.delete(name)) return;
    } catch (error) {
      if (this.failures.get(name) === String(error)) return;
      this.failures.set(name, String(error));
      console.error(error);
    }
    this.page.layout.report();
  }

  /**
   * The step of the picture: the newest row of a run that is followed, else the step to which time
   * was moved.
   */
  get moment() {
    return Math.round(this.head);
  }

  /**
   * Whether a part of this step is dimmed. While a run is followed, rows are a few steps ahead of
   * the dots.
   */
  elsewhere(step) {
    const { page, slots } = this;
    // of two runs one may have ended earlier
    const dots = slots.length > 1 ? this.moment : this.stepOf(page.records[0]);
    return step !== this.moment && step !== dots && page.now !== true;
  }

  /** The step of a run's dots; while they glide to a new probe, its step. */
  stepOf(record) {
    const { page } = this;
    return record.within(page.now ? page.time.step(page.clock.aim) : page.step);
  }

  /** The parts that could not be drawn, as a sentence; empty if there are none. */
  get failure() {
    const [name, why] = [...this.failures].at(0) ?? [];
    return name
      ? `Drawing the ${name} failed (${why}). The other parts are right; reload the page to draw it again.`
      : "";
  }

  /** Draw one frame. */
  draw() {
    const { page } = this;
    const { time, step } = page;
    const runs = this.shown();
    const words = told(runs, step, time.steps.at(-1) ?? 0);
    const more = this.grow();
    if (this.stale) this.lay(runs);
    this.part("time", () => this.drawTime(words));
    this.part("cloud", () => this.drawClouds(step, words));
    this.part("curves", () => {
      this.curves.show(runs, this.head, page.now === true);
      markStep(this.curves.root, this.moment);
    });
    this.part("plane", () => {
      this.plane.show(runs, this.head);
      markStep(this.plane.root, this.moment);
    });
    this.part("sentences", () => this.read(runs, step));
    page.layout.drawn(runs, step);
    if (more) page.draw();
  }

  /** Show the time, and what the fork's button does at this step. */
  drawTime(words) {
    const { page } = this;
    const { time, clock } = page;
    this.transport.show(clock.t, time.last, words, page.now);
    const { fork } = this.transport;
    fork.disabled = page.records[0].recorded || !page.records[0].id || page.now === true;
    let text = `Fork at ${steps(this.forkStep)}`;
    let title =
      "Start a new run from this step with the present settings. It first repeats the steps since the last checkpoint.";
    if (page.now === true) {
      text = "Fork";
      title = "The newest step is shown. Move the time back to fork an earlier step.";
    } else if (fork.hasAttribute("data-asks")) {
      text = "End the run and fork?";
      title =
        "A run is active. Click again to end it and to start the new run; Escape leaves it alone.";
    }
    write(fork, text);
    attribute(fork, "title", title);
    write(
      this.transport.words,
      page.panel
        ? `step ${steps(this.moment)}`
        : `step ${steps(this.moment)} of ${steps(Math.max(this.moment, time.steps.at(-1) ?? 0))}`,
    );
    markStep(this.transport.words, this.moment);
  }

  /** Draw the parts of curves and plane that do not depend on the time. */
  lay(runs) {
    const { page } = this;
    this.stale = false;
    const { unlike } = page.records[0];
    // two runs are enough to compare
    const previous = runs.length > 1 || unlike?.previous ? null : page.runs.previous;
    this.part("curves", () => {
      if (!page.panel) this.curves.hideEmpty(page.records);
      this.curves.lay(runs, previous, unlike?.band ? {} : page.bands?.columns);
    });
    const [first] = runs[0].record.history.trail().points;
    // the end of the recorded run, if the reader's own run has replaced it
    const recorded =
      !page.records[0].recorded && previous?.recorded
        ? previous.history.trail().points.at(-1)
        : null;
    this.part("plane", () =>
      this.plane.lay(runs, previous, {
        ...(first ? { untrained: first } : {}),
        ...(recorded ? { recorded } : {}),
      }),
    );
    const records = page.records;
    const moments = records.flatMap((record) =>
      record.history.events.map((event) => page.time.t(event.step)),
    );
    this.transport.mark(moments, page.time.last);
  }

  /**
   * Move `head` smoothly towards the newest row of a run that is followed; returns whether it still
   * moves.
   */
  grow() {
    const { page } = this;
    const { clock, time } = page;
    const newest = Math.max(...page.records.map((record) => record.last));
    const atEnd = clock.t >= time.last && !clock.goal;
    const goal = page.now === true || atEnd ? Math.max(newest, page.step) : page.step;
    const now = performance.now();
    const passed = Math.min(100, now - (this.grown ?? 0));
    this.grown = now;
    const still = clock.still.matches || page.now !== true || document.hidden || goal < this.head;
    this.head =
      still || Math.abs(goal - this.head) < 0.02
        ? goal
        : goal + (this.head - goal) * Math.exp(-passed / GROWS);
    return this.head !== goal;
  }

  /** The records have changed. */
  begin() {
    this.arrange();
    this.stale = true;
  }

  /** The bounding box of all probes. If a new probe enlarges it, it grows while the dots move. */
  box() {
    const { page } = this;
    const goal = frame(page.records, page.view);
    if (!this.frame || !page.clock.goal) this.frame = [...goal];
    else {
      const { began } = page.clock.goal;
      if (this.began !== began) [this.began, this.from] = [began, [...this.frame]];
      this.frame = goal.map((side, i) => this.from[i] + (side - this.from[i]) * page.clock.part);
    }
    return this.frame;
  }

  /** Draw the cloud of each run with its notes. */
  drawClouds(step, words) {
    const { page } = this;
    const { view, dark, inks, selection, clock, strokes: forces } = page;
    const moving = clock.playing || clock.goal;
    const moment = {
      step,
      view,
      words,
      dark,
      inks,
      forces,
      still: !moving,
      box: this.box(),
      // the panel reads a sentence over its cloud
      read: page.panel,
      start: moving && !page.panel ? page.time.step(Math.max(0, clock.t - TAIL)) : null,
      dimmed: Boolean(forces) && this.elsewhere(forces.step),
    };
    this.clouds.forEach((cloud, run) => {
      const record = page.records[run];
      const at = this.stepOf(record);
      const own = run
        ? []
        : page.ownPlaces(at).map((one) => ({ ...one, dimmed: this.elsewhere(one.step) }));
      cloud.draw(scene(record, run, selection, { ...moment, own }));
      markStep(cloud.root, at, this.elsewhere(at));
      write(cloud.when, at === this.moment ? "" : `step ${steps(at)}`);
      write(cloud.note, this.note(record, step, run));
      attribute(cloud.note, "title", cloud.note.textContent);
      write(cloud.trend, page.panel ? "" : record.trend(step));
    });
  }

  /** What a cloud shows, and the step of forces that are of another moment than the picture. */
  note(record, step, run) {
    const { page } = this;
    const { strokes, umap, view } = page;
    const beside = page.panel && this.slots.length > 1;
    const own =
      view.kind === "umap" && !run && page.own.length && !record.recorded
        ? "; your own stand among their nearest"
        : "";
    const map = umap?.working ? COMPUTING : holds(record, step, view, this.slots.length > 1) + own;
    // with the previous or the first run
    const compared = page.panel && beside === run > 0 ? record.changes : "";
    const differs =
      compared && record.unlike?.previous
        ? `previous run not drawn: ${record.unlike.previous}`
        : compared;
    const name = record.recorded ? "recorded run" : record.name;
    const parts = [
      beside && run ? name : "",
      run || !strokes || strokes.step === this.moment
        ? ""
        : `forces at step ${steps(strokes.step)}`,
      ...(umap?.working || view.kind === "umap" ? [map, differs] : [differs, map]),
      run && page.apart ? "axes of its own" : "",
    ];
    return parts.filter(Boolean).join(" · ");
  }

  /** Show the sentence that is read, and its neighbours. */
  read(runs, step) {
    const { page } = this;
    const { selection, dark } = page;
    const read = line(
      selection,
      page.panel
        ? "Point at a dot to read its sentence; click it to see what pulls and what pushes."
        : "Point at a dot to read it.",
    );
    this.reading.report(read, dark);
    this.reading.root.toggleAttribute("data-idle", read.sentence === undefined);
    const sentence = page.panel ? (read.sentence ?? -1) : (selection.chosen.at(-1) ?? -1);
    const all = lists(runs, selection, sentence, step, this.moment, !page.panel);
    // one line per run
    const columns = page.panel && runs.length > 1 ? all.filter(({ when }) => when === "now") : all;
    // A panel has a status line; a player shows errors, or a hint, below the lists.
    const hint = selection.query ? "" : HINT;
    this.reading.list(columns, dark, page.panel ? "" : page.said || hint);
  }
}
