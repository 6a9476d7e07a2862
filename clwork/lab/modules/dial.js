// Made by js/build.mjs (make bundle); edit js/src/dial instead. sources 7ceb71b87331a911f1b5da6e9ea9d5315b0190d4ba7b48c78f65823ab1cdb3db body c1c8c817a90ef43338b6e7d56b1db1ce9b366ab57da186b2467203048d14126b
// src/shared/dom.js
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
  const tell2 = (again) => {
    const dark = said() ?? told ?? Boolean(SYSTEM?.matches);
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
      told = event.data.clworkDark;
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

// src/shared/look.css
var look_default = '/* Colours, type and what all pages share: their roots have the class clwork-look. Measures are in docs/design/instrument.md. */\n.clwork-look {\n  --ground: #ffffff; --raised: #f5f7f9; --ink: #1d232b; --soft: #59636f; --accent: #0b62c4; --on-accent: #ffffff; --was: #656e7a;\n  --trouble: #a84300; --edge: #7f8994; --rule: #dde2e8; --tint: #e8f1fc; --band: #eceff2; --tint-trouble: #fff1e6;\n  --small: 12px; --normal: 14px; --large: 18px; --line-small: 16px; --line: 20px; --line-large: 24px; --control: 32px;\n  container-type: inline-size; position: relative; box-sizing: border-box; color: var(--ink); background: var(--ground); color-scheme: light;\n  font: 400 var(--normal)/var(--line) system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums;\n}\n.clwork-look[data-theme="dark"] {\n  --ground: #14181d; --raised: #1c2229; --ink: #e9edf1; --soft: #a3adb8; --accent: #6cb2ff; --on-accent: #14181d; --was: #8d97a3;\n  --trouble: #ffab62; --edge: #6f7a87; --rule: #313944; --tint: #16304d; --band: #232a32; --tint-trouble: #3a2615;\n  color-scheme: dark;\n}\n.clwork-look *, .clwork-look *::before { box-sizing: border-box; }\n.clwork-look [hidden] { display: none !important; }\n.clwork-look .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n';

// src/shared/mount.js
function mount(el, css, page) {
  const style = element("style", { text: look_default + css });
  el.append(style, page.root);
  const forget = followTheme(page.root, (dark) => page.paint(dark));
  page.root.page = page;
  return () => {
    forget();
    page.close();
    page.root.remove();
    style.remove();
  };
}

// src/shared/axes.js
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
  const digits2 = Math.max(0, Math.min(6, Math.ceil(-Math.log10(Math.abs(step) || 1) - 1e-9 + (String(step).includes("25") ? 1 : 0))));
  return Number(value.toFixed(digits2)).toLocaleString("en", { maximumFractionDigits: digits2 }).replace("-", "−");
}
function marks(low, high, count) {
  const at = ticks(low, high, count);
  const gap = at.length > 1 ? at[1] - at[0] : 1;
  return at.map((value) => ({ value, words: short(value, gap) }));
}

// src/shared/digits.js
function digits(value, most = 3) {
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(1) : Number(value.toPrecision(most)).toLocaleString("en");
  return text.replace("-", "−").replace("e+", "e");
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

// src/dial/dial.js
var HIGH = 210;
var LOW = 110;
var NARROW = 380;
var LEFT = 52;
var RIGHT = 14;
var TOP = 24;
var BELOW = 30;
var DASHES = ["", "7 4", "2 3", "9 3 2 3"];
function range(rows) {
  const all = rows.flat();
  const low = Math.min(0, ...all), high = Math.max(0, ...all);
  return high > low ? [low, high] : [low, low + 1];
}
var Dial = class {
  constructor(state) {
    this.state = state;
    this.at = state.start;
    this.dark = false;
    this.span = range(state.rows);
    this.root = element("div", { class: "clwork-look clwork-dial", "data-fits": true });
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: state.values.length - 1,
      step: 1,
      value: this.at,
      "aria-label": state.name,
      oninput: () => this.go(Number(this.slider.value))
    });
    this.value = element("output", { class: "value" });
    this.said = element("p", { class: "said", "aria-live": "polite" });
    this.bars = state.names.map((name, number) => this.bar(name, number));
    this.curves = element("div", { class: "curves" });
    this.root.append(
      element("div", { class: "head" }, element("span", { class: "name", text: state.name }), this.value),
      this.slider,
      this.said,
      element("div", { class: "body" }, element("div", { class: "bars" }, ...this.bars.map((one) => one.row)), this.curves)
    );
    this.said.hidden = !state.says.length;
    this.sight = new ResizeObserver(() => this.draw());
    this.sight.observe(this.root);
    this.go(this.at);
  }
  bar(name, number) {
    const fill = element("span", { class: "fill" });
    const value = element("span", { class: "number" });
    const row = element("div", { class: "bar" }, element("span", { class: "what", text: name }), element("span", { class: "track" }, fill), value);
    return { row, fill, value, number };
  }
  go(at) {
    this.at = at;
    const { values, rows, says } = this.state;
    write(this.value, digits(values[at]));
    tell(this.slider, "aria-valuetext", digits(values[at]));
    if (says.length) write(this.said, says[at]);
    const [low, high] = this.span;
    const share = (number) => 100 * (number - low) / (high - low);
    this.bars.forEach((bar, k) => {
      const [from, to] = [share(Math.min(0, rows[at][k])), share(Math.max(0, rows[at][k]))];
      bar.fill.style.left = `${from}%`;
      bar.fill.style.width = `max(${to - from}%, 2px)`;
      write(bar.value, digits(rows[at][k]));
    });
    this.mark();
  }
  paint(dark) {
    this.dark = dark;
    for (const bar of this.bars) bar.fill.style.background = colour(bar.number, dark);
    this.draw();
  }
  /** Where a value stands, from 0 to 1. */
  place(value) {
    const of = this.state.log ? Math.log : (x) => x;
    const first = of(this.state.values[0]), last = of(this.state.values.at(-1));
    return last > first ? (of(value) - first) / (last - first) : 0.5;
  }
  draw() {
    const narrow = this.root.clientWidth <= NARROW + 140;
    this.curves.hidden = narrow && this.bars.length > 2;
    const width = this.curves.clientWidth;
    if (!width) return;
    const height = narrow ? LOW : HIGH;
    const { name, values, names, rows, unit } = this.state;
    const [low, high] = this.span;
    const x = (value) => LEFT + this.place(value) * (width - LEFT - RIGHT);
    const y = (value) => TOP + (high - value) / (high - low) * height;
    this.x = x;
    const picture = drawn("svg", { width, height: TOP + height + BELOW, role: "img", "aria-label": `${names.join(", ")} over ${name}` });
    for (const { value, words } of marks(low, high, 4)) {
      picture.append(drawn("line", { class: value === 0 ? "zero" : "rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
      picture.append(drawn("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", text: words }));
    }
    for (const [value, anchor] of [[values[0], "start"], [values.at(-1), "end"]]) {
      picture.append(drawn("text", { class: "tick", x: x(value), y: TOP + height + 20, "text-anchor": anchor, text: digits(value) }));
    }
    picture.append(drawn("text", { class: "title x", x: (LEFT + width - RIGHT) / 2, y: TOP + height + 20, "text-anchor": "middle", text: name }));
    if (unit) picture.append(drawn("text", { class: "title y", x: 2, y: 12, text: unit }));
    names.forEach((_, k) => {
      const points = values.map((value, row) => `${x(value).toFixed(1)},${y(rows[row][k]).toFixed(1)}`).join(" ");
      picture.append(drawn("polyline", { class: "curve", points, stroke: colour(k, this.dark), "stroke-dasharray": DASHES[k % DASHES.length] || null }));
    });
    this.here = drawn("line", { class: "here", y1: TOP, y2: TOP + height });
    this.dots = names.map((_, k) => drawn("circle", { class: "dot", r: 4, fill: colour(k, this.dark) }));
    picture.append(this.here, ...this.dots);
    this.y = y;
    this.curves.replaceChildren(picture);
    this.mark();
  }
  mark() {
    if (!this.here) return;
    const at = this.x(this.state.values[this.at]);
    tell(this.here, "x1", String(at));
    tell(this.here, "x2", String(at));
    this.dots.forEach((dot, k) => {
      tell(dot, "cx", String(at));
      tell(dot, "cy", String(this.y(this.state.rows[this.at][k])));
    });
  }
  close() {
    this.sight.disconnect();
  }
};

// src/dial/style.css
var style_default = '.clwork-dial { max-width: 838px; padding: 12px 16px; border: 1px solid var(--rule); border-radius: 8px; }\n.clwork-dial .head { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; font-weight: 600; }\n.clwork-dial .value { font-size: var(--large); color: var(--accent); min-width: 5em; text-align: right; }\n.clwork-dial input[type="range"] { width: 100%; margin: 8px 0; accent-color: var(--accent); height: 24px; cursor: pointer; }\n.clwork-dial input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }\n.clwork-dial .said { margin: 0 0 8px; color: var(--soft); min-height: var(--line); }\n.clwork-dial .body { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; align-items: center; }\n.clwork-dial .bar { display: grid; grid-template-columns: 1fr auto; gap: 0 8px; padding: 4px 0; }\n.clwork-dial .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-dial .track { grid-column: 1 / -1; grid-row: 2; position: relative; height: 10px; background: var(--band); border-radius: 2px; }\n.clwork-dial .number { grid-row: 1; grid-column: 2; }\n.clwork-dial .fill { position: absolute; top: 0; bottom: 0; border-radius: 2px; }\n.clwork-dial svg { display: block; }\n.clwork-dial .rule { stroke: var(--rule); }\n.clwork-dial .zero { stroke: var(--edge); }\n.clwork-dial .tick, .clwork-dial .title { font-size: var(--small); fill: var(--soft); }\n.clwork-dial .curve { fill: none; stroke-width: 2; }\n.clwork-dial .here { stroke: var(--accent); stroke-width: 1.5; }\n.clwork-dial .dot { stroke: var(--ground); stroke-width: 1.5; }\n@container (max-width: 520px) { .clwork-dial .body { grid-template-columns: minmax(0, 1fr); } }\n';

// src/dial/index.js
var PARTS = ["name", "values", "names", "rows", "start", "unit", "says", "log"];
var render = ({ model, el }) => mount(el, style_default, new Dial(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));
var index_default = { render };
export {
  index_default as default
};
