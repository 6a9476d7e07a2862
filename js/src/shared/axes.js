// Marks of axes.

import { tickStep, ticks } from "d3-array";
import { format, precisionFixed } from "d3-format";

/** About `count` round values between two ends, at least two, with their texts. */
export function marks(low, high, count = 3) {
  if (!(high > low)) return [{ value: low, words: format(".4~g")(low) }];
  while (count < 12 && ticks(low, high, count).length < 2) count *= 2;
  const text = format(`,.${precisionFixed(tickStep(low, high, count))}f`);
  return ticks(low, high, count).map((value) => ({ value, words: text(value) }));
}
