// The sentences whose nearest neighbours changed most, between the first probe and the shown one,
// or between two runs.

import { element, write } from "../shared/dom.js";
import { cut, steps } from "../shared/text.js";
import { marker, markStep } from "./reading.js";

const MOST = 5;
// maximum characters of a sentence and of its neighbours
const [LONG, SHORT] = [40, 22];

/**
 * The rows with the most new neighbours; among equals, those whose nearest neighbour fell furthest.
 * `before`, `after`: row -> rows, nearest first.
 */
export function biggestMovers(count, before, after) {
  const moved = [];
  for (let row = 0; row < count; row++) {
    const [was, now] = [before(row), after(row)];
    if (!was.length || !now.length || was[0] === now[0]) continue;
    const fresh = now.filter((one) => !was.includes(one)).length;
    const rank = now.indexOf(was[0]);
    moved.push({
      row,
      was: was[0],
      now: now[0],
      rank: rank < 0 ? `>${now.length}` : rank + 1,
      score: fresh + (rank < 0 ? now.length : rank),
    });
  }
  return moved.sort((a, b) => b.score - a.score).slice(0, MOST);
}

/** The list of these sentences, each with its nearest neighbour before and after. */
export class Movers {
  /** `choose(sentence)`: the reader has clicked a sentence. */
  constructor(choose) {
    this.choose = choose;
    this.title = element("h3", { class: "movers-title" });
    // of two runs, if one is not at the picture's step
    this.when = element("div", { class: "movers-when at-step" });
    this.list = element("ol", { class: "movers-list" });
    this.root = element(
      "section",
      { class: "clwork-movers", "aria-label": "biggest movers" },
      this.title,
      this.when,
      this.list,
    );
  }

  /**
   * `runs`: [{record, name}]; `selection`: groups and shared sentences. Recomputed only when probes
   * change.
   */
  show(runs, { groups, shared }, step, shown, dark) {
    const [one, two] = runs;
    const last = two ?? one;
    const [first, now] = [two ? one.record.probeAt(step) : 0, last.record.probeAt(step)];
    const key = `${one.record.id} ${last.record.id} ${first} ${now} ${dark} ${last.record.probes.length > 0}`;
    const ends = [first, now].map((probe, k) => (k ? last : one).record.steps[probe] ?? 0);
    if (key !== this.key) this.fill(runs, { groups, shared }, [first, now], ends, dark);
    this.key = key;
    markStep(this.root, this.list.childElementCount ? ends[1] : null);
    write(
      this.when,
      two && ends.some((end) => end !== shown)
        ? `A at step ${steps(ends[0])}, B at step ${steps(ends[1])}`
        : "",
    );
  }

  /** `probes`: numbers of the two probes; `ends`: their steps. */
  fill(runs, { groups, shared }, [first, now], ends, dark) {
    const [one, two] = runs;
    const sentences = (run, probe) => (sentence) => {
      const row = shared.rowOf[run][sentence];
      return row < 0 || row === undefined
        ? []
        : runs[run].record.near(probe, row).map((other) => shared.ofRow[run][other]);
    };
    const found = biggestMovers(
      shared.texts.length,
      sentences(0, first),
      sentences(two ? 1 : 0, now),
    );
    const [from, to] = two
      ? [`in ${one.name}`, `in ${two.name}`]
      : ends.map((end) => `at step ${end}`);
    write(
      this.title,
      found.length ? `Biggest movers: nearest ${from} → ${to}` : "Biggest movers: none yet",
    );
    const neighbour = (sentence) =>
      element(
        "span",
        { class: "mover-near", title: shared.texts[sentence] },
        marker(groups.of[sentence], dark),
        element("span", { text: cut(shared.texts[sentence], SHORT) }),
      );
    this.list.replaceChildren(
      ...found.map(({ row, was, now: nearest, rank }) =>
        element(
          "li",
          {},
          element(
            "button",
            {
              class: "mover",
              type: "button",
              title: shared.texts[row],
              onclick: () => this.choose(row),
            },
            element(
              "span",
              { class: "mover-text" },
              marker(groups.of[row], dark),
              element("span", { text: cut(shared.texts[row], LONG) }),
            ),
            element(
              "span",
              { class: "mover-change" },
              neighbour(was),
              element("span", {
                class: "mover-rank",
                title: "rank of the earlier nearest sentence now",
                text: `rank 1 → ${rank}`,
              }),
              neighbour(nearest),
            ),
          ),
        ),
      ),
    );
  }
}
