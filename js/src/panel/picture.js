// Updates clouds, curves, plane, time slider and reading to the clock's step.

import { attribute, div, span, write } from "../shared/dom.js";
import { counted, steps } from "../shared/text.js";
import { Cloud } from "./cloud.js";
import { Curves } from "./curves.js";
import { Plane } from "./plane.js";
import { markStep, NEAREST, Reading, stepIfOther } from "./reading.js";
import { Transport } from "./transport.js";

/**
 * The data that a run's cloud draws. `moment`: step, view, box, own, forces (null if they are of
 * another run), dimmed (whether they are of another moment), colours, words.
 */
function scene(record, run, selection, moment) {
  const { step, view, forces, words } = moment;
  const { chosen, hover, groups, shared, lit } = selection;
  const [rowOf, ofRow] = [shared.rowOf[run], shared.ofRow[run]];
  const there = record.probes.length > 0;
  const rowOfSentence = (sentence) => (sentence < 0 || !there ? -1 : rowOf[sentence]);
  const row = rowOfSentence(chosen);
  const group = (one) => groups.of[ofRow[one]];
  const involved =
    forces && new Set([forces.row, ...[...forces.pull, ...forces.push].map(([one]) => one)]);
  return {
    ...moment,
    texts: record.texts,
    xy: there ? record.places(step, view) : new Float32Array(0),
    group,
    groups: groups.groups,
    lit,
    faint: (one) => (involved ? !involved.has(one) : lit !== null && group(one) !== lit),
    hover: rowOfSentence(hover),
    chosen: row,
    near: row < 0 ? [] : record.near(record.probeAt(step), row).slice(0, NEAREST),
    track: row < 0 ? [] : record.track(row, step, view),
    label: `cloud of ${counted(record.size, "sentence")}${record.title ? `, ${record.title}` : ""}, ${words}. Arrow keys go from dot to dot, Enter chooses one.`,
  };
}

/** Creates and draws all parts that depend on the time. */
export class Picture {
  constructor(page) {
    this.page = page;
    // whether curves and plane must be redrawn
    this.stale = true;
    // by part: why it could not be drawn
    this.failures = new Map();
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
      pointed: () => page.draw(),
      resized,
    });
    this.plane = new Plane(resized);
    this.reading = new Reading();
    this.transport = new Transport(page.clock, {
      moved: () => page.moved(),
      live: () => page.toNow(),
      fork: () => this.fork(),
    });
    const { fork, live } = this.transport;
    fork.addEventListener("blur", () => this.askToEnd(false));
    // a player has no kernel
    fork.hidden = live.hidden = !page.panel;
  }

  /** The step at which a fork of the first run begins. */
  get forkStep() {
    const { page } = this;
    return Math.min(Math.round(page.step), page.records[0].last);
  }

  /** Why no fork can begin, as a sentence; empty if one can. */
  get whyNoFork() {
    const { page } = this;
    const [record] = page.records;
    if (record.recorded || !record.id) return "Start a run of your own: it can be forked.";
    return page.now === true ? "Move the time back first: a fork begins at the shown step." : "";
  }

  /** Fork at the shown step. A fork ends an active run, so the first click only asks. */
  fork() {
    const { page } = this;
    if (this.whyNoFork) return;
    const stop = Boolean(page.runState?.alive);
    const asked = this.askToEnd(false);
    if (stop && !asked) this.askToEnd(true);
    else page.act("fork", { step: this.forkStep, stop });
  }

  /** Turn the fork's button into a question, or back; returns whether it was one. */
  askToEnd(asks) {
    const { fork } = this.transport;
    const asked = fork.hasAttribute("data-asks");
    fork.toggleAttribute("data-asks", asks);
    this.page.draw();
    return asked;
  }

  /** Make as many clouds as there are records; `slots` has letter, colour and dash of each run. */
  arrange() {
    const { records } = this.page;
    this.slots = records.map((_, run) => ({
      name: "AB"[run],
      ink: `var(--run-${run})`,
      dash: run ? "6 3" : null,
    }));
    this.clouds.splice(records.length);
    for (let run = this.clouds.length; run < records.length; run++) {
      const cloud = this.cloud(run);
      cloud.note = div("cloud-note small soft clipped");
      cloud.when = span("at-step");
      this.clouds.push(cloud);
    }
  }

  /** The cloud of a run; it translates rows of the run to sentences of the selection. */
  cloud(run) {
    const { page } = this;
    const sentence = (row) => (row < 0 ? -1 : page.shared.ofRow[run][row]);
    return new Cloud({
      hover: (row) => page.selection.set({ hover: sentence(row) }),
      choose: (row) => page.choose(sentence(row)),
      key: (event) => this.walk(event, run),
      pin: (group) => page.selection.set({ lit: page.selection.lit === group ? null : group }),
      resized: () => page.draw(),
    });
  }

  /** Arrow keys move from dot to dot and Enter chooses, so that a cloud works without a mouse. */
  walk(event, run) {
    const { selection, shared } = this.page;
    const { hover } = selection;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Enter" && hover >= 0) {
      this.page.choose(hover);
      return true;
    }
    const next = this.clouds[run].next(hover < 0 ? -1 : shared.rowOf[run][hover], event);
    if (next === null) return false;
    if (next < 0) return true;
    selection.set({ hover: shared.ofRow[run][next] });
    this.read(this.shown(), this.page.step);
    this.reading.speak();
    return true;
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

  /** The parts that could not be drawn, as a sentence; empty if there are none. */
  get failure() {
    const [[name, why] = []] = this.failures;
    return name
      ? `Drawing the ${name} failed (${why}). The other parts are right; reload the page to draw it again.`
      : "";
  }

  /**
   * The step of curves and plane: the newest row of a run that is followed, else the step to which
   * time was moved.
   */
  get head() {
    const { clock, time, now, step, records } = this.page;
    const atEnd = clock.t >= time.last && !clock.goal;
    return now === true || atEnd ? Math.max(step, ...records.map((record) => record.last)) : step;
  }

  /** The step of the picture. */
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

  /** Draw one frame. */
  draw() {
    const { page, moment } = this;
    const { time, step } = page;
    const runs = this.shown();
    const words = `step ${Math.round(step)} of ${time.steps.at(-1) ?? 0}`;
    if (this.stale) this.lay(runs);
    this.part("time", () => this.drawTime(words));
    this.part("cloud", () => this.drawClouds(step, words));
    this.part("curves", () => {
      this.curves.show(runs, this.head, page.now === true);
      markStep(this.curves.root, moment);
    });
    this.part("plane", () => {
      this.plane.show(runs, this.head);
      markStep(this.plane.root, moment);
    });
    this.part("sentences", () => this.read(runs, step));
    page.layout.drawn(runs, step);
  }

  /** Show the time, and what the fork's button does at this step. */
  drawTime(words) {
    const { page, moment, transport } = this;
    const { time, clock, now } = page;
    const { fork } = transport;
    transport.show(clock.t, time.last, words, now);
    write(transport.words, `step ${steps(moment)}`);
    markStep(transport.words, moment);
    const why = this.whyNoFork;
    // a run that has ended by itself is nothing to ask about
    if (!page.runState?.alive) fork.removeAttribute("data-asks");
    attribute(fork, "aria-disabled", String(Boolean(why)));
    let text = `Fork at ≤ ${steps(this.forkStep)}`;
    if (now === true) text = "Fork";
    else if (fork.hasAttribute("data-asks")) text = "End the run and fork?";
    write(fork, text);
    attribute(
      fork,
      "title",
      why ||
        "Start a new run with the present settings from the last checkpoint at or before this step. Escape leaves an active run alone.",
    );
  }

  /** Draw the parts of curves and plane that do not depend on the time. */
  lay(runs) {
    const { page } = this;
    const { unlike } = page.records[0];
    this.stale = false;
    // two runs are enough to compare
    const previous = runs.length > 1 || unlike?.previous ? null : page.runs.previous;
    this.part("curves", () => this.curves.lay(runs, previous));
    this.part("plane", () => this.plane.lay(runs, previous));
  }

  /** The records have changed. */
  begin() {
    this.arrange();
    this.stale = true;
    this.leave();
  }

  /** Let the dots move to their next places, unless the reader prefers no motion. */
  leave() {
    if (this.page.clock.still.matches || document.hidden) return;
    for (const cloud of this.clouds) cloud.leave(cloud.scene ? cloud : this.clouds[0]);
  }

  /** One bounding box for all runs, so that lengths are comparable. */
  box() {
    const { records, view } = this.page;
    const boxes = records.filter((record) => record.probes.length).map((one) => one.bounds(view));
    if (!boxes.length) return [-1, 1, -1, 1];
    return [0, 1, 2, 3].map((side) =>
      Math[side % 2 ? "max" : "min"](...boxes.map((box) => box[side])),
    );
  }

  /** Draw the cloud of each run with its notes. */
  drawClouds(step, words) {
    const { page } = this;
    const { view, dark, inks, selection, strokes } = page;
    const box = this.box();
    this.clouds.forEach((cloud, run) => {
      const record = page.records[run];
      const at = this.stepOf(record);
      // forces and own sentences belong to the first run
      const forces = run ? null : strokes;
      const dimmed = Boolean(forces) && this.elsewhere(forces.step);
      const places = run ? [] : page.ownPlaces(at);
      const own = places.map((place) => ({ ...place, dimmed: this.elsewhere(place.step) }));
      const moment = { step, view, box, words, dark, inks, own, forces, dimmed };
      cloud.draw(scene(record, run, selection, moment));
      markStep(cloud.root, at, this.elsewhere(at));
      write(cloud.when, stepIfOther(at, this.moment));
      write(cloud.note, this.note(record, step, run));
      attribute(cloud.note, "title", cloud.note.textContent);
    });
  }

  /** What a cloud shows, and the step of forces that are of another moment than the picture. */
  note(record, step, run) {
    const { page } = this;
    const { strokes, umap, view, panel } = page;
    const two = this.slots.length > 1;
    // a second run is named, and compared with the first one; a single one with the previous run
    const compared = panel && two === run > 0 ? record.changes : "";
    const previous = record.unlike?.previous;
    let before = compared && `in grey: the run before (${compared})`;
    if (compared && previous) before = `previous run not drawn: ${previous}`;
    const late =
      strokes && strokes.step !== this.moment ? ` (forces at step ${steps(strokes.step)})` : "";
    const map =
      step > record.umap?.steps.at(-1)
        ? `UMAP up to step ${steps(record.umap.steps.at(-1))}, then by nearest sentences`
        : "UMAP: who is near whom, not how far";
    const parts = [
      run || !strokes ? "" : `solid lines pull, dashed lines push${late}`,
      view === "pca" && umap?.working
        ? "UMAP is being computed; its first use may compile for half a minute"
        : "",
      view === "umap" ? map : "",
      panel && run ? record.name : "",
      two ? compared : before,
      run && page.apart ? "axes of its own" : "",
    ];
    return parts.filter(Boolean).join(" · ");
  }

  /** Show the sentence that is read, and its neighbours. */
  read(runs, step) {
    const { panel, selection, dark } = this.page;
    const more = panel
      ? " click it to see what pulls and what pushes."
      : " click it to see its track.";
    const idle = `Point at a dot to read its sentence;${more}`;
    this.reading.show(runs, selection, step, this.moment, dark, idle);
  }
}
