// Looks as they come, and the view that holds them.

import { floats, STEPS } from "../shared/sixteen_bits.js";

const SPAN = 2; // unit vectors differ by at most so much

// Coordinates of a look: x0, y0, x1, y1, … as numbers.
export const unpack = (packed) => floats(packed, SPAN / STEPS);

// The view that holds all points: its middle and half of its width and height.
export function bounds(at, own) {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  const take = (x, y) => {
    low[0] = Math.min(low[0], x);
    low[1] = Math.min(low[1], y);
    high[0] = Math.max(high[0], x);
    high[1] = Math.max(high[1], y);
  };
  for (let place = 0; place < at.length; place += 2) take(at[place], at[place + 1]);
  for (const one of own) take(one.x, one.y);
  if (low[0] > high[0]) return { x: 0, y: 0, w: 1, h: 1 };
  const half = (axis) => Math.max((high[axis] - low[axis]) / 2, 0.02);
  return { x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, w: half(0), h: half(1) };
}
