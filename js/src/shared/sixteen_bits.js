// Numbers of 16 bits in base64, as clwork/training/loop/positions.py packs them.

export const STEPS = 32767;

function view(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}

/** Little-endian int16 as floats, each times `scale`. */
export function floats(text, scale) {
  const data = view(text);
  return Float32Array.from({ length: data.byteLength / 2 }, (_, i) => data.getInt16(2 * i, true) * scale);
}

/** Little-endian uint16. */
export function whole(text) {
  const data = view(text);
  return Uint16Array.from({ length: data.byteLength / 2 }, (_, i) => data.getUint16(2 * i, true));
}
