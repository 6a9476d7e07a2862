// Made by js/build.mjs (make bundle); edit js/src/player instead. sources 2a4c129b6bcc4ac3d8c862ee4fdc85df89c4364f1432893a2685bc17e0716b26 body af468bc418b8d0fe05c58a85ccbdca006c71b34729927e34e80614a2c0cd010f
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
  let told2 = null;
  let last = "";
  let timer = 0;
  const tell2 = (again) => {
    const dark = said() ?? told2 ?? Boolean(SYSTEM?.matches);
    const theme = dark ? "dark" : "light";
    const now = `${theme} ${document.body.dataset.jpThemeName ?? ""}`;
    if (now === last && again !== true) return;
    last = now;
    document.documentElement.dataset.clworkTheme = theme;
    if (root) root.dataset.theme = theme;
    show(dark);
    clearTimeout(timer);
    if (again !== true) timer = setTimeout(() => tell2(true), LATER);
  };
  const hear = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      told2 = event.data.clworkDark;
      tell2();
    }
  };
  const forget = onPage(tell2);
  SYSTEM?.addEventListener("change", tell2);
  window.addEventListener("message", hear);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  tell2();
  return () => {
    clearTimeout(timer);
    forget();
    SYSTEM?.removeEventListener("change", tell2);
    window.removeEventListener("message", hear);
  };
}

// src/shared/outlines.js
var OUTLINES = {
  circle: "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
  square: "M-.88 -.88H.88V.88H-.88Z",
  diamond: "M0 -1.2L1.2 0L0 1.2L-1.2 0Z",
  cross: "M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "triangle-up": "M0 -1.2L1.15 .8H-1.15Z",
  x: "M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",
  star: "M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z"
};

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
var SYMBOLS = ["circle", "square", "diamond", "cross", "triangle-up", "x", "star"];
var DISTINCT = LIGHT.length;
var colour = (group, dark) => group < 0 ? dark ? "#6b7480" : "#a4abb3" : (dark ? DARK : LIGHT)[group % DISTINCT];
var outline = (group) => OUTLINES[group < 0 ? "circle" : SYMBOLS[group % SYMBOLS.length]];

// src/player/dom.js
var SVG = "http://www.w3.org/2000/svg";
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
var drawn = (name, attributes = {}, ...children) => dress(document.createElementNS(SVG, name), attributes, children);
function tell(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
var number = (value, digits = 3) => value === null ? "–" : value.toFixed(digits).replace("-", "−");
var steps = (value) => Math.round(value).toLocaleString("en");
var cut = (text, length) => text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

// src/player/cloud.js
var REACH = 14;
var MARGIN = 16;
var HEAD = 14;
var STRETCH = 1.6;
var Cloud = class {
  /** `hooks`: hover(sentence row or -1), choose(row, more), key(event) -> whether it was used. */
  constructor(hooks) {
    this.canvas = element("canvas", { class: "cloud-canvas", tabindex: 0, role: "img" });
    this.root = element("div", { class: "cloud-frame" }, this.canvas);
    this.hooks = hooks;
    this.at = new Float32Array(0);
    this.scene = null;
    this.markers = /* @__PURE__ */ new Map();
    this.listen();
    this.watch = new ResizeObserver(() => this.scene && this.draw(this.scene));
    this.watch.observe(this.root);
  }
  listen() {
    const { canvas, hooks } = this;
    canvas.addEventListener("pointermove", (event) => hooks.hover(this.hit(event)));
    canvas.addEventListener("pointerleave", () => hooks.hover(-1));
    canvas.addEventListener("click", (event) => hooks.choose(this.hit(event), event.shiftKey || event.ctrlKey || event.metaKey));
    canvas.addEventListener("keydown", (event) => {
      if (hooks.key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }
  /** The row of the dot that is nearest to the pointer, -1 if none is near. */
  hit(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    let best = -1;
    let least = REACH ** 2;
    for (let row = 0; row < this.at.length / 2; row++) {
      if (this.scene.hidden(row)) continue;
      const gap = (this.at[2 * row] - x) ** 2 + (this.at[2 * row + 1] - y) ** 2;
      if (gap < least) [best, least] = [row, gap];
    }
    return best;
  }
  /**
   * The box of all times fills the frame. Lengths are the same along both axes, but for a stretch of at most STRETCH
   * where frame and box are of different shape; `stretch` tells of it.
   */
  frame(box, width, height) {
    const fitX = (width - 2 * MARGIN) / Math.max(box[1] - box[0], 1e-6);
    const fitY = (height - 2 * MARGIN - HEAD) / Math.max(box[3] - box[2], 1e-6);
    const x = Math.min(fitX, STRETCH * fitY);
    const y = Math.min(fitY, STRETCH * fitX);
    this.stretch = x / y;
    const left = width / 2 - x * (box[0] + box[1]) / 2;
    const top = (height + HEAD) / 2 + y * (box[2] + box[3]) / 2;
    return (px, py) => [left + x * px, top - y * py];
  }
  /**
   * scene: {xy, before, box, group(row), hidden(row), faint(row), hover, chosen: [rows], near: [rows], then: [rows],
   * tracks: [[row, [[x, y] …]] …], text(row), dark, label}
   */
  draw(scene2) {
    this.scene = scene2;
    const { clientWidth: width, clientHeight: height } = this.root;
    if (!width || !height) return;
    const dense = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * dense) || this.canvas.height !== Math.round(height * dense)) {
      this.canvas.width = Math.round(width * dense);
      this.canvas.height = Math.round(height * dense);
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);
    const place = this.frame(scene2.box, width, height);
    const count = scene2.xy.length / 2;
    if (this.at.length !== 2 * count) this.at = new Float32Array(2 * count);
    for (let row = 0; row < count; row++) {
      [this.at[2 * row], this.at[2 * row + 1]] = place(scene2.xy[2 * row], scene2.xy[2 * row + 1]);
    }
    const radius = Math.min(8, Math.max(3.5, Math.sqrt(width * height / Math.max(count, 60)) * 0.15));
    this.tails(pen, place, scene2, count);
    this.ways(pen, place, scene2);
    this.links(pen, scene2);
    this.dots(pen, scene2, count, radius);
    this.marks(pen, scene2, radius);
    this.names(pen, scene2, radius, width);
    if (this.canvas.getAttribute("aria-label") !== scene2.label) this.canvas.setAttribute("aria-label", scene2.label);
  }
  /** Where a dot comes from: a short line behind it while time passes. */
  tails(pen, place, scene2, count) {
    if (!scene2.before) return;
    pen.lineWidth = 1.5;
    pen.globalAlpha = 0.35;
    for (let row = 0; row < count; row++) {
      if (scene2.hidden(row) || scene2.faint(row)) continue;
      pen.strokeStyle = colour(scene2.group(row), scene2.dark);
      pen.beginPath();
      pen.moveTo(...place(scene2.before[2 * row], scene2.before[2 * row + 1]));
      pen.lineTo(this.at[2 * row], this.at[2 * row + 1]);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }
  /** The way of each chosen sentence through time, fainter the longer ago; its start is a hollow dot. */
  ways(pen, place, scene2) {
    pen.lineJoin = pen.lineCap = "round";
    for (const [row, way] of scene2.tracks) {
      const points = [...way.map(([x, y]) => place(x, y)), [this.at[2 * row], this.at[2 * row + 1]]];
      pen.strokeStyle = colour(scene2.group(row), scene2.dark);
      pen.lineWidth = 2.5;
      for (let i = 1; i < points.length; i++) {
        pen.globalAlpha = 0.25 + 0.65 * i / points.length;
        pen.beginPath();
        pen.moveTo(...points[i - 1]);
        pen.lineTo(...points[i]);
        pen.stroke();
      }
      pen.globalAlpha = 1;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(...points[0], 4, 0, 2 * Math.PI);
      pen.stroke();
    }
  }
  /** Lines from the chosen sentence to its nearest now. */
  links(pen, scene2) {
    const row = scene2.chosen.at(-1);
    if (row === void 0) return;
    pen.strokeStyle = ink(scene2.dark);
    pen.globalAlpha = 0.55;
    pen.lineWidth = 1;
    for (const other of scene2.near) {
      pen.beginPath();
      pen.moveTo(this.at[2 * row], this.at[2 * row + 1]);
      pen.lineTo(this.at[2 * other], this.at[2 * other + 1]);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }
  dots(pen, scene2, count, radius) {
    const above = /* @__PURE__ */ new Set([...scene2.near, ...scene2.chosen, scene2.hover]);
    pen.strokeStyle = scene2.dark ? "#14181d" : "#ffffff";
    const dot = (row) => {
      if (row < 0 || scene2.hidden(row)) return;
      pen.globalAlpha = scene2.faint(row) && !above.has(row) ? 0.22 : 0.92;
      pen.fillStyle = colour(scene2.group(row), scene2.dark);
      const size = above.has(row) ? radius + 1.5 : radius;
      const marker2 = this.marker(scene2.group(row));
      pen.save();
      pen.translate(this.at[2 * row], this.at[2 * row + 1]);
      pen.scale(size, size);
      pen.lineWidth = 1 / size;
      pen.fill(marker2);
      pen.stroke(marker2);
      pen.restore();
    };
    const rows = Array.from({ length: count }, (_, row) => row).filter((row) => !above.has(row));
    rows.filter((row) => scene2.group(row) < 0).forEach(dot);
    rows.filter((row) => scene2.group(row) >= 0).forEach(dot);
    above.forEach(dot);
    pen.globalAlpha = 1;
  }
  marker(group) {
    if (!this.markers.has(group)) this.markers.set(group, new Path2D(outline(group)));
    return this.markers.get(group);
  }
  /** Rings: thick around the chosen, thin around its nearest now, dashed around its nearest then. */
  marks(pen, scene2, radius) {
    const ring = (row, more, width, dash = []) => {
      if (row < 0 || scene2.hidden(row)) return;
      pen.strokeStyle = ink(scene2.dark);
      pen.lineWidth = width;
      pen.setLineDash(dash);
      pen.beginPath();
      pen.arc(this.at[2 * row], this.at[2 * row + 1], radius + more, 0, 2 * Math.PI);
      pen.stroke();
      pen.setLineDash([]);
    };
    scene2.then.forEach((row) => ring(row, 6, 1.2, [3, 3]));
    scene2.near.forEach((row) => ring(row, 3, 1.2));
    scene2.chosen.forEach((row) => ring(row, 4, 2.5));
    ring(scene2.hover, 4, 1.8);
  }
  /** The first words of a chosen sentence beside its dot. */
  names(pen, scene2, radius, width) {
    pen.font = "600 12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.lineWidth = 4;
    pen.lineJoin = "round";
    pen.strokeStyle = scene2.dark ? "#14181d" : "#ffffff";
    pen.fillStyle = ink(scene2.dark);
    for (const row of scene2.chosen) {
      if (scene2.hidden(row)) continue;
      const words = cut(scene2.text(row), Math.max(12, Math.min(34, Math.floor(width / 16))));
      const long = pen.measureText(words).width;
      const right = this.at[2 * row] + radius + 9;
      const x = right + long > width - 4 ? this.at[2 * row] - radius - 9 - long : right;
      pen.strokeText(words, Math.max(4, x), this.at[2 * row + 1]);
      pen.fillText(words, Math.max(4, x), this.at[2 * row + 1]);
    }
  }
  close() {
    this.watch.disconnect();
  }
};
var ink = (dark) => dark ? "#f2f4f7" : "#1d232b";

// src/player/controls.js
var percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
var ALIVE = /* @__PURE__ */ new Set(["waiting", "running", "paused"]);
var alive = (film) => ALIVE.has(film.status);
function choice(label, options, change) {
  const box = element("select", { "aria-label": label, title: label, onchange: () => change(box.value) });
  box.offer = (offered) => {
    const key = JSON.stringify(offered);
    if (box.key === key) return;
    box.key = key;
    const held = box.value;
    box.replaceChildren(...offered.map(([value, text, off]) => element("option", { value, text, disabled: off })));
    if (offered.some(([value]) => value === held)) box.value = held;
  };
  box.offer(options);
  return box;
}
function standing(film) {
  const last = film.known()[0];
  const how = film.status === "shipped" || !film.status ? "recorded" : film.status;
  return alive(film) ? `${how}, step ${steps(last)} of ${steps(film.total)}` : `${how}, ${steps(film.total || last)} steps`;
}
var Controls = class {
  /** `hooks`: colour(by), words(text), axes(x, y), kind(kind), find(text), next(). */
  constructor(runs, hooks) {
    this.runs = runs;
    const own = runs.some(({ film: film2 }) => film2.own);
    const topics = runs.some(({ film: film2 }) => film2.labels?.some((label) => label));
    this.names = runs.map(
      ({ name, ink: ink2 }) => runs.length > 1 ? element("span", { class: "run-key", style: `background: ${ink2}`, text: name }) : ""
    );
    this.titles = runs.map(({ film: film2 }) => element("strong", { class: "run-title", text: film2.differs || film2.title || film2.method || "" }));
    this.stands = runs.map(() => element("span", { class: "run-stand" }));
    const heads = runs.map((_, i) => element("span", { class: "run" }, this.names[i], this.titles[i], this.stands[i]));
    this.colour = choice("colour the dots by", [
      ...own ? [["own", "your labels"]] : [],
      ...topics ? [["topic", "topic"]] : [],
      ["cluster", "cluster"],
      ["words", "your words"]
    ], (by2) => {
      this.words.hidden = by2 !== "words";
      hooks.colour(by2);
      if (by2 === "words") this.words.focus();
    });
    this.words = element("input", {
      class: "words",
      type: "text",
      placeholder: "music, war, river",
      "aria-label": "your words, parted by commas",
      hidden: true,
      oninput: () => hooks.words(this.words.value)
    });
    const axes = () => hooks.axes(Number(this.x.value), Number(this.y.value));
    this.kind = choice("what the picture shows", [["pca", "PCA"]], hooks.kind);
    this.x = choice("axis to the right", [], axes);
    this.y = choice("axis upwards", [], axes);
    this.find = element("input", {
      class: "find",
      type: "search",
      placeholder: "find a sentence …",
      "aria-label": "find a sentence; Enter chooses the next that fits",
      oninput: () => hooks.find(this.find.value),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        hooks.next();
      }
    });
    const by = element("label", { class: "field" }, element("span", { text: "colour" }), this.colour);
    const view2 = element("span", { class: "field" }, element("span", { text: "view" }), this.kind, this.x, this.y);
    this.root = element("div", { class: "controls" }, element("div", { class: "runs" }, ...heads), by, this.words, view2, this.find);
    const { film } = runs[0];
    const offered = Array.from({ length: film.axes }, (_, axis) => [String(axis), film.shares[axis] === void 0 ? `axis ${axis + 1}` : `axis ${axis + 1} · ${percent(film.shares[axis])}`]);
    this.x.offer(offered);
    this.y.offer(offered);
    this.y.value = String(Math.min(1, film.axes - 1));
  }
  /** `umap`: "there", "asked", "possible" or "missing". */
  show(view2, umap) {
    this.runs.forEach(({ film }, run) => {
      const said2 = this.titles[run].textContent;
      const method = said2.startsWith(film.title ?? "") ? "" : film.title;
      const seed = film.seed === null || said2.includes("seed =") ? "" : `seed ${film.seed}`;
      write(this.stands[run], [method, film.name, seed, standing(film)].filter(Boolean).join(" · "));
      tell(this.stands[run], "title", this.stands[run].textContent);
    });
    const told2 = { there: "UMAP, aligned", asked: "UMAP is being made …", possible: "UMAP (Python makes it)", missing: "UMAP: ask with umap=True" };
    this.kind.offer([["pca", "PCA, one basis"], ["umap", told2[umap], umap === "missing" || umap === "asked"]]);
    this.kind.value = view2.kind;
    this.x.hidden = this.y.hidden = view2.kind === "umap";
  }
};
function holds(film, step, view2, brief) {
  if (view2.kind === "umap") {
    const last = film.umap.steps.at(-1);
    return `UMAP of the ${film.axes} axes: who is near whom, not how far${step > last ? `; it ends at step ${steps(last)}` : ""}`;
  }
  const look = film.lookAt(step);
  const part = film.share(look, view2.x, view2.y);
  return `${brief ? "" : `axes ${view2.x + 1} and ${view2.y + 1}: `}${percent(part)} of the variance`;
}

// src/player/axes.js
function ticks(low, high, count = 3) {
  const found = round(low, high, count);
  return found.length < 2 && count < 12 ? ticks(low, high, count * 2) : found;
}
function round(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= raw) * power;
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; i++) out.push(i * step);
  return out;
}
function short(value, step = 1) {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(Math.abs(step) || 1) - 1e-9 + (String(step).includes("25") ? 1 : 0))));
  return Number(value.toFixed(digits)).toLocaleString("en", { maximumFractionDigits: digits }).replace("-", "−");
}
function marks(low, high, count) {
  const at = ticks(low, high, count);
  const gap = at.length > 1 ? at[1] - at[0] : 1;
  return at.map((value) => ({ value, words: short(value, gap) }));
}

// src/player/curves.js
var LEFT = 40;
var RIGHT = 10;
var SHOWN = [
  { name: "loss", smooth: true, least: 0.1 },
  { name: "alignment", least: 0.1 },
  { name: "uniformity", least: 0.5 }
];
function smoothed(values) {
  const keep = Math.min(0.9, Math.max(0, 1 - 12 / values.length));
  let mean = values[0];
  return values.map((value, i) => {
    const held = Math.min(keep, i / (i + 1));
    mean = held * mean + (1 - held) * value;
    return mean;
  });
}
function range(lists2, least) {
  const all = lists2.flat().sort((a, b) => a - b);
  if (!all.length) return [0, 1];
  const low = all[Math.floor(0.01 * (all.length - 1))];
  const high = all[Math.ceil(0.99 * (all.length - 1))];
  const pad = Math.max(0.08 * (high - low), (least - (high - low)) / 2);
  return [low - pad, high + pad];
}
var Chart = class {
  constructor(column, last, go) {
    this.column = column;
    this.last = last;
    this.value = element("span", { class: "chart-value" });
    this.title = element("span", { class: "chart-name" });
    this.note = element("span", { class: "chart-hint" });
    this.svg = drawn("svg", { class: "chart-svg", role: "img" });
    this.box = element("div", { class: "chart-box" }, this.svg);
    this.root = element("div", { class: "chart" }, element("div", { class: "chart-title" }, this.title, this.value, this.note), this.box);
    const move = (event) => {
      const at = event.clientX - this.svg.getBoundingClientRect().left;
      go(Math.max(0, Math.min(1, (at - LEFT) / (this.width - LEFT - RIGHT))) * this.end);
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      move(event);
    });
    this.svg.addEventListener("pointermove", (event) => event.buttons && move(event));
  }
  /** Everything but the head; `runs` are {film, colour, dash}. */
  lay(runs, end) {
    this.width = this.box.clientWidth || 300;
    this.height = this.box.clientHeight || 60;
    this.end = end;
    const about = runs[0].film.columns[this.column.name] ?? {};
    write(this.title, about.title ?? this.column.name);
    write(this.note, this.column.smooth ? "thick: running mean" : "");
    this.hint = about.better ? `${about.better} is better` : "";
    const bottom = this.height - (this.last ? 18 : 5);
    const series = runs.map(({ film }) => film.series(this.column.name));
    const lines = series.map(({ values }) => this.column.smooth && values.length ? smoothed(values) : values);
    const [low, high] = range(lines, this.column.least);
    this.x = (step) => LEFT + step / (end || 1) * (this.width - LEFT - RIGHT);
    const y = (value) => Math.max(2, Math.min(bottom, 4 + (high - value) / (high - low) * (bottom - 6)));
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    let above = Infinity;
    const apart = ({ value }) => above - y(value) >= 13 && (above = y(value), true);
    const parts = marks(low, high, this.height > 90 ? 3 : 2).filter(apart).flatMap(({ value, words }) => [
      drawn("line", { class: "rule", x1: LEFT, x2: this.width - RIGHT, y1: y(value), y2: y(value) }),
      drawn("text", { class: "tick", x: LEFT - 5, y: y(value) + 3.5, "text-anchor": "end", text: words })
    ]);
    if (this.last) {
      parts.push(
        ...marks(0, end, 4).filter(({ value }) => Number.isInteger(value)).map(
          ({ value, words }) => drawn("text", { class: "tick", x: this.x(value), y: this.height - 4, "text-anchor": this.x(value) > this.width - 24 ? "end" : "middle", text: words })
        )
      );
    }
    const ends = [0, 0, 0].slice(0, Math.max(1, Math.floor(this.height / 28)));
    runs.forEach(({ film, ink: ink2, dash }, run) => {
      parts.push(...this.happened(film, bottom, ends));
      const path = (values) => values.map((value, i) => `${i ? "L" : "M"}${this.x(series[run].steps[i]).toFixed(1)},${y(value).toFixed(1)}`).join("");
      if (this.column.smooth) parts.push(drawn("path", { class: "raw", d: path(series[run].values), stroke: ink2 }));
      parts.push(drawn("path", { class: "line", d: path(lines[run]), stroke: ink2, "stroke-dasharray": dash }));
    });
    this.head = drawn("line", { class: "head", y1: 0, y2: bottom });
    this.dots = runs.map(({ ink: ink2 }) => drawn("circle", { class: "head-dot", r: 4, fill: ink2 }));
    this.at = (run, step) => {
      const { low: i, part } = locate(series[run].steps, step);
      return lines[run].length ? y(lines[run][i] + part * ((lines[run][i + 1] ?? lines[run][i]) - lines[run][i])) : null;
    };
    this.svg.replaceChildren(...parts, this.head, ...this.dots);
  }
  happened(film, bottom, ends) {
    return film.events.map(
      ({ step, words }) => drawn(
        "g",
        { class: "event" },
        drawn("title", { text: `step ${step}: ${words}` }),
        drawn("line", { x1: this.x(step), x2: this.x(step), y1: 0, y2: bottom }),
        this.column.name === "loss" ? this.worded(step, words, ends) : ""
      )
    );
  }
  /** What happened, beside its line, in the first row that has room; all of it is in the line's title. */
  worded(step, words, ends) {
    const told2 = cut(words, 34);
    const long = told2.length * 5.6;
    const x = Math.min(this.x(step) + 4, this.width - RIGHT - long);
    const row = ends.findIndex((end) => x >= end);
    if (row < 0) return "";
    ends[row] = x + long + 6;
    return drawn("text", { x, y: 10 + 12 * row, text: told2 });
  }
  /** Move the head; the value there is said in the title and to readers of the screen. */
  show(runs, step) {
    tell(this.head, "transform", `translate(${this.x(step).toFixed(1)},0)`);
    const told2 = runs.map(({ film, name }, run) => {
      const value = film.value(this.column.name, step);
      const last = film.known()[0];
      const high = this.at(run, Math.min(step, last));
      tell(this.dots[run], "display", high === null || value === null ? "none" : "inline");
      if (high !== null) tell(this.dots[run], "transform", `translate(${this.x(Math.min(step, last)).toFixed(1)},${high.toFixed(1)})`);
      return runs.length > 1 ? `${name} ${number(value)}` : number(value);
    });
    write(this.value, told2.join("   "));
    tell(this.svg, "aria-label", `${this.title.textContent} ${told2.join(", ")} at step ${Math.round(step)}${this.hint ? `; ${this.hint}` : ""}`);
    tell(this.root, "title", this.hint);
  }
};
function locate(steps2, step) {
  let i = 0;
  while (i < steps2.length - 1 && steps2[i + 1] <= step) i++;
  const gap = (steps2[i + 1] ?? steps2[i]) - steps2[i];
  return { low: i, part: gap > 0 ? Math.max(0, Math.min(1, (step - steps2[i]) / gap)) : 0 };
}
var Curves = class {
  constructor(go) {
    this.charts = SHOWN.map((column, i) => new Chart(column, i === SHOWN.length - 1, go));
    this.root = element("div", { class: "curves" }, ...this.charts.map((chart) => chart.root));
  }
  lay(runs, end) {
    this.charts.forEach((chart) => chart.lay(runs, end));
  }
  show(runs, step) {
    this.charts.forEach((chart) => chart.show(runs, step));
  }
};

// src/shared/sixteen_bits.js
var STEPS = 32767;
function view(packed) {
  if (packed instanceof DataView) return packed;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}
function floats(packed, scale) {
  const data = view(packed);
  return Float32Array.from({ length: data.byteLength / 2 }, (_, i) => data.getInt16(2 * i, true) * scale);
}
function whole(packed) {
  const data = view(packed);
  return Uint16Array.from({ length: data.byteLength / 2 }, (_, i) => data.getUint16(2 * i, true));
}

// src/player/decode.js
function between(steps2, step) {
  const last = steps2.length - 1;
  if (last < 1 || step <= steps2[0]) return { low: 0, part: 0 };
  if (step >= steps2[last]) return { low: last, part: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (steps2[middle] <= step) low = middle;
    else high = middle;
  }
  return { low, part: (step - steps2[low]) / (steps2[high] - steps2[low]) };
}
var Film = class {
  constructor(given) {
    for (const name of ["name", "method", "title", "differs", "texts", "labels", "own", "axes", "settings", "seed"]) {
      this[name] = given[name] ?? null;
    }
    this.size = given.texts.length;
    this.shares = given.share ?? [];
    this.total = given.total_steps;
    this.columns = given.columns ?? {};
    this.scale = given.span / STEPS;
    this.looks = [];
    this.rows = [];
    this.umap = null;
    this.kept = /* @__PURE__ */ new Map();
    this.add(given);
  }
  /** Take up what a run at work has come to since; what is known already is passed over. */
  add({ looks = [], rows = [], status, umap }) {
    const [look, row] = this.known();
    const fresh = looks.filter((one) => one.step > look);
    this.looks.push(...fresh.map(({ step, at, near, kept }) => ({ step, packed: at, nearest: near, kept })));
    this.rows.push(...rows.filter((one) => one.step > row));
    if (status) this.status = status;
    if (umap) this.umap = { steps: umap.steps, looks: umap.looks, scale: umap.span / STEPS };
    if (fresh.length || umap) this.kept.clear();
    this.steps = this.looks.map((one) => one.step);
    return fresh.length > 0;
  }
  /** Steps of the last look and of the last row that are here. */
  known() {
    return [this.looks.at(-1)?.step ?? -1, this.rows.at(-1)?.step ?? -1];
  }
  once(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }
  /** Coordinates of a look, row after row; `width` numbers a row. */
  unpacked(look) {
    return this.once(`at ${look}`, () => floats(this.looks[look].packed, this.scale));
  }
  plane(kind) {
    if (kind !== "umap") return { steps: this.steps, width: this.axes, of: (look) => this.unpacked(look) };
    const { steps: steps2, looks, scale } = this.umap;
    return { steps: steps2, width: 2, of: (look) => this.once(`umap ${look}`, () => floats(looks[look], scale)) };
  }
  /** x, y of all rows at a step, between two looks on the straight way; `view` is {kind, x, y}. */
  places(step, view2, out = new Float32Array(2 * this.size)) {
    const { steps: steps2, width, of } = this.plane(view2.kind);
    const { low, part } = between(steps2, step);
    const a = of(low);
    const b = part ? of(low + 1) : a;
    const [x, y] = view2.kind === "umap" ? [0, 1] : [view2.x, view2.y];
    for (let row = 0, at = 0; row < this.size; row++, at += width) {
      out[2 * row] = a[at + x] + part * (b[at + x] - a[at + x]);
      out[2 * row + 1] = a[at + y] + part * (b[at + y] - a[at + y]);
    }
    return out;
  }
  /** The way of one row up to a step: x, y at every look before it. */
  track(row, step, view2) {
    const { steps: steps2, width, of } = this.plane(view2.kind);
    const [x, y] = view2.kind === "umap" ? [0, 1] : [view2.x, view2.y];
    const way = [];
    for (let look = 0; look < steps2.length && steps2[look] <= step; look++) {
      const all = of(look);
      way.push([all[row * width + x], all[row * width + y]]);
    }
    return way;
  }
  /** [left, right, bottom, top] of all rows over all looks: the frame stays, so what moves on screen has moved. */
  bounds(view2) {
    return this.once(`bounds ${view2.kind} ${view2.x} ${view2.y}`, () => {
      const { steps: steps2, width, of } = this.plane(view2.kind);
      const [x, y] = view2.kind === "umap" ? [0, 1] : [view2.x, view2.y];
      const box = [Infinity, -Infinity, Infinity, -Infinity];
      for (let look = 0; look < steps2.length; look++) {
        const all = of(look);
        for (let at = 0; at < all.length; at += width) {
          box[0] = Math.min(box[0], all[at + x]);
          box[1] = Math.max(box[1], all[at + x]);
          box[2] = Math.min(box[2], all[at + y]);
          box[3] = Math.max(box[3], all[at + y]);
        }
      }
      return box;
    });
  }
  /** The run's trend in words at the last look done by then. */
  trend(step) {
    return this.rows.findLast((row) => row.trend && row.step <= step)?.trend ?? "";
  }
  /** The look shown at a step: the last one done by then. */
  lookAt(step) {
    return between(this.steps, step).low;
  }
  /** Rows of the nearest sentences of `row`, in all dimensions, at a look. */
  near(look, row) {
    const all = this.once(`near ${look}`, () => whole(this.looks[look].nearest));
    const count = all.length / this.size;
    return [...all.subarray(row * count, (row + 1) * count)];
  }
  /** The share of a look's variance, of all dimensions, that two axes hold. */
  share(look, x, y) {
    const spread = this.once(`spread ${look}`, () => {
      const all = this.unpacked(look);
      return Array.from({ length: this.axes }, (_, axis) => {
        let sum = 0;
        let squares = 0;
        for (let at = axis; at < all.length; at += this.axes) {
          sum += all[at];
          squares += all[at] * all[at];
        }
        return Math.max(0, squares / this.size - (sum / this.size) ** 2);
      });
    });
    const held = spread.reduce((sum, one) => sum + one, 0);
    const shown = x === y ? spread[x] : spread[x] + spread[y];
    return held > 0 ? shown / held * this.looks[look].kept : 0;
  }
  /** The value of a column at a step: the last one measured by then, or null. */
  value(column, step) {
    const series = this.series(column);
    if (!series.steps.length || step < series.steps[0]) return null;
    return series.values[between(series.steps, step).low];
  }
  /** What was measured of a column. */
  series(column) {
    const key = `series ${column}`;
    const known = this.kept.get(key);
    if (known?.rows === this.rows.length) return known;
    const there = this.rows.filter((row) => typeof row[column] === "number");
    const made = { rows: this.rows.length, steps: there.map((row) => row.step), values: there.map((row) => row[column]) };
    this.kept.set(key, made);
    return made;
  }
  /** Where something happened, and what, in words. */
  get events() {
    return this.rows.filter((row) => row.event).map((row) => ({ step: row.step, words: row.event }));
  }
};
var Timeline = class {
  constructor(films) {
    this.films = films;
    this.refresh();
  }
  refresh() {
    const steps2 = this.films.flatMap((film) => film.steps);
    this.steps = [...new Set(steps2)].sort((a, b) => a - b);
  }
  get last() {
    return this.steps.length - 1;
  }
  step(t) {
    const low = Math.min(this.last, Math.max(0, Math.floor(t)));
    if (low === this.last) return this.steps[low];
    return this.steps[low] + (t - low) * (this.steps[low + 1] - this.steps[low]);
  }
  t(step) {
    const { low, part } = between(this.steps, step);
    return low + part;
  }
};

// src/player/groups.js
var OTHER = "other";
var CLUSTERS = 8;
function together(films) {
  const numbers = /* @__PURE__ */ new Map();
  const texts = [];
  const ofRow = films.map((film) => {
    const seen = /* @__PURE__ */ new Map();
    return film.texts.map((text) => {
      const count = seen.get(text) ?? 0;
      seen.set(text, count + 1);
      const key = `${count}
${text}`;
      if (!numbers.has(key)) {
        numbers.set(key, texts.length);
        texts.push(text);
      }
      return numbers.get(key);
    });
  });
  const rowOf = ofRow.map((numbers_) => {
    const rows = new Int32Array(texts.length).fill(-1);
    numbers_.forEach((sentence, row) => rows[sentence] = row);
    return rows;
  });
  return { texts, ofRow, rowOf };
}
function differ(films, { texts, rowOf }) {
  const [one, two] = films;
  if (one.axes !== two.axes) return true;
  const [a, b] = films.map((film) => film.unpacked(0));
  return texts.some((_, sentence) => {
    const [i, j] = [rowOf[0][sentence], rowOf[1][sentence]];
    return i >= 0 && j >= 0 && [0, 1].some((axis) => axis < one.axes && Math.abs(a[i * one.axes + axis] - b[j * one.axes + axis]) > 0.01);
  });
}
function byName(names) {
  const counts = /* @__PURE__ */ new Map();
  for (const name of names) if (name !== null && name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, DISTINCT);
  const kept = frequent.map(([name]) => name).sort((a, b) => a < b ? -1 : 1);
  const place = new Map(kept.map((name, group) => [name, group]));
  return finished(kept, Int16Array.from(names, (name) => place.get(name) ?? -1));
}
function finished(names, of) {
  const counts = new Array(names.length).fill(0);
  let others = 0;
  for (const group of of) group < 0 ? others++ : counts[group]++;
  const groups = names.map((name, group) => ({ group, name, count: counts[group] }));
  if (others) groups.push({ group: -1, name: names.length ? OTHER : "sentences", count: others });
  return { groups, of };
}
function labelled(films, shared, field) {
  const names = new Array(shared.texts.length).fill(null);
  films.forEach(
    (film, run) => film[field]?.forEach((label, row) => {
      names[shared.ofRow[run][row]] ??= label;
    })
  );
  return byName(names);
}
function worded(texts, words) {
  const asked = [...new Set(words.split(",").map((word) => word.trim()).filter(Boolean))].slice(0, DISTINCT);
  const low = asked.map((word) => word.toLowerCase());
  return finished(asked, Int16Array.from(texts, (text) => low.findIndex((word) => text.toLowerCase().includes(word))));
}
function kmeans(data, width, k, rounds = 40) {
  const size = data.length / width;
  const gap = (row, centre) => {
    let sum = 0;
    for (let i = 0; i < width; i++) sum += (data[row * width + i] - centre[i]) ** 2;
    return sum;
  };
  const rowAt = (row) => data.slice(row * width, (row + 1) * width);
  const far = (centres2) => {
    let best = 0;
    let most = -1;
    for (let row = 0; row < size; row++) {
      const least = Math.min(...centres2.map((centre) => gap(row, centre)));
      if (least > most) [best, most] = [row, least];
    }
    return best;
  };
  const centres = [rowAt(far([new Float32Array(width)]))];
  while (centres.length < Math.min(k, size)) centres.push(rowAt(far(centres)));
  const of = new Int16Array(size).fill(-1);
  for (let round2 = 0; round2 < rounds; round2++) {
    let moved = false;
    for (let row = 0; row < size; row++) {
      let best = 0;
      for (let c = 1; c < centres.length; c++) if (gap(row, centres[c]) < gap(row, centres[best])) best = c;
      moved ||= best !== of[row];
      of[row] = best;
    }
    if (!moved) break;
    centres.forEach((centre, c) => {
      const mean = new Float32Array(width);
      let count = 0;
      for (let row = 0; row < size; row++) {
        if (of[row] !== c) continue;
        count++;
        for (let i = 0; i < width; i++) mean[i] += data[row * width + i];
      }
      if (count) centre.set(mean.map((sum) => sum / count));
    });
  }
  return of;
}
var wordsOf = (text) => new Set(text.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
function typical(bags, of, cluster) {
  const [inside, all] = [/* @__PURE__ */ new Map(), /* @__PURE__ */ new Map()];
  let size = 0;
  bags.forEach((bag, sentence) => {
    const own = of[sentence] === cluster;
    size += own;
    for (const word of bag) {
      all.set(word, (all.get(word) ?? 0) + 1);
      if (own) inside.set(word, (inside.get(word) ?? 0) + 1);
    }
  });
  const rest = Math.max(1, bags.length - size);
  const worth = ([word, count]) => count * Math.log(count / size / ((all.get(word) - count + 0.5) / rest));
  return [...inside].filter(([, count]) => count > 1).sort((a, b) => worth(b) - worth(a)).slice(0, 2).map(([word]) => word);
}
function clustered(films, shared) {
  const [film] = films;
  const found = kmeans(film.unpacked(film.looks.length - 1), film.axes, CLUSTERS);
  const of = Int16Array.from(shared.rowOf[0], (row) => row < 0 ? -1 : found[row]);
  const bags = shared.texts.map(wordsOf);
  const count = Math.max(...found) + 1;
  const names = Array.from({ length: count }, (_, c) => [`${c + 1}`, typical(bags, of, c).join(", ")].filter(Boolean).join(" · "));
  return finished(names, of);
}
function grouped(by, films, shared, words = "") {
  if (by === "cluster") return clustered(films, shared);
  if (by === "words") return worded(shared.texts, words);
  return labelled(films, shared, by === "own" ? "own" : "labels");
}

// src/player/reading.js
var marker = (group, dark, r = 5) => drawn("svg", { class: "marker", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, drawn("path", { d: outline(group), transform: `scale(${r})`, fill: colour(group, dark) }));
var Reading = class {
  constructor(choose) {
    this.choose = choose;
    this.sign = element("span", { class: "line-sign" });
    this.group = element("span", { class: "line-group" });
    this.text = element("span", { class: "line-text" });
    this.line = element("div", { class: "line", role: "status", "aria-live": "polite" }, this.sign, this.group, this.text);
    this.lists = element("div", { class: "lists" });
    this.root = element("div", { class: "reading" }, this.line, this.lists);
    this.shown = "";
  }
  /** `told`: {text, group, name} of a sentence, or {text} alone. */
  say(told2, dark) {
    const key = `${told2.text} ${told2.group} ${told2.name} ${dark}`;
    if (this.said === key) return;
    this.said = key;
    this.sign.replaceChildren(...told2.group === void 0 ? [] : [marker(told2.group, dark)]);
    write(this.group, told2.name ?? "");
    write(this.text, told2.text);
    this.line.title = told2.text;
  }
  /** `columns`: [{title, ink, items: [{sentence, text, group, fresh}]}]; without any, `hint` takes their room. */
  list(columns, dark, hint) {
    const key = JSON.stringify([columns, dark, hint]);
    if (key === this.shown) return;
    this.shown = key;
    const held = this.lists.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.lists.replaceChildren(columns.length ? "" : element("p", { class: "hint", text: hint }), ...columns.map((column, number2) => this.column(column, number2, dark)));
    if (held) this.lists.querySelector(`[data-key="${held}"]`)?.focus();
  }
  column({ title, ink: ink2, items }, number2, dark) {
    const entries = items.map(
      (item, place) => element(
        "li",
        {},
        element(
          "button",
          { class: "near", type: "button", "data-key": `${number2}-${place}`, title: item.text, onclick: () => this.choose(item.sentence) },
          marker(item.group, dark),
          element("span", { class: "near-text", text: item.text }),
          item.fresh ? element("span", { class: "fresh", text: "new" }) : ""
        )
      )
    );
    const head = element("div", { class: "list-title", style: ink2 ? `color: ${ink2}` : null, text: title });
    return element("div", { class: "list" }, head, element("ol", {}, ...entries));
  }
};

// src/shared/counted.js
function counted(count, noun) {
  return `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
}

// src/player/legend.js
var Legend = class {
  /** `hooks`: toggle(group), only(group), all(), lift(). */
  constructor(hooks) {
    this.hooks = hooks;
    this.list = element("div", { class: "legend-list", role: "group", "aria-label": "groups shown" });
    this.all = element("button", { class: "small", type: "button", text: "Show all", onclick: hooks.all });
    this.lift = element("button", { class: "small", type: "button", text: "Lift selection", title: "let go of the chosen sentences (Esc)", onclick: hooks.lift });
    this.root = element("div", { class: "legend" }, this.list, element("div", { class: "legend-foot" }, this.all, this.lift));
  }
  show(groups, hidden, dark, chosen) {
    const key = JSON.stringify([groups, dark]);
    if (key !== this.key) {
      this.key = key;
      this.buttons = groups.map(
        ({ group, name, count }) => element(
          "button",
          {
            class: "group",
            type: "button",
            title: `${name}: ${counted(count, "sentence")}. Click to hide or show, double-click for this one alone.`,
            onclick: () => this.hooks.toggle(group),
            ondblclick: () => this.hooks.only(group)
          },
          marker(group, dark),
          element("span", { class: "group-name", text: name }),
          element("span", { class: "group-count", text: String(count) })
        )
      );
      this.list.replaceChildren(...this.buttons);
    }
    groups.forEach(({ group }, i) => tell(this.buttons[i], "aria-pressed", String(!hidden.has(group))));
    this.lift.disabled = !chosen;
    this.all.disabled = hidden.size === 0;
  }
};

// src/player/plane.js
var X = [-4.15, 0.15];
var EVEN = -4;
var USUAL = 0.8;
var EDGE = { left: 40, right: 10, top: 6, bottom: 32 };
var Plane = class {
  constructor() {
    this.svg = drawn("svg", { class: "plane-svg", role: "img" });
    this.box = element("div", { class: "plane-box" }, this.svg);
    this.root = element("div", { class: "plane" }, element("div", { class: "chart-title" }, element("span", { class: "chart-name", text: "alignment–uniformity" }), element("span", { class: "chart-hint", text: "✕ collapsed · better ↙" })), this.box);
  }
  lay(runs) {
    const width = this.box.clientWidth || 300;
    const height = this.box.clientHeight || 200;
    this.trails = runs.map(({ film }) => trail(film));
    const most = Math.max(...this.trails.flatMap(({ points }) => points.map(([, alignment]) => alignment)), 0);
    const high = most <= 0.95 * USUAL ? USUAL : most <= 1.9 ? 2 : Math.ceil(most * 1.05);
    const right = width - EDGE.right;
    const bottom = height - EDGE.bottom;
    this.place = ([u, a]) => [
      EDGE.left + (Math.max(X[0], u) - X[0]) / (X[1] - X[0]) * (right - EDGE.left),
      bottom - a / high * (bottom - EDGE.top)
    ];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const parts = [-4, -3, -2, -1, 0].flatMap((u) => {
      const [x] = this.place([u, 0]);
      return [
        drawn("line", { class: u === EVEN ? "rule landmark-line" : "rule", x1: x, x2: x, y1: EDGE.top, y2: bottom }),
        drawn("text", { class: "tick", x, y: bottom + 13, "text-anchor": "middle", text: short(u) })
      ];
    });
    for (const a of high === USUAL ? [0, 0.2, 0.4, 0.6, 0.8] : [0, high / 4, high / 2, 3 * high / 4, high]) {
      const [, y] = this.place([0, a]);
      parts.push(
        drawn("line", { class: "rule", x1: EDGE.left, x2: right, y1: y, y2: y }),
        drawn("text", { class: "tick", x: EDGE.left - 5, y: y + 3.5, "text-anchor": "end", text: short(a, high / 4) })
      );
    }
    parts.push(...this.landmarks(bottom, right, height));
    this.marks = runs.map(({ ink: ink2, dash }, run) => this.way(run, ink2, dash));
    this.svg.replaceChildren(...parts, ...this.marks.flatMap(({ ghost, line: line2, start, first, now }) => [ghost, line2, start, first, now]));
  }
  landmarks(bottom, right, height) {
    const [x0, y0] = this.place([0, 0]);
    const [even] = this.place([EVEN, 0]);
    return [
      drawn("text", { class: "axis", x: (EDGE.left + right) / 2, y: height - 4, "text-anchor": "middle", text: "uniformity" }),
      drawn("text", { class: "axis", x: 11, y: (EDGE.top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${(EDGE.top + bottom) / 2})`, text: "alignment" }),
      drawn("path", { class: "landmark", d: `M${x0 - 4},${y0 - 4}L${x0 + 4},${y0 + 4}M${x0 + 4},${y0 - 4}L${x0 - 4},${y0 + 4}` }),
      drawn("text", { class: "landmark-name", x: even + 5, y: EDGE.top + 10, text: "spread evenly" })
    ];
  }
  way(run, ink2, dash) {
    const { points } = this.trails[run];
    const [x, y] = points.length ? this.place(points[0]) : [0, 0];
    const shown = points.length ? "inline" : "none";
    return {
      ghost: drawn("path", { class: "trail-ghost", d: this.path(points), stroke: ink2 }),
      line: drawn("path", { class: "trail", stroke: ink2, "stroke-dasharray": dash }),
      start: drawn("circle", { class: "trail-start", cx: x, cy: y, r: 4, stroke: ink2, display: shown }),
      first: drawn("text", { class: "landmark-name", ...this.beside([x, y], points), text: run ? "" : "start", display: shown }),
      now: drawn("circle", { class: "trail-now", r: 6, fill: ink2, display: shown })
    };
  }
  /** Where a word at the start of a trail stands clear of it: across its direction, above where there is room. */
  beside([x, y], points) {
    const far = points.map((point) => this.place(point)).find(([px, py]) => Math.hypot(px - x, py - y) > 12) ?? [x - 1, y];
    const long = Math.hypot(far[0] - x, far[1] - y);
    let [across, up] = [(far[1] - y) / long, -(far[0] - x) / long];
    if (up > 0) [across, up] = [-across, -up];
    if (x + 11 * across + 30 * (across > 0.3) > this.box.clientWidth) [across, up] = [-across, -up];
    return { x: x + 11 * across, y: y + 11 * up + 4, "text-anchor": across > 0.3 ? "start" : across < -0.3 ? "end" : "middle" };
  }
  path(points) {
    return points.map((point, i) => (i ? "L" : "M") + this.place(point).map((at) => at.toFixed(1)).join(",")).join("");
  }
  show(runs, step) {
    const told2 = runs.map(({ name }, run) => {
      const { steps: steps2, points } = this.trails[run];
      if (!points.length) return `${name} was not measured`;
      let i = 0;
      while (i < steps2.length - 1 && steps2[i + 1] <= step) i++;
      const gap = i < steps2.length - 1 ? Math.max(0, (step - steps2[i]) / (steps2[i + 1] - steps2[i])) : 0;
      const next = points[i + 1] ?? points[i];
      const now = points[i].map((value, k) => value + gap * (next[k] - value));
      tell(this.marks[run].line, "d", this.path([...points.slice(0, i + 1), now]));
      const [x, y] = this.place(now);
      tell(this.marks[run].now, "transform", `translate(${x.toFixed(1)},${y.toFixed(1)})`);
      return `${runs.length > 1 ? `${name}: ` : ""}alignment ${number(now[1])}, uniformity ${number(now[0])}`;
    });
    tell(this.svg, "aria-label", `alignment–uniformity plane at step ${Math.round(step)}: ${told2.join("; ")}; lower is better for both`);
  }
};
function trail(film) {
  const there = film.rows.filter((row) => typeof row.uniformity === "number" && typeof row.alignment === "number");
  return { steps: there.map((row) => row.step), points: there.map((row) => [row.uniformity, row.alignment]) };
}

// src/player/scene.js
var IDLE = "Point at a dot to read it.";
function told(runs, step, last) {
  const values = runs.map(({ film, name }) => {
    const loss = film.value("loss", step);
    return loss === null ? "" : `, ${runs.length > 1 ? `${name} ` : ""}loss ${number(loss, 2)}`;
  });
  return `step ${Math.round(step)} of ${last}${values.join("")}`;
}
function frame(films, view2) {
  const all = films.map((film) => film.bounds(view2));
  return [0, 1, 2, 3].map((side) => Math[side % 2 ? "max" : "min"](...all.map((box) => box[side])));
}
function scene(film, run, selection, { step, start, view: view2, box, words, dark }) {
  const { hidden, chosen, hover, groups, shared } = selection;
  const [rowOf, ofRow] = [shared.rowOf[run], shared.ofRow[run]];
  const rows = chosen.map((sentence) => rowOf[sentence]).filter((row2) => row2 >= 0);
  const row = chosen.length ? rowOf[chosen.at(-1)] : -1;
  const near = row < 0 ? [] : film.near(film.lookAt(step), row);
  const group = (one) => groups.of[ofRow[one]];
  return {
    xy: film.places(step, view2),
    before: start === null ? null : film.places(start, view2),
    box,
    group,
    hidden: (one) => hidden.has(group(one)),
    faint: (one) => !selection.fits(ofRow[one]),
    hover: hover < 0 ? -1 : rowOf[hover],
    chosen: rows,
    near,
    then: row < 0 ? [] : film.near(0, row).filter((one) => !near.includes(one)),
    tracks: rows.map((one) => [one, film.track(one, step, view2)]),
    text: (one) => film.texts[one],
    dark,
    label: `cloud of ${counted(film.size, "sentence")}, ${film.title || film.method}, ${words}. Up and down read a dot out, Enter chooses it.`
  };
}
function line(selection) {
  const { hover, chosen, query, groups, shared: { texts } } = selection;
  const sentence = hover >= 0 ? hover : chosen.at(-1) ?? -1;
  if (sentence >= 0) {
    const group = groups.of[sentence];
    const name = groups.groups.find((one) => one.group === group)?.name ?? "";
    return { text: texts[sentence], group, name };
  }
  if (!query) return { text: IDLE };
  const count = texts.filter((_, one) => selection.fits(one)).length;
  return { text: `${count} of ${counted(texts.length, "sentence")} ${count === 1 ? "holds" : "hold"} “${query}”. Enter chooses one after the other.` };
}
function lists(runs, { chosen, groups, shared }, step) {
  if (!chosen.length) return [];
  const alone = runs.length === 1;
  return runs.flatMap(({ film, name, ink: ink2 }, run) => {
    const row = shared.rowOf[run][chosen.at(-1)];
    const prefix = alone ? "nearest" : name;
    if (row < 0) return [{ title: `${name}: not among its sentences`, ink: ink2, items: [] }];
    const first = film.near(0, row);
    const now = film.lookAt(step);
    const last = film.looks.length - 1;
    const column = (title, look) => ({
      title,
      ink: alone ? null : ink2,
      items: film.near(look, row).map((one) => {
        const other = shared.ofRow[run][one];
        return { sentence: other, text: film.texts[one], group: groups.of[other], fresh: look > 0 && !first.includes(one) };
      })
    });
    const columns = [column(`${prefix} at step ${steps(film.steps[0])}`, 0), column(`${prefix} now, step ${steps(film.steps[now])}`, now)];
    if (alone) columns.push(column(`${alive(film) ? "latest" : "at the end"}, step ${steps(film.steps[last])}`, last));
    return columns;
  });
}

// src/player/selection.js
var Selection = class {
  /** `shared`: the sentences of all films; `by`: what colours them at first; `changed()` hears of whatever is set. */
  constructor(films, shared, by, changed) {
    Object.assign(this, { films, shared, changed, words: "", hidden: /* @__PURE__ */ new Set(), hover: -1, query: "" });
    this.groups = grouped(by, films, shared);
    this.chosen = this.example();
  }
  colour(by, words = this.words) {
    this.words = words;
    this.hidden.clear();
    this.groups = grouped(by, this.films, this.shared, words);
    this.changed();
  }
  toggle(group) {
    if (!this.hidden.delete(group)) this.hidden.add(group);
    this.changed();
  }
  only(group) {
    const others = this.groups.groups.map((one) => one.group).filter((one) => one !== group);
    this.hidden = new Set(others);
    this.changed();
  }
  reveal() {
    this.hidden.clear();
    this.changed();
  }
  point(sentence) {
    if (sentence === this.hover) return;
    this.hover = sentence;
    this.changed();
  }
  /** Choose a sentence (with `more` beside those chosen, or let go of it); -1 lets go of all. */
  choose(sentence, more = false) {
    const { chosen } = this;
    if (sentence < 0) this.chosen = more ? chosen : [];
    else if (!more) this.chosen = [sentence];
    else this.chosen = chosen.includes(sentence) ? chosen.filter((one) => one !== sentence) : [...chosen, sentence];
    this.changed();
  }
  /** What to show before anything is chosen: the sentence that came by most neighbours of its own group. */
  example() {
    const [film] = this.films;
    const { of } = this.groups;
    const ofRow = this.shared.ofRow[0];
    const alike = (look, row) => film.near(look, row).filter((one) => of[ofRow[one]] >= 0 && of[ofRow[one]] === of[ofRow[row]]).length;
    const last = film.looks.length - 1;
    const gains = film.texts.map((_, row) => alike(last, row) - alike(0, row));
    return gains.length ? [ofRow[gains.indexOf(Math.max(...gains))]] : [];
  }
  find(query) {
    this.query = query.trim().toLowerCase();
    this.changed();
  }
  /** Choose the next sentence that fits what is looked for. */
  next() {
    const fits = this.shared.texts.flatMap((_, sentence) => this.fits(sentence) ? [sentence] : []);
    const now = this.chosen.at(-1) ?? -1;
    if (this.query && fits.length) this.choose(fits.find((one) => one > now) ?? fits[0]);
  }
  fits(sentence) {
    return !this.query || this.shared.texts[sentence].toLowerCase().includes(this.query);
  }
  /** Up and down read one dot after the other, Enter chooses: a cloud needs no mouse. */
  walk(event, run) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && this.hover >= 0) {
      this.choose(this.hover, event.shiftKey);
      return true;
    }
    if (!way) return false;
    const seen = this.shared.ofRow[run].filter((sentence) => this.fits(sentence) && !this.hidden.has(this.groups.of[sentence]));
    const now = seen.indexOf(this.hover);
    if (seen.length) this.point(seen[now < 0 ? way > 0 ? 0 : seen.length - 1 : (now + way + seen.length) % seen.length]);
    return true;
  }
};

// src/player/transport.js
var WHOLE = 14;
var LEAST = 0.16;
var STEP = 350;
var PACES = [["slow motion", 0.2], ["normal", 1], ["fast", 3]];
var Clock = class {
  /** Moves `t` between 0 and `last()`; calls `show(t)` on every frame that changed it, and `rest()` when it stops. */
  constructor(last, show, rest) {
    Object.assign(this, { last, show, rest, t: 0, playing: false, pace: 1, goal: null });
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }
  play() {
    if (this.t >= this.last()) this.t = 0;
    this.playing = true;
    this.goal = null;
    this.run();
  }
  pause() {
    this.playing = false;
    this.rest();
  }
  /** Glide to a moment; where the reader wants no motion, be there at once. */
  glide(t) {
    this.playing = false;
    const goal = Math.max(0, Math.min(this.last(), t));
    if (this.still.matches || document.hidden) return this.jump(goal);
    this.goal = { from: this.t, to: goal, began: performance.now() };
    this.run();
  }
  jump(t) {
    this.playing = false;
    this.goal = null;
    this.t = Math.max(0, Math.min(this.last(), t));
    this.show(this.t);
    this.rest();
  }
  /** The moment that the reader has asked for: where a glide will end. */
  get aim() {
    return this.goal ? this.goal.to : this.t;
  }
  run() {
    if (this.frame) return;
    this.then = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }
  tick(now) {
    this.frame = 0;
    const passed = Math.min(0.1, (now - this.then) / 1e3);
    this.then = now;
    if (this.goal) {
      const part = Math.min(1, (now - this.goal.began) / STEP);
      this.t = this.goal.from + (this.goal.to - this.goal.from) * (1 - (1 - part) ** 3);
      if (part === 1) this.goal = null;
    } else if (this.playing) {
      this.t = Math.min(this.last(), this.t + passed * this.pace / Math.max(LEAST, Math.min(1, WHOLE / Math.max(1, this.last()))));
      if (this.t >= this.last()) this.playing = false;
    }
    const going = this.goal || this.playing;
    this.show(this.t);
    if (going) this.frame = requestAnimationFrame((next) => this.tick(next));
    else this.rest();
  }
  close() {
    cancelAnimationFrame(this.frame);
  }
};
var Transport = class {
  constructor(clock) {
    this.clock = clock;
    const button = (text, label, act) => element("button", { class: "key", type: "button", text, "aria-label": label, title: label, onclick: act });
    this.play = button("▶", "play", () => this.toggle());
    this.back = button("◂", "one look back", () => this.step(-1));
    this.on = button("▸", "one look on", () => this.step(1));
    this.slider = element("input", {
      class: "time",
      type: "range",
      min: 0,
      step: "any",
      "aria-label": "time",
      oninput: () => clock.jump(Number(this.slider.value))
    });
    this.pace = element(
      "select",
      { class: "pace", "aria-label": "speed", onchange: () => clock.pace = Number(this.pace.value) },
      ...PACES.map(([text, value]) => element("option", { value, text, selected: value === 1 }))
    );
    this.told = element("output", { class: "told" });
    this.root = element("div", { class: "transport" }, this.play, this.back, this.on, this.slider, this.told, this.pace);
  }
  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
    this.shown();
  }
  /** To the look before or after the one shown. */
  step(way) {
    const t = this.clock.aim;
    this.clock.glide(way > 0 ? Math.floor(t + 1 + 1e-6) : Math.ceil(t - 1 - 1e-6));
    this.shown();
  }
  shown() {
    const { playing } = this.clock;
    write(this.play, playing ? "❚❚" : "▶");
    tell(this.play, "aria-label", playing ? "pause" : "play");
    tell(this.play, "title", `${playing ? "pause" : "play"} (space)`);
  }
  show(t, last, words) {
    this.slider.max = String(last);
    this.slider.value = String(t);
    this.slider.style.setProperty("--done", `${last ? 100 * t / last : 100}%`);
    tell(this.slider, "aria-valuetext", words);
    this.back.disabled = this.clock.aim <= 0;
    this.on.disabled = this.clock.aim >= last;
    this.shown();
  }
};

// src/player/player.js
var TAIL = 0.8;
var NARROW = 760;
var TIGHT = 1e3;
var HINT = "Click a dot: its way through time is drawn, and its nearest sentences stand here, then and now.";
var KEYS = "click a dot · shift-click for more · space plays, ← → step";
function ahead(film) {
  const wanted = Math.max(10, 1.1 * Math.max(...film.known()));
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.min(film.total, [1, 2, 5, 10].find((one) => one * power >= wanted) * power);
}
var Player = class {
  constructor(el, recordings, { page = false, height = null, ask = null } = {}) {
    this.films = recordings.map((given) => new Film(given));
    this.runs = this.films.map((film, run) => ({ film, name: "AB"[run], ink: `var(--run-${run})`, dash: run ? "6 3" : null }));
    this.shared = together(this.films);
    this.apart = this.films.length > 1 && differ(this.films, this.shared);
    this.ask = ask;
    this.view = { kind: this.umap === "there" ? "umap" : "pca", x: 0, y: Math.min(1, this.films[0].axes - 1) };
    this.time = new Timeline(this.films);
    this.clock = new Clock(() => this.time.last, () => this.paint(), () => this.paint());
    this.clock.t = this.films.some(alive) ? this.time.last : 0;
    this.build(el, height);
    this.selection = new Selection(this.films, this.shared, this.controls.colour.value, () => this.paint());
    this.keys(page ? document : this.root);
    this.stopTheme = followTheme(this.root, (dark) => {
      this.dark = dark;
      this.paint();
    });
    this.watch = new ResizeObserver(() => this.lay());
    for (const part of [this.root, this.plane.box, ...this.curves.charts.map((chart) => chart.box)]) this.watch.observe(part);
    this.lay();
  }
  // --- building -------------------------------------------------------------------------------------------------
  build(el, height) {
    this.controls = new Controls(this.runs, {
      colour: (by) => this.selection.colour(by),
      words: (words) => this.selection.colour("words", words),
      axes: (x, y) => this.turn({ ...this.view, x, y }),
      kind: (kind) => this.kind(kind),
      find: (query) => this.selection.find(query),
      next: () => this.selection.next()
    });
    this.legend = new Legend({
      toggle: (group) => this.selection.toggle(group),
      only: (group) => this.selection.only(group),
      all: () => this.selection.reveal(),
      lift: () => this.selection.choose(-1)
    });
    this.clouds = this.runs.map((_, run) => this.cloud(run));
    this.curves = new Curves((step) => this.clock.jump(this.time.t(step)));
    this.plane = new Plane();
    this.reading = new Reading((sentence) => this.selection.choose(sentence));
    this.transport = new Transport(this.clock);
    this.notes = this.runs.map(() => element("div", { class: "cloud-note" }));
    this.trends = this.runs.map(() => element("div", { class: "cloud-trend" }));
    const frames = this.runs.map(({ name, ink: ink2 }, run) => {
      const key = this.runs.length > 1 ? element("span", { class: "run-key", style: `background: ${ink2}`, text: name }) : "";
      return element(
        "div",
        { class: "cloud" },
        this.clouds[run].root,
        element("div", { class: "cloud-head" }, key, this.notes[run]),
        this.trends[run],
        run ? "" : element("div", { class: "cloud-keys", text: KEYS })
      );
    });
    this.root = element(
      "section",
      { class: "clwork-player", "aria-label": "a run through time" },
      this.controls.root,
      element("div", { class: "stage" }, this.legend.root, element("div", { class: "clouds" }, ...frames)),
      element("div", { class: "side" }, this.curves.root, this.plane.root),
      this.transport.root,
      this.reading.root
    );
    if (height) this.root.style.setProperty("--height", `${height}px`);
    this.root.player = this;
    el.append(this.root);
  }
  cloud(run) {
    const sentence = (row) => row < 0 ? -1 : this.shared.ofRow[run][row];
    return new Cloud({
      hover: (row) => this.selection.point(sentence(row)),
      choose: (row, more) => this.selection.choose(sentence(row), more),
      key: (event) => this.selection.walk(event, run)
    });
  }
  keys(target) {
    this.listened = target;
    this.onKey = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { tagName = "", type } = event.target;
      const writes = tagName === "INPUT" && type !== "range" || tagName === "SELECT" || tagName === "TEXTAREA";
      if (event.key === "Escape") this.selection.choose(-1);
      else if (writes || tagName === "BUTTON" && event.key === " ") return;
      else if (event.key === " ") this.transport.toggle();
      else if (event.key === "ArrowRight") this.transport.step(1);
      else if (event.key === "ArrowLeft") this.transport.step(-1);
      else if (event.key === "Home") this.clock.glide(0);
      else if (event.key === "End") this.clock.glide(this.time.last);
      else return;
      event.preventDefault();
    };
    target.addEventListener("keydown", this.onKey);
  }
  // --- the view -------------------------------------------------------------------------------------------------
  turn(view2) {
    this.view = view2;
    this.paint();
  }
  get umap() {
    if (this.films.every((film) => film.umap)) return "there";
    return this.ask ? this.asked ? "asked" : "possible" : "missing";
  }
  kind(kind) {
    if (kind === "umap" && this.umap !== "there") {
      this.asked = true;
      this.said = "";
      this.ask({ ask: "umap" });
      return this.paint();
    }
    return this.turn({ ...this.view, kind });
  }
  /** What was asked of Python cannot be had: say why. */
  refuse(why) {
    this.asked = false;
    this.said = why;
    this.paint();
  }
  // --- what a run at work sends ---------------------------------------------------------------------------------
  /** The last look and row of each run that are here. */
  known() {
    return this.films.map((film) => film.known());
  }
  take(news) {
    const step = this.step;
    const followed = !this.clock.playing && this.clock.aim >= this.time.last;
    const shown = this.umap;
    const fresh = news.map((one, run) => this.films[run].add(one));
    if (fresh.some(Boolean)) {
      this.time.refresh();
      this.clock.t = this.time.t(step);
      if (followed) this.clock.glide(this.time.last);
    }
    if (this.asked && shown !== "there" && this.umap === "there") {
      this.asked = false;
      this.view = { ...this.view, kind: "umap" };
    }
    this.lay();
  }
  // --- showing --------------------------------------------------------------------------------------------------
  get step() {
    return this.time.step(this.clock.t);
  }
  /** Where a run's dots are now: x, y of row after row. For a reader's console, and for tests. */
  positions(run = 0) {
    return [...this.films[run].places(this.step, this.view)];
  }
  lay() {
    if (!this.root.clientWidth) return;
    this.root.classList.toggle("narrow", this.root.clientWidth < NARROW);
    this.root.classList.toggle("tight", this.root.clientWidth >= NARROW && this.root.clientWidth < TIGHT);
    const end = Math.max(...this.films.map((film) => alive(film) ? ahead(film) : Math.max(...film.known())));
    this.curves.lay(this.runs, end);
    this.plane.lay(this.runs);
    this.paint();
  }
  paint() {
    if (this.asked_frame) return;
    this.asked_frame = requestAnimationFrame(() => {
      this.asked_frame = 0;
      this.draw();
    });
  }
  draw() {
    const { step, selection } = this;
    const words = told(this.runs, step, this.time.steps.at(-1));
    this.controls.show(this.view, this.umap);
    this.legend.show(selection.groups.groups, selection.hidden, this.dark, selection.chosen.length > 0);
    this.drawClouds(step, words);
    if (this.curves.charts[0].x) {
      this.curves.show(this.runs, step);
      this.plane.show(this.runs, step);
    }
    this.transport.show(this.clock.t, this.time.last, words);
    write(this.transport.told, `step ${steps(step)} of ${steps(this.time.steps.at(-1))}`);
    this.reading.say(line(selection), this.dark);
    this.reading.list(lists(this.runs, selection, step), this.dark, this.said || (selection.query ? "" : HINT));
  }
  drawClouds(step, words) {
    const { view: view2, dark } = this;
    const moving = this.clock.playing || this.clock.goal;
    const start = moving ? this.time.step(Math.max(0, this.clock.t - TAIL)) : null;
    const box = frame(this.films, view2);
    this.clouds.forEach((cloud, run) => {
      const film = this.films[run];
      cloud.draw(scene(film, run, this.selection, { step, start, view: view2, box, words, dark }));
      const { stretch } = cloud;
      const wide = Math.abs(Math.log(stretch)) > 0.05 ? ` · ${stretch > 1 ? `${stretch.toFixed(1)} × wider` : `${(1 / stretch).toFixed(1)} × higher`}` : "";
      write(this.notes[run], holds(film, step, view2, this.runs.length > 1) + (run && this.apart ? " · axes of its own" : "") + wide);
      write(this.trends[run], film.trend(step));
    });
  }
  close() {
    this.clock.close();
    cancelAnimationFrame(this.asked_frame);
    this.watch.disconnect();
    this.stopTheme();
    this.listened.removeEventListener("keydown", this.onKey);
    this.clouds.forEach((cloud) => cloud.close());
    this.root.remove();
  }
};

// src/player/style.css
var style_default = '.clwork-player {\n  --ground: #ffffff; --raised: #f5f7f9; --ink: #1d232b; --faint: #59636f; --rule: #dde2e8; --accent: #0b62c4;\n  --run-0: #0b62c4; --run-1: #b04a00; --event: #8a3fa0;\n  --legend: 158px; --side: clamp(300px, 34%, 560px);\n  box-sizing: border-box; color: var(--ink); background: var(--ground);\n  font: 13px/1.35 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;\n  display: grid; gap: 8px; padding: 8px 10px; height: var(--height, 100vh); min-height: 480px;\n  grid-template: "controls controls" auto "stage side" minmax(0, 1fr) "transport transport" auto "reading reading" auto / minmax(0, 1fr) var(--side);\n}\n.clwork-player[data-theme="dark"] {\n  --ground: #14181d; --raised: #1c2229; --ink: #e9edf1; --faint: #9ba6b2; --rule: #313944; --accent: #6cb2ff;\n  --run-0: #6cb2ff; --run-1: #ffab62; --event: #d79be8;\n  color-scheme: dark;\n}\n.clwork-player[data-theme="light"] { color-scheme: light; }\n.clwork-player *, .clwork-player *::before { box-sizing: border-box; }\n.clwork-player [hidden] { display: none !important; }\n.clwork-player button, .clwork-player select, .clwork-player input { font: inherit; color: inherit; margin: 0; }\n.clwork-player :is(button, select, input, canvas):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }\n.clwork-player :is(select, input[type="text"], input[type="search"], .small) {\n  height: 28px; padding: 0 8px; border: 1px solid var(--rule); border-radius: 6px; background: var(--raised);\n}\n.clwork-player .small { cursor: pointer; white-space: nowrap; }\n.clwork-player .small:disabled { opacity: 0.45; cursor: default; }\n\n.clwork-player .controls { grid-area: controls; display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; min-width: 0; }\n.clwork-player .runs { display: flex; flex-direction: column; flex: 1 1 220px; min-width: 0; }\n.clwork-player .run { display: flex; align-items: baseline; gap: 7px; min-width: 0; }\n.clwork-player .run-title { font-size: 15px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; flex: 0 1 auto; }\n.clwork-player .run-stand { color: var(--faint); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.clwork-player .run-key { flex: none; align-self: center; min-width: 18px; padding: 0 5px; border-radius: 4px; color: var(--ground); font-weight: 700; font-size: 12px; text-align: center; }\n.clwork-player .field { display: inline-flex; align-items: center; gap: 5px; color: var(--faint); }\n.clwork-player .field select { color: var(--ink); max-width: 150px; }\n.clwork-player .find { width: 150px; }\n.clwork-player .words { width: 140px; }\n\n.clwork-player .stage { grid-area: stage; display: flex; gap: 8px; min-height: 0; min-width: 0; }\n.clwork-player .legend { flex: none; width: var(--legend); display: flex; flex-direction: column; gap: 6px; min-height: 0; }\n.clwork-player .legend-list { display: flex; flex-direction: column; gap: 1px; overflow: auto; min-height: 0; }\n.clwork-player .group { display: flex; align-items: center; gap: 6px; width: 100%; padding: 2px 4px; border: 0; border-radius: 5px; background: none; cursor: pointer; text-align: left; }\n.clwork-player .group:hover { background: var(--raised); }\n.clwork-player .group-name { flex: 1; overflow: hidden; line-height: 1.15; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }\n.clwork-player .legend-foot { display: flex; flex-direction: column; gap: 4px; }\n.clwork-player .group-count { color: var(--faint); font-size: 11px; font-variant-numeric: tabular-nums; }\n.clwork-player .group[aria-pressed="false"] { opacity: 0.4; }\n.clwork-player .group[aria-pressed="false"] .group-name { text-decoration: line-through; }\n.clwork-player .marker { flex: none; width: 15px; height: 15px; }\n.clwork-player .clouds { flex: 1; display: flex; gap: 8px; min-width: 0; min-height: 0; }\n.clwork-player .cloud { position: relative; flex: 1; min-width: 0; min-height: 0; border: 1px solid var(--rule); border-radius: 8px; overflow: hidden; }\n.clwork-player .cloud-frame { position: absolute; inset: 0; }\n.clwork-player .cloud-canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: crosshair; }\n.clwork-player .cloud-canvas:focus-visible { outline-offset: -3px; }\n.clwork-player .cloud-head { position: absolute; top: 6px; left: 9px; right: 9px; display: flex; gap: 7px; align-items: center; pointer-events: none; }\n.clwork-player .cloud-keys { position: absolute; left: 9px; bottom: 5px; color: var(--faint); font-size: 11px; pointer-events: none; right: 9px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.clwork-player .cloud-note, .clwork-player .cloud-trend { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; color: var(--faint); font-size: 12px; text-shadow: 0 0 3px var(--ground), 0 0 3px var(--ground); }\n.clwork-player .cloud-trend { position: absolute; top: 27px; left: 9px; right: 9px; pointer-events: none; }\n\n.clwork-player .side { grid-area: side; display: flex; flex-direction: column; gap: 6px; min-height: 0; min-width: 0; }\n.clwork-player .curves { flex: 1.1; display: flex; flex-direction: column; gap: 4px; min-height: 0; }\n.clwork-player .chart { flex: 1; display: flex; flex-direction: column; min-height: 0; }\n.clwork-player .chart:last-child { flex: 1.25; }\n.clwork-player .chart:first-child { flex: 1.15; }\n.clwork-player .chart-title { flex: none; display: flex; align-items: baseline; gap: 8px; line-height: 1.2; }\n.clwork-player .chart-name { font-weight: 600; font-size: 12px; }\n.clwork-player .chart-value { font-variant-numeric: tabular-nums; font-size: 12px; white-space: pre; }\n.clwork-player .chart-title > * { white-space: pre; flex: none; }\n.clwork-player .chart-title .chart-hint { color: var(--faint); font-size: 11px; margin-left: auto; flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; }\n.clwork-player .chart-box, .clwork-player .plane-box { position: relative; flex: 1; min-height: 0; }\n.clwork-player .chart-svg, .clwork-player .plane-svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }\n.clwork-player .chart-svg { cursor: ew-resize; touch-action: pan-y; }\n.clwork-player .plane { flex: 1; display: flex; flex-direction: column; min-height: 0; }\n.clwork-player .rule { stroke: var(--rule); stroke-width: 1; }\n.clwork-player .tick, .clwork-player .axis, .clwork-player .landmark-name { fill: var(--faint); font-size: 10.5px; }\n.clwork-player .line-path, .clwork-player path.line { fill: none; stroke-width: 2; }\n.clwork-player path.raw { fill: none; stroke-width: 1; opacity: 0.28; }\n.clwork-player .head { stroke: var(--ink); stroke-width: 1; opacity: 0.6; }\n.clwork-player .head-dot { stroke: var(--ground); stroke-width: 1.5; }\n.clwork-player .event line { stroke: var(--event); stroke-width: 1; stroke-dasharray: 3 3; }\n.clwork-player .event text { fill: var(--event); font-size: 10.5px; paint-order: stroke; stroke: var(--ground); stroke-width: 3; }\n.clwork-player .landmark { fill: none; stroke: var(--faint); stroke-width: 2; }\n.clwork-player .landmark-line { stroke: var(--faint); stroke-dasharray: 4 4; }\n.clwork-player .trail-ghost { fill: none; stroke-width: 1.5; opacity: 0.25; }\n.clwork-player .trail { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }\n.clwork-player .trail-start { fill: var(--ground); stroke-width: 2; }\n.clwork-player .trail-now { stroke: var(--ground); stroke-width: 2; }\n\n.clwork-player .transport { grid-area: transport; display: flex; align-items: center; gap: 6px; }\n.clwork-player .key { flex: none; width: 34px; height: 32px; border: 1px solid var(--rule); border-radius: 7px; background: var(--raised); cursor: pointer; font-size: 15px; line-height: 1; }\n.clwork-player .key:first-child { width: 46px; background: var(--accent); border-color: var(--accent); color: var(--ground); }\n.clwork-player .key:disabled { opacity: 0.4; cursor: default; }\n.clwork-player .time { flex: 1; min-width: 80px; height: 32px; padding: 0; background: none; appearance: none; cursor: pointer; }\n.clwork-player .time::-webkit-slider-runnable-track { height: 6px; border-radius: 3px; background: linear-gradient(to right, var(--accent) var(--done, 0%), var(--rule) var(--done, 0%)); }\n.clwork-player .time::-moz-range-track { height: 6px; border-radius: 3px; background: var(--rule); }\n.clwork-player .time::-moz-range-progress { height: 6px; border-radius: 3px; background: var(--accent); }\n.clwork-player .time::-webkit-slider-thumb { appearance: none; width: 18px; height: 18px; margin-top: -6px; border-radius: 50%; background: var(--accent); border: 3px solid var(--ground); box-shadow: 0 0 0 1px var(--accent); }\n.clwork-player .told { flex: none; min-width: 12em; font-variant-numeric: tabular-nums; text-align: right; }\n\n.clwork-player .reading { grid-area: reading; display: flex; flex-direction: column; gap: 4px; min-width: 0; padding-top: 6px; border-top: 1px solid var(--rule); }\n.clwork-player .line { display: flex; gap: 7px; height: 20px; align-items: center; white-space: nowrap; }\n.clwork-player .line-sign { display: inline-flex; flex: none; }\n.clwork-player .line-group { flex: none; color: var(--faint); }\n.clwork-player .line-group:empty, .clwork-player .line-sign:empty { display: none; }\n.clwork-player .line-text { overflow: hidden; text-overflow: ellipsis; font-size: 14px; }\n.clwork-player .lists { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 14px; height: 118px; overflow: hidden; }\n.clwork-player .hint { margin: 4px 0; color: var(--faint); max-width: 75em; }\n.clwork-player .list { min-width: 0; }\n.clwork-player .list-title { font-weight: 600; font-size: 12px; line-height: 18px; }\n.clwork-player .list ol { margin: 0; padding: 0; list-style: none; }\n.clwork-player .near { display: flex; align-items: center; gap: 5px; width: 100%; height: 20px; padding: 0 2px; border: 0; border-radius: 4px; background: none; text-align: left; cursor: pointer; font-size: 12px; }\n.clwork-player .near:hover { background: var(--raised); }\n.clwork-player .near-text { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-player .fresh { flex: none; margin-left: auto; padding: 0 5px; border-radius: 8px; font-size: 10.5px; color: var(--accent); border: 1px solid var(--accent); line-height: 14px; }\n\n/* close together, as in a notebook beside the file browser */\n.clwork-player.tight { --legend: 132px; --side: clamp(250px, 32%, 340px); }\n.clwork-player.tight .controls { gap: 6px 8px; }\n.clwork-player.tight .field > span { display: none; }\n.clwork-player.tight .runs { flex-basis: 120px; }\n.clwork-player.tight .field { gap: 4px; }\n.clwork-player.tight .field select { width: 102px; padding: 0; font-size: 12px; }\n.clwork-player.tight :is(.find, .words) { width: 104px; padding: 0 5px; }\n.clwork-player.tight .group { font-size: 12px; padding: 1px 2px; gap: 4px; }\n.clwork-player.tight .group-name { display: block; white-space: nowrap; text-overflow: ellipsis; }\n.clwork-player.tight .small { height: 24px; font-size: 12px; }\n\n/* stacked: set by the page where the room is narrow (a frame, a cell), whatever the window is */\n.clwork-player.narrow { height: auto; grid-template: "controls" auto "stage" auto "transport" auto "reading" auto "side" auto / minmax(0, 1fr); }\n.clwork-player.narrow .stage { flex-direction: column-reverse; }\n.clwork-player.narrow .legend { width: auto; flex-direction: row; align-items: start; }\n.clwork-player.narrow .legend-list { flex-direction: row; flex-wrap: wrap; flex: 1; }\n.clwork-player.narrow .group { width: auto; padding: 4px 6px; }\n.clwork-player.narrow .clouds { flex: none; height: min(90vw, 460px); }\n.clwork-player.narrow .side { height: 620px; }\n.clwork-player.narrow .lists { grid-auto-flow: row; height: auto; min-height: 118px; }\n.clwork-player.narrow .field { flex: 1 1 100%; min-width: 0; max-width: 100%; }\n.clwork-player.narrow .field select { flex: 1 1 0; width: 0; min-width: 0; max-width: none; }\n.clwork-player.narrow .legend-foot { flex: none; }\n.clwork-player.narrow .find { flex: 1; }\n.clwork-player.narrow .runs { flex-basis: 100%; }\n.clwork-player.narrow .told { min-width: 0; }\n.clwork-player.narrow .transport { flex-wrap: wrap; }\n.clwork-player.narrow .time { flex: 1 0 100%; order: -1; }\n';

// src/player/index.js
var PATIENCE = 3e3;
async function listen(model, now, begin, send, say) {
  const feed = await model.widget_manager.get_model(model.get("feed").replace("IPY_MODEL_", ""));
  let asked = 0;
  let heard = 0;
  const known = () => now()?.known() ?? [];
  const ask = (what) => {
    asked = Date.now();
    feed.send({ known: known(), umap: Boolean(now()?.asked), ...what });
  };
  const ahead2 = ({ after }, run) => after.some((step, i) => step > known()[run][i]);
  const hear = () => {
    const { runs = [], films = [], said: said2 = "" } = feed.get("news") ?? {};
    heard = Date.now();
    if (films.length && !now()) begin(films);
    if (said2) now() ? now().refuse(said2) : say(said2);
    if (!now() || !runs.length) return;
    if (!runs.some(ahead2)) now().take(runs);
    else if (heard - asked > 500) ask({ ask: "more" });
  };
  const wait = setInterval(() => {
    const due = !now() || now().asked || now().films.some(alive);
    if (due && Date.now() - Math.max(heard, asked) > PATIENCE) ask({ ask: "more" });
  }, PATIENCE / 3);
  feed.on("change:news", hear);
  send.ask = ask;
  ask({ ask: "more" });
  return () => {
    clearInterval(wait);
    feed.off("change:news", hear);
  };
}
function render({ model, el }) {
  const style = element("style", { text: style_default });
  const waits = element("p", { role: "status", text: "Waiting for the run's first look at its sentences …" });
  el.append(style);
  const live = Boolean(model.get("feed"));
  const send = { ask: null };
  let player = null;
  let stop = () => {
  };
  let gone = false;
  const begin = (recordings) => {
    waits.remove();
    player = new Player(el, recordings, {
      page: Boolean(model.get("page")),
      height: model.get("height") || null,
      ask: live ? (what) => send.ask?.(what) : null
    });
  };
  const runs = model.get("runs") ?? [];
  if (runs.length) begin(runs);
  else el.append(waits);
  if (live) listen(model, () => player, begin, send, (why) => write(waits, why)).then((end) => gone ? end() : stop = end);
  return () => {
    gone = true;
    stop();
    player?.close();
    waits.remove();
    style.remove();
  };
}
var index_default = { render };
export {
  index_default as default
};
