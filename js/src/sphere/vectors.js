// Sums with directions, as plain arrays.

export const dot = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);
export const scaled = (a, factor) => a.map((value) => value * factor);
export const plus = (a, b, factor = 1) => a.map((value, d) => value + factor * b[d]);
export const unit = (a) => scaled(a, 1 / Math.max(Math.hypot(...a), 1e-12));
