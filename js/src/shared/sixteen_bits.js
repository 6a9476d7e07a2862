// Numbers of 16 bits, as clwork/training/loop/positions.py packs them.

import { view } from "./bytes.js";

export const STEPS = 32767;

/** Little-endian int16 as floats, each times `scale`. */
export function floats(packed, scale) {
  const data = view(packed);
  return Float32Array.from({ length: data.byteLength / 2 }, (_, i) => data.getInt16(2 * i, true) * scale);
}

/** Little-endian uint16. */
export function whole(packed) {
  const data = view(packed);
  return Uint16Array.from({ length: data.byteLength / 2 }, (_, i) => data.getUint16(2 * i, true));
}
