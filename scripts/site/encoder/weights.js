// Weights of both encoders: pieces of base64 from files next to the page, joined, unpacked, scaled.

/** Load a script next to the page: a page from a disk may load scripts, and no other file. */
function piece(number) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    globalThis.clworkPiece = (_, text) => resolve(text);
    script.onerror = () => reject(new Error(`weights-${number}.js is not next to this page; copy the whole folder`));
    script.onload = () => script.remove();
    script.src = `weights-${number}.js`;
    document.head.append(script);
  });
}

/** All weights, as two maps from a tensor's name to a Float32Array; `report(done)` is called after each piece, from 0 to 1. */
export async function load({ pieces, order }, report) {
  const parts = [];
  for (let number = 0; number < pieces; number++) {
    const text = await piece(number);
    parts.push(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    report((number + 1) / pieces);
  }
  const opened = new Blob(parts).stream().pipeThrough(new DecompressionStream("gzip"));
  return unpacked(await new Response(opened).arrayBuffer(), order);
}

/** The reverse of scripts/site/page_encoder.py: a first encoder in 8 bits, a second as its difference in 4. */
function unpacked(buffer, order) {
  const both = [new Map(), new Map()];
  let at = 0;
  const floats = (count) => {
    const found = new Float32Array(buffer.slice(at, at + 4 * count));
    at += 4 * count;
    return found;
  };
  for (const { name, rows, columns, matrix } of order) {
    if (!matrix) {
      for (const one of both) one.set(name, floats(columns));
      continue;
    }
    const scales = floats(rows);
    const levels = new Int8Array(buffer, at, rows * columns);
    at += rows * columns;
    const steps = floats(rows);
    const half = Math.ceil(columns / 2);
    const nibbles = new Uint8Array(buffer, at, rows * half);
    at += rows * half;
    const [first, second] = [new Float32Array(rows * columns), new Float32Array(rows * columns)];
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const i = r * columns + c;
        const byte = nibbles[r * half + (c >> 1)];
        first[i] = levels[i] * scales[r];
        second[i] = first[i] + ((c & 1 ? byte >> 4 : byte & 15) - 8) * steps[r];
      }
    }
    both[0].set(name, first);
    both[1].set(name, second);
  }
  return both;
}
