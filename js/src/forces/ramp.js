// Colours of a matrix. Scores and weights span the values, from the ground to the accent; of gradients the accent pulls
// and the ink pushes, with the largest push at both ends, since a positive's pull is far longer than any push.

const parts = (hex) => hex.match(/[0-9a-f]{2}/gi).slice(0, 3).map((two) => parseInt(two, 16));
const between = (one, other, share) => `rgb(${one.map((from, i) => Math.round(from + (other[i] - from) * share)).join(",")})`;

export function ramp(values, gradient) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) [low, high] = [0, 1];
  if (gradient) [low, high] = high > 0 ? [-high, high] : [low || -1e-30, -low || 1e-30];
  else if (low === high) high = low + 1;
  const clipped = (value) => Math.max(0, Math.min(1, value));
  const colours = (ground, accent, ink) => {
    const [from, pull, push] = [ground, accent, ink].map(parts);
    if (!gradient) return (value) => between(from, pull, clipped((value - low) / (high - low)));
    return (value) => between(from, value < 0 ? pull : push, clipped(Math.abs(value) / high));
  };
  return { low, high, colours };
}
