// What is seen of a run at a moment: the scene of its cloud, the line that reads a dot out, the lists of nearest sentences.

import { alive } from "./controls.js";
import { number, steps } from "./dom.js";
import { counted } from "../shared/counted.js";

const IDLE = "Point at a dot to read it.";

/** A moment in words, for readers of the screen. */
export function told(runs, step, last) {
  const values = runs.map(({ film, name }) => {
    const loss = film.value("loss", step);
    return loss === null ? "" : `, ${runs.length > 1 ? `${name} ` : ""}loss ${number(loss, 2)}`;
  });
  return `step ${Math.round(step)} of ${last}${values.join("")}`;
}

/** One frame for all runs: a length means the same in each. */
export function frame(films, view) {
  const all = films.map((film) => film.bounds(view));
  return [0, 1, 2, 3].map((side) => Math[side % 2 ? "max" : "min"](...all.map((box) => box[side])));
}

/** What a run's cloud draws. Of the moment: its step, the step that tails `start` at or null, view, box, words, dark. */
export function scene(film, run, selection, { step, start, view, box, words, dark }) {
  const { hidden, chosen, hover, groups, shared } = selection;
  const [rowOf, ofRow] = [shared.rowOf[run], shared.ofRow[run]];
  const rows = chosen.map((sentence) => rowOf[sentence]).filter((row) => row >= 0);
  const row = chosen.length ? rowOf[chosen.at(-1)] : -1;
  const near = row < 0 ? [] : film.near(film.lookAt(step), row);
  const group = (one) => groups.of[ofRow[one]];
  return {
    xy: film.places(step, view),
    before: start === null ? null : film.places(start, view),
    box,
    group,
    hidden: (one) => hidden.has(group(one)),
    faint: (one) => !selection.fits(ofRow[one]),
    hover: hover < 0 ? -1 : rowOf[hover],
    chosen: rows,
    near,
    then: row < 0 ? [] : film.near(0, row).filter((one) => !near.includes(one)),
    tracks: rows.map((one) => [one, film.track(one, step, view)]),
    text: (one) => film.texts[one],
    dark,
    label: `cloud of ${counted(film.size, "sentence")}, ${film.title || film.method}, ${words}. Up and down read a dot out, Enter chooses it.`,
  };
}

/** What the line says: the sentence pointed at, or the last one chosen, or how many fit what is looked for. */
export function line(selection) {
  const { hover, chosen, query, groups, shared: { texts } } = selection;
  const sentence = hover >= 0 ? hover : (chosen.at(-1) ?? -1);
  if (sentence >= 0) {
    const group = groups.of[sentence];
    const name = groups.groups.find((one) => one.group === group)?.name ?? "";
    return { text: texts[sentence], group, name };
  }
  if (!query) return { text: IDLE };
  const count = texts.filter((_, one) => selection.fits(one)).length;
  return { text: `${count} of ${counted(texts.length, "sentence")} ${count === 1 ? "holds" : "hold"} “${query}”. Enter chooses one after the other.` };
}

/** The nearest of the sentence chosen last, at the first look, now, and (of one run alone) at the last look. */
export function lists(runs, { chosen, groups, shared }, step) {
  if (!chosen.length) return [];
  const alone = runs.length === 1;
  return runs.flatMap(({ film, name, ink }, run) => {
    const row = shared.rowOf[run][chosen.at(-1)];
    const prefix = alone ? "nearest" : name;
    if (row < 0) return [{ title: `${name}: not among its sentences`, ink, items: [] }];
    const first = film.near(0, row);
    const now = film.lookAt(step);
    const last = film.looks.length - 1;
    const column = (title, look) => ({
      title,
      ink: alone ? null : ink,
      items: film.near(look, row).map((one) => {
        const other = shared.ofRow[run][one];
        return { sentence: other, text: film.texts[one], group: groups.of[other], fresh: look > 0 && !first.includes(one) };
      }),
    });
    const columns = [column(`${prefix} at step ${steps(film.steps[0])}`, 0), column(`${prefix} now, step ${steps(film.steps[now])}`, now)];
    if (alone) columns.push(column(`${alive(film) ? "latest" : "at the end"}, step ${steps(film.steps[last])}`, last));
    return columns;
  });
}
