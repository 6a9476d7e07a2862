// The table of similarities: a row for each sentence, and a block of columns for each group of
// candidates.

import { scaleLinear } from "../shared/chart.js";
import { drawn } from "../shared/dom.js";
import { nameOf } from "./lists.js";

const LEFT = 18;
const TOP = 34;
const GAP = 12;
const LARGEST = 38;
const WIDE = 430;
// columns in a line; more groups begin another one
const ACROSS = 16;

/** Two digits without the zero before the point: ".81", "−.07", "1". */
function twoDigits(value) {
  const text = value.toFixed(2).replace("-", "−").replace("0.", ".");
  return text === "1.00" ? "1" : text;
}

/** The ends of the colours: the range of the similarities that are shown. */
function rangeOf(groups) {
  const all = groups.flatMap(({ score }) => score.flat());
  return [Math.min(...all), Math.max(...all)];
}

/**
 * The groups in lines of at most ACROSS columns, each with its left edge in cells; a group is never
 * divided.
 */
function linesOf(groups) {
  const lines = [[]];
  let used = 0;
  for (const group of groups) {
    const width = group.score[0].length;
    if (used && used + width > ACROSS) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1).push({ group, width, before: used });
    used += width;
  }
  return lines;
}

/** A cell: its colour, its number if there is space, and what it is on hover. */
function cell(x, y, size, { value, counts, right, fill, title }, choose) {
  const nodes = [
    drawn("title", { text: title }),
    drawn("rect", { x, y, width: size, height: size, fill: counts ? fill : "none" }),
  ];
  if (!counts)
    nodes.push(
      drawn("path", { class: "strike", d: `M${x + 3} ${y + size - 3}L${x + size - 3} ${y + 3}` }),
    );
  else if (size >= 24)
    nodes.push(
      drawn("text", {
        class: "value",
        x: x + size / 2,
        y: y + size / 2 + 4,
        "text-anchor": "middle",
        // five signs must fit, such as "−.07"
        style: `font-size:${Math.min(14, 0.4 * size)}px`,
        text: twoDigits(value),
      }),
    );
  if (right)
    nodes.push(
      drawn("rect", { class: "right", x: x + 1, y: y + 1, width: size - 2, height: size - 2 }),
    );
  return drawn("g", { class: counts ? "cell" : "cell masked", onclick: choose }, ...nodes);
}

const label = (x, y, anchor, text, name) =>
  drawn("text", { class: name, x, y, "text-anchor": anchor, text });

/** The table as SVG. */
export function drawTable(moment, texts, choose, dark) {
  const { groups, row: chosen } = moment;
  const rows = groups[0].score.length;
  const lines = linesOf(groups);
  const most = Math.max(...lines.map((line) => line.at(-1).before + line.at(-1).width));
  const gaps = GAP * (Math.max(...lines.map((line) => line.length)) - 1);
  const size = Math.min(LARGEST, (WIDE - LEFT - gaps) / most);
  const [low, high] = rangeOf(groups);
  const ends = dark ? ["#1c2229", "#2f7fd0"] : ["#f5f7f9", "#4a93e0"];
  const colour = scaleLinear([low, high > low ? high : low + 1], ends);
  const tick = (index) => (index === chosen ? "tick chosen" : "tick");
  const nodes = [];
  let top = 0;
  for (const line of lines) {
    const y = (row) => top + TOP + row * size;
    let end = 0;
    line.forEach(({ group, width, before }, number) => {
      const x = (column) => LEFT + (before + column) * size + number * GAP;
      end = x(width);
      const few = group.count > width ? ` (${width} of ${group.count})` : "";
      nodes.push(label(x(0), top + 12, "start", group.name + few, "group"));
      for (let column = 0; column < width; column++) {
        if (!group.synthetic)
          nodes.push(label(x(column + 0.5), y(0) - 5, "middle", column + 1, tick(column)));
        for (let row = 0; row < rows; row++) {
          const value = group.score[row][column];
          const counts = group.counts[row][column];
          const name = `${texts[row]} — ${nameOf(group, column, texts)}: ${value.toFixed(3)}`;
          const about = {
            value,
            counts,
            right: group.positive[row][column],
            fill: colour(value),
            title: counts ? name : `${name}, does not count`,
          };
          nodes.push(cell(x(column), y(row), size, about, () => choose(row)));
        }
      }
    });
    for (let row = 0; row < rows; row++)
      nodes.push(label(LEFT - 5, y(row + 0.5) + 4, "end", row + 1, tick(row)));
    nodes.push(
      drawn("rect", {
        class: "row",
        x: LEFT - 1,
        y: y(chosen) - 1,
        width: end - LEFT + 2,
        height: size + 2,
      }),
    );
    top = y(rows) + 6;
  }
  const width = LEFT + most * size + gaps + 3;
  const about = `${moment.measure} of ${rows} sentences with their candidates, from ${low.toFixed(2)} to ${high.toFixed(2)}`;
  return drawn(
    "svg",
    { width, height: top, viewBox: `0 0 ${width} ${top}`, role: "img", "aria-label": about },
    ...nodes,
  );
}
