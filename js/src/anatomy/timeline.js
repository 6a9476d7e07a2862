// Who pushed, when: the mean force of each kind of candidate at every step, stacked; of a recorded
// run of the method, and below it of the reader's own steps.

import { max, sum } from "d3-array";
import { Chart } from "../shared/chart.js";
import { attribute, div, drawn, element, onResize, span } from "../shared/dom.js";
import { colour } from "../shared/palette.js";
import { brief, counted } from "../shared/text.js";

const ABOUT =
  "Who pushed, when: share of the softmax ÷ τ, times the weight of this loss; mean over the sentences. Click a step to read its forces.";
const HEIGHT = 96;
const MARGIN = { left: 36, right: 8, top: 8, bottom: 20 };
// pixels of a slider's thumb, which browsers keep within the slider
const THUMB = 16;
// steps of an axis without a recorded run
const FEWEST = 10;

/** All kinds of candidates; the first one pulls, the others push. */
export const kindsOf = (runs) => [...new Set(runs.flat().flatMap(Object.keys))];

/** What a kind does, in words. */
export const inWords = (kind, pulls, force) =>
  `${kind} ${pulls ? "pulls" : "pushes"} with ${brief(force, 2)}`;

/** A run's bands as SVG: step `i` is a column from `i` to `i + 1`. */
function bands(chart, steps, kinds, dark) {
  const edges = steps.flatMap((_, step) => [step, step + 1]);
  let low = edges.map(() => 0);
  return kinds.map((kind, index) => {
    const high = low.map((value, edge) => value + (steps[edge >> 1][kind] ?? 0));
    const band = chart.band(edges, low, high, { fill: colour(index, dark) });
    low = high;
    return band;
  });
}

/** Both runs, and a slider over them that chooses the step whose forces are named. */
export class Timeline {
  /** `recorded`: {batch_size, steps} of a recorded run, or nothing. */
  constructor(recorded) {
    this.recorded = recorded?.steps ?? [];
    this.title = `Recorded run (preset, ${recorded?.batch_size} sentences a step)`;
    this.rows = div("rows");
    const label = "step of the timeline";
    const oninput = () => this.draw();
    this.slider = element("input", { type: "range", "aria-label": label, oninput });
    const runs = div("runs", this.rows, this.slider);
    this.root = div("timeline", element("p", { text: ABOUT }), runs);
    onResize(this.root, oninput);
  }

  /** Show the reader's steps; if there is a new one, the marker goes to it. */
  show({ timeline, step }, dark) {
    Object.assign(this, { own: timeline, dark });
    this.slider.max = Math.max(this.recorded.length, timeline.length, FEWEST) - 1;
    if (step !== this.step) this.slider.value = step;
    this.step = step;
    this.draw();
  }

  draw() {
    const { own, recorded, slider, dark } = this;
    // the page was resized before its first moment
    if (!own) return;
    const width = this.root.clientWidth || 800;
    const most = max([...recorded, ...own], (forces) => sum(Object.values(forces)));
    const chart = new Chart(width, HEIGHT, MARGIN, [0, Number(slider.max) + 1], [0, most]);
    const at = Number(slider.value);
    const when = ` ${at ? `after ${counted(at, "step")}` : "untrained"}: `;
    const kinds = kindsOf([recorded, own]);
    const words = (forces, missing) => {
      if (!forces) return [missing];
      return kinds.flatMap((kind, index) => {
        if (!forces[kind]) return [];
        const swatch = element("i", { style: `background:${colour(index, dark)}` });
        return span("force", swatch, `${inWords(kind, index === 0, forces[kind])} `);
      });
    };
    const rows = [
      [this.title, recorded, "it has ended"],
      ["Your steps (the sentences above)", own, "press Step to get there"],
    ].filter(([, steps]) => steps.length);
    this.rows.replaceChildren(
      ...rows.flatMap(([title, steps, missing]) => [
        element("h3", {}, element("b", { text: title }), when, ...words(steps[at], missing)),
        drawn(
          "svg",
          { width, height: HEIGHT, "aria-hidden": true },
          ...chart.yAxis(3),
          ...chart.xAxis(6),
          ...bands(chart, steps, kinds, dark),
          chart.vertical(at + 0.5, "marker"),
        ),
      ]),
    );
    // half a thumb beyond the middles of the first and last column
    slider.style.left = `${chart.x(0.5) - THUMB / 2}px`;
    slider.style.width = `${chart.x(slider.max) - chart.x(0) + THUMB}px`;
    const texts = [...this.rows.querySelectorAll("h3")].map((one) => one.textContent);
    attribute(slider, "aria-valuetext", texts.join("; "));
  }
}
