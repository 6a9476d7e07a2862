// Weights of both encoders: pieces of base64 from a kernel or from files beside the page, joined, unpacked, scaled.

const PACE = 600; // milliseconds between two pieces of a kernel: servers drop messages beyond a rate

/** Ask a kernel for a piece. */
function fromKernel(model, number) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      model.off("msg:custom", hear);
      reject(new Error("the kernel does not answer; run the cell again, then press Load"));
    }, 20_000);
    const hear = (content) => {
      if (content?.piece !== number) return;
      clearTimeout(late);
      model.off("msg:custom", hear);
      setTimeout(() => resolve(content.text), PACE);
    };
    model.on("msg:custom", hear);
    model.send({ piece: number });
  });
}

/** A script beside the page: a page from a disk may load scripts, and no other file. */
function fromFile(number) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    globalThis.clworkPiece = (_, text) => resolve(text);
    script.onerror = () => reject(new Error(`weights-${number}.js is not beside this page; copy the whole folder`));
    script.onload = () => script.remove();
    script.src = `weights-${number}.js`;
    document.head.append(script);
  });
}

/** All weights, as two maps from a tensor's name to a Float32Array; `report(done)` hears of each piece, from 0 to 1. */
export async function load(model, { pieces, order }, report) {
  const parts = [];
  for (let number = 0; number < pieces; number++) {
    const text = await (model.send ? fromKernel(model, number) : fromFile(number));
    parts.push(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    report((number + 1) / pieces);
  }
  const opened = new Blob(parts).stream().pipeThrough(new DecompressionStream("gzip"));
  return unpacked(await new Response(opened).arrayBuffer(), order);
}

/** The reverse of clwork/lab/encoder/weights.py: a first encoder in 8 bits, a second as its difference in 4. */
export function unpacked(buffer, order) {
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
