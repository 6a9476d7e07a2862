// The chosen sentence's nearest ones in full, or else the sentences that gained most neighbours of
// their own topic: between the first probe and the shown one, or between two runs.

import { div, element, span, write } from "../shared/dom.js";
import { colour, marker } from "../shared/palette.js";
import { steps } from "../shared/text.js";
import { markStep, NEAREST } from "./reading.js";

const MOST = 5;

/**
 * The sentences nearest to one, before and after: in two runs at a step, or in one run at its first
 * probe and at that of the step.
 */
function nearest(runs, shared, step, sentence) {
  const ends = [
    { run: 0, probe: runs.length > 1 ? runs[0].probeAt(step) : 0 },
    { run: runs.length - 1, probe: runs.at(-1).probeAt(step) },
  ];
  return ends.map(({ run, probe }) => {
    const row = shared.rowOf[run][sentence];
    return row < 0 ? [] : runs[run].near(probe, row).map((other) => shared.ofRow[run][other]);
  });
}

/**
 * The sentences with the most new neighbours of their own topic, and their nearest sentence before
 * and after: [{sentence, was, now}].
 */
export function biggestMovers(runs, { groups, shared }, step) {
  const moved = shared.texts.map((_, sentence) => {
    const [before, after] = nearest(runs, shared, step, sentence);
    const fresh = before.length ? after.filter((other) => !before.includes(other)) : [];
    const alike = fresh.filter((other) => groups.of[other] === groups.of[sentence]);
    return { sentence, was: before[0], now: after[0], score: alike.length };
  });
  return moved
    .filter(({ was, now, score }) => score && was !== now)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST);
}

/** The nearest sentences of the chosen one before and after, rank by rank: [{was, now}]. */
function neighbours(runs, { chosen, shared }, step) {
  const [before, after] = nearest(runs, shared, step, chosen);
  // at its first probe one run has nothing to compare; of two runs a rank may have one sentence
  const alone = runs.length < 2;
  const same = (rank) => (alone ? runs[0].probeAt(step) === 0 : before[rank] === after[rank]);
  return after
    .slice(0, NEAREST)
    .map((now, rank) => (same(rank) ? { now } : { was: before[rank], now }));
}

/** The list of these sentences. */
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
      { class: "clwork-movers", "aria-label": "nearest sentences" },
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
      selection.chosen,
    ]);
    if (key !== this.key) {
      this.key = key;
      const isChosen = selection.chosen >= 0;
      const pairs = (isChosen ? neighbours : biggestMovers)(records, selection, step);
      // then → now, or two runs side by side
      this.fill(pairs, selection, dark, runs.length > 1 ? "|" : "→");
      const first = records[0].steps[0];
      const where = runs.length > 1 ? "in A | in B" : `at step ${first} → step ${ends[0]}`;
      const moved = this.list.childElementCount ? `nearest ${where}` : "none yet";
      const isFirst = runs.length < 2 && ends[0] === first;
      const near = isFirst ? `Nearest sentences at step ${first}` : `Nearest sentences ${where}`;
      write(this.title, isChosen ? near : `Biggest movers: ${moved}`);
    }
    markStep(this.root, this.list.childElementCount ? ends.at(-1) : null);
    const other = runs.length > 1 && ends.some((end) => end !== shown);
    write(this.when, other ? `A at step ${steps(ends[0])}, B at step ${steps(ends[1])}` : "");
  }

  /** Make a button for each mover, or for each neighbour of the chosen sentence. */
  fill(pairs, { chosen, groups, shared }, dark, between) {
    const parts = (sentence) => [
      marker(groups.of[sentence], colour(groups.of[sentence], dark)),
      span("clipped", shared.texts[sentence]),
    ];
    const named = (name, sentence) =>
      element(
        "span",
        { class: `${name} lined`, title: shared.texts[sentence] },
        ...parts(sentence),
      );
    const press = (sentence, name, ...content) =>
      element(
        "button",
        {
          class: `mover small soft ${name}`,
          type: "button",
          title: shared.texts[sentence],
          onclick: () => this.choose(sentence),
        },
        ...content,
      );
    const moved = ({ sentence, was, now }) =>
      press(
        sentence,
        "",
        named("mover-text", sentence),
        named("mover-near", was),
        element("span", { text: between }),
        named("mover-near", now),
      );
    const whole = (sentence) =>
      sentence === undefined ? span() : press(sentence, "whole lined", ...parts(sentence));
    const ranked = (pair) =>
      "was" in pair
        ? [whole(pair.was), element("span", { text: between }), whole(pair.now)]
        : [whole(pair.now)];
    this.list.replaceChildren(
      ...pairs.map((pair) =>
        chosen < 0
          ? element("li", {}, moved(pair))
          : element("li", { class: "rank small soft" }, ...ranked(pair)),
      ),
    );
  }
}
