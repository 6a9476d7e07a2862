// Bytes of a message: a kernel sends binary buffers, which arrive as a DataView; a page without a
// kernel has base64. Numbers of 16 bits are packed by clwork/run_folder/positions.py.

/** The bytes as a DataView. */
export function view(packed) {
  if (packed instanceof DataView) return packed;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}

/** Little-endian numbers of 32 bits. */
export function floats32(packed) {
  const data = view(packed);
  return Float32Array.from({ length: data.byteLength / 4 }, (_, i) => data.getFloat32(4 * i, true));
}

/** The largest packed number: positions are stored as integers from -STEPS to STEPS. */
export const STEPS = 32767;

/** Little-endian int16 as floats, each times `scale`. */
export function floats(packed, scale) {
  const data = view(packed);
  return Float32Array.from(
    { length: data.byteLength / 2 },
    (_, i) => data.getInt16(2 * i, true) * scale,
  );
}

/** Little-endian uint16. */
export function whole(packed) {
  const data = view(packed);
  return Uint16Array.from({ length: data.byteLength / 2 }, (_, i) => data.getUint16(2 * i, true));
}
