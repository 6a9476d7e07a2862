// Round numbers for axes.

/** About `count` round values between two ends, at least two. */
export function ticks(low, high, count = 3) {
  const found = round(low, high, count);
  return found.length < 2 && count < 12 ? ticks(low, high, count * 2) : found;
}

function round(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= raw) * power;
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; i++) out.push(i * step);
  return out;
}

/** A value of an axis whose marks lie `step` apart, with as many digits as tell them apart. */
export function short(value, step = 1) {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(Math.abs(step) || 1) - 1e-9 + (String(step).includes("25") ? 1 : 0))));
  return Number(value.toFixed(digits)).toLocaleString("en", { maximumFractionDigits: digits }).replace("-", "−");
}

/** Marks with their words. */
export function marks(low, high, count) {
  const at = ticks(low, high, count);
  const gap = at.length > 1 ? at[1] - at[0] : 1;
  return at.map((value) => ({ value, words: short(value, gap) }));
}
