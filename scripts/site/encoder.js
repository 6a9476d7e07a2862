// Made by js/build.mjs (make bundle); edit scripts/site/encoder instead. sources 6fe052f69feda2417cdc4c3e49a7fef3cc20f02b50cba7a6d4b851a6f478c205 body 26fc5171368c5d11251e7b0795f0190929c19245c2ac6c1a52015c07e82a9eaa
// src/shared/dom.js
function dress(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "text") made.textContent = value;
    else if (value !== null && value !== void 0 && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}
var FOCUSED = /* @__PURE__ */ new Set(["button", "canvas", "input", "select"]);
var OWN_KEYS = { "data-lm-suppress-shortcuts": true };
var element = (name, attributes = {}, ...children) => dress(document.createElement(name), FOCUSED.has(name) ? { ...OWN_KEYS, ...attributes } : attributes, children);
function attribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// src/shared/theme.js
var SYSTEM = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
var WATCHED = ["data-jp-theme-light", "data-jp-theme-name", "class", "data-vscode-theme-kind", "theme"];
var LATER = 400;
function isDark(colour2) {
  const hex = /^#([0-9a-f]{6})/i.exec(colour2)?.[1];
  const parts = hex ? hex.match(/../g).map((two) => parseInt(two, 16)) : (colour2.match(/[\d.]+/g) ?? []).map(Number);
  return parts.length < 3 ? null : 0.3 * parts[0] + 0.59 * parts[1] + 0.11 * parts[2] < 128;
}
function ofVsCode(body) {
  const kind = `${body.className} ${body.dataset.vscodeThemeKind ?? ""}`;
  if (/\bvscode-(high-contrast-light|light)\b/.test(kind)) return false;
  if (/\bvscode-(high-contrast|dark)\b/.test(kind)) return true;
  return isDark(getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim());
}
function ofColab(root) {
  const said2 = root.getAttribute("theme") ?? (globalThis.google?.colab ? "light" : null);
  return said2 === null ? null : said2 === "dark";
}
function said() {
  const lab = document.body.dataset.jpThemeLight;
  return lab !== void 0 ? lab === "false" : ofVsCode(document.body) ?? ofColab(document.documentElement);
}
function onPage(act) {
  const watch = new MutationObserver(act);
  for (const part of [document.documentElement, document.body]) watch.observe(part, { attributes: true, attributeFilter: WATCHED });
  return () => watch.disconnect();
}
function followTheme(root, show = () => {
}) {
  let told = null;
  let last = "";
  let timer = 0;
  const update = (again) => {
    const dark = said() ?? told ?? Boolean(SYSTEM?.matches);
    const theme = dark ? "dark" : "light";
    const now = `${theme} ${document.body.dataset.jpThemeName ?? ""}`;
    if (now === last && again !== true) return;
    last = now;
    document.documentElement.dataset.clworkTheme = theme;
    if (root) root.dataset.theme = theme;
    show(dark);
    clearTimeout(timer);
    if (again !== true) timer = setTimeout(() => update(true), LATER);
  };
  const hear = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      told = event.data.clworkDark;
      update();
    }
  };
  const forget = onPage(update);
  SYSTEM?.addEventListener("change", update);
  window.addEventListener("message", hear);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  update();
  return () => {
    clearTimeout(timer);
    forget();
    SYSTEM?.removeEventListener("change", update);
    window.removeEventListener("message", hear);
  };
}

// src/shared/look.css
var look_default = '/* Colours, type and what all pages share; their roots have the class clwork-look. */\n.clwork-look {\n  --ground: #ffffff; --raised: #f5f7f9; --ink: #1d232b; --soft: #59636f; --accent: #0b62c4; --on-accent: #ffffff; --was: #656e7a;\n  --trouble: #a84300; --edge: #7f8994; --rule: #dde2e8; --tint: #e8f1fc; --band: #eceff2; --tint-trouble: #fff1e6;\n  --small: 12px; --normal: 14px; --large: 18px; --line-small: 16px; --line: 20px; --line-large: 24px; --control: 32px;\n  container-type: inline-size; position: relative; box-sizing: border-box; color: var(--ink); background: var(--ground); color-scheme: light;\n  font: 400 var(--normal)/var(--line) system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums;\n}\n.clwork-look[data-theme="dark"] {\n  --ground: #14181d; --raised: #1c2229; --ink: #e9edf1; --soft: #a3adb8; --accent: #6cb2ff; --on-accent: #14181d; --was: #8d97a3;\n  --trouble: #ffab62; --edge: #6f7a87; --rule: #313944; --tint: #16304d; --band: #232a32; --tint-trouble: #3a2615;\n  color-scheme: dark;\n}\n.clwork-look *, .clwork-look *::before { box-sizing: border-box; }\n.clwork-look [hidden] { display: none !important; }\n.clwork-look .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n';

// src/shared/mount.js
function mount(el, css, page) {
  const style = element("style", { text: look_default + css });
  el.append(style, page.root);
  const forget = followTheme(page.root, (dark) => page.paint(dark));
  page.root.page = page;
  return () => {
    forget();
    page.close?.();
    page.root.remove();
    style.remove();
  };
}

// src/shared/bytes.js
function view(packed) {
  if (packed instanceof DataView) return packed;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}
function floats32(packed) {
  const data = view(packed);
  return Float32Array.from({ length: data.byteLength / 4 }, (_, i) => data.getFloat32(4 * i, true));
}

// ../scripts/site/encoder/bert.js
function linear(x, count, { weight, bias }, width) {
  const out = bias.length;
  const full = 4 * Math.ceil(count / 4);
  const rows = new Float32Array(full * width);
  rows.set(x);
  const y = new Float32Array(full * out);
  for (let t = 0; t < full; t += 4) {
    const a = t * width, b = a + width, c = b + width, d = c + width;
    for (let o = 0; o + 1 < out; o += 2) {
      const w = o * width, v = w + width;
      let a0 = bias[o], b0 = a0, c0 = a0, d0 = a0;
      let a1 = bias[o + 1], b1 = a1, c1 = a1, d1 = a1;
      for (let i = 0; i < width; i++) {
        const p = weight[w + i], q = weight[v + i];
        const xa = rows[a + i], xb = rows[b + i], xc = rows[c + i], xd = rows[d + i];
        a0 += p * xa;
        b0 += p * xb;
        c0 += p * xc;
        d0 += p * xd;
        a1 += q * xa;
        b1 += q * xb;
        c1 += q * xc;
        d1 += q * xd;
      }
      let at = t * out + o;
      y[at] = a0;
      y[at + 1] = a1;
      at += out;
      y[at] = b0;
      y[at + 1] = b1;
      at += out;
      y[at] = c0;
      y[at + 1] = c1;
      at += out;
      y[at] = d0;
      y[at + 1] = d1;
    }
  }
  return y.subarray(0, count * out);
}
function normalise(x, count, { weight, bias }, epsilon) {
  const width = weight.length;
  for (let t = 0; t < count; t++) {
    const row = x.subarray(t * width, (t + 1) * width);
    let mean = 0, square = 0;
    for (let i = 0; i < width; i++) mean += row[i];
    mean /= width;
    for (let i = 0; i < width; i++) square += (row[i] - mean) ** 2;
    const scale = 1 / Math.sqrt(square / width + epsilon);
    for (let i = 0; i < width; i++) row[i] = (row[i] - mean) * scale * weight[i] + bias[i];
  }
  return x;
}
function gelu(x) {
  for (let i = 0; i < x.length; i++) {
    const z = Math.abs(x[i]) * Math.SQRT1_2;
    const t = 1 / (1 + 0.3275911 * z);
    const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-z * z);
    x[i] *= x[i] < 0 ? tail / 2 : 1 - tail / 2;
  }
  return x;
}
function attend(q, k, v, count, width, heads) {
  const each = width / heads;
  const out = new Float32Array(count * width);
  const share = new Float32Array(count);
  for (let h = 0; h < heads; h++) {
    for (let t = 0; t < count; t++) {
      const at = t * width + h * each;
      let most = -Infinity, total = 0;
      for (let s = 0; s < count; s++) {
        let dot2 = 0;
        for (let i = 0; i < each; i++) dot2 += q[at + i] * k[s * width + h * each + i];
        share[s] = dot2 / Math.sqrt(each);
        if (share[s] > most) most = share[s];
      }
      for (let s = 0; s < count; s++) total += share[s] = Math.exp(share[s] - most);
      for (let s = 0; s < count; s++) {
        const part = share[s] / total;
        for (let i = 0; i < each; i++) out[at + i] += part * v[s * width + h * each + i];
      }
    }
  }
  return out;
}
function add(x, y) {
  for (let i = 0; i < x.length; i++) x[i] += y[i];
  return x;
}
function hiddenStates(numbers, weights, shape) {
  const { layers, heads, width, epsilon } = shape;
  const count = numbers.length;
  let x = new Float32Array(count * width);
  const [words2, places, kinds] = ["word", "position", "token_type"].map((name) => weights.get(`${name}_embeddings`));
  for (let t = 0; t < count; t++) {
    for (let i = 0; i < width; i++) x[t * width + i] = words2[numbers[t] * width + i] + places[t * width + i] + kinds[i];
  }
  const part = (name) => ({ weight: weights.get(`${name}.weight`), bias: weights.get(`${name}.bias`) });
  normalise(x, count, part("norm"), epsilon);
  const states = [x];
  for (let layer = 0; layer < layers; layer++) {
    const [q, k, v] = ["query", "key", "value"].map((name) => linear(x, count, part(`${layer}.${name}`), width));
    const seen = linear(attend(q, k, v, count, width, heads), count, part(`${layer}.out`), width);
    const middle = normalise(add(seen, x), count, part(`${layer}.norm1`), epsilon);
    const inner = gelu(linear(middle, count, part(`${layer}.up`), width));
    const after = linear(inner, count, part(`${layer}.down`), shape.inner);
    x = normalise(add(after, middle), count, part(`${layer}.norm2`), epsilon);
    states.push(x);
  }
  return states;
}
function pooled(states, pooling, { width, first }) {
  const last = states.at(-1);
  const out = new Float32Array(width);
  if (pooling === "first_last") for (let i = 0; i < last.length; i++) out[i % width] += last[i] + states[first][i];
  else out.set(last.subarray(0, width));
  let square = 0;
  for (const value of out) square += value * value;
  const scale = 1 / (Math.sqrt(square) || 1);
  return out.map((value) => value * scale);
}

// src/shared/text.js
var number = (value, digits = 3) => value === null ? "–" : value.toFixed(digits).replace("-", "−");

// src/shared/cloud.js
function penOf(canvas, width, height) {
  const ratio = globalThis.devicePixelRatio || 1;
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}
function boundsOf(points, [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity]) {
  for (let i = 0; i < points.length; i += 2) {
    left = Math.min(left, points[i]);
    right = Math.max(right, points[i]);
    low = Math.min(low, points[i + 1]);
    high = Math.max(high, points[i + 1]);
  }
  return [left, right, low, high];
}
function placement([left, right, low, high], width, height, { side, top = side, bottom = side }, stretch = 1) {
  const wide = (width - 2 * side) / Math.max(right - left, 1e-6);
  const tall = (height - top - bottom) / Math.max(high - low, 1e-6);
  const [across, up] = [Math.min(wide, stretch * tall), Math.min(tall, stretch * wide)];
  const [x0, y0] = [width / 2 - across * (left + right) / 2, (top + height - bottom) / 2 + up * (low + high) / 2];
  return Object.assign((x, y) => [x0 + across * x, y0 - up * y], { unit: across });
}

// src/shared/palette.js
var LIGHT = [
  "#0072B2",
  "#E69F00",
  "#009E73",
  "#D55E00",
  "#CC79A7",
  "#56B4E9",
  "#6F4AB8",
  "#7D5A2B",
  "#3D4650",
  "#8AA000",
  "#B5123F"
];
var DARK = [
  "#4DA3FF",
  "#FFB52E",
  "#2BD4A0",
  "#FF7A33",
  "#F29AC8",
  "#96D8FF",
  "#AB8DF0",
  "#C79C6A",
  "#DFE4EA",
  "#CFDC4D",
  "#FF6B88"
];
var DISTINCT = LIGHT.length;
var colour = (group, dark) => group < 0 ? dark ? "#6b7480" : "#a4abb3" : (dark ? DARK : LIGHT)[group % DISTINCT];

// ../scripts/site/encoder/cloud.js
var MARGIN = 18;
var WAY = 12;
var Cloud = class {
  constructor(points, label) {
    this.points = points;
    this.ways = [[], []];
    this.near = [];
    this.canvas = element("canvas", { role: "img", "aria-label": label });
    this.sight = new ResizeObserver(() => this.draw());
    this.sight.observe(this.canvas);
    this.dark = false;
    this.box = boundsOf(points);
  }
  /** Put a sentence, 0 or 1, there; an edit leaves its way behind. */
  move(which, place) {
    const way = this.ways[which];
    way.push(place);
    if (way.length > WAY) way.shift();
    this.draw();
  }
  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const pen = penOf(this.canvas, width, height);
    const place = placement(this.box, width, height, { side: MARGIN });
    const inside = (at) => place(...at).map((value, i) => Math.min([width, height][i] - 10, Math.max(10, value)));
    const dot2 = (row, size) => {
      const [x, y] = place(this.points[2 * row], this.points[2 * row + 1]);
      pen.fillRect(x - size / 2, y - size / 2, size, size);
    };
    pen.fillStyle = this.dark ? "#6f7a87" : "#a4abb3";
    pen.globalAlpha = 0.5;
    for (let row = 0; row < this.points.length / 2; row++) dot2(row, 2);
    pen.globalAlpha = 1;
    pen.fillStyle = this.dark ? "#e9edf1" : "#1d232b";
    for (const row of this.near) dot2(row, 4);
    this.ways.forEach((way, which) => this.own(pen, way.map(inside), which));
  }
  own(pen, way, which) {
    if (!way.length) return;
    pen.strokeStyle = pen.fillStyle = colour(which ? 3 : 0, this.dark);
    pen.lineWidth = 1.5;
    pen.beginPath();
    way.forEach(([x2, y2], i) => i ? pen.lineTo(x2, y2) : pen.moveTo(x2, y2));
    pen.stroke();
    const [x, y] = way.at(-1);
    pen.beginPath();
    pen.arc(x, y, 9, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = this.dark ? "#14181d" : "#ffffff";
    pen.font = "bold 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText("AB"[which], x, y + 0.5);
  }
  close() {
    this.sight.disconnect();
  }
};

// ../scripts/site/encoder/column.js
var SHOWN = 5;
function rowsOf(packed, width) {
  const data = view(packed);
  const rows = new Float32Array(data.byteLength);
  for (let start = 0; start < rows.length; start += width) {
    let square = 0;
    for (let i = 0; i < width; i++) square += (rows[start + i] = data.getInt8(start + i)) ** 2;
    const scale = 1 / (Math.sqrt(square) || 1);
    for (let i = 0; i < width; i++) rows[start + i] *= scale;
  }
  return rows;
}
function dot(a, b, start = 0) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[start + i];
  return sum;
}
var Column = class {
  constructor(part, texts, width) {
    this.part = part;
    this.texts = texts;
    this.rows = rowsOf(part.vectors, width);
    this.mean = floats32(part.mean);
    this.axes = floats32(part.axes);
    this.own = [null, null];
    const points = new Float32Array(2 * texts.length);
    for (let row = 0; row < texts.length; row++) points.set(this.place(this.rows.subarray(row * width, (row + 1) * width)), 2 * row);
    this.cloud = new Cloud(points, `Cloud of ${texts.length} sentences by ${part.title}`);
    this.cosine = element("output", { class: "cosine" });
    this.rank = element("p", { class: "rank" });
    this.mark = element("span", { class: "mark" });
    this.list = element("ol", { class: "near" });
    const scale = element("div", { class: "scale" }, this.mark);
    const [low, middle, high] = [5, 50, 95].map((k) => part.quantiles[k]);
    const [from, to] = [low, high].map((value) => this.share(value));
    scale.prepend(element("span", { class: "usual", style: `left:${from}%;width:${to - from}%`, title: `random pairs: ${number(low, 2)} to ${number(high, 2)}, half above ${number(middle, 2)}` }));
    const head = element("h3", { text: part.title });
    this.root = element("section", {}, head, this.cosine, scale, this.rank, this.cloud.canvas, this.list);
  }
  /** A cosine's place on the scale from −0.2 to 1, in percent. */
  share(cosine) {
    return 100 * Math.min(1, Math.max(0, (cosine + 0.2) / 1.2));
  }
  /** Where a vector lands in the plane of the cloud. */
  place(vector) {
    const out = [0, 0];
    for (let k = 0; k < 2; k++) for (let i = 0; i < vector.length; i++) out[k] += (vector[i] - this.mean[i]) * this.axes[k * vector.length + i];
    return out;
  }
  take(which, vector) {
    this.own[which] = vector;
    this.cloud.move(which, this.place(vector));
  }
  /** Write cosine, rank and the neighbours of one of the two sentences. */
  show(which) {
    const [a, b] = this.own;
    const cosine = dot(a, b);
    write(this.cosine, number(cosine, 2));
    attribute(this.mark, "style", `left:${this.share(cosine)}%`);
    const below = this.part.quantiles.filter((value) => value < cosine).length;
    write(this.rank, below > 100 ? "above all random pairs" : `above ${Math.max(0, below - 1)} % of random pairs`);
    const width = a.length;
    const all = Float32Array.from({ length: this.texts.length }, (_, row) => dot(this.own[which], this.rows, row * width));
    this.cloud.near = Array.from(all.keys()).sort((p, q) => all[q] - all[p]).slice(0, SHOWN);
    this.list.replaceChildren(...this.cloud.near.map((row) => element("li", {}, element("span", { class: "score", text: number(all[row], 2) }), this.texts[row])));
    this.cloud.draw();
  }
  paint(dark) {
    this.cloud.dark = dark;
    this.cloud.draw();
  }
};

// ../scripts/site/encoder/weights.js
function piece(number2) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    globalThis.clworkPiece = (_, text) => resolve(text);
    script.onerror = () => reject(new Error(`weights-${number2}.js is not next to this page; copy the whole folder`));
    script.onload = () => script.remove();
    script.src = `weights-${number2}.js`;
    document.head.append(script);
  });
}
async function load({ pieces, order }, report) {
  const parts = [];
  for (let number2 = 0; number2 < pieces; number2++) {
    const text = await piece(number2);
    parts.push(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    report((number2 + 1) / pieces);
  }
  const opened = new Blob(parts).stream().pipeThrough(new DecompressionStream("gzip"));
  return unpacked(await new Response(opened).arrayBuffer(), order);
}
function unpacked(buffer, order) {
  const both = [/* @__PURE__ */ new Map(), /* @__PURE__ */ new Map()];
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

// ../scripts/site/encoder/wordpiece.js
var IDEOGRAPHS = [
  [19968, 40959],
  [13312, 19903],
  [131072, 173791],
  [173824, 177983],
  [177984, 178207],
  [178208, 183983],
  [63744, 64255],
  [194560, 195103]
];
var LONGEST = 100;
var CONTROL = /\p{C}/u;
var SPACE = /[\p{White_Space}]/u;
var MARK = /\p{Mn}/gu;
var POINT = /[!-/:-@[-`{-~\p{P}]/u;
var isIdeograph = (letter) => {
  const code = letter.codePointAt(0);
  return IDEOGRAPHS.some(([first, last]) => first <= code && code <= last);
};
function normal(text) {
  let out = "";
  for (const letter of text) {
    if ("	\n\r".includes(letter)) out += " ";
    else if (letter === "�" || CONTROL.test(letter)) continue;
    else if (SPACE.test(letter)) out += " ";
    else out += isIdeograph(letter) ? ` ${letter} ` : letter;
  }
  return Array.from(out.normalize("NFD").replace(MARK, ""), (letter) => letter.toLowerCase()).join("");
}
function words(text) {
  const found = [];
  let word = "";
  const end = () => {
    if (word) found.push(word);
    word = "";
  };
  for (const letter of text) {
    if (SPACE.test(letter)) end();
    else if (POINT.test(letter)) {
      end();
      found.push(letter);
    } else word += letter;
  }
  end();
  return found;
}
var WordPiece = class {
  /** `vocabulary`: words in the order of their numbers, the numbers cls, sep and unk, and special pieces, `special`. */
  constructor(vocabulary, most) {
    this.numbers = new Map(vocabulary.words.map((word, number2) => [word, number2]));
    this.names = vocabulary.words;
    this.ends = vocabulary;
    this.most = most;
    const escaped = vocabulary.special.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    this.special = new RegExp(`(${escaped.join("|")})`);
    this.aside = new Set(vocabulary.special);
  }
  /** Numbers of the pieces, [CLS] and [SEP] included, at most as many as the encoder takes. */
  encode(text) {
    const found = [];
    for (const part of text.split(this.special)) {
      if (this.aside.has(part)) found.push(this.numbers.get(part));
      else for (const word of words(normal(part))) found.push(...this.pieces(word));
    }
    return [this.ends.cls, ...found.slice(0, this.most - 2), this.ends.sep];
  }
  /** The longest known beginning, then the longest known continuation, and so on; unknown if one is missing. */
  pieces(word) {
    const letters = Array.from(word);
    if (letters.length > LONGEST) return [this.ends.unk];
    const found = [];
    for (let start = 0; start < letters.length; ) {
      let end = letters.length;
      let number2;
      for (; end > start; end--) {
        number2 = this.numbers.get((start ? "##" : "") + letters.slice(start, end).join(""));
        if (number2 !== void 0) break;
      }
      if (end === start) return [this.ends.unk];
      found.push(number2);
      start = end;
    }
    return found;
  }
};

// ../scripts/site/encoder/page.js
var REST = 120;
var Page = class {
  constructor(state) {
    this.state = state;
    this.split = new WordPiece(state.vocabulary, state.shape.pieces);
    this.columns = state.columns.map((part) => new Column(part, state.texts, state.shape.width));
    this.both = null;
    this.of = 0;
    this.inputs = state.examples.map((text, which) => this.field(text, which));
    this.state_line = element("p", { class: "line", "aria-live": "polite" });
    this.bar = element("progress", { max: 1, value: 0, hidden: true, "aria-label": "weights loaded" });
    const size = `${(state.size / 1e6).toFixed(1)} MB`;
    this.button = element("button", { type: "button", text: `Load the encoders (${size})`, onclick: () => this.load() });
    const whose = element("fieldset", {}, element("legend", { text: "Neighbours of" }), ...["A", "B"].map((name, which) => this.choice(name, which)));
    this.root = element(
      "div",
      { class: "clwork-look clwork-encoder" },
      element("div", { class: "own" }, ...this.inputs.map((one) => one.row)),
      element("div", { class: "bar" }, this.button, this.bar, this.state_line, whose),
      element("div", { class: "columns" }, ...this.columns.map((column) => column.root))
    );
    this.columns.forEach((column, k) => {
      const examples = floats32(state.columns[k].examples);
      const width = state.shape.width;
      for (const which of [0, 1]) column.take(which, examples.slice(which * width, (which + 1) * width));
    });
    write(this.state_line, `Change a word: the encoders are loaded then. ${state.texts.length.toLocaleString("en")} sentences to compare with.`);
    this.show();
  }
  field(text, which) {
    const input = element("input", { type: "text", value: text, maxlength: 1e3, spellcheck: "false", "aria-label": `Sentence ${"AB"[which]}` });
    input.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.both ? this.encode() : this.load(), REST);
    });
    const pieces = element("span", { class: "pieces" });
    const row = element("label", { class: `sentence s${which}` }, element("b", { text: "AB"[which] }), input, pieces);
    return { row, input, pieces, shown: text };
  }
  choice(name, which) {
    const input = element("input", { type: "radio", name: "clwork-of", checked: which === 0, onchange: () => {
      this.of = which;
      this.show();
    } });
    return element("label", {}, input, ` ${name}`);
  }
  /** Weights, once; text typed meanwhile is encoded after. */
  async load() {
    if (this.loading) return;
    this.loading = true;
    this.button.disabled = true;
    this.bar.hidden = false;
    try {
      this.both = await load(this.state, (done) => {
        this.bar.value = done;
        write(this.state_line, `Loading: ${Math.round(100 * done)} %`);
      });
      this.button.hidden = true;
      this.encode(true);
    } catch (error) {
      this.loading = this.button.disabled = false;
      write(this.state_line, `The encoders are not there: ${error.message}`);
    }
    this.bar.hidden = true;
  }
  /** Vectors of a text by each column, length 1. */
  vectors(text) {
    const numbers = this.split.encode(text);
    const states = this.both.map((weights) => hiddenStates(numbers, weights, this.state.shape));
    return this.state.columns.map(({ encoder, pooling }) => pooled(states[encoder], pooling, this.state.shape));
  }
  encode(all = false) {
    let count = 0;
    const started = performance.now();
    this.inputs.forEach((field, which) => {
      if (!all && field.input.value === field.shown) return;
      field.shown = field.input.value;
      this.vectors(field.shown).forEach((vector, k) => this.columns[k].take(which, vector));
      count++;
    });
    if (count) this.time = (performance.now() - started) / count;
    if (this.time !== void 0) write(this.state_line, `Both encoders: ${Math.round(this.time)} ms a sentence, here in the page.`);
    this.show();
  }
  show() {
    for (const { input, pieces } of this.inputs) {
      const numbers = this.split.encode(input.value);
      write(pieces, `${numbers.length} pieces`);
      pieces.title = numbers.map((number2) => this.split.names[number2]).join(" ");
    }
    for (const column of this.columns) column.show(this.of);
  }
  paint(dark) {
    for (const column of this.columns) column.paint(dark);
  }
  close() {
    clearTimeout(this.timer);
    for (const column of this.columns) column.cloud.close();
  }
};

// ../scripts/site/encoder/style.css
var style_default = '.clwork-encoder { padding: 12px 16px; border: 1px solid var(--rule); border-radius: 8px; }\n.clwork-encoder .own { display: grid; gap: 8px; }\n.clwork-encoder .sentence { display: grid; grid-template-columns: 28px minmax(0, 1fr) 72px; gap: 8px; align-items: center; }\n.clwork-encoder .sentence b { width: 24px; height: 24px; border-radius: 12px; text-align: center; line-height: 24px; color: var(--ground); background: #0072B2; }\n.clwork-encoder .s1 b { background: #D55E00; }\n.clwork-encoder[data-theme="dark"] .s0 b { background: #4DA3FF; }\n.clwork-encoder[data-theme="dark"] .s1 b { background: #FF7A33; }\n.clwork-encoder input[type="text"] { height: var(--control); padding: 0 8px; border: 1px solid var(--edge); border-radius: 4px; background: var(--ground); color: var(--ink); font: inherit; width: 100%; }\n.clwork-encoder .pieces { font-size: var(--small); color: var(--soft); text-align: right; }\n.clwork-encoder .bar { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin: 12px 0; min-height: var(--control); }\n.clwork-encoder .line { margin: 0; color: var(--soft); flex: 1 1 240px; }\n.clwork-encoder fieldset { border: 0; margin: 0; padding: 0; display: flex; gap: 12px; align-items: center; }\n.clwork-encoder legend { float: left; padding: 0; margin-right: 12px; color: var(--soft); }\n.clwork-encoder button { height: var(--control); padding: 0 12px; border: 0; border-radius: 4px; background: var(--accent); color: var(--on-accent); font: inherit; cursor: pointer; }\n.clwork-encoder button:disabled { opacity: .6; cursor: default; }\n.clwork-encoder :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }\n.clwork-encoder .columns { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 24px; }\n.clwork-encoder section { display: grid; grid-template-rows: minmax(40px, auto) auto auto auto auto auto; align-content: start; }\n.clwork-encoder h3 { font-size: var(--normal); font-weight: 600; margin: 0; line-height: var(--line); }\n.clwork-encoder .cosine { font-size: 32px; line-height: 40px; font-weight: 600; }\n.clwork-encoder .scale { position: relative; height: 12px; background: var(--band); border-radius: 2px; }\n.clwork-encoder .usual { position: absolute; top: 0; bottom: 0; background: var(--edge); opacity: .6; }\n.clwork-encoder .mark { position: absolute; top: -3px; width: 3px; height: 18px; margin-left: -1px; background: var(--accent); }\n.clwork-encoder .rank { margin: 4px 0 8px; color: var(--soft); }\n.clwork-encoder canvas { width: 100%; aspect-ratio: 1; border: 1px solid var(--rule); border-radius: 4px; }\n.clwork-encoder .near { margin: 8px 0 0; padding: 0; list-style: none; font-size: var(--small); line-height: var(--line-small); }\n.clwork-encoder .near li { display: grid; grid-template-columns: 36px minmax(0, 1fr); padding: 4px 0; border-top: 1px solid var(--rule); overflow-wrap: anywhere; }\n.clwork-encoder .score { color: var(--soft); }\n@container (max-width: 620px) { .clwork-encoder .columns { grid-template-columns: minmax(0, 1fr); } .clwork-encoder section { grid-template-rows: none; } .clwork-encoder canvas { aspect-ratio: 4 / 3; } }\n';

// ../scripts/site/encoder/index.js
var NAMES = ["columns", "texts", "examples", "shape", "vocabulary", "order", "size", "pieces"];
var render = ({ model, el }) => mount(el, style_default, new Page(Object.fromEntries(NAMES.map((name) => [name, model.get(name)]))));
var index_default = { render };
export {
  index_default as default
};
