// Writes the state as a short text to copy, and reads it back: settings, step, positions.
// clwork/lab/sphere_view.py also reads it.

const FIRST_WORD = "sphere1";
// an angle is stored in 16 bits
const TURN = (2 * Math.PI) / 65536;

/**
 * Encode unit rows as 16-bit angles in URL-safe base64: one angle per point on the circle, two on
 * the sphere.
 */
function packed(x, D) {
  const N = x.length / D;
  const bytes = new Uint8Array(N * (D - 1) * 2);
  const view = new DataView(bytes.buffer);
  const put = (place, angle) => view.setUint16(place * 2, Math.round(angle / TURN) & 65535, true);
  for (let i = 0; i < N; i++) {
    put(i * (D - 1), Math.atan2(x[i * D + 1], x[i * D]));
    if (D === 3) put(i * 2 + 1, Math.acos(Math.min(1, Math.max(-1, x[i * D + 2]))));
  }
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Decode the result of `packed`; throws if it does not hold the positions of N points. */
function unpacked(text, N, D) {
  let raw = "";
  try {
    raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    raw = "";
  }
  if (raw.length !== N * (D - 1) * 2)
    throw new Error(`the text does not hold the positions of ${N} points: copy the complete text`);
  const bytes = Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const x = new Float64Array(N * D);
  const angle = (place) => view.getUint16(place * 2, true) * TURN;
  for (let i = 0; i < N; i++) {
    const around = angle(i * (D - 1));
    const down = D === 3 ? angle(i * 2 + 1) : Math.PI / 2;
    x[i * D] = Math.cos(around) * Math.sin(down);
    x[i * D + 1] = Math.sin(around) * Math.sin(down);
    if (D === 3) x[i * D + 2] = Math.cos(down);
  }
  return x;
}

/** A value without rounding errors. */
const plain = (value) => (typeof value === "number" ? String(Number(value.toPrecision(6))) : value);

/** The text of a state { settings, step, from, at }; `from` and `at` are rows or null. */
export function write(table, { settings, step, from, at }) {
  const D = settings.shape === "circle" ? 2 : 3;
  const words = table
    .filter(({ name, default: initial }) => settings[name] !== initial)
    .map(({ name }) => `${name}=${plain(settings[name])}`);
  if (from) words.push(`from=${packed(from, D)}`);
  if (step > 0) words.push(`step=${step}`);
  if (at) words.push(`at=${packed(at, D)}`);
  return [FIRST_WORD, ...words].join(" ");
}

/** A validated value of a setting; throws an error that states the allowed values. */
function checked(setting, word) {
  const { name, options, least, most, whole } = setting;
  if (options) {
    if (!Object.hasOwn(options, word))
      throw new Error(`${name}=${word} is not one of ${Object.keys(options).join(", ")}`);
    return word;
  }
  const value = word.trim() === "" ? NaN : Number(word);
  if (!(value >= least && value <= most) || (whole && !Number.isInteger(value))) {
    throw new Error(
      `${name}=${word} is not a ${whole ? "whole " : ""}number from ${least} to ${most}`,
    );
  }
  return value;
}

/** The state that a text describes; throws an Error that states what is wrong. */
export function read(table, text) {
  const [first, ...words] = text.trim().split(/\s+/);
  if (first !== FIRST_WORD)
    throw new Error(`the text does not begin with ${FIRST_WORD}: copy the complete text`);
  const settings = Object.fromEntries(table.map((setting) => [setting.name, setting.default]));
  const more = {};
  for (const word of words) {
    const cut = word.indexOf("=");
    const name = word.slice(0, cut);
    const value = word.slice(cut + 1);
    const setting = table.find((one) => one.name === name);
    if (cut > 0 && setting) settings[name] = checked(setting, value);
    else if (cut > 0 && ["step", "from", "at"].includes(name)) more[name] = value;
    else throw new Error(`${word.slice(0, 40)} is no setting of the lab`);
  }
  const D = settings.shape === "circle" ? 2 : 3;
  const places = (name) => (more[name] ? unpacked(more[name], settings.points, D) : null);
  const step = Number(more.step ?? 0);
  if (!Number.isInteger(step) || step < 0)
    throw new Error(`step=${more.step} is not a whole number`);
  return { settings, step, from: places("from"), at: places("at") };
}
