// A ZIP archive of files.

// the compressed bytes are those of gzip without its header and its trailer, which begins with the
// checksum
const [HEADER, TRAILER] = [10, 8];
// 1 January 1980, so that equal files give equal archives
const DATE = (1 << 5) | 1;

/** A number of 32 bits as two of 16. */
const long = (value) => [value & 0xffff, value >>> 16];
/** Numbers of 16 bits, little-endian. */
function packed(...numbers) {
  const data = new DataView(new ArrayBuffer(2 * numbers.length));
  for (const [place, value] of numbers.entries()) data.setUint16(2 * place, value, true);
  return data;
}

/** `files`: {name: bytes or text}; resolves to a Blob. */
export async function zipOf(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const title = new TextEncoder().encode(name);
    const file = new Blob([content]);
    const gzip = file.stream().pipeThrough(new CompressionStream("gzip"));
    const bytes = await new Response(gzip).arrayBuffer();
    const end = bytes.byteLength - TRAILER;
    const checksum = new DataView(bytes).getUint32(end, true);
    const sizes = [...long(end - HEADER), ...long(file.size)];
    // version 2, UTF-8 names, deflate
    const about = [20, 2048, 8, 0, DATE, ...long(checksum), ...sizes, title.length, 0];
    const local = packed(...long(0x04034b50), ...about);
    const entry = packed(...long(0x02014b50), 20, ...about, 0, 0, 0, 0, 0, ...long(at));
    directory.push(entry, title);
    parts.push(local, title, bytes.slice(HEADER, end));
    at += local.byteLength + title.length + end - HEADER;
  }
  const count = directory.length / 2;
  const { size } = new Blob(directory);
  const end = packed(...long(0x06054b50), 0, 0, count, count, ...long(size), ...long(at), 0);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
