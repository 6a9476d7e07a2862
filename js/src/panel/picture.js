// All that is drawn: clouds, curves, plane, the transport's slider and the reading, at the moment that the clock shows.

import { element, tell, write } from "../shared/dom.js";
import { Cloud } from "./cloud.js";
import { Curves } from "./curves.js";
import { steps } from "./format.js";
import { Plane } from "./plane.js";
import { Reading } from "./reading.js";
import { frame, holds, line, lists, scene, told } from "./scene.js";
import { Transport } from "./transport.js";

const TAIL = 0.8; // probes that a dot's tail is long while time passes
const GROWS = 80; // milliseconds in which the play head comes nearer to the newest row by a factor of e
const HINTS = {
  player: "Click a dot: its way through time is drawn, and its nearest sentences stand here, then and now.",
  panel: "click it to see what pulls and what pushes",
};

export class Picture {
  constructor(page) {
    this.page = page;
    this.stale = true; // whether curves and plane have to be laid reload
    this.frame = null; // of the clouds
    this.head = 0; // the step at which curves and plane have their heads
    this.clouds = [];
    this.arrange();
    const resized = () => {
      this.stale = true;
      page.paint();
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
    const fork = page.panel && page.live ? () => page.act("fork", { step: Math.round(page.step) }) : null;
    this.transport = new Transport(page.clock, { moved: () => page.moved(), live: () => page.toNow(), fork });
  }

  arrange() {
    this.slots = this.page.records.map((_, run) => ({ name: "AB"[run], ink: `var(--run-${run})`, dash: run ? "6 3" : null }));
    this.clouds.splice(this.slots.length);
    for (let run = this.clouds.length; run < this.slots.length; run++) {
      const [note, trend] = ["note", "trend"].map((name) => element("div", { class: `cloud-${name}` }));
      this.clouds.push(Object.assign(this.cloud(run), { note, trend }));
    }
  }

  cloud(run) {
    const { page } = this;
    const sentence = (row) => (row < 0 ? -1 : (page.shared.ofRow[run][row] ?? -1));
    const cloud = new Cloud({
      hover: (row) => page.selection.point(sentence(row)),
      choose: (row, more) => page.choose(sentence(row), more),
      key: (event) => this.walk(event, run),
      light: (group) => page.selection.light(group),
      pin: (group) => page.selection.pin(group),
      resized: () => page.paint(),
    });
    return cloud;
  }

  /** Arrow keys go from dot to dot, Enter chooses: a cloud needs no mouse. */
  walk(event, run) {
    const { page, clouds: { [run]: cloud } } = this;
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
    const read = line(selection);
    this.reading.speak([read.name, read.text, this.nearest(read.sentence)].filter(Boolean).join(". "));
    return true;
  }

  nearest(sentence) {
    const { page } = this;
    const [, now] = lists(this.shown().slice(0, 1), page.selection, sentence, page.step);
    return now?.items.length ? `nearest: ${now.items[0].text}` : "";
  }

  shown() {
    const { records, panel } = this.page;
    return this.slots.map((slot, run) => ({ ...slot, record: records[run], ink: panel && !run && records[run].recorded ? "var(--was)" : slot.ink }));
  }

  draw() {
    const { page } = this;
    const { selection, time, clock, step } = page;
    const runs = this.shown();
    const words = told(runs, step, time.steps.at(-1) ?? 0);
    if (this.stale) this.lay(runs);
    const more = this.grow();
    this.drawClouds(step, words);
    this.curves.show(runs, this.head, page.now === true);
    this.plane.show(runs, this.head);
    this.transport.show(clock.t, time.last, words, page.now);
    this.transport.fork.disabled = page.records[0].recorded || !page.records[0].id || page.now === true; // of the newest step the run itself goes on
    write(this.transport.words, page.panel ? `step ${steps(page.now ? this.head : step)}` : `step ${steps(step)} of ${steps(time.steps.at(-1) ?? 0)}`);
    this.read(runs, step);
    page.layout.drawn(runs, step);
    if (more) page.paint();
  }

  lay(runs) {
    const { page } = this;
    this.stale = false;
    const previous = runs.length > 1 ? null : page.runs.previous; // whoever compares two runs needs no third
    if (!page.panel) this.curves.leave(page.records);
    this.curves.lay(runs, previous, page.bands?.columns);
    const [first] = runs[0].record.history.trail().points;
    const recorded = page.records[0].recorded ? null : previous?.recorded ? previous.history.trail().points.at(-1) : null;
    this.plane.lay(runs, previous, { ...(first ? { untrained: first } : {}), ...(recorded ? { recorded } : {}) });
    const records = page.records;
    const moments = records.flatMap((record) => record.history.events.map((event) => page.time.t(event.step)));
    this.transport.mark(moments, page.time.last);
  }

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
    this.head = still || Math.abs(goal - this.head) < 0.02 ? goal : goal + (this.head - goal) * Math.exp(-passed / GROWS);
    return this.head !== goal;
  }

  begin() {
    this.arrange();
    this.stale = true;
  }

  /** The frame of all probes; where a new probe makes it larger, it grows while the dots glide there. */
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

  drawClouds(step, words) {
    const { page } = this;
    const { view, dark, inks, selection, clock, forces } = page;
    const moving = clock.playing || clock.goal;
    const moment = {
      step, view, words, dark, inks, forces, still: !moving, box: this.box(),
      start: moving && !page.panel ? page.time.step(Math.max(0, clock.t - TAIL)) : null,
    };
    this.clouds.forEach((cloud, run) => {
      const record = page.records[run];
      const seen = scene(record, run, selection, { ...moment, own: run ? [] : page.ownPlaces() });
      cloud.draw(seen);
      write(cloud.note, this.note(record, step, run));
      tell(cloud.note, "title", cloud.note.textContent);
      write(cloud.trend, page.panel ? "" : record.trend(step));
    });
  }

  note(record, step, run) {
    const { page } = this;
    if (page.panel && record.recorded && !run) return "recorded run: press Start for your own";
    const text = holds(record, step, page.view, this.slots.length > 1);
    const beside = page.panel && this.slots.length > 1;
    const name = beside && run ? `${record.recorded ? "recorded run" : record.name} · ` : "";
    const changed = page.panel && record.changes && beside === run > 0 ? `${record.changes} · ` : ""; // since the run before, in grey; or against the first
    return name + changed + text + (run && page.apart ? " · axes of its own" : "");
  }

  read(runs, step) {
    const { page } = this;
    const { selection, dark } = page;
    const idle = page.panel ? `Point at a dot to read its sentence; ${HINTS.panel}.` : "Point at a dot to read it.";
    const read = line(selection, idle);
    this.reading.say(read, dark);
    const sentence = page.panel ? (read.sentence ?? -1) : (selection.chosen.at(-1) ?? -1);
    const all = lists(runs, selection, sentence, step, !page.panel);
    const columns = page.panel && runs.length > 1 ? all.filter(({ when }) => when === "now") : all; // a line for each run
    this.reading.list(columns, dark, page.said && !page.panel ? page.said : page.panel || selection.query ? "" : HINTS.player);
  }
}
