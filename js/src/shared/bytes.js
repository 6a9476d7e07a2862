// Bytes of a message: a kernel sends binary buffers, which arrive as a DataView; a page without a kernel has base64.

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
