// The stages that are lists: sentences, softmax of a row, pulls and pushes, nearest sentences.

import { button, div, element, span } from "../shared/dom.js";
import { brief, percent } from "../shared/text.js";

// candidates listed in the softmax, and pushes; the rest is one line
const LISTED = 7;

/** A share in percent; of a tiny one the power of ten. */
const shareOf = (value) => (value >= 5e-4 ? percent(value) : `${brief(100 * value, 2)} %`);

/** A bar, with a share of its track (0 to 1). */
const track = (share) =>
  span("track", element("span", { class: "bar", style: `width:${100 * share}%` }));

/** A line: text, bar (0 to 1) and number. */
function line(text, share, number, kind) {
  return element(
    "div",
    { class: `line ${kind}`, title: text },
    span("text", text),
    span("number", number),
    track(share),
  );
}

/** The sentences, each with a box that keeps it in the batch and a button that chooses it. */
export function sentenceList(moment, choose, keep) {
  const most = Math.max(...(moment.losses ?? [1]), 1e-9);
  let row = -1;
  const entries = moment.texts.map((text, index) => {
    const kept = moment.kept[index];
    if (kept) row += 1;
    const own = row;
    const box = element("input", {
      type: "checkbox",
      checked: kept,
      "aria-label": `keep: ${text}`,
      onchange: ({ target }) => keep(index, target.checked),
    });
    if (!kept) return div("entry left-out", box, span("text", text));
    const loss = moment.losses?.[own];
    const name = button("text", `${own + 1} ${text}`, () => choose(own), {
      "aria-pressed": String(own === moment.row),
      title: loss === undefined ? text : `${text} Its loss is ${brief(loss)}.`,
    });
    return div("entry", box, name, track(Math.max(0, loss ?? 0) / most));
  });
  return div("list", ...entries);
}

/** What candidate `column` of a group is called. */
export function nameOf(group, column, texts) {
  if (group.synthetic) return `${group.name} ${column + 1}`;
  return `${column + 1} ${texts[column]}`;
}

/** The softmax of the chosen row, largest share first. */
export function softmaxBars(moment, texts) {
  const several = moment.groups.length > 1;
  const all = moment.groups.flatMap((group) =>
    (group.weight?.[moment.row] ?? []).map((weight, column) => ({
      weight,
      counts: group.counts[moment.row][column],
      right: group.positive[moment.row][column],
      text: (several ? `${group.name}: ` : "") + nameOf(group, column, texts),
    })),
  );
  const counted = all.filter(({ counts }) => counts).sort((a, b) => b.weight - a.weight);
  const right = counted.filter((one) => one.right);
  const wrong = counted.filter((one) => !one.right);
  const shown = [...right.slice(0, 5), ...wrong.slice(0, Math.max(2, LISTED - right.length))];
  const rest = counted.filter((one) => !shown.includes(one));
  const lines = shown.map((one) =>
    line(one.text, one.weight, shareOf(one.weight), one.right ? "right" : "wrong"),
  );
  if (rest.length) {
    const sum = rest.reduce((total, { weight }) => total + weight, 0);
    lines.push(line(`${rest.length} more`, Math.min(1, sum), shareOf(sum), "wrong"));
  }
  return div("list", ...lines);
}

/** Pulls and pushes on the chosen sentence, strongest first. */
export function pullList(moment) {
  const most = Math.max(...moment.pulls.map(({ pull }) => Math.abs(pull)), 1e-30);
  const lines = moment.pulls
    .slice(0, LISTED)
    .map(({ text, row, pull, group }) =>
      line(
        (moment.groups.length > 1 && row !== null ? `${group}: ` : "") +
          (row === null ? text : `${row + 1} ${text}`),
        Math.abs(pull) / most,
        `${pull >= 0 ? "pulls" : "pushes"} ${brief(Math.abs(pull), 2)}`,
        pull >= 0 ? "pull" : "push",
      ),
    );
  return div("list", ...lines);
}

/** The nearest sentences before training and now; a new one among them is marked. */
export function nearestList(moment, texts) {
  const before = new Set(moment.first.map(([row]) => row));
  const column = (title, ranking, isNow) =>
    div(
      "column",
      element("h3", { text: title }),
      ...ranking.map(([row, cosine]) =>
        div(
          isNow && !before.has(row) ? "near new" : "near",
          element("span", { class: "text", text: `${row + 1} ${texts[row]}`, title: texts[row] }),
          span("number", cosine.toFixed(3).replace("-", "−")),
        ),
      ),
    );
  return div(
    "nearest-columns",
    column("untrained", moment.first, false),
    column(`after step ${moment.step}`, moment.now, true),
  );
}
