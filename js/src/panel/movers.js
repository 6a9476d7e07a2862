// The sentences that gained most neighbours of their own topic, between the first probe and the
// shown one, or between two runs.

import { div, element, span, write } from "../shared/dom.js";
import { colour, marker } from "../shared/palette.js";
import { steps } from "../shared/text.js";
import { markStep } from "./reading.js";

const MOST = 5;

/**
 * The sentences with the most new neighbours of their own topic, and their nearest sentence in
 * both: [{sentence, was, now}]. With two runs, these are the runs; with one, its first probe and
 * that of a step.
 */
export function biggestMovers(runs, { groups, shared }, step) {
  const ends = [
    { run: 0, probe: runs.length > 1 ? runs[0].probeAt(step) : 0 },
    { run: runs.length - 1, probe: runs.at(-1).probeAt(step) },
  ];
  const near = ({ run, probe }, sentence) => {
    const row = shared.rowOf[run][sentence];
    return row < 0 ? [] : runs[run].near(probe, row).map((other) => shared.ofRow[run][other]);
  };
  const moved = shared.texts.map((_, sentence) => {
    const [before, after] = ends.map((end) => near(end, sentence));
    const fresh = before.length ? after.filter((other) => !before.includes(other)) : [];
    const alike = fresh.filter((other) => groups.of[other] === groups.of[sentence]);
    return { sentence, was: before[0], now: after[0], score: alike.length };
  });
  return moved
    .filter(({ was, now, score }) => score && was !== now)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST);
}

/** The list of these sentences, each with its nearest neighbour before and after. */
export class Movers {
  /** `choose(sentence)`: the reader has clicked a sentence. */
  constructor(choose) {
    this.choose = choose;
    this.title = element("h3", { class: "movers-title clipped" });
    // of two runs, if one is not at the picture's step
    this.when = div("movers-when at-step");
    this.list = element("ol");
    this.root = element(
      "section",
      { class: "clwork-movers", "aria-label": "biggest movers" },
      this.title,
      this.when,
      this.list,
    );
  }

  /** `runs`: [{record, name}]; `shown`: the step of the picture. Filled only when probes change. */
  show(runs, selection, step, shown, dark) {
    const records = runs.map(({ record }) => record);
    const ends = runs.map(({ record }) => record.steps[record.probeAt(step)] ?? 0);
    const key = JSON.stringify([
      records.map(({ id }) => id),
      ends,
      dark,
      selection.shared.texts.length,
    ]);
    if (key !== this.key) {
      this.key = key;
      this.fill(biggestMovers(records, selection, step), selection, dark);
      const where =
        runs.length > 1 ? "in A → in B" : `at step ${records[0].steps[0]} → at step ${ends[0]}`;
      write(
        this.title,
        `Biggest movers: ${this.list.childElementCount ? `nearest ${where}` : "none yet"}`,
      );
    }
    markStep(this.root, this.list.childElementCount ? ends.at(-1) : null);
    const other = runs.length > 1 && ends.some((end) => end !== shown);
    write(this.when, other ? `A at step ${steps(ends[0])}, B at step ${steps(ends[1])}` : "");
  }

  /** Make a button for each sentence. */
  fill(movers, { groups, shared }, dark) {
    const named = (name, sentence) =>
      element(
        "span",
        { class: `${name} lined`, title: shared.texts[sentence] },
        marker(groups.of[sentence], colour(groups.of[sentence], dark)),
        span("clipped", shared.texts[sentence]),
      );
    const entry = ({ sentence, was, now }) =>
      element(
        "button",
        {
          class: "mover small soft",
          type: "button",
          title: shared.texts[sentence],
          onclick: () => this.choose(sentence),
        },
        named("mover-text", sentence),
        named("mover-near", was),
        element("span", { text: "→" }),
        named("mover-near", now),
      );
    this.list.replaceChildren(...movers.map((mover) => element("li", {}, entry(mover))));
  }
}
