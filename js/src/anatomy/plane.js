// The vectors of the sentences in a plane, with the pull and the pushes on the chosen one.

import { extent } from "d3-array";
import { scaleLinear } from "../shared/chart.js";
import { drawn } from "../shared/dom.js";

const SIZE = 300;
const EDGE = 26;
// pixels of the strongest arrow
const LONGEST = 70;

/** Scales with one unit on both axes, so that directions are true. */
function scales(points) {
  const [left, right] = extent(points, ([x]) => x);
  const [low, high] = extent(points, ([, y]) => y);
  const half = Math.max(right - left, high - low, 1e-6) / 2;
  const [x, y] = [(left + right) / 2, (low + high) / 2];
  return [
    scaleLinear([x - half, x + half], [EDGE, SIZE - EDGE]),
    scaleLinear([y - half, y + half], [SIZE - EDGE, EDGE]),
  ];
}

/** An arrow from a dot towards another (pull) or away from it (push). */
function arrow([x, y], [toX, toY], { pull }, most) {
  const distance = Math.hypot(toX - x, toY - y);
  if (distance < 1 || !pull) return null;
  const length = (LONGEST * Math.abs(pull)) / most;
  if (length < 3) return null;
  const sign = pull > 0 ? 1 : -1;
  const [dx, dy] = [(sign * (toX - x)) / distance, (sign * (toY - y)) / distance];
  const [endX, endY] = [x + dx * length, y + dy * length];
  const wing = (side) => `${endX - 7 * dx + side * 4 * dy} ${endY - 7 * dy - side * 4 * dx}`;
  return drawn("path", {
    class: pull > 0 ? "arrow pull" : "arrow push",
    d: `M${x} ${y}L${endX} ${endY}M${wing(1)}L${endX} ${endY}L${wing(-1)}`,
  });
}

/** The plane as SVG. */
export function drawPlane(moment, texts, choose) {
  const { points, row: chosen, pulls } = moment;
  const [x, y] = scales(points);
  const at = (row) => [x(points[row][0]), y(points[row][1])];
  const others = pulls.filter(({ row }) => row !== null && row !== chosen);
  const most = Math.max(...others.map(({ pull }) => Math.abs(pull)), 1e-30);
  const arrows = others.map((one) => arrow(at(chosen), at(one.row), one, most)).filter(Boolean);
  const dots = points.map((_, row) => {
    const [cx, cy] = at(row);
    return drawn(
      "g",
      { class: row === chosen ? "dot chosen" : "dot", onclick: () => choose(row) },
      drawn("title", { text: texts[row] }),
      drawn("circle", { cx, cy, r: 10 }),
      drawn("text", { x: cx, y: cy + 4, "text-anchor": "middle", text: row + 1 }),
    );
  });
  const label = `Plane of ${points.length} sentences; arrows show pulls and pushes on sentence ${chosen + 1}`;
  return drawn(
    "svg",
    { width: SIZE, height: SIZE, viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": label },
    ...arrows,
    ...dots,
  );
}
