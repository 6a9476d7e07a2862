// Who pushed, when: the mean force of each kind of candidate after every step so far, stacked.

import { Chart } from "../shared/chart.js";
import { drawn } from "../shared/dom.js";
import { colour } from "../shared/palette.js";
import { brief, cut } from "../shared/text.js";

const HEIGHT = 132;
const MARGIN = { left: 44, right: 196, top: 26, bottom: 20 };
// steps of an axis that is still nearly empty
const FEWEST = 10;

/** The chart as SVG; a single step is a column. */
export function drawTimeline({ timeline, step }, width, dark) {
  const kinds = [...new Set(timeline.flatMap((forces) => Object.keys(forces)))];
  const total = (forces) => Object.values(forces).reduce((sum, force) => sum + force, 0);
  const most = Math.max(...timeline.map(total), 1e-9);
  const chart = new Chart(width, HEIGHT, MARGIN, [0, Math.max(FEWEST, step)], [0, most]);
  // a first column of half a step, so that step 0 is seen
  const steps = [...timeline.keys()];
  let low = timeline.map(() => 0);
  const areas = kinds.map((kind, index) => {
    const high = low.map((value, at) => value + (timeline[at][kind] ?? 0));
    const fill = colour(index, dark);
    const shape =
      steps.length > 1
        ? chart.band(steps, low, high, { class: "band", fill })
        : drawn("rect", {
            class: "band",
            fill,
            x: chart.left,
            width: 6,
            y: chart.y(high[0]),
            height: chart.y(low[0]) - chart.y(high[0]),
          });
    const middle = chart.y((low.at(-1) + high.at(-1)) / 2);
    low = high;
    return [shape, middle, kind, fill, timeline.at(-1)[kind] ?? 0];
  });
  let last = -Infinity;
  const labels = [...areas].reverse().map(([, middle, kind, fill, force]) => {
    // labels of thin bands keep a distance
    const y = Math.min(HEIGHT - 4, Math.max(middle + 4, last + 15));
    last = y;
    return drawn(
      "g",
      {},
      drawn("rect", { x: chart.right + 8, y: y - 9, width: 10, height: 10, fill }),
      chart.label(chart.right + 22, y, "start", `${cut(kind, 24)} ${brief(force, 2)}`, "name"),
    );
  });
  return drawn(
    "svg",
    {
      width,
      height: HEIGHT,
      role: "img",
      "aria-label": `Mean force of ${kinds.join(", ")} over the steps`,
    },
    chart.label(
      2,
      12,
      "start",
      "Who acted, when: share of the softmax ÷ τ, mean over the sentences",
      "name",
    ),
    ...chart.yAxis(3),
    ...chart.xAxis(6),
    ...areas.map(([shape]) => shape),
    ...labels,
  );
}
