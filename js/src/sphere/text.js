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
  const isComplete = text.length === Math.ceil((N * (D - 1) * 2 * 4) / 3);
  if (!isComplete)
    throw new Error(`the text does not hold the positions of ${N} points: copy the complete text`);
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
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

/** The text of a state { settings, step, from, at }; `from` and `at` are rows or null. */
export function write(table, { settings, step, from, at }) {
  const D = settings.shape === "circle" ? 2 : 3;
  const words = table
    .filter(({ name, default: initial }) => settings[name] !== initial)
    .map(({ name, options, whole }) => {
      const value = settings[name];
      // without rounding errors
      return `${name}=${options || whole ? value : Number(value.toPrecision(6))}`;
    });
  if (from) words.push(`from=${packed(from, D)}`);
  if (step > 0) words.push(`step=${step}`);
  if (at) words.push(`at=${packed(at, D)}`);
  return [FIRST_WORD, ...words].join(" ");
}

/** The value of a setting; throws if it is not allowed. */
function settingValue({ name, options, least, most }, word) {
  const value = options ? word : Number(word);
  const isAllowed = options ? word in options : value >= least && value <= most;
  const allowed = options ? Object.keys(options).join(", ") : `${least} to ${most}`;
  if (!isAllowed) throw new Error(`${name}=${word} is not allowed; give ${allowed}`);
  return value;
}

/** The state that a text describes; throws an Error that states what is wrong. */
export function read(table, text) {
  const [first, ...words] = text.trim().split(/\s+/);
  if (first !== FIRST_WORD)
    throw new Error(`the text does not begin with ${FIRST_WORD}: copy the complete text`);
  const settings = Object.fromEntries(table.map((setting) => [setting.name, setting.default]));
  const places = { step: "0" };
  for (const word of words) {
    const [name, value] = word.split("=");
    const setting = table.find((one) => one.name === name);
    if (setting) settings[name] = settingValue(setting, value);
    else if (["step", "from", "at"].includes(name)) places[name] = value;
    else throw new Error(`${word.slice(0, 40)} is no setting of the lab`);
  }
  const D = settings.shape === "circle" ? 2 : 3;
  const rows = (packed) => (packed ? unpacked(packed, settings.points, D) : null);
  return { settings, step: Number(places.step), from: rows(places.from), at: rows(places.at) };
}
