// Made by js/build.mjs (make bundle); edit js/src/forces instead. sources 3cb1b69ad8f2882e3cd62fdfe77e2c6e8aae8abb56d5d663a67753a24d5458b5 body 206dc8c794ddc6a8e82949430aba7c62189712e98c12e080a8c47fd2f069d323
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

// src/shared/channel.js
var PERIODS = { lively: 250, hidden: 1e3, idle: 1e3, asleep: 5e3 };
var PATIENCE = 2e3;
var LONGEST = 3e4;
var SILENT = 4e3;
var UNANSWERED = 5e3;
function revived(value, buffers) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((part) => revived(part, buffers));
  if (Number.isInteger(value.buffer) && Object.keys(value).length === 1) return buffers[value.buffer];
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revived(part, buffers)]));
}
var Channel = class {
  /** `hooks`: known(), what the page has; take(news); lively(), whether to poll often; refused(why, name); standing(state, since), see `look`. */
  constructor(model, hooks) {
    Object.assign(this, { model, hooks, asked: 0, answered: 0, wait: PATIENCE, state: "answers", waiting: /* @__PURE__ */ new Map() });
    this.page = Math.random().toString(36).slice(2, 10).padEnd(4, "0");
    this.heard = Date.now();
    this.onMessage = (content, buffers) => this.hear(content, buffers ?? []);
    this.onLive = () => this.look();
    this.line = null;
    model.widget_manager?.get_model?.(model.get("own_id"))?.then((line) => {
      if (this.closed) return;
      this.line = line;
      line.on?.("comm_live_update", this.onLive);
      this.look();
    }, () => {
    });
    this.onShown = () => document.hidden || this.ask();
    model.on("msg:custom", this.onMessage);
    document.addEventListener("visibilitychange", this.onShown);
    this.ask();
  }
  /** Ask for what is new, with a command or without; a promise of true once it is done, of false where it was refused. */
  ask(command = null, buffers = []) {
    clearTimeout(this.timer);
    this.asked += 1;
    const message = { ask: this.asked, page: this.page, known: this.hooks.known() };
    if (command) message.do = command;
    const done = command ? new Promise((resolve) => this.waiting.set(this.asked, { resolve, name: command.name })) : null;
    this.sent ??= Date.now();
    if (this.gone) this.settle(this.asked, false);
    else this.model.send(message, void 0, buffers);
    this.plan(this.wait);
    return done;
  }
  /** A command: its name, and what belongs to it. */
  command(name, more = {}, buffers = []) {
    return this.ask({ ...more, name }, buffers);
  }
  get gone() {
    return this.line?.comm_live === false;
  }
  plan(after) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tick(), after);
  }
  /** Time for a question; one that was not answered yet is repeated ever more rarely. */
  tick() {
    this.look();
    if (this.gone) return;
    if (this.answered < this.asked) this.wait = Math.min(LONGEST, 2 * this.wait);
    this.ask();
  }
  hear(content, buffers) {
    if (this.closed || !content || typeof content.news !== "object") return;
    const pushed = content.answer === null;
    if (!pushed && content.page !== this.page) return;
    this.heard = Date.now();
    const news = revived(content.news, buffers);
    this.hooks.take(news);
    if (!pushed) {
      this.answered = Math.max(this.answered, content.answer);
      this.wait = PATIENCE;
      if (content.refused) this.hooks.refused(content.refused, this.waiting.get(content.answer)?.name ?? "");
      this.settle(content.answer, !content.refused);
      this.sent = this.answered === this.asked ? null : Date.now();
      const pace = this.hooks.lively() ? ["lively", "hidden"] : ["idle", "asleep"];
      if (!this.sent) this.plan(PERIODS[pace[Number(document.hidden)]]);
    }
    this.look();
  }
  settle(number, done) {
    this.waiting.get(number)?.resolve(done);
    this.waiting.delete(number);
  }
  /** Report "answers", "silent", "unanswered" (there are pushes, but no answers) or "gone", when that has changed. */
  look() {
    const silent = this.sent && Date.now() - Math.max(this.heard, this.sent) > SILENT;
    const unanswered = this.sent && Date.now() - this.sent > UNANSWERED;
    const state = this.gone ? "gone" : silent ? "silent" : unanswered ? "unanswered" : "answers";
    clearTimeout(this.watch);
    if (this.sent && state !== "gone") this.watch = setTimeout(() => this.look(), 1e3);
    if (state === this.state) return;
    this.state = state;
    this.hooks.standing?.(state, state === "unanswered" ? this.sent : this.heard);
  }
  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.model.off("msg:custom", this.onMessage);
    this.line?.off?.("comm_live_update", this.onLive);
    document.removeEventListener("visibilitychange", this.onShown);
  }
};

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
function attribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function onResize(node, act) {
  const watch = new ResizeObserver(([{ contentRect: { width, height } }]) => node.isConnected && act(Math.round(width), Math.round(height)));
  watch.observe(node);
}
function consume(event) {
  event.preventDefault();
  event.stopPropagation();
}
function offer(select, options, chosen = select.value) {
  const key = JSON.stringify(options);
  if (select.dataset.options !== key) {
    select.replaceChildren(...options.map(([value, text, disabled]) => element("option", { value, text, disabled })));
    select.dataset.options = key;
  }
  if (options.some(([value]) => String(value) === String(chosen))) select.value = String(chosen);
}
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// src/shared/theme.js
var SYSTEM = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
var WATCHED = ["data-jp-theme-light", "data-jp-theme-name", "class", "data-vscode-theme-kind", "theme"];
var LATER = 400;
function isDark(colour) {
  const hex = /^#([0-9a-f]{6})/i.exec(colour)?.[1];
  const parts2 = hex ? hex.match(/../g).map((two) => parseInt(two, 16)) : (colour.match(/[\d.]+/g) ?? []).map(Number);
  return parts2.length < 3 ? null : 0.3 * parts2[0] + 0.59 * parts2[1] + 0.11 * parts2[2] < 128;
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

// src/shared/tooltip.js
var AFTER = 300;
var LEAVE = 150;
var GAP = 8;
var count = 0;
var Tooltip = class {
  /** `name`: the box's class; `width`: its pixels at most. */
  constructor(root, name, width) {
    Object.assign(this, { root, width });
    this.box = element("div", { class: name, role: "tooltip", id: `clwork-tooltip-${++count}`, hidden: true });
    this.box.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.box.addEventListener("pointerleave", () => this.hide());
    root.append(this.box);
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.box.hidden) return;
      this.hide();
      consume(event);
      event.stopImmediatePropagation();
    });
  }
  /** Show `text()` "above", "below" or "beside" a part; nothing where it is empty. */
  on(part, text, side = "above") {
    const later = (after, act) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(act, after);
    };
    const show = () => part.isConnected && this.show(part, text(), side);
    part.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && later(AFTER, show));
    part.addEventListener("pointerleave", () => later(LEAVE, () => this.hide()));
    part.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && later(0, show));
    for (const kind of ["focusout", "pointerdown"]) part.addEventListener(kind, () => this.hide());
  }
  show(part, text, side) {
    if (!text) return this.hide();
    const { box, root } = this;
    write(box, text);
    box.hidden = false;
    const [around, at] = [root.getBoundingClientRect(), part.getBoundingClientRect()];
    box.style.maxWidth = `${Math.min(this.width, around.width - 2 * GAP)}px`;
    const { width, height } = box.getBoundingClientRect();
    const right = at.right - around.left + GAP;
    const above = at.top - around.top - height - GAP;
    const below = at.bottom - around.top + GAP;
    const x = side === "beside" ? right : at.left - around.left;
    let y = below;
    if (side === "beside" && right + width + GAP <= around.width) y = at.top - around.top;
    if (above >= 0 && (side === "above" || side === "below" && below + height >= around.height)) y = above;
    const left = Math.max(GAP, Math.min(x, around.width - width - GAP));
    box.style.transform = `translate(${Math.round(left)}px,${Math.round(y)}px)`;
    this.part?.removeAttribute("aria-describedby");
    this.part = part.matches("input,button,select") ? part : part.querySelector("input,button,select") ?? part;
    this.part.setAttribute("aria-describedby", box.id);
  }
  hide() {
    clearTimeout(this.timer);
    this.box.hidden = true;
  }
};

// src/shared/mathml.js
var MATH = "http://www.w3.org/1998/Math/MathML";
var KEPT = /* @__PURE__ */ new Set(["data-field", "display", "mathvariant", "stretchy", "form", "fence", "separator", "lspace", "rspace", "accent", "movablelimits", "largeop", "minsize", "maxsize", "width", "height", "columnalign", "rowspacing", "columnspacing", "displaystyle", "scriptlevel", "linethickness"]);
function copy(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || node.namespaceURI !== MATH || node.localName === "annotation-xml") return null;
  const made = document.createElementNS(MATH, node.localName);
  for (const { name, value } of node.attributes) if (KEPT.has(name)) made.setAttribute(name, value);
  for (const child of node.childNodes) {
    const part = copy(child);
    if (part) made.append(part);
  }
  return made;
}
function math(text) {
  if (!text) return null;
  const root = new DOMParser().parseFromString(text, "application/xml").documentElement;
  return root.namespaceURI === MATH && root.localName === "math" ? copy(root) : null;
}

// src/forces/formula.js
var [LOW, SMALL] = [15, 12];
var Formula = class {
  constructor() {
    this.main = element("div", { class: "formula-main" });
    this.more = element("div", { class: "formula-more" });
    this.root = element("div", { class: "formula", role: "group", "aria-label": "The formula with this sentence's numbers", tabindex: "0" }, this.main, this.more);
    onResize(this.root, () => this.root.clientWidth !== this.wide && this.fit());
  }
  /** Lines of MathML: the first two are the formula and its numbers, the others what follows from them. */
  show(lines) {
    const nodes = lines.map((line) => element("div", { class: "formula-line" }, math(line) ?? ""));
    const main = nodes.length > 2 ? 2 : 1;
    this.main.replaceChildren(...nodes.slice(0, main));
    this.more.replaceChildren(...nodes.slice(main));
    this.fit();
  }
  fit() {
    const { root } = this;
    const wide = root.clientWidth;
    if (!wide) return;
    if (wide !== this.wide) this.tall = false;
    this.wide = wide;
    const large = parseFloat(getComputedStyle(root).getPropertyValue("--large")) || 18;
    if (!this.tall) this.tall = !this.fits(false, large, LOW);
    if (this.tall) this.fits(true, large, SMALL);
  }
  /** Set the largest size that fits; the least where none does. */
  fits(tall, large, least) {
    const { root } = this;
    root.dataset.tall = tall;
    for (let size = large; size >= least; size -= 0.5) {
      root.style.fontSize = `${size}px`;
      if (root.scrollWidth <= root.clientWidth + 1 && root.scrollHeight <= root.clientHeight + 1) return true;
    }
    return false;
  }
};

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

// src/shared/text.js
var steps = (value) => Math.round(value).toLocaleString("en");
function counted(count3, noun) {
  return `${count3} ${noun}${Number(count3) === 1 ? "" : "s"}`;
}
function brief(value, digits = 3) {
  if (value === null || value === void 0 || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text = value.toExponential(1).replace("e-", "e−").replace("e+", "e");
  if (size >= 10 ** digits && size < 1e5) text = String(Math.round(value));
  else if (size >= 1e-3 && size < 10 ** digits) text = value.toPrecision(digits);
  return text.replace(/^-/, "−");
}

// src/forces/matrix.js
var parts = (hex) => hex.match(/[0-9a-f]{2}/gi).slice(0, 3).map((two) => parseInt(two, 16));
var between = (one, other, share) => `rgb(${one.map((from, i) => Math.round(from + (other[i] - from) * share)).join(",")})`;
function ramp(values, gradient) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) [low, high] = [0, 1];
  if (gradient) [low, high] = high > 0 ? [-high, high] : [low || -1e-30, -low || 1e-30];
  else if (low === high) high = low + 1;
  const clipped = (value) => Math.max(0, Math.min(1, value));
  const colours = (ground, accent, ink) => {
    const [from, pull, push] = [ground, accent, ink].map(parts);
    if (!gradient) return (value) => between(from, pull, clipped((value - low) / (high - low)));
    return (value) => between(from, value < 0 ? pull : push, clipped(Math.abs(value) / high));
  };
  return { low, high, colours };
}
var HINT = ["Point at a cell or walk by arrows;", "a click or Enter chooses its row."];
var Matrix = class {
  constructor(act) {
    Object.assign(this, { act, part: null, cell: null });
    const menu = (name, about, send) => element("select", { class: name, "aria-label": about, title: about, onchange: ({ target }) => act(name, send(target.value)) });
    this.names = menu("matrix", "what the cells show", (matrix) => ({ matrix }));
    this.groups = menu("group", "the columns", (place) => ({ place: Number(place) }));
    this.canvas = element("canvas", { class: "heat", tabindex: "0", role: "application", "aria-roledescription": "heat map" });
    this.box = element("div", { class: "heat-box" }, this.canvas);
    this.low = element("span");
    this.high = element("span");
    this.key = element("div", { class: "key", "aria-hidden": "true" }, this.low, element("span", { class: "colours" }), this.high);
    this.value = element("p", { class: "reading-value" });
    this.across = element("p");
    this.down = element("p");
    this.reading = element("div", { class: "reading", role: "status" }, this.value, this.across, this.down);
    this.root = element("div", { class: "matrix-part" }, element("div", { class: "head" }, this.names, this.groups), this.box, this.key, this.reading);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => this.read(null));
    this.canvas.addEventListener("click", (event) => {
      this.point(event);
      this.choose();
    });
    this.canvas.addEventListener("keydown", (event) => this.walk(event));
    onResize(this.box, () => this.paint());
  }
  /** What can be chosen of a question; null where a method has none. */
  offer(question, row) {
    this.row = row;
    this.root.hidden = !question;
    if (!question) return;
    offer(this.names, question.matrices.map((name) => [name, name]));
    offer(this.groups, question.groups.map((name, place) => [place, name]));
    this.groups.hidden = question.groups.length < 2;
  }
  show(part, texts) {
    if (!part.values) {
      this.part = null;
      return;
    }
    const values = floats32(part.values);
    const columns = part.columns.map((column) => typeof column === "number" ? texts[column] : column);
    this.part = { ...part, values, columns, texts };
    this.names.value = part.name;
    this.groups.value = String(part.group);
    this.scale = ramp(values, part.gradient);
    const ends = part.gradient ? [`pull ${brief(-this.scale.high, 2)}`, `push ${brief(this.scale.high, 2)}`] : [brief(this.scale.low, 2), brief(this.scale.high, 2)];
    write(this.low, ends[0]);
    write(this.high, ends[1]);
    attribute(this.key, "data-gradient", String(part.gradient));
    const few = part.rows.length < part.of ? `: the ${part.rows.length} of ${part.of} that matter most here` : "";
    this.note = `${part.name} with ${this.groups.selectedOptions[0]?.textContent ?? ""}${few}`;
    attribute(this.canvas, "aria-label", `${this.note}; ${part.rows.length} rows, ${columns.length} columns, row ${part.rows.indexOf(this.row) + 1} is the chosen sentence. ${HINT.join(" ")}`);
    if (this.cell && (this.cell[0] >= part.rows.length || this.cell[1] >= columns.length)) this.cell = null;
    this.read(this.cell);
  }
  paint() {
    const { canvas, box, part } = this;
    const [wide, high] = [box.clientWidth, box.clientHeight];
    if (!part || !wide || !high) return;
    const pen = penOf(canvas, wide, high);
    const [rows, columns] = [part.rows.length, part.columns.length];
    const style = getComputedStyle(this.root);
    const ink = (name) => style.getPropertyValue(name).trim();
    const colour = this.scale.colours(ink("--ground"), ink("--accent"), ink("--ink"));
    const x = (column) => Math.round(column * wide / columns);
    const y = (row) => Math.round(row * high / rows);
    part.values.forEach((value, place) => {
      const [row, column] = [Math.floor(place / columns), place % columns];
      pen.fillStyle = colour(value);
      pen.fillRect(x(column), y(row), x(column + 1) - x(column), y(row + 1) - y(row));
    });
    const frame = (left, top, right, bottom) => {
      for (const [shade, width] of [[ink("--ground"), 4], [ink("--ink"), 2]]) {
        pen.strokeStyle = shade;
        pen.lineWidth = width;
        pen.strokeRect(left + 1, top + 1, right - left - 2, bottom - top - 2);
      }
    };
    const at = part.rows.indexOf(this.row);
    if (at >= 0) frame(0, y(at) - 2, wide, y(at + 1) + 2);
    if (this.cell) frame(x(this.cell[1]), y(this.cell[0]), x(this.cell[1] + 1), y(this.cell[0] + 1));
  }
  point(event) {
    const { part } = this;
    if (!part) return;
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const place = (at, size, count3) => Math.max(0, Math.min(count3 - 1, Math.floor(at / size * count3)));
    const cell = [place(event.clientY - top, height, part.rows.length), place(event.clientX - left, width, part.columns.length)];
    if (cell.join() !== this.cell?.join()) this.read(cell);
  }
  read(cell) {
    this.cell = cell;
    const { part } = this;
    if (!cell || !part) {
      write(this.value, this.note ?? "");
      write(this.across, HINT[0]);
      write(this.down, HINT[1]);
    } else {
      const [row, column] = cell;
      const value = part.values[row * part.columns.length + column];
      const word = part.gradient && value ? value < 0 ? " (pull)" : " (push)" : "";
      write(this.value, `${part.name} ${brief(value, 4)}${word}`);
      write(this.across, `${row + 1}. ${part.texts[part.rows[row]]}`);
      write(this.down, `${column + 1}. ${part.columns[column]}`);
    }
    for (const line of [this.value, this.across, this.down]) attribute(line, "title", line.textContent);
    this.paint();
  }
  walk(event) {
    const { part } = this;
    if (!part || event.ctrlKey || event.metaKey || event.altKey) return;
    const [last, end] = [part.rows.length - 1, part.columns.length - 1];
    const from = this.cell ?? [Math.max(0, part.rows.indexOf(this.row)), 0];
    const [row, column] = from;
    if (event.key === "Enter") this.choose();
    else if (event.key === "Escape") this.read(null);
    else {
      const to = {
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        Home: [row, 0],
        End: [row, end],
        PageUp: [0, column],
        PageDown: [last, column]
      }[event.key];
      if (!to) return;
      this.read(this.cell ? [Math.max(0, Math.min(last, to[0])), Math.max(0, Math.min(end, to[1]))] : from);
    }
    consume(event);
  }
  choose() {
    if (this.cell && this.part) this.act("choose", { row: this.part.rows[this.cell[0]] });
  }
};

// src/shared/palette.js
var OUTLINES = {
  circle: "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
  square: "M-.88 -.88H.88V.88H-.88Z",
  diamond: "M0 -1.2L1.2 0L0 1.2L-1.2 0Z",
  cross: "M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "triangle-up": "M0 -1.2L1.15 .8H-1.15Z",
  x: "M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",
  star: "M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z"
};
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
var DISTINCT = LIGHT.length;

// src/forces/pulls.js
var GUTTER = 72;
var STEM = 24;
var MOST = { one: 18, all: 32 };
var BEND = 10;
function flows(rows, chosen) {
  const sides = [rows.filter(({ pull }) => pull > 0), rows.filter(({ pull }) => pull < 0)];
  const sums = sides.map((side) => side.reduce((sum, { pull }) => sum + Math.abs(pull), 0));
  const strongest = Math.max(...rows.map(({ pull }) => Math.abs(pull)), 0) || 1;
  const scale = Math.min(MOST.one / strongest, MOST.all / (Math.max(...sums) || 1));
  const width = ({ pull }) => Math.max(1, Math.abs(pull) * scale);
  return [...pulls(sides[0], width, chosen.top), ...pushes(sides[1], width, chosen.bottom)];
}
var head = (wide) => [Math.max(7, wide / 2), Math.max(4, wide * 0.8)];
function places(side, width) {
  const widths = side.map(width);
  let left = STEM - widths.reduce((sum, one) => sum + one, 0) / 2;
  return widths.map((one) => {
    const x = left + one / 2;
    left += one;
    return { x, width: one };
  });
}
function pulls(side, width, top) {
  return places(side, width).map(({ x, width: wide }, place) => {
    const { y } = side[place];
    const [tip, half] = head(wide);
    const bend = Math.min(BEND + wide / 2, top - y - tip);
    const d = `M${GUTTER - 4} ${y}H${x + bend}Q${x} ${y} ${x} ${y + bend}V${top - tip}`;
    return { d, width: wide, head: `M${x - half} ${top - tip}H${x + half}L${x} ${top}Z`, kind: "pull" };
  });
}
function pushes(side, width, bottom) {
  const stems = places(side, width).reverse();
  return stems.map(({ x }, place) => {
    const { y } = side[place];
    const wide = width(side[place]);
    const [tip, half] = head(wide);
    const bend = Math.min(BEND + wide / 2, y - bottom);
    const end = GUTTER - 4;
    const d = `M${x} ${bottom}V${y - bend}Q${x} ${y} ${x + bend} ${y}H${end - tip}`;
    return { d, width: wide, head: `M${end - tip} ${y - half}V${y + half}L${end} ${y}Z`, kind: "push" };
  });
}
var FEWEST = { rows: 3, pushing: 1 };
var MARKERS = ["circle", "square", "diamond", "triangle-up", "cross", "star", "x"];
function marker(place) {
  return drawn("svg", { class: "marker", viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" }, drawn("path", { d: OUTLINES[MARKERS[place % MARKERS.length]] }));
}
var Pulls = class {
  constructor(act, whole) {
    Object.assign(this, { act, whole, of: null });
    this.question = element("select", { class: "question", "aria-label": "question of the loss", onchange: () => act("question", { place: Number(this.question.value) }) });
    this.role = element("span", { class: "role" });
    this.rest = element("p", { class: "rest" });
    this.heads = element("div", { class: "heads" }, this.rest, ...["∂loss/∂score", "gradient", "weight", ""].map((text, place) => element("span", { text, class: place ? null : "slope" })));
    this.pulling = element("ol", { class: "pulling", "aria-label": "pull" });
    this.text = element("p", { class: "chosen-text" });
    this.note = element("p", { class: "chosen-note" });
    this.chosen = element("div", { class: "chosen", role: "group", "aria-label": "the chosen sentence" }, this.text, this.note);
    this.pushing = element("ol", { class: "pushing", "aria-label": "push" });
    this.parts = element("table", { class: "parts" });
    this.arrows = drawn("svg", { class: "arrows", "aria-hidden": "true" });
    const head2 = element("div", { class: "head" }, element("h3", { text: "Who pulls, who pushes" }), this.role, this.question);
    this.root = element("div", { class: "pulls" }, head2, this.heads, this.pulling, this.chosen, this.pushing, this.parts, this.arrows);
    for (const line of [this.text, this.note, this.role, this.rest]) whole.on(line, () => line.textContent, "below");
    onResize(this.root, () => this.lay());
  }
  show(sentence, step, question) {
    const { pairs } = sentence;
    this.of = { sentence, texts: step.texts, kinds: sentence.kinds.map(([kind]) => kind), measure: question?.measure ?? "" };
    this.offer(step.questions, sentence.question);
    write(this.text, step.texts[sentence.row]);
    write(this.note, sentence.about);
    write(this.heads.lastChild, this.of.measure);
    attribute(this.heads.lastChild, "title", this.of.measure);
    attribute(this.root, "data-pairs", String(Boolean(pairs)));
    this.parts.replaceChildren(...sentence.parts ? this.table(sentence.parts) : []);
    this.lay();
  }
  offer(questions, place) {
    const roles = questions.map(({ role }) => role);
    offer(this.question, roles.map((text, value) => [value, text]), place);
    this.question.hidden = roles.length < 2;
    this.role.hidden = roles.length !== 1;
    write(this.role, roles[0] ?? "");
  }
  table(parts2) {
    const rows = parts2.map(([name, value]) => element("tr", {}, element("th", { scope: "row", text: name }), element("td", { text: brief(value, 5) })));
    return [element("caption", { text: "What the method records of this batch" }), element("tbody", {}, ...rows)];
  }
  /** As many rows as there is room for, the strongest of each side. */
  lay() {
    if (!this.of || !this.root.clientHeight) return;
    const { pairs, all } = this.of.sentence;
    const [pulling, pushing] = [[], []];
    for (const pair of pairs ?? []) (pair.pull < 0 ? pushing : pulling).push(pair);
    const taken = this.heads.offsetTop + this.heads.offsetHeight + this.chosen.offsetHeight;
    const high = parseFloat(getComputedStyle(this.root).getPropertyValue("--row")) || 40;
    const room = Math.max(FEWEST.rows, Math.floor((this.root.clientHeight - taken) / high));
    const above = Math.min(pulling.length, room - Math.min(pushing.length, FEWEST.pushing));
    const shown = [pulling.slice(0, above), pushing.slice(0, room - above)];
    this.pulling.replaceChildren(...shown[0].map((pair) => this.row(pair)));
    this.pushing.replaceChildren(...shown[1].map((pair) => this.row(pair)));
    const count3 = shown[0].length + shown[1].length;
    const drawnNorm = shown.flat().reduce((sum, { pull }) => sum + Math.abs(pull ?? 0), 0);
    const others = all ? all.count - count3 : 0;
    write(this.rest, others > 0 ? `${others} others: ${brief(Math.max(0, all.norm - drawnNorm), 2)} in all` : "");
    this.flow(shown);
  }
  flow([pulling, pushing]) {
    const { root, arrows, chosen } = this;
    const middle = (list) => [...list.children].map((part) => part.offsetTop + part.offsetHeight / 2);
    const rows = [
      ...middle(this.pulling).map((y, place) => ({ y, pull: pulling[place].pull })),
      ...middle(this.pushing).map((y, place) => ({ y, pull: pushing[place].pull }))
    ];
    arrows.setAttribute("height", root.clientHeight);
    const at = { top: chosen.offsetTop, bottom: chosen.offsetTop + chosen.offsetHeight };
    arrows.replaceChildren(...flows(rows, at).map(({ d, width, head: head2, kind }) => drawn("g", { class: kind }, drawn("path", { d, class: "stem", "stroke-width": width }), drawn("path", { d: head2, class: "tip" }))));
  }
  row(pair) {
    const { texts, kinds, measure } = this.of;
    const text = pair.text ?? texts[pair.row];
    const word = pair.pull < 0 ? "push" : pair.pull > 0 ? "pull" : "";
    const kind = pair.name ? `${pair.kind}, ${pair.name}` : pair.kind;
    const strength = pair.pull ? `${word} ${brief(Math.abs(pair.pull))}` : brief(pair.pull);
    const weight = pair.weight === null ? "" : brief(pair.weight);
    const slope = `${pair.gradient > 0 ? "+" : ""}${brief(pair.gradient)}`;
    const numbers = `${weight && `softmax weight ${weight}, `}${measure} ${brief(pair.score, 4)}, ∂loss/∂score ${slope}`;
    const told = `${strength}, ${kind}: ${text}; ${numbers}`;
    const button = element(
      "button",
      { type: "button", class: `pair ${word}`, "aria-label": told, "aria-disabled": String(pair.row === null), onclick: () => pair.row !== null && this.act("choose", { row: pair.row }) },
      marker(Math.max(0, kinds.indexOf(pair.kind))),
      element("span", { class: "kind", text: kind }),
      element("span", { class: "number slope", text: slope }),
      element("span", { class: "number strength", text: strength }),
      element("span", { class: "number", text: weight }),
      element("span", { class: "number", text: brief(pair.score) }),
      element("span", { class: "text", text })
    );
    this.whole.on(button, () => `${text}
${kind}: ${strength}, ${numbers}`, "below");
    return element("li", {}, button);
  }
};
var bar = (kind, share) => element("span", { class: "track", "aria-hidden": "true" }, element("span", { class: `bar ${kind}`, style: `width:${share}%` }));
function shares(values) {
  const total = values.reduce((sum, value) => sum + Math.abs(value ?? 0), 0);
  return values.map((value) => total ? 100 * Math.abs(value ?? 0) / total : 0);
}
var Shares = class {
  constructor() {
    this.terms = element("ul", { class: "terms" });
    this.kinds = element("ul", { class: "kinds" });
    this.head = element("h3", { text: "On this sentence, by kind" });
    this.root = element("div", { class: "shares", tabindex: "0", role: "group", "aria-label": "shares" }, element("h3", { text: "Terms of the loss" }), this.terms, this.head, this.kinds);
  }
  show(terms, kinds) {
    const ofLoss = shares(terms.map(([, value]) => value));
    const ofGradient = shares(terms.map(([, , gradient]) => gradient));
    this.terms.replaceChildren(...terms.map(([name, value, gradient], place) => element(
      "li",
      { title: `${name}: value ${brief(value, 4)}, length of its gradient on the weights ${brief(gradient, 4)}` },
      element("span", { class: "name", text: name }),
      element("span", { class: "value", text: brief(value, 4) }),
      element("span", { class: "half" }, bar("was", ofLoss[place]), element("span", { class: "share", text: `loss ${Math.round(ofLoss[place])} %` })),
      element("span", { class: "half" }, bar("hollow", ofGradient[place]), element("span", { class: "share", text: `gradient ${Math.round(ofGradient[place])} %` }))
    )));
    const most = Math.max(...kinds.map(([, length]) => Math.abs(length ?? 0)), 0);
    this.head.hidden = !kinds.length;
    this.kinds.replaceChildren(...kinds.map(([kind, length]) => {
      const word = length < 0 ? "push" : length > 0 ? "pull" : "none";
      return element(
        "li",
        { title: `${kind}: all together ${word} ${brief(Math.abs(length ?? 0))}` },
        element("span", { class: "name", text: kind }),
        element("span", { class: "value", text: `${kind.startsWith("gradient on") ? "" : `${word} `}${brief(length === null ? null : Math.abs(length))}` }),
        bar(word, most ? 100 * Math.abs(length ?? 0) / most : 0)
      );
    }));
  }
};

// src/forces/sentences.js
var count2 = 0;
var Sentences = class {
  constructor(act, whole) {
    Object.assign(this, { act, whole, rows: [], row: null, shown: [], name: `clwork-sentence-${++count2}-` });
    this.find = element("input", { type: "search", class: "find", placeholder: "find words of a sentence", "aria-label": "find sentences by their words", spellcheck: "false" });
    this.find.addEventListener("input", () => this.filter());
    this.list = element("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": "sentences of the batch, the largest loss first", "data-lm-suppress-shortcuts": true });
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.found = element("p", { class: "found", role: "status" });
    this.root = element("div", { class: "sentences" }, this.find, this.found, this.list);
  }
  fill(texts, losses) {
    const total = losses ? losses.reduce((sum, loss) => sum + Math.abs(loss), 0) : 0;
    const most = losses ? losses.reduce((high, loss) => Math.max(high, Math.abs(loss)), 0) : 0;
    const order = texts.map((_, row) => row);
    if (losses) order.sort((one, other) => losses[other] - losses[one] || one - other);
    this.rows = order.map((row) => this.entry(row, texts[row], losses?.[row], total, most));
    this.list.replaceChildren(...this.rows.map(({ part }) => part));
    this.filter(true);
  }
  entry(row, text, loss, total, most) {
    const share = loss === void 0 ? null : total ? 100 * Math.abs(loss) / total : 0;
    const more = share === null ? [] : [
      element("span", { class: "loss", text: brief(loss) }),
      element("span", { class: "track", "aria-hidden": "true" }, element("span", { class: "bar", style: `width:${most ? 100 * Math.abs(loss) / most : 0}%` }))
    ];
    const told = share === null ? text : `${text}, adds ${brief(loss)}, ${brief(share, 2)} % of the loss`;
    const part = element("div", { class: "entry", role: "option", id: this.name + row, "aria-label": told }, element("span", { class: "text", text }), ...more);
    part.addEventListener("click", () => this.choose(row));
    this.whole.on(part, () => share === null ? text : `${text}
adds ${brief(loss)}: ${brief(share, 2)} % of the batch's loss`, "below");
    return { row, text: text.toLowerCase(), part };
  }
  /** List the sentences with these words; choose another only where the chosen one is not among them. */
  filter(quiet = false) {
    const words = this.find.value.trim().toLowerCase();
    for (const entry of this.rows) entry.part.hidden = !entry.text.includes(words);
    this.shown = this.rows.filter(({ part }) => !part.hidden);
    write(this.found, words ? this.shown.length ? `${counted(this.shown.length, "sentence")} of ${this.rows.length}` : "no sentence has these words" : "");
    if (!quiet && this.shown.length && !this.shown.some(({ row }) => row === this.row)) this.choose(this.shown[0].row);
  }
  choose(row) {
    this.mark(row);
    this.act("choose", { row });
  }
  mark(row) {
    this.row = row;
    for (const entry of this.rows) attribute(entry.part, "aria-selected", String(entry.row === row));
    attribute(this.list, "aria-activedescendant", this.name + row);
    const part = this.rows.find((entry) => entry.row === row)?.part;
    if (!part || part.hidden) return;
    const { list } = this;
    if (part.offsetTop < list.scrollTop) list.scrollTop = part.offsetTop;
    if (part.offsetTop + part.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = part.offsetTop + part.offsetHeight - list.clientHeight;
  }
  walk(event) {
    const at = this.shown.findIndex(({ row }) => row === this.row);
    const last = this.shown.length - 1;
    const page = Math.max(1, Math.floor(this.list.clientHeight / 32) - 1);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - page, PageDown: at + page, Home: 0, End: last }[event.key];
    if (to === void 0 || last < 0) return;
    consume(event);
    this.choose(this.shown[Math.max(0, Math.min(last, to))].row);
  }
};
var Stops = class {
  /** `now`: what the last stop is. */
  constructor(act, now) {
    Object.assign(this, { act, now, buttons: /* @__PURE__ */ new Map() });
    this.list = element("div", { class: "stops", role: "radiogroup", "aria-label": "step" });
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.again = element("button", { type: "button", class: "again", text: "look again", title: "compute the step once more: a run at work has gone on", onclick: () => act("look") });
    this.root = element("div", { class: "walk" }, this.list, this.again);
  }
  /** `stops`: steps in order, null for the present one. */
  fill(stops) {
    const same = stops.length === this.buttons.size && stops.every((step) => this.buttons.has(step));
    if (same) return;
    const focused = this.list.contains(document.activeElement);
    this.buttons = new Map(stops.map((step) => [step, this.stop(step)]));
    this.list.replaceChildren(...this.buttons.values());
    this.mark(this.chosen, false);
    if (focused) this.buttons.get(this.chosen)?.focus({ preventScroll: true });
  }
  stop(step) {
    const name = step === null ? this.now : step === 0 ? "at the start" : `after step ${steps(step)}`;
    const text = step === null ? "now" : step === 0 ? "start" : steps(step);
    return element("button", { type: "button", class: "stop", role: "radio", "aria-label": name, title: name, text, onclick: () => this.act("step", { step }) });
  }
  mark(chosen = null, working = false) {
    this.chosen = chosen;
    const at = this.buttons.has(chosen) ? chosen : null;
    for (const [step, button] of this.buttons) {
      attribute(button, "aria-checked", String(step === chosen));
      attribute(button, "tabindex", step === at ? "0" : "-1");
    }
    attribute(this.root, "data-working", String(working));
  }
  walk(event) {
    const all = [...this.buttons.values()];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === void 0 || at < 0) return;
    consume(event);
    const next = all[Math.max(0, Math.min(all.length - 1, to))];
    next.focus();
    if (next !== all[at]) next.click();
  }
};

// src/forces/style.css
var style_default = '/* The force view; colours and type are in ../shared/look.css. */\n\n.clwork-forces { --row: 40px; --height: clamp(584px, calc(100vh - 136px), 1080px); min-width: 0; }\n.clwork-forces * { min-width: 0; }\n.clwork-forces :is(h2, h3, p, ol, ul, table) { margin: 0; padding: 0; list-style: none; font-size: inherit; line-height: inherit; color: inherit; }\n.clwork-forces h3 { font-weight: 600; white-space: nowrap; }\n.clwork-forces :is(button, select, input) { margin: 0; font: inherit; font-variant-numeric: inherit; color: inherit; box-shadow: none; max-width: none; }\n.clwork-forces :is(select, .find, .again, .stop) { height: var(--control); padding: 0 8px; border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); }\n.clwork-forces button { cursor: pointer; }\n.clwork-forces button:hover:not([aria-disabled="true"]) { background: var(--tint); }\n.clwork-forces :is(button, select, input, canvas, .list, .formula, .shares):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }\n.clwork-forces :is(canvas, .list, .formula, .shares, .pair):focus-visible { outline-offset: -3px; }\n.clwork-forces :is(.title, .state, .role, .text, .kind, .name, .chosen-note, .reading p, .heads > *) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n\n.clwork-forces .stage {\n  display: grid; height: var(--height); min-height: 584px; padding: 8px; column-gap: 8px; row-gap: 0;\n  grid-template-columns: clamp(184px, 22cqw, 256px) minmax(0, 1fr) clamp(184px, 25cqw, 296px);\n  grid-template-rows: 32px 24px auto 8px minmax(0, 1fr) 8px fit-content(45%);\n  grid-template-areas: "control control control" "state state state" "formula formula formula" ". . ." "sentences pulls matrix" ". pulls matrix" "shares pulls matrix";\n}\n\n/* Which step. */\n.clwork-forces .control { grid-area: control; display: flex; gap: 8px; align-items: center; }\n.clwork-forces .title { flex: 0 1 auto; max-width: 45%; font-size: var(--large); line-height: 32px; font-weight: 600; }\n.clwork-forces .walk { flex: 1 1 0; display: flex; gap: 8px; justify-content: flex-end; align-items: center; }\n.clwork-forces .stops { position: relative; display: flex; gap: 16px; overflow-x: auto; scrollbar-width: none; padding: 0 4px; }\n.clwork-forces .stop { position: relative; flex: none; min-width: 40px; border-radius: 16px; padding: 0 12px; }\n.clwork-forces .stop + .stop::before { content: ""; position: absolute; right: 100%; top: 50%; width: 17px; border-top: 1px solid var(--edge); }\n.clwork-forces .stop[aria-checked="true"] { background: var(--tint); color: var(--accent); border-color: var(--accent); font-weight: 600; }\n.clwork-forces .stop:focus-visible { outline-offset: -3px; }\n.clwork-forces .again { flex: none; }\n.clwork-forces .walk[data-working="true"] .stop[aria-checked="true"] { animation: clwork-forces-breath 800ms ease-in-out infinite; }\n@keyframes clwork-forces-breath { 50% { opacity: 0.6; } }\n.clwork-forces .state { grid-area: state; line-height: 24px; }\n.clwork-forces .state[data-trouble="true"] { color: var(--trouble); }\n\n/* The formula. */\n.clwork-forces .formula { grid-area: formula; height: 96px; display: flex; gap: 8px 32px; align-items: safe center; justify-content: space-between; padding: 0 16px; border-radius: 8px; background: var(--raised); overflow: auto; font-size: var(--large); line-height: 1.2; }\n.clwork-forces .formula[data-tall="true"] { height: 128px; }\n.clwork-forces .formula-main { flex: 1 1 auto; min-width: min-content !important; display: flex; flex-wrap: wrap; gap: 4px 32px; align-items: center; }\n.clwork-forces .formula-more { flex: none; display: grid; gap: 4px; }\n.clwork-forces .formula-more { font-size: max(12px, 0.78em); }\n.clwork-forces .formula-line { display: flex; }\n.clwork-forces .formula math { font-size: 1em; margin: 0; display: inline math; math-style: normal; }\n\n/* Its sentences, and the shares under them. */\n.clwork-forces .sentences { grid-area: sentences; display: flex; flex-direction: column; gap: 8px; }\n.clwork-forces .find { width: 100%; flex: none; }\n.clwork-forces .found { color: var(--soft); font-size: var(--small); line-height: var(--line-small); }\n.clwork-forces .found:empty { display: none; }\n.clwork-forces .list { position: relative; flex: 1 1 0; min-height: 96px; overflow-y: auto; border: 1px solid var(--rule); border-radius: 8px; }\n.clwork-forces .entry { position: relative; display: flex; gap: 8px; height: 32px; padding: 2px 8px 0; cursor: pointer; }\n.clwork-forces .entry .text { flex: 1 1 0; }\n.clwork-forces .entry .loss { flex: none; font-size: var(--small); color: var(--soft); }\n.clwork-forces .entry .track { position: absolute; left: 8px; right: 8px; bottom: 4px; height: 4px; background: none; }\n.clwork-forces .entry .bar { background: var(--was); }\n.clwork-forces .entry:hover { background: var(--raised); }\n.clwork-forces .entry[aria-selected="true"] { background: var(--tint); }\n.clwork-forces .entry[aria-selected="true"] .text { font-weight: 600; }\n.clwork-forces .entry[aria-selected="true"] .loss { color: var(--ink); }\n.clwork-forces .entry[aria-selected="true"] .bar { background: var(--accent); }\n.clwork-forces .track { display: block; height: 8px; border-radius: 4px; background: var(--band); overflow: hidden; }\n.clwork-forces .bar { display: block; height: 100%; border-radius: 4px; background: var(--was); }\n.clwork-forces .bar.hollow { background: none; border: 2px solid var(--was); }\n.clwork-forces .bar.pull { background: var(--accent); }\n.clwork-forces .bar.push { background: var(--ink); }\n.clwork-forces .shares { grid-area: shares; overflow: auto; padding: 4px 8px; border: 1px solid var(--rule); border-radius: 8px; font-size: var(--small); line-height: var(--line-small); }\n.clwork-forces .shares :is(.terms, .kinds) { display: grid; gap: 4px; }\n.clwork-forces .shares h3 + ul { margin-bottom: 4px; }\n.clwork-forces .shares li { display: grid; grid-template-columns: 1fr auto; gap: 0 8px; }\n.clwork-forces .shares li > .track { grid-column: 1 / -1; }\n.clwork-forces .terms li { grid-template-columns: 1fr 1fr; }\n.clwork-forces .terms .value { justify-self: end; }\n.clwork-forces .value { font-weight: 600; }\n.clwork-forces .share { display: block; color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n\n/* Who pulls, who pushes. */\n.clwork-forces .pulls { grid-area: pulls; position: relative; overflow: hidden; border: 1px solid var(--rule); border-radius: 8px; padding: 0 8px; }\n.clwork-forces .head { display: flex; gap: 8px; align-items: center; height: 32px; }\n.clwork-forces .head select { flex: 1 1 0; width: 100%; height: 32px; text-overflow: ellipsis; }\n.clwork-forces .role { flex: 1 1 0; text-align: right; color: var(--soft); font-size: var(--small); }\n.clwork-forces :is(.heads, .pair) { display: grid; grid-template-columns: 16px minmax(0, 1fr) 80px 48px 40px; column-gap: 8px; align-items: center; }\n.clwork-forces .heads { padding: 0 8px 0 72px; height: 16px; font-size: var(--small); line-height: var(--line-small); color: var(--soft); text-align: right; }\n.clwork-forces .slope { display: none; }\n.clwork-forces .heads .slope + span { grid-column: 3; }\n.clwork-forces :is(.pulling, .pushing) { padding-left: 64px; }\n.clwork-forces :is(.pulling, .pushing) li, .clwork-forces .pair { height: var(--row); }\n.clwork-forces .pair { width: 100%; padding: 2px 8px; border: 0; border-radius: 8px; background: none; text-align: left; align-content: center; line-height: var(--line-small); }\n.clwork-forces .pair[aria-disabled="true"] { cursor: default; }\n.clwork-forces .pair .marker { width: 12px; height: 12px; justify-self: center; fill: var(--ink); }\n.clwork-forces .pair.pull .marker { fill: var(--accent); }\n.clwork-forces .pair :is(.kind, .number) { font-size: var(--small); color: var(--soft); }\n.clwork-forces .pair .number { text-align: right; color: var(--ink); white-space: nowrap; }\n.clwork-forces .pair .strength { font-weight: 600; }\n.clwork-forces .pair.pull .strength { color: var(--accent); }\n.clwork-forces .pair .text { grid-column: 2 / -1; line-height: var(--line); }\n.clwork-forces .chosen { height: 64px; padding: 4px 8px; border-left: 4px solid var(--accent); border-radius: 8px; background: var(--tint); }\n.clwork-forces .chosen-text { height: 40px; font-weight: 600; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }\n.clwork-forces .chosen-note { font-size: var(--small); line-height: var(--line-small); }\n.clwork-forces .rest { grid-column: 1 / 3; text-align: left; }\n.clwork-forces .arrows { position: absolute; left: 8px; top: 0; width: 72px; pointer-events: none; overflow: visible; }\n.clwork-forces .stem { fill: none; }\n.clwork-forces .arrows .pull .stem { stroke: var(--accent); }\n.clwork-forces .arrows .pull .tip { fill: var(--accent); }\n.clwork-forces .arrows .push .stem { stroke: var(--ink); }\n.clwork-forces .arrows .push .tip { fill: var(--ink); }\n.clwork-forces .parts { display: none; margin-top: 8px; border-collapse: collapse; }\n.clwork-forces .parts caption { text-align: left; font-weight: 600; }\n.clwork-forces .parts :is(th, td) { padding: 0 16px 0 0; text-align: left; font-weight: 400; }\n.clwork-forces .pulls[data-pairs="false"] { overflow: auto; }\n.clwork-forces .pulls[data-pairs="false"] :is(.heads, .arrows) { display: none; }\n.clwork-forces .pulls[data-pairs="false"] .chosen { height: auto; }\n.clwork-forces .pulls[data-pairs="false"] .chosen-note { white-space: normal; }\n.clwork-forces .pulls[data-pairs="false"] .parts { display: table; }\n\n/* The matrix. */\n.clwork-forces .matrix-part { grid-area: matrix; display: flex; flex-direction: column; gap: 8px; }\n.clwork-forces .matrix-part .head { flex: none; }\n.clwork-forces .heat-box { position: relative; flex: 1 1 0; min-height: 120px; border: 1px solid var(--rule); border-radius: 8px; overflow: hidden; }\n.clwork-forces .heat { position: absolute; inset: 0; width: 100%; height: 100%; cursor: crosshair; }\n.clwork-forces .key { display: flex; gap: 8px; align-items: center; height: 16px; font-size: var(--small); line-height: var(--line-small); color: var(--soft); }\n.clwork-forces .colours { flex: 1 1 0; height: 8px; border: 1px solid var(--rule); border-radius: 4px; background: linear-gradient(90deg, var(--ground), var(--accent)); }\n.clwork-forces .key[data-gradient="true"] .colours { background: linear-gradient(90deg, var(--accent), var(--ground), var(--ink)); }\n.clwork-forces .reading { flex: none; height: 56px; font-size: var(--small); line-height: var(--line-small); }\n.clwork-forces .reading-value { font-weight: 600; line-height: var(--line); }\n\n.clwork-forces .whole { position: absolute; z-index: 2; left: 0; top: 0; padding: 8px; border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); font-size: var(--small); line-height: var(--line-small); white-space: pre-line; overflow-wrap: anywhere; pointer-events: none; }\n\n@container (min-width: 1400px) {\n  .stage { --small: 13px; --normal: 15px; --large: 20px; --line: 24px; font-size: var(--normal); line-height: var(--line); grid-template-columns: 320px minmax(0, 1fr) minmax(320px, 30%); }\n  .stage :is(.heads, .pair) { grid-template-columns: 16px minmax(0, 1fr) 104px 104px 72px 72px; }\n  .stage .slope { display: block; }\n  .stage .heads .slope { grid-column: 3; }\n  .stage .heads .slope + span { grid-column: auto; }\n}\n@container (max-width: 839px) {\n  .stage { --row: 56px; height: auto !important; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) !important; grid-template-rows: auto 24px auto 8px 504px 8px 400px !important;\n    grid-template-areas: "control control" "state state" "formula formula" ". ." "sentences pulls" ". ." "shares matrix" !important; }\n  .stage .control { flex-wrap: wrap; }\n  .stage .formula { height: auto !important; flex-direction: column; align-items: flex-start; padding: 8px; }\n  .stage .pair .kind { grid-column: 2 / -1; }\n  .stage .pair .strength { grid-column: 2 / 4; text-align: left; }\n}\n@container (max-width: 559px) {\n  .stage { --control: 40px; grid-template-columns: minmax(0, 1fr) !important; grid-template-rows: auto 24px auto 8px 248px 8px 544px 8px 400px 8px auto !important;\n    grid-template-areas: "control" "state" "formula" "." "sentences" "." "pulls" "." "matrix" "." "shares" !important; }\n  .stage .title { max-width: none; flex: 1 1 100%; }\n  .stage .walk { justify-content: flex-start; }\n  .stage .head { height: 40px; }\n}\n@media (prefers-reduced-motion: reduce) { .clwork-forces * { animation: none !important; } }\n';

// src/forces/index.js
var LINE = {
  silent: "The kernel is busy with something else; this page goes on when it answers.",
  unanswered: "The kernel has not answered for 5 seconds: it runs another cell, and clicks wait for its end. If no cell is running, run this cell again.",
  gone: "The kernel is gone. This is the last that it computed."
};
var Page = class {
  constructor(model) {
    this.known = {};
    this.pulse = { working: false, sentence: "", trouble: false, chosen: null };
    this.step = null;
    this.line = "answers";
    this.why = "";
    this.next = /* @__PURE__ */ new Map();
    this.sending = false;
    this.root = element("section", { class: "clwork-look clwork-forces", "aria-label": "Who pulls and who pushes a sentence" });
    this.whole = new Tooltip(this.root, "whole", 480);
    const act = (name, more) => this.command(name, more);
    this.title = element("h2", { class: "title" });
    this.stops = new Stops(act, model.get("about")?.now ?? "now");
    this.state = element("p", { class: "state", role: "status" });
    this.formula = new Formula();
    this.sentences = new Sentences(act, this.whole);
    this.pulls = new Pulls(act, this.whole);
    this.matrix = new Matrix(act);
    this.shares = new Shares();
    const control = element("div", { class: "control" }, this.title, this.stops.root);
    const stage = element("div", { class: "stage" }, control, this.state, this.formula.root, this.sentences.root, this.shares.root, this.pulls.root, this.matrix.root);
    this.root.prepend(stage);
    this.whole.on(this.state, () => this.state.textContent, "below");
    this.channel = new Channel(model, {
      known: () => this.known,
      take: (news) => this.take(news),
      lively: () => this.pulse.working,
      refused: (why) => this.speak({ why }),
      standing: (line) => this.speak({ line })
    });
  }
  /** Send a command. While one is on its way others wait, of each name the newest alone, so that none pile up. */
  command(name, more = {}) {
    this.next.set(name, more);
    if (!this.sending) this.send();
  }
  async send() {
    this.sending = true;
    while (this.next.size && !this.closed) {
      const [[name, more]] = this.next;
      this.next.delete(name);
      this.why = "";
      await this.channel.command(name, more);
    }
    this.sending = false;
  }
  take({ pulse, step, sentence, matrix }) {
    for (const [name, part] of Object.entries({ step, sentence, matrix })) if (part) this.known[name] = part.version;
    if (pulse) this.pulse = pulse;
    if (step) this.takeStep(step);
    if (sentence) this.takeSentence(sentence);
    if (matrix) this.matrix.show(matrix, this.step.texts);
    this.stops.mark(this.pulse.chosen, this.pulse.working);
    this.speak();
  }
  takeStep(step) {
    this.step = step;
    if (step.losses) step.losses = floats32(step.losses);
    write(this.title, `${step.title} · ${step.run}`);
    attribute(this.title, "title", this.title.textContent);
    this.stops.fill(step.stops);
    this.sentences.fill(step.texts, step.losses);
  }
  takeSentence(sentence) {
    const { step } = this;
    const question = step.questions[sentence.question];
    this.formula.show(sentence.formula);
    this.sentences.mark(sentence.row);
    this.pulls.show(sentence, step, question);
    this.shares.show(step.terms, sentence.kinds);
    this.matrix.offer(question, sentence.row);
  }
  speak(change = {}) {
    Object.assign(this, change);
    const said2 = LINE[this.line] || this.why || this.pulse.sentence;
    const trouble = this.line === "gone" || Boolean(this.why) || this.pulse.trouble;
    write(this.state, trouble ? `⚠ ${said2}` : said2);
    attribute(this.state, "data-trouble", String(trouble));
    attribute(this.root, "aria-busy", String(this.pulse.working));
  }
  paint() {
    this.matrix.paint();
  }
  close() {
    this.closed = true;
    this.channel.close();
  }
};
var render = ({ model, el }) => mount(el, style_default, new Page(model));
var index_default = { render };
export {
  index_default as default
};
