// A ZIP archive of files without compression: weights do not become smaller.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** The CRC-32 of some bytes. */
function checksum(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = TABLE[(rest ^ byte) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}

/** Little-endian numbers of [bytes, value]. */
function packed(...numbers) {
  const bytes = numbers.flatMap(([size, value]) =>
    Array.from({ length: size }, (_, k) => (value >>> (8 * k)) & 255),
  );
  return Uint8Array.from(bytes);
}

// 1 January 1980, so that equal files give equal archives
const DATE = (1 << 5) | 1;

/** `files`: {name: bytes or text}; returns a Blob. */
export function zipOf(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const [title, bytes] = [name, content].map((one) =>
      typeof one === "string" ? new TextEncoder().encode(one) : new Uint8Array(one),
    );
    const [crc, size] = [checksum(bytes), bytes.length];
    // version 2, UTF-8 names, stored
    const about = [
      [2, 20],
      [2, 2048],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, crc],
      [4, size],
      [4, size],
      [2, title.length],
      [2, 0],
    ];
    const local = packed([4, 0x04034b50], ...about);
    directory.push(
      packed([4, 0x02014b50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]),
      title,
    );
    parts.push(local, title, bytes);
    at += local.length + title.length + size;
  }
  const count = directory.length / 2;
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = packed(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, length],
    [4, at],
    [2, 0],
  );
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
