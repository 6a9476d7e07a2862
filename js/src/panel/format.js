// Numbers and steps in words.

import { format } from "../shared/chart.js";

const whole = format(",");
const brief = format(".3~g");

export const steps = (value) => whole(Math.round(value));
export const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** A measured value, always as wide: "0.512", "42.30", "–" where there is none. */
export function measured(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const digits = Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 2 : 1;
  return value.toFixed(digits).replace("-", "−");
}

/** A setting as people write it: three digits, none that say nothing. */
export const short = (value) => (Math.abs(value) >= 1e5 || (value && Math.abs(value) < 1e-4) ? value.toExponential().replace("e+", "e") : brief(value).replace("−", "-"));

export function roundEnd(last, total) {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(last, 1))));
  const end = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= last);
  return Math.max(last, 1, Math.min(end, total || end));
}
