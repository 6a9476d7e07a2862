// One column over the steps: the chosen setting's seeds, mean and band in colour, the other
// settings' means and bands in grey.

import { Chart } from "../shared/chart.js";
import { drawn, element } from "../shared/dom.js";
import { colour } from "../shared/palette.js";
import { digits } from "../shared/text.js";

// pixels
const HEIGHT = 182;
const MARGIN = { left: 46, right: 10, top: 8, bottom: 24 };
// fraction of the other settings' values that the axis may cut off at each end
const SPIKES = 0.015;

/**
 * Axis range that includes all seeds of the chosen setting and nearly all means of the other
 * settings.
 */
function range(chosen, others) {
  const pooled = others.flatMap((curve) => curve.mean).sort((a, b) => a - b);
  const most = pooled.slice(
    Math.floor(SPIKES * pooled.length),
    Math.ceil((1 - SPIKES) * pooled.length),
  );
  const all = [...most, ...(chosen ? [chosen.mean, ...chosen.seeds].flat() : [])];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const padding = 0.06 * (high - low || 1);
  return [low - padding, high + padding];
}

/** The chart of one column; `at` is always the index of the chosen variant. */
export class Curves {
  constructor(column, variants) {
    Object.assign(this, {
      column,
      variants,
      all: variants.map((variant) => variant.curves[column.name]),
    });
    this.last = Math.max(1, ...this.all.filter(Boolean).map((curve) => curve.steps.at(-1)));
    this.place = element("div", { class: "picture" });
    this.root = element(
      "figure",
      { class: "chart", "data-column": column.name },
      element("figcaption", { text: column.title }),
      this.place,
    );
  }

  draw(at, dark) {
    const width = this.place.clientWidth;
    if (!width) return;
    const chart = new Chart(
      width,
      HEIGHT,
      MARGIN,
      [0, this.last],
      range(
        this.all[at],
        this.all.filter((curve, k) => curve && k !== at),
      ),
    );
    const others = this.variants.flatMap((variant, k) =>
      k !== at && this.all[k] ? this.lines(chart, variant, this.all[k], "was", "rest") : [],
    );
    const own = this.all[at]
      ? this.chosen(chart, this.variants[at], this.all[at], colour(at, dark))
      : [];
    const below = [
      ["start", 0],
      ["middle", this.last / 2],
      ["end", this.last],
    ].map(([anchor, step]) =>
      chart.label(chart.x(step), HEIGHT - 7, anchor, anchor === "middle" ? "step" : String(step)),
    );
    this.place.replaceChildren(
      drawn(
        "svg",
        { width, height: HEIGHT, role: "img", "aria-label": this.text(at) },
        ...chart.yAxis(4),
        ...below,
        ...others,
        ...own,
      ),
    );
  }

  /**
   * Mean and band of one variant as SVG nodes, the mean last. Without `shade` it is one of the
   * other variants, and shows its name on hover.
   */
  lines(chart, variant, { steps, mean, low, high }, line, band, shade = null) {
    const title = () => drawn("title", { text: variant.name });
    const made = [chart.line(steps, mean, { class: line, stroke: shade })];
    if (variant.seeds > 1) made.unshift(chart.band(steps, low, high, { class: band, fill: shade }));
    if (!shade) for (const part of made) part.append(title());
    return made;
  }

  /** The chosen variant's nodes: band, then seeds, then the mean on top. */
  chosen(chart, variant, curve, shade) {
    const mean = this.lines(chart, variant, curve, "mean", "band", shade);
    const seeds = curve.seeds.map((seed) =>
      chart.line(curve.steps, seed, { class: "seed", stroke: shade }),
    );
    return [...mean.slice(0, -1), ...seeds, mean.at(-1)];
  }

  /** The chart as text for screen readers. */
  text(at) {
    const { title } = this.column;
    const { name } = this.variants[at];
    const curve = this.all[at];
    if (!curve) return `${title}: none of ${name}`;
    return `${title} of ${name}: mean ${digits(curve.mean[0])} at step ${curve.steps[0]}, ${digits(curve.mean.at(-1))} at step ${curve.steps.at(-1)}`;
  }
}
