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

/** A value as an axis has it. */
export function short(value) {
  const size = Math.abs(value);
  const text = size >= 1000 ? value.toLocaleString("en") : `${Number(value.toFixed(size >= 10 ? 0 : size >= 1 ? 1 : size >= 0.1 ? 2 : 3))}`;
  return text.replace("-", "−");
}
