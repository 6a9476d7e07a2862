// Formats numbers and counts for readers.

import { format } from "d3-format";

/** A step with separators of thousands. */
export const steps = (value) => Math.round(value).toLocaleString("en");
/** A text, cut to a number of characters. */
export const cut = (text, length) =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** The lines of a text that have words, without needless spaces. */
export const linesOf = (text) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter(Boolean);

/** A count with its noun: "1 sentence", "3 sentences". The plural is the noun with an s. */
export function counted(count, noun) {
  return `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
}

/** A number with at most `most` significant digits, and all digits of an integer. */
export function digits(value, most = 3) {
  const size = Math.abs(value);
  // 1,024, never 1,020
  const maximumSignificantDigits = Math.max(most, String(Math.trunc(size)).length);
  const text =
    size !== 0 && (size < 1e-4 || size >= 1e5)
      ? value.toExponential(1)
      : value.toLocaleString("en", { maximumSignificantDigits });
  return text.replace("-", "−").replace("e+", "e");
}

/** A number with `digits` digits, without an exponent if that is short; "–" if missing. */
export function brief(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text = value.toExponential(1).replace("e-", "e−").replace("e+", "e");
  if (size >= 10 ** digits && size < 1e5) text = String(Math.round(value));
  else if (size >= 1e-3 && size < 10 ** digits) text = value.toPrecision(digits);
  return text.replace(/^-/, "−");
}

/** A share as percentage, with a decimal below 10 %. */
export const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** A measured value with constant width: "0.512", "42.30"; "–" if missing. */
export function measured(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  let digits = 1;
  if (Math.abs(value) < 10) digits = 3;
  else if (Math.abs(value) < 100) digits = 2;
  return value.toFixed(digits).replace("-", "−");
}

/** A number with three significant digits, without trailing zeros. */
export function short(value, digits = 3) {
  if (Math.abs(value) >= 1e5 || (value && Math.abs(value) < 1e-4))
    return Number(value.toPrecision(digits)).toExponential().replace("e+", "e");
  return format(`.${digits}~g`)(value).replace("−", "-");
}
