/** A number with as many digits as a reader can use. */
export function digits(value, most = 3) {
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(1) : Number(value.toPrecision(most)).toLocaleString("en");
  return text.replace("-", "−").replace("e+", "e");
}
