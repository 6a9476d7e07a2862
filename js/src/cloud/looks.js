// Looks as they come: 16-bit coordinates in units of 2 / 32767, and the view that holds them.

const UNIT = 2 / 32767;

// Coordinates of a look: x0, y0, x1, y1, … as numbers. Looks may hold more axes than the two that are drawn.
export function unpack(text, axes = 2) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const count = Math.floor(bytes.length / 2 / axes);
  const at = new Float32Array(2 * count);
  for (let row = 0; row < count; row++) {
    at[2 * row] = UNIT * view.getInt16(2 * axes * row, true);
    at[2 * row + 1] = axes > 1 ? UNIT * view.getInt16(2 * (axes * row + 1), true) : 0;
  }
  return at;
}

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
