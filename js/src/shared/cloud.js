// Shared by clouds of dots: canvas, bounding box, the dot under the pointer, the next dot for an
// arrow key.

import { zoomOf } from "./dom.js";

// of unit vectors: a collapsed encoder is drawn as a point
const LEAST = 0.02;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The drawing context of an empty canvas of `width` by `height` CSS pixels. */
export function penOf(canvas, width, height) {
  const ratio = (globalThis.devicePixelRatio || 1) * zoomOf(canvas);
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/** [left, right, low, high] of points x, y, x, y, …, united with an earlier box. */
export function boundsOf(
  points,
  [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity],
) {
  for (let i = 0; i < points.length; i += 2) {
    left = Math.min(left, points[i]);
    right = Math.max(right, points[i]);
    low = Math.min(low, points[i + 1]);
    high = Math.max(high, points[i + 1]);
  }
  return [left, right, low, high];
}

/**
 * Map coordinates to pixels: the box fills the frame unless its sides are below LEAST; both axes
 * have one scale, apart from `stretch`.
 */
export function placement(
  [left, right, low, high],
  width,
  height,
  { side, top = side, bottom = side },
  stretch = 1,
) {
  const wide = (width - 2 * side) / Math.max(right - left, LEAST);
  const tall = (height - top - bottom) / Math.max(high - low, LEAST);
  const [across, up] = [Math.min(wide, stretch * tall), Math.min(tall, stretch * wide)];
  const [x0, y0] = [
    width / 2 - (across * (left + right)) / 2,
    (top + height - bottom) / 2 + (up * (low + high)) / 2,
  ];
  return (x, y) => [x0 + across * x, y0 - up * y];
}

/**
 * The row of the dot nearest to (x, y), at most `reach` pixels away; -1 if there is none. `dots`:
 * [row, [x, y]].
 */
export function nearestDot(dots, x, y, reach = Infinity) {
  let [best, least] = [-1, reach ** 2];
  for (const [row, [px, py]] of dots) {
    const gap = (px - x) ** 2 + (py - y) ** 2;
    if (gap < least) [best, least] = [row, gap];
  }
  return best;
}

/**
 * The dot that an arrow key selects, starting from (x, y); null for other keys, -1 if there is
 * none.
 */
export function nextDot(dots, [x, y], { key }) {
  if (!ARROWS[key]) return null;
  const [dx, dy] = ARROWS[key];
  let [best, least] = [-1, Infinity];
  for (const [row, [px, py]] of dots) {
    const along = (px - x) * dx + (py - y) * dy;
    const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (along > 0.01 && across <= 2 * along && along + 2 * across < least)
      [best, least] = [row, along + 2 * across];
  }
  return best;
}

/** Whether two boxes [left, top, right, bottom] overlap. */
export const cover = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
