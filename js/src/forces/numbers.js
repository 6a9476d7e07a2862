/** A number with some digits, without an exponent where that is short; "–" where there is none. */
export function short(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text = value.toExponential(1).replace("e-", "e−").replace("e+", "e");
  if (size >= 10 ** digits && size < 1e5) text = String(Math.round(value));
  else if (size >= 1e-3 && size < 10 ** digits) text = value.toPrecision(digits);
  return text.replace(/^-/, "−");
}
