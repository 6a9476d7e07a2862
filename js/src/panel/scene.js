// What is seen of a run at a moment: the scene of its cloud, the line that reads a dot out, the lists of nearest sentences.

import { counted } from "../shared/text.js";
import { measured, percent, steps } from "./format.js";

const IDLE = "Point at a dot to read its sentence";

export function told(runs, step, last) {
  const values = runs.map(({ record, name }) => {
    const loss = record.history.value("loss", step);
    return loss === null ? "" : `, ${runs.length > 1 ? `${name} ` : ""}loss ${measured(loss)}`;
  });
  return `step ${Math.round(step)} of ${last}${values.join("")}`;
}

/** One frame for all runs: a length means the same in each. */
export function frame(records, view) {
  const all = records.filter((record) => record.probes.length).map((record) => record.bounds(view));
  return all.length ? [0, 1, 2, 3].map((side) => Math[side % 2 ? "max" : "min"](...all.map((box) => box[side]))) : [-1, 1, -1, 1];
}

/** What a run's cloud draws. `moment`: its step, the step that tails `start` at or null, view, box, and how it probes. */
export function scene(record, run, selection, moment) {
  const { step, start, view, box, words, own, inks, dark, still } = moment;
  const forces = run ? null : moment.forces; // these are of the first run
  const { hidden, chosen, hover, groups, shared, lit, pinned } = selection;
  const [rowOf, ofRow] = [shared.rowOf[run], shared.ofRow[run]];
  const there = record.probes.length > 0;
  const rows = there ? chosen.map((sentence) => rowOf[sentence]).filter((row) => row >= 0) : [];
  const row = rows.at(-1) ?? -1;
  const near = row < 0 ? [] : record.near(record.probeAt(step), row);
  const group = (one) => groups.of[ofRow[one]];
  const involved = forces && new Set([forces.row, ...forces.pull.map(([other]) => other), ...forces.push.map(([other]) => other)]);
  return {
    xy: there ? record.places(step, view) : new Float32Array(0),
    before: there && start !== null ? record.places(start, view) : null,
    box,
    measured: view.kind === "pca",
    group,
    hidden: (one) => hidden.has(group(one)),
    faint: (one) => (involved ? !involved.has(one) : selection.faint(ofRow[one])),
    faded: record.recorded && !run,
    hover: hover < 0 || !there ? -1 : rowOf[hover],
    chosen: rows,
    near,
    then: row < 0 ? [] : record.near(0, row).filter((one) => !near.includes(one)),
    tracks: rows.map((one) => [one, record.track(one, step, view)]),
    own,
    forces,
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

export function holds(record, step, view, brief) {
  if (!record.probes.length) return "";
  if (view.kind === "umap") {
    const last = record.umap.steps.at(-1);
    return `UMAP of the ${record.axes} axes: who is near whom, not how far${step > last ? `; it ends at step ${steps(last)}` : ""}`;
  }
  const part = percent(record.share(record.probeAt(step), view.x, view.y));
  if (brief) return `${part} of the variance`;
  return `axes ${view.x + 1} and ${view.y + 1}: ${part} of the variance`;
}

/** What the line says: the sentence pointed at, or the last one chosen, or how many fit what is looked for. */
export function line(selection, idle = IDLE) {
  const { hover, chosen, query, groups, shared: { texts } } = selection;
  const sentence = hover >= 0 ? hover : (chosen.at(-1) ?? -1);
  if (sentence >= 0) {
    const group = groups.of[sentence];
    const name = groups.groups.find((one) => one.group === group)?.name ?? "";
    return { text: texts[sentence], group, name, sentence };
  }
  if (!query) return { text: idle };
  const count = texts.filter((_, one) => selection.fits(one)).length;
  return { text: `${count} of ${counted(texts.length, "sentence")} ${count === 1 ? "holds" : "hold"} “${query}”. Enter chooses one after the other.` };
}

/** The nearest of a sentence, at the first probe, now, and (`whole`, of one run alone) at the last probe. */
export function lists(runs, { groups, shared }, sentence, step, whole) {
  if (sentence < 0) return [];
  const alone = runs.length === 1;
  return runs.flatMap(({ record, name, ink }, run) => {
    const row = shared.rowOf[run][sentence];
    if (!record.probes.length) return [];
    const prefix = alone ? "nearest" : name;
    if (row < 0) return [{ title: `${name}: not among its sentences`, ink, name, when: "now", items: [] }];
    const first = record.near(0, row);
    const now = record.probeAt(step);
    const last = record.probes.length - 1;
    const column = (title, probe, when) => ({
      title,
      when,
      name: alone ? when : name,
      ink: alone ? null : ink,
      items: record.near(probe, row).map((one) => {
        const other = shared.ofRow[run][one];
        return { sentence: other, text: record.texts[one], group: groups.of[other], fresh: probe > 0 && !first.includes(one) };
      }),
    });
    const columns = [column(`${prefix} at step ${steps(record.steps[0])}`, 0, "then"), column(`${prefix} now, step ${steps(record.steps[now])}`, now, "now")];
    if (alone && whole) columns.push(column(`${record.alive ? "latest" : "at the end"}, step ${steps(record.steps[last])}`, last, "end"));
    return columns;
  });
}
