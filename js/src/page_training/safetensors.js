// Files of safetensors: 8 bytes with the length of a JSON header, the header, and the numbers.

/** float16 to float32, for all 65,536 values. */
const FLOAT16 = Float32Array.from({ length: 65536 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  // without an exponent the leading 1 is missing
  const significand = exponent ? 1024 + fraction : fraction;
  return sign * significand * 2 ** (Math.max(exponent, 1) - 25);
});

const number = new Float32Array(1);
const bitsOf = new Uint32Array(number.buffer);

/** The bits of the nearest float16; of two at the same distance, the even one. */
function toFloat16(value) {
  number[0] = value;
  const bits = bitsOf[0];
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(number[0]);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) {
    // the last bit of 0.5 + size in float32 is 2^-24, the step between such small float16
    number[0] = size + 0.5;
    return sign | (bitsOf[0] & 0xffff);
  }
  const half = 0xfff + ((bits >>> 13) & 1);
  return sign | ((((bits & 0x7fffffff) + half) >>> 13) - ((127 - 15) << 10));
}

/** Read a file: by name, { shape, data: Float32Array }. */
export function readSafetensors(buffer) {
  const start = 8 + Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, start - 8)));
  delete header.__metadata__;
  const read = ({ dtype, shape, data_offsets: [first, end] }) => {
    if (dtype !== "F16") throw new Error(`the weights are ${dtype}; give float16`);
    const all = new Uint16Array(buffer.slice(start + first, start + end));
    return { shape, data: Float32Array.from(all, (bits) => FLOAT16[bits]) };
  };
  return Object.fromEntries(Object.entries(header).map(([name, entry]) => [name, read(entry)]));
}

/** Write such tensors as float16; returns an ArrayBuffer. */
export function writeSafetensors(tensors) {
  const header = { __metadata__: { format: "pt" } };
  let size = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    const end = size + 2 * data.length;
    header[name] = { dtype: "F16", shape, data_offsets: [size, end] };
    size = end;
  }
  let text = JSON.stringify(header);
  // the numbers begin at a multiple of 8
  text = text.padEnd(Math.ceil(text.length / 8) * 8);
  const start = 8 + text.length;
  const buffer = new ArrayBuffer(start + size);
  new DataView(buffer).setBigUint64(0, BigInt(text.length), true);
  new TextEncoder().encodeInto(text, new Uint8Array(buffer, 8));
  for (const [name, { data }] of Object.entries(tensors)) {
    const place = new Uint16Array(buffer, start + header[name].data_offsets[0], data.length);
    for (let index = 0; index < data.length; index++) place[index] = toFloat16(data[index]);
  }
  return buffer;
}
