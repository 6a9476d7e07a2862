// Made by js/build.mjs (make bundle); edit js/src/playground instead. sources 4c9f927f9cf928d085feb13b275e78e7bca55e9c0bf13f1ae6378e1c5260cd6d body e7ba2c0667501f48629d5999051f72c5e07a5edbb567deab3a2f759e70f703f9
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
  settle(number2, done) {
    this.waiting.get(number2)?.resolve(done);
    this.waiting.delete(number2);
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
  const parts = hex ? hex.match(/../g).map((two) => parseInt(two, 16)) : (colour.match(/[\d.]+/g) ?? []).map(Number);
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

// src/shared/text.js
var number = (value, digits = 3) => value === null ? "–" : value.toFixed(digits).replace("-", "−");
var cut = (text, length) => text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

// src/playground/answer.js
var GLIDE = 300;
var LINE = 24;
var STUB = 12;
var count = (value) => value.toLocaleString("en");
var still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
var Column = class {
  constructor(answer, side) {
    this.answer = answer;
    this.hits = /* @__PURE__ */ new Map();
    this.title = element("h4");
    this.list = element("ol", { class: "hits" });
    this.gone = element("p", { class: "gone soft" });
    this.root = element("div", { class: `column ${side}` }, this.title, this.list, this.gone);
    this.list.addEventListener("keydown", (event) => answer.key(event, this));
  }
  fill(column, texts) {
    const was = new Map([...this.hits].map(([row, hit]) => [row, hit.item.offsetTop]));
    const here = /* @__PURE__ */ new Map();
    column.rows.forEach((row, place) => {
      const hit = this.hits.get(row) ?? this.make(row);
      const then = column.then?.[place];
      const there = column.there?.[place];
      const paired = there === void 0 || there === null || (this.other?.rows.includes(row) ?? false);
      const moved = then && then !== place + 1 ? `was ${count(then)}` : "";
      const mark = [moved, paired ? "" : `${count(there)} there`].filter(Boolean).join(" · ");
      write(hit.rank, String(place + 1));
      write(hit.cosine, number(column.cosines[place], 2));
      write(hit.mark, mark);
      write(hit.text, texts.get(row) ?? "");
      attribute(hit.mark, "class", `mark ${moved ? "moved" : ""}`.trim());
      attribute(hit.root, "title", texts.get(row) ?? "");
      const other = there ? `, rank ${there} in the other column` : "";
      attribute(hit.root, "aria-label", `rank ${place + 1}, cosine ${number(column.cosines[place], 2)}${moved ? `, ${moved}` : ""}${other}: ${texts.get(row) ?? ""}`);
      here.set(row, hit);
    });
    this.rows = column.rows;
    const held = [...this.hits.values()].find((hit) => hit.root === document.activeElement);
    this.hits = here;
    this.list.replaceChildren(...[...here.values()].map((hit) => hit.item));
    if (held) ([...here.values()].includes(held) ? held : [...here.values()][0])?.root.focus({ preventScroll: true });
    [...here.values()].forEach((hit, place) => hit.root.tabIndex = place === 0 ? 0 : -1);
    write(this.title, column.title);
    attribute(this.title, "title", column.title);
    this.title.append(element("span", { class: "soft", text: ` of ${count(column.searched)} sentences` }));
    this.root.classList.toggle("past", column.past);
    const left = column.gone.map((row, place) => `${cut(texts.get(row) ?? "", 60)} (now ${count(column.gone_to[place])})`);
    write(this.gone, left.length ? `No longer among them: ${left.join("; ")}` : "");
    attribute(this.gone, "title", left.join("\n"));
    this.glide(was);
  }
  make(row) {
    const hit = { rank: element("span", { class: "rank" }), cosine: element("span", { class: "cosine" }), mark: element("span", { class: "mark" }), text: element("span", { class: "text" }) };
    hit.root = element("button", {
      type: "button",
      class: "hit",
      "aria-expanded": "false",
      onclick: () => {
        hit.root.setAttribute("aria-expanded", String(hit.root.getAttribute("aria-expanded") !== "true"));
        this.answer.draw();
      },
      onpointerenter: () => this.answer.page.highlight(row),
      onpointerleave: () => this.answer.page.highlight(-1),
      onfocus: () => this.answer.page.highlight(row),
      onblur: () => this.answer.page.highlight(-1)
    }, hit.rank, hit.cosine, hit.mark, hit.text);
    hit.item = element("li", {}, hit.root);
    return hit;
  }
  glide(was) {
    if (still()) return;
    for (const [row, { root, item }] of this.hits) {
      const from = was.has(row) ? was.get(row) - item.offsetTop : null;
      if (from) root.animate([{ transform: `translateY(${from}px)` }, { transform: "none" }], { duration: GLIDE, easing: "ease-out" });
      else if (from === null && was.size) root.animate([{ opacity: 0 }, { opacity: 1 }], { duration: GLIDE });
    }
  }
};
var Answer = class {
  constructor(page) {
    this.page = page;
    this.heading = element("h3", { text: "Nearest sentences" });
    this.sentence = element("span", { class: "asked" });
    this.columns = [new Column(this, "left"), new Column(this, "right")];
    this.lines = drawn("svg", { class: "between", "aria-hidden": "true" });
    this.body = element("div", { class: "columns one" }, this.columns[0].root, this.lines, this.columns[1].root);
    this.root = element("div", { class: "part answer" }, element("div", { class: "head" }, this.heading, this.sentence), this.body);
    onResize(this.body, () => this.draw());
    this.clear();
  }
  clear() {
    write(this.sentence, "Press Compare, then choose a sentence above and change a word of it: ranks and cosines follow as you type.");
    for (const column of this.columns) column.fill({ title: "", searched: 0, rows: [], cosines: [], gone: [], gone_to: [], past: false }, /* @__PURE__ */ new Map());
    for (const column of this.columns) column.title.replaceChildren();
  }
  fill(answer) {
    const [left, right] = answer.columns;
    this.body.classList.toggle("one", !right);
    write(this.sentence, answer.changed ? `“${answer.text}”, which was “${answer.original}”` : `“${answer.text}”`);
    attribute(this.sentence, "title", this.sentence.textContent);
    this.columns[0].other = right;
    this.columns[1].other = left;
    answer.columns.slice(0, 2).forEach((column, place) => this.columns[place].fill(column, this.page.texts));
    if (!right) this.columns[1].rows = [];
    this.draw();
  }
  /** A line from each hit to the same one on the other side; where it has another rank there, in the accent. */
  draw() {
    const [left, right] = this.columns;
    this.lines.replaceChildren();
    if (this.body.classList.contains("one") || !this.lines.clientWidth) return;
    const width = this.lines.clientWidth;
    const middle = (hit) => hit.item.offsetTop + LINE / 2;
    const drawnRows = /* @__PURE__ */ new Set();
    const path = (d, row, kind) => this.lines.append(drawn("path", { d, class: kind, "data-row": row }));
    for (const [row, hit] of left.hits) {
      const other = right.hits.get(row);
      const y = middle(hit);
      drawnRows.add(row);
      if (!other) {
        path(`M0,${y} h${STUB}`, row, "alone");
        continue;
      }
      const to = middle(other);
      const same = left.rows.indexOf(row) === right.rows.indexOf(row);
      path(`M0,${y} C${width / 2},${y} ${width / 2},${to} ${width},${to}`, row, same ? "same" : "other");
    }
    for (const [row, hit] of right.hits) if (!drawnRows.has(row)) path(`M${width},${middle(hit)} h${-STUB}`, row, "alone");
  }
  highlight(row) {
    for (const { hits } of this.columns) for (const [its, hit] of hits) hit.root.classList.toggle("lit", its === row);
    for (const line of this.lines.children) line.classList.toggle("lit", Number(line.dataset.row) === row);
  }
  /** Arrow keys move through the hits, and over to the other side. */
  key(event, column) {
    const here = [...column.hits.values()];
    const place = here.findIndex((hit) => hit.root === event.target);
    const other = this.columns.find((one) => one !== column);
    const over = event.key === (column === this.columns[0] ? "ArrowRight" : "ArrowLeft");
    const to = { ArrowUp: here[place - 1], ArrowDown: here[place + 1], Home: here[0], End: here.at(-1) }[event.key];
    const goal = over ? other.hits.get(column.rows[place]) ?? [...other.hits.values()][place] : to;
    if (!goal) return;
    consume(event);
    goal.root.focus();
  }
};

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

// src/shared/cloud.js
var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
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
function nearestDot(dots, x, y, reach = Infinity) {
  let [best, least] = [-1, reach ** 2];
  for (const [row, [px, py]] of dots) {
    const gap = (px - x) ** 2 + (py - y) ** 2;
    if (gap < least) [best, least] = [row, gap];
  }
  return best;
}
function nextDot(dots, [x, y], { key }) {
  if (!ARROWS[key]) return null;
  const [dx, dy] = ARROWS[key];
  let [best, least] = [-1, Infinity];
  for (const [row, [px, py]] of dots) {
    const along = (px - x) * dx + (py - y) * dy;
    const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (along > 0.01 && across <= 2 * along && along + 2 * across < least) [best, least] = [row, along + 2 * across];
  }
  return best;
}

// src/playground/cloud.js
var MARGIN = 16;
var REACH = 14;
var GLIDE2 = 300;
var STRETCH = 1.6;
var SAME = 1e-3;
var TRAIL = 40;
var still2 = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
var Cloud = class {
  constructor(page) {
    this.page = page;
    this.title = element("h3");
    this.note = element("span", { class: "soft" });
    this.canvas = element("canvas", { tabindex: 0, role: "img" });
    this.frame = element("div", { class: "frame" }, this.canvas);
    this.reading = element("p", { class: "reading soft", role: "status", text: "Point at a dot to read its sentence." });
    this.root = element("div", { class: "part cloud" }, element("div", { class: "head" }, this.title, this.note), this.frame, this.reading);
    this.dots = this.own = new Float32Array(0);
    this.way = [];
    this.near = /* @__PURE__ */ new Map();
    this.pointed = this.lit = -1;
    this.canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => this.point(nearestDot(this.at ?? [], offsetX, offsetY, REACH)));
    this.canvas.addEventListener("pointerleave", () => this.point(-1));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    onResize(this.frame, () => this.draw());
  }
  fill({ name, share, dots, own }, axes) {
    Object.assign(this, { name, axes, dots: floats32(dots), own: floats32(own), way: [], near: /* @__PURE__ */ new Map() });
    write(this.title, name);
    write(this.note, `two principal axes, ${Math.round(100 * share)} % of the spread`);
    this.box = boundsOf(this.own, boundsOf(this.dots));
    this.draw();
  }
  answer(answer) {
    const side = answer.sides.find(({ name }) => name === this.name);
    if (!side?.at || answer.axes !== this.axes) return;
    const other = answer.row !== this.row || answer.row < 0 !== this.row < 0;
    this.row = answer.row;
    const start = this.row >= 0 ? [this.own[2 * this.row], this.own[2 * this.row + 1]] : null;
    if (other || !this.way.length) this.way = start ? [start] : [];
    const last = this.way.at(-1);
    if (!last || Math.hypot(last[0] - side.at[0], last[1] - side.at[1]) > SAME) this.way.push(side.at);
    if (this.way.length > TRAIL) this.way.splice(1, 1);
    this.text = answer.text;
    this.near = new Map(Object.entries(side.near).map(([row, place]) => [Number(row), place]));
    this.hits = new Set(answer.columns.filter((column) => !column.past).flatMap((column) => column.rows));
    this.box = [side.at, ...this.near.values()].reduce((box, at) => boundsOf(at, box), this.box);
    this.begun = !other && !still2() && last ? performance.now() : 0;
    this.from = last ?? side.at;
    const inside = [...this.near.keys()].length;
    attribute(this.canvas, "aria-label", `${this.name}: ${this.dots.length / 2} sentences of the corpus, yours, and ${inside} hits of “${answer.text}” at ${number(side.at[0], 2)}, ${number(side.at[1], 2)}. Arrow keys move through the dots.`);
    this.tick();
  }
  tick() {
    cancelAnimationFrame(this.next);
    this.draw();
    if (this.begun && performance.now() - this.begun < GLIDE2) this.next = requestAnimationFrame(() => this.tick());
  }
  /** Where the sentence is drawn now: on its way to its place. */
  now() {
    const to = this.way.at(-1);
    const t = this.begun ? Math.min(1, (performance.now() - this.begun) / GLIDE2) : 1;
    const eased = 1 - (1 - t) ** 3;
    return to && [this.from[0] + eased * (to[0] - this.from[0]), this.from[1] + eased * (to[1] - this.from[1])];
  }
  draw() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!width || !height || !this.box) return;
    const pen = penOf(this.canvas, width, height);
    const spot = placement(this.box, width, height, { side: MARGIN }, STRETCH);
    const place = (at) => spot(...at);
    const style = getComputedStyle(this.root);
    const ink = (name) => style.getPropertyValue(`--${name}`).trim();
    const pixels = (list, i) => place([list[2 * i], list[2 * i + 1]]);
    this.at = /* @__PURE__ */ new Map();
    pen.fillStyle = ink("was");
    pen.globalAlpha = 0.45;
    for (let i = 0; i < this.dots.length / 2; i++) {
      const at = pixels(this.dots, i);
      this.at.set(i, at);
      pen.fillRect(at[0] - 1, at[1] - 1, 2, 2);
    }
    pen.globalAlpha = 1;
    for (const [row, where] of this.near) this.mark(pen, row, place(where), ink);
    for (let i = 0; i < this.own.length / 2; i++) if (i !== this.row || this.way.length > 1) this.label(pen, pixels(this.own, i), String(i + 1), ink, width);
    this.trail(pen, place, ink, width);
    const lit = this.at.get(this.pointed >= 0 ? this.pointed : this.lit);
    if (lit) this.ring(pen, lit, 7, ink("ink"), 2);
  }
  mark(pen, row, at, ink) {
    this.at.set(row, at);
    const hit = this.hits?.has(row);
    pen.fillStyle = ink(hit ? "ink" : "was");
    pen.beginPath();
    pen.arc(...at, hit ? 3.5 : 2.5, 0, 2 * Math.PI);
    pen.fill();
  }
  ring(pen, at, radius, colour, wide) {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.beginPath();
    pen.arc(...at, radius, 0, 2 * Math.PI);
    pen.stroke();
  }
  label(pen, at, text, ink, width, strong = false) {
    this.ring(pen, at, strong ? 8 : 5, ink(strong ? "accent" : "was"), 2);
    pen.font = `${strong ? 600 : 400} 12px system-ui, sans-serif`;
    pen.textBaseline = "middle";
    const long = pen.measureText(text).width;
    const gap = strong ? 12 : 8;
    const x = at[0] + gap + long > width - 4 ? at[0] - gap - long : at[0] + gap;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeStyle = ink("ground");
    pen.fillStyle = ink(strong ? "ink" : "soft");
    pen.strokeText(text, Math.max(4, x), at[1]);
    pen.fillText(text, Math.max(4, x), at[1]);
  }
  /** The way of the sentence, fainter the longer ago, and the sentence at its head. */
  trail(pen, place, ink, width) {
    const head = this.now();
    if (!head) return;
    const points = [...this.way.slice(0, -1), head].map(place);
    this.head = points.at(-1);
    pen.strokeStyle = pen.fillStyle = ink("accent");
    pen.lineWidth = 2;
    for (let i = 1; i < points.length; i++) {
      pen.globalAlpha = 0.2 + 0.7 * i / points.length;
      pen.beginPath();
      pen.moveTo(...points[i - 1]);
      pen.lineTo(...points[i]);
      pen.stroke();
    }
    pen.globalAlpha = 1;
    pen.beginPath();
    pen.arc(...points.at(-1), 5, 0, 2 * Math.PI);
    pen.fill();
    this.label(pen, points.at(-1), this.row < 0 ? "new" : String(this.row + 1), ink, width, true);
  }
  point(row) {
    if (row === this.pointed) return;
    this.pointed = row;
    this.page.highlight(row);
    this.read();
  }
  /** The sentence of the dot that is pointed at; it may have to be requested. */
  read() {
    const text = this.pointed < 0 ? "Point at a dot to read its sentence." : this.page.read(this.pointed) || "…";
    write(this.reading, text);
    attribute(this.reading, "title", text);
    this.draw();
  }
  highlight(row) {
    this.lit = row;
    this.draw();
  }
  key(event) {
    const from = this.at?.get(this.pointed) ?? this.head;
    const next = from ? nextDot(this.at, from, event) : null;
    if (event.key === "Escape" && this.pointed >= 0) this.point(-1);
    else if (next !== null) this.point(next < 0 ? this.pointed : next);
    else return;
    consume(event);
  }
  dark() {
    this.draw();
  }
  close() {
    cancelAnimationFrame(this.next);
    this.root.remove();
  }
};

// src/playground/controls.js
var ELSEWHERE = "elsewhere";
var Controls = class {
  constructor(page, about) {
    this.page = page;
    const [least, most] = about.searched;
    this.left = this.encoder("left");
    this.right = this.encoder("right");
    this.corpus = element("input", { type: "text", class: "corpus", "aria-label": "corpus: a dataset, or a file's path", title: "wikipedia-mini, a file of sentences, or a dataset of the hub", spellcheck: "false", onchange: () => this.search() });
    this.count = element("input", { type: "number", class: "count", min: least, max: most, step: 1, "aria-label": "how many of its sentences are searched", title: `How many of it to search, at equal distances, ${least} to ${most.toLocaleString("en")}. Each encoder encodes them once.`, onchange: () => this.search() });
    this.go = element("button", { type: "button", class: "go", text: "Compare", title: "Encode and search (Ctrl Enter)", onclick: () => this.press() });
    this.state = element("p", { class: "state", role: "status", "aria-live": "polite" });
    this.far = element("span", { class: "soft far" });
    this.bar = element("div", { class: "bar", role: "progressbar", "aria-label": "encoding of the corpus", "aria-valuemin": 0, "aria-valuemax": 100 }, element("div"));
    this.root = element(
      "div",
      { class: "control" },
      element(
        "div",
        { class: "row" },
        element("h2", { text: "Playground" }),
        this.left.root,
        this.right.root,
        element("div", { class: "field searched" }, this.corpus, this.count),
        this.go
      ),
      element("div", { class: "row under" }, this.state, this.far, this.bar)
    );
  }
  encoder(side) {
    const select = element("select", { "aria-label": `encoder on the ${side}`, class: side, onchange: () => this.choose(side) });
    select.addEventListener("pointerdown", () => this.page.channel.command("runs"));
    select.addEventListener("focus", () => this.page.channel.command("runs"));
    const place = element("input", { type: "text", class: `${side}-place`, placeholder: "a folder, or a hub name", "aria-label": `folder or hub name of the encoder on the ${side}`, title: "A folder of an encoder or of a run, a hub name, or textcnn: and a file of word vectors.", spellcheck: "false", onchange: () => this.choose(side) });
    return { select, place, root: element("div", { class: "field" }, select, place) };
  }
  /** Show encoders and corpus as the kernel has them; fields with the focus stay. */
  fill(setup) {
    for (const side of ["left", "right"]) {
      const { select, place, root } = this[side];
      const { options, value, place: at } = setup[side];
      offer(select, options.map(([label, name2]) => [name2, label]), value);
      attribute(select, "title", select.selectedOptions[0]?.textContent ?? "");
      if (document.activeElement !== place) place.value = at;
      root.classList.toggle("elsewhere", value === ELSEWHERE);
    }
    const { name, fixed, count: count2 } = setup.corpus;
    if (document.activeElement !== this.corpus) this.corpus.value = name;
    if (document.activeElement !== this.count) this.count.value = count2;
    this.corpus.disabled = fixed;
  }
  choose(side) {
    const { select, place, root } = this[side];
    root.classList.toggle("elsewhere", select.value === ELSEWHERE);
    if (select.value === ELSEWHERE && !place.value) place.focus();
    this.page.channel.command("choose", { side, value: select.value, place: place.value });
  }
  search() {
    return this.page.channel.command("corpus", { text: this.corpus.value, count: this.count.valueAsNumber || this.count.value });
  }
  press() {
    if (this.page.pulse.working) this.page.channel.command("stop");
    else this.page.compare();
  }
  /** Compare was pressed; the kernel may be slow to answer. */
  begin() {
    this.notice = null;
    this.show({ ...this.page.pulse, working: true, sentence: "Encoding your sentences …", trouble: false });
  }
  /** Show a sentence of the page, until the kernel has another one. */
  report(sentence, trouble = false) {
    this.notice = { sentence, trouble, instead: this.page.pulse.sentence };
    this.show(this.page.pulse);
  }
  show(pulse) {
    if (this.notice && this.notice.instead !== pulse.sentence) this.notice = null;
    const { sentence, trouble } = this.line ?? this.notice ?? pulse;
    write(this.state, trouble ? `⚠ ${sentence}` : sentence);
    attribute(this.state, "title", sentence);
    this.state.classList.toggle("trouble", trouble);
    const at = pulse.working ? pulse : null;
    write(this.go, at ? "Stop" : "Compare");
    attribute(this.go, "title", at ? "End the search; what is encoded stays" : "Encode and search (Ctrl Enter)");
    this.go.classList.toggle("stop", Boolean(at));
    const share = at?.total ? at.done / at.total : 0;
    write(this.far, at?.doing ?? "");
    attribute(this.far, "title", at?.doing ?? "");
    this.bar.firstChild.style.width = `${100 * share}%`;
    this.bar.classList.toggle("going", Boolean(at));
    attribute(this.bar, "aria-valuenow", String(Math.round(100 * share)));
    attribute(this.bar, "aria-valuetext", at?.doing ?? "nothing is encoded");
  }
  standing(state, since) {
    const at = new Date(since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    this.line = {
      answers: null,
      silent: { sentence: `The kernel is busy with another cell; the page shows the state at ${at}.`, trouble: false },
      unanswered: { sentence: `The kernel has not answered since ${at}: it runs another cell. If no cell is running, run this cell again.`, trouble: false },
      gone: { sentence: "There is no kernel behind this page: run the cell again.", trouble: true }
    }[state];
    this.go.disabled = state === "gone";
    this.show(this.page.pulse);
  }
};

// src/playground/matrices.js
var CELL = 40;
var SMALL = 28;
var MANY = 8;
var EDGE = 24;
var short = (value) => value > 0.995 ? "1" : number(value, 2).replace(/^(−?)0/, "$1");
function fill(value, dark) {
  const end = value < 0 ? [213, 94, 0] : [0, 114, 178];
  const ground = dark ? [20, 24, 29] : [255, 255, 255];
  const part = Math.min(1, Math.abs(value));
  const mixed = ground.map((from, i) => Math.round(from + part * (end[i] - from)));
  const bright = 0.3 * mixed[0] + 0.59 * mixed[1] + 0.11 * mixed[2];
  return { fill: `rgb(${mixed})`, ink: bright > 125 ? "#12161b" : "#ffffff" };
}
var Matrix = class {
  constructor(owner, place) {
    this.owner = owner;
    this.title = element("h4");
    this.picture = drawn("svg", { role: "img", tabindex: 0, class: `matrix matrix-${place}`, "data-lm-suppress-shortcuts": true });
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.picture.addEventListener("pointermove", (event) => this.point(event.target.closest?.("g[data-cell]")));
    this.picture.addEventListener("pointerleave", () => this.read(null));
    this.picture.addEventListener("blur", () => this.read(null));
    this.root = element("figure", {}, this.title, this.picture);
  }
  fill({ name, cosines }, texts) {
    this.name = name;
    this.texts = texts;
    this.before = floats32(cosines);
    this.now = this.before.slice();
    write(this.title, name);
    this.draw();
  }
  /** Row and column of a changed sentence; a row below nought is a new sentence, which has none. */
  change(row, cosines) {
    this.now = this.before.slice();
    if (row >= 0 && cosines) {
      const n = this.texts.length;
      cosines.forEach((value, other) => {
        if (other !== row) this.now[row * n + other] = this.now[other * n + row] = value;
      });
    }
    this.row = row;
    this.draw();
  }
  draw() {
    const n = this.texts.length;
    const cell = n > MANY ? SMALL : CELL;
    const size = EDGE + n * cell;
    const dark = this.owner.isDark;
    attribute(this.picture, "viewBox", `0 0 ${size} ${size}`);
    this.picture.style.width = `${size}px`;
    const parts = [];
    for (let i = 0; i < n; i++) {
      const middle = EDGE + (i + 0.5) * cell;
      const about = (x, y) => drawn("text", { x, y, class: i === this.row ? "name chosen" : "name", text: String(i + 1) });
      parts.push(about(middle, EDGE / 2), about(EDGE / 2, middle));
      for (let j = 0; j < n; j++) {
        const value = this.now[i * n + j];
        const colours = fill(value, dark);
        const x = EDGE + j * cell;
        const y = EDGE + i * cell;
        const group = drawn("g", { "data-cell": `${i} ${j}` });
        group.append(drawn("rect", { x: x + 0.5, y: y + 0.5, width: cell - 1, height: cell - 1, fill: colours.fill }));
        group.append(drawn("text", { x: x + cell / 2, y: y + cell / 2, fill: colours.ink, text: short(value) }));
        if (Math.abs(value - this.before[i * n + j]) >= 5e-3) group.append(drawn("rect", { x: x + 2, y: y + 2, width: cell - 4, height: cell - 4, class: "changed" }));
        parts.push(group);
      }
    }
    this.ring = drawn("rect", { width: cell, height: cell, class: "ring", visibility: "hidden" });
    this.picture.replaceChildren(...parts, this.ring);
    this.cell = cell;
    attribute(this.picture, "aria-label", `${this.name}: cosines of your ${n} sentences with one another. Arrow keys move through the cells.`);
    if (this.chosen) this.show();
  }
  point(group) {
    if (group) this.read(group.dataset.cell.split(" ").map(Number));
  }
  read(chosen) {
    this.chosen = chosen;
    this.show();
  }
  show() {
    const n = this.texts.length;
    if (!this.chosen || this.chosen.some((place) => place >= n)) {
      this.ring.setAttribute("visibility", "hidden");
      this.owner.report("");
      return;
    }
    const [i, j] = this.chosen;
    this.ring.setAttribute("visibility", "visible");
    this.ring.setAttribute("x", EDGE + j * this.cell);
    this.ring.setAttribute("y", EDGE + i * this.cell);
    const [was, now] = [this.before[i * n + j], this.now[i * n + j]];
    const moved = Math.abs(was - now) >= 5e-3 ? `, which was ${number(was, 2)}` : "";
    this.owner.report(`${this.name}: ${number(now, 3)}${moved}. ${i + 1} ${this.texts[i]} · ${j + 1} ${this.texts[j]}`);
  }
  key(event) {
    const n = this.texts?.length ?? 0;
    const [i, j] = this.chosen ?? [0, -1];
    const to = { ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1], ArrowUp: [i - 1, j], ArrowDown: [i + 1, Math.max(0, j)], Home: [i, 0], End: [i, n - 1] }[event.key];
    if (!to || !n) return;
    consume(event);
    this.read(to.map((place) => Math.min(n - 1, Math.max(0, place))));
  }
};
var Matrices = class {
  constructor(page) {
    this.page = page;
    this.grids = [];
    this.place = element("div", { class: "grids" });
    this.reading = element("p", { class: "reading soft", role: "status", text: "Point at a cell to read its sentences." });
    this.root = element("div", { class: "part matrices", hidden: true }, element("div", { class: "head" }, element("h3", { text: "Cosines of your sentences with one another" })), this.place, this.reading);
  }
  fill({ texts, sides }) {
    this.root.hidden = false;
    while (this.grids.length > sides.length) this.grids.pop().root.remove();
    sides.forEach((side, place) => {
      if (!this.grids[place]) {
        this.grids[place] = new Matrix(this, place);
        this.place.append(this.grids[place].root);
      }
      this.grids[place].fill(side, texts);
    });
    if (this.last) this.change(this.last);
  }
  change(answer) {
    this.last = answer;
    for (const grid of this.grids) {
      const side = answer.sides.find(({ name }) => name === grid.name);
      if (side && answer.row < grid.texts.length) grid.change(answer.row, answer.changed ? side.cosines : null);
    }
  }
  report(text) {
    write(this.reading, text || "Point at a cell to read its sentences.");
    attribute(this.reading, "title", text);
  }
  dark(dark) {
    this.isDark = dark;
    this.grids.forEach((grid) => grid.draw());
  }
};

// src/playground/notes.js
function table({ caption, head, rows }) {
  const cell = (text, name, scope) => {
    if (!text.includes("\n") && text.length < 90) return element(name, { text, ...scope });
    const [first, ...more] = text.split("\n");
    const lines2 = element("ul", {}, ...[first, ...more].map((line) => element("li", { text: line })));
    const shut = element("button", { type: "button", class: "fold", "aria-expanded": "false", onclick: () => shut.setAttribute("aria-expanded", String(shut.getAttribute("aria-expanded") !== "true")) }, lines2);
    return element(name, scope, shut);
  };
  return element(
    "table",
    {},
    element("caption", { text: caption }),
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col", text })))),
    element("tbody", {}, ...rows.map(([first, ...rest]) => element("tr", {}, cell(first, "th", { scope: "row" }), ...rest.map((text) => cell(text, "td", {})))))
  );
}
var Notes = class {
  constructor() {
    this.warnings = element("div", { class: "warnings", role: "status" });
    this.remarks = element("div", { class: "remarks" });
    this.moves = element("div", { class: "moves" });
    this.near = element("details", { hidden: true }, element("summary", { text: "The nearest sentences of all of yours" }), element("div"));
    this.near.addEventListener("toggle", () => this.open());
    this.root = element(
      "div",
      { class: "part notes", hidden: true },
      this.warnings,
      this.remarks,
      this.moves,
      this.near
    );
  }
  fill({ warnings, remarks, near }) {
    this.root.hidden = false;
    this.lines(this.warnings, warnings.map((line) => `⚠ ${line}`));
    this.lines(this.remarks, remarks);
    this.near.hidden = !near;
    this.table = near;
    this.open();
  }
  lines(place, texts) {
    const now = texts.join("\n");
    if (place.dataset.now === now) return;
    place.dataset.now = now;
    place.replaceChildren(...texts.map((text) => element("p", { text })));
  }
  /** The table of all neighbours is long: it is made when it is opened. */
  open() {
    const place = this.near.lastChild;
    if (this.near.open && this.table) place.replaceChildren(table(this.table));
    else place.replaceChildren();
  }
  moved(of) {
    this.moves.replaceChildren(...of ? [table(of)] : []);
  }
};

// src/playground/sentences.js
var lines = (text) => text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter(Boolean);
var Sentences = class {
  constructor(page, most) {
    this.page = page;
    this.most = most;
    this.rows = [];
    this.at = 0;
    this.list = element("ol", { class: "lines" });
    this.about = element("span", { class: "soft", text: `one a line, 2 to ${most}` });
    this.more = element("button", { type: "button", text: "Add", title: "A new line (Enter)", onclick: () => this.add(this.rows.length, "") });
    this.root = element(
      "div",
      { class: "part sentences" },
      element("div", { class: "head" }, element("h3", { text: "Your sentences" }), this.about, this.more),
      this.list
    );
  }
  fill(texts) {
    const held = this.list.contains(document.activeElement);
    this.rows = [];
    this.list.replaceChildren();
    for (const text of texts.length ? texts : [""]) this.insert(this.rows.length, text);
    this.at = Math.min(this.at, this.rows.length - 1);
    if (this.page.compared) this.compared(this.page.compared.texts);
    this.mark();
    if (held) this.rows[this.at].field.focus();
  }
  insert(place, text) {
    const row = { origin: null, original: "" };
    row.field = element("input", {
      type: "text",
      class: "line",
      autocomplete: "off",
      spellcheck: "false",
      onfocus: () => this.choose(this.rows.indexOf(row)),
      oninput: () => this.typed(row),
      onpaste: (event) => this.paste(event, row),
      onkeydown: (event) => this.key(event, row)
    });
    row.field.value = text;
    row.was = element("span", { class: "was" });
    row.drop = element("button", { type: "button", class: "drop", text: "×", tabindex: -1, onclick: () => this.remove(row) });
    row.root = element("li", {}, row.field, row.was, row.drop);
    this.rows.splice(place, 0, row);
    this.list.insertBefore(row.root, this.list.children[place] ?? null);
    return row;
  }
  add(place, text) {
    if (this.rows.length >= this.most) return this.page.controls.report(`At most ${this.most} sentences can be compared.`, true);
    const row = this.insert(place, text);
    this.mark();
    row.field.focus();
    this.page.typed();
    return row;
  }
  remove(row) {
    if (this.rows.length < 2) return;
    const place = this.rows.indexOf(row);
    this.rows.splice(place, 1);
    row.root.remove();
    this.choose(Math.max(0, place - 1));
    this.rows[this.at].field.focus();
    this.page.typed();
  }
  choose(place) {
    const other = this.at !== place;
    this.at = place;
    this.mark();
    if (other) this.page.lookUp();
  }
  typed(row) {
    this.at = this.rows.indexOf(row);
    this.mark();
    this.page.typed();
  }
  /** Several lines at once become several sentences. */
  paste(event, row) {
    const pasted = lines(event.clipboardData.getData("text"));
    if (pasted.length < 2) return;
    event.preventDefault();
    let place = this.rows.indexOf(row);
    if (!row.field.value.trim()) row.field.value = pasted.shift();
    for (const text of pasted.slice(0, this.most - this.rows.length)) this.insert(++place, text);
    this.mark();
    this.page.typed();
  }
  key(event, row) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.rows.indexOf(row);
    const to = { ArrowUp: place - 1, ArrowDown: place + 1 }[event.key];
    if (event.key === "Enter") this.add(place + 1, "");
    else if (event.key === "Backspace" && !row.field.value && this.rows.length > 1) this.remove(row);
    else if (to !== void 0) this.rows[to]?.field.focus();
    else return;
    event.preventDefault();
  }
  /** After a Compare: each line is one of the compared sentences, but for empty ones. */
  compared(texts) {
    let place = 0;
    for (const row of this.rows) {
      const text = row.field.value.trim().replace(/\s+/g, " ");
      const same = text && place < texts.length;
      row.origin = same ? place : null;
      row.original = same ? texts[place] : "";
      if (same) place += 1;
    }
    this.mark();
  }
  mark() {
    this.rows.forEach((row, place) => {
      const changed = row.origin !== null && row.field.value.trim() !== row.original;
      attribute(row.root, "class", `${place === this.at ? "chosen" : ""} ${changed ? "changed" : ""}`.trim());
      attribute(row.field, "aria-label", `sentence ${place + 1} of ${this.rows.length}`);
      attribute(row.field, "title", row.field.value);
      attribute(row.drop, "aria-label", `remove sentence ${place + 1}`);
      write(row.was, changed ? `was: ${row.original}` : "");
      attribute(row.was, "title", row.original);
    });
  }
  texts() {
    return this.rows.map((row) => row.field.value);
  }
  chosen() {
    const row = this.rows[this.at];
    return row ? { text: row.field.value.trim(), origin: row.origin } : { text: "", origin: null };
  }
  /** Bring the compared sentence back where its line was changed; whether there was something to do. */
  revert() {
    const row = this.rows[this.at];
    if (!row || row.origin === null || row.field.value === row.original) return false;
    row.field.value = row.original;
    this.typed(row);
    return true;
  }
};

// src/playground/style.css
var style_default = '/* The playground; colours and type are in ../shared/look.css. */\n\n.clwork-playground { display: grid; gap: 8px; padding: 8px; min-width: 0; }\n.clwork-playground * { min-width: 0; }\n.clwork-playground :where(h2, h3, h4, p, ol, ul, figure) { margin: 0; padding: 0; list-style: none; font-size: inherit; }\n.clwork-playground h2 { font-weight: 600; font-size: var(--large); line-height: 32px; }\n.clwork-playground :is(h3, h4) { font-weight: 600; font-size: var(--normal); line-height: 20px; color: var(--ink); }\n.clwork-playground .soft { color: var(--soft); font-weight: 400; font-size: var(--small); line-height: 16px; }\n.clwork-playground :is(.state, .far, .reading, .gone, .asked, .was, .head > *) {\n  overflow: hidden; text-overflow: ellipsis; white-space: nowrap;\n}\n\n/* What can be pressed or typed into. */\n.clwork-playground.clwork-playground :where(button, select, input[type="text"], input[type="number"]) {\n  height: 32px; padding: 0 8px; margin: 0; border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); color: var(--ink);\n  font: inherit; font-variant-numeric: inherit; width: auto; max-width: none; box-shadow: none;\n}\n.clwork-playground button { cursor: pointer; white-space: nowrap; }\n.clwork-playground button:hover { background: var(--tint); }\n.clwork-playground :is(button, input, select):disabled { opacity: 0.55; cursor: default; }\n.clwork-playground :is(button, select, input, canvas, svg, summary):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }\n.clwork-playground :is(canvas, .matrix):focus-visible { outline-offset: -3px; }\n.clwork-playground .go { width: 96px; background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }\n.clwork-playground .go:hover { background: color-mix(in srgb, var(--accent) 80%, var(--ground)); }\n.clwork-playground .go.stop { background: var(--raised); color: var(--ink); border-color: var(--edge); }\n\n.clwork-playground .part { border: 1px solid var(--rule); border-radius: 8px; padding: 8px; }\n.clwork-playground .head { display: flex; gap: 8px; align-items: baseline; min-height: 24px; }\n.clwork-playground .head h3 { flex: 0 0 auto; max-width: 70%; }\n.clwork-playground .head .soft { flex: 1 1 0; }\n\n/* Control and state. */\n.clwork-playground .control .row { display: flex; gap: 8px; align-items: start; }\n.clwork-playground .control .field { flex: 1 1 0; display: grid; gap: 8px; }\n.clwork-playground .control .field > input[class$="-place"] { display: none; }\n.clwork-playground .control .field.elsewhere > input[class$="-place"] { display: block; }\n.clwork-playground .control select { width: 100%; text-overflow: ellipsis; }\n.clwork-playground .control .searched { flex: 0 1 320px; display: flex; }\n.clwork-playground .control .corpus { flex: 1 1 0; }\n.clwork-playground .control .count { flex: 0 0 80px; }\n.clwork-playground .control .under { align-items: center; height: 24px; }\n.clwork-playground .state { flex: 1 1 0; }\n.clwork-playground .far { flex: 0 1 auto; }\n.clwork-playground .state.trouble { color: var(--trouble); }\n.clwork-playground .bar { flex: 0 0 160px; height: 8px; border-radius: 4px; background: var(--band); overflow: hidden; visibility: hidden; }\n.clwork-playground .bar.going { visibility: visible; }\n.clwork-playground .bar > div { height: 100%; background: var(--accent); border-radius: 4px; }\n\n/* Sentences. */\n.clwork-playground .upper { display: grid; gap: 8px; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); height: 248px; }\n.clwork-playground .sentences { display: flex; flex-direction: column; gap: 8px; min-height: 0; }\n.clwork-playground .sentences .head button { height: 24px; padding: 0 8px; font-size: var(--small); flex: 0 0 auto; align-self: center; }\n.clwork-playground .lines { overflow-y: auto; counter-reset: line; flex: 1 1 0; padding: 0 2px; }\n.clwork-playground .lines li { display: grid; grid-template-columns: 24px 1fr 24px; align-items: center; counter-increment: line; }\n.clwork-playground .lines li::before { content: counter(line); color: var(--soft); font-size: var(--small); text-align: right; padding-right: 8px; }\n.clwork-playground .lines li.chosen::before { color: var(--accent); font-weight: 600; }\n.clwork-playground .lines .line { width: 100%; height: 24px; border-color: transparent; background: transparent; text-overflow: ellipsis; }\n.clwork-playground .lines .line:hover { border-color: var(--edge); }\n.clwork-playground .lines .line:focus-visible { outline-offset: -2px; }\n.clwork-playground .lines li.chosen .line { background: var(--tint); }\n.clwork-playground .lines .was { grid-column: 2; grid-row: 2; color: var(--was); font-size: var(--small); line-height: 16px; padding-left: 9px; }\n.clwork-playground .lines .was:empty { display: none; }\n.clwork-playground .lines .drop { grid-column: 3; grid-row: 1; height: 24px; padding: 0; border-color: transparent; background: transparent; color: var(--soft); }\n\n/* Clouds. */\n.clwork-playground .clouds { display: grid; gap: 8px; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); min-height: 0; }\n.clwork-playground .empty { color: var(--soft); border: 1px solid var(--rule); border-radius: 8px; display: grid; place-content: center; padding: 16px; text-align: center; }\n.clwork-playground .cloud { display: flex; flex-direction: column; min-height: 0; }\n.clwork-playground .cloud .frame { flex: 1 1 0; position: relative; min-height: 0; margin: 0 -8px; }\n.clwork-playground .cloud canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: pan-y; }\n.clwork-playground .reading { min-height: 16px; }\n\n/* Answers. */\n.clwork-playground .columns { position: relative; display: grid; grid-template-columns: minmax(0, 1fr) 64px minmax(0, 1fr); }\n.clwork-playground .columns.one { grid-template-columns: minmax(0, 1fr); }\n.clwork-playground .columns.one > :is(svg, .right) { display: none; }\n.clwork-playground .answer .asked { flex: 1 1 0; }\n.clwork-playground h4 { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-height: 24px; }\n.clwork-playground .hits { min-height: 240px; }\n.clwork-playground .gone { min-height: 16px; color: var(--was); }\n.clwork-playground .hit {\n  display: grid; grid-template-columns: 24px 40px minmax(0, 1fr) auto; gap: 0 8px; width: 100%; height: auto; min-height: 24px; padding: 2px 4px;\n  border: 0; border-radius: 4px; background: transparent; text-align: left; align-items: start;\n}\n.clwork-playground .columns:not(.one) .left .hit { grid-template-columns: minmax(0, 1fr) auto 40px 24px; }\n.clwork-playground .hit > * { grid-row: 1; }\n.clwork-playground .hit .rank { grid-column: 1; font-weight: 600; text-align: right; }\n.clwork-playground .hit .cosine { grid-column: 2; }\n.clwork-playground .hit .text { grid-column: 3; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-playground .hit .mark { grid-column: 4; color: var(--was); font-size: var(--small); }\n.clwork-playground .hit .mark.moved { color: var(--accent); }\n.clwork-playground .columns:not(.one) .left .hit .rank { grid-column: 4; text-align: left; }\n.clwork-playground .columns:not(.one) .left .hit .cosine { grid-column: 3; }\n.clwork-playground .columns:not(.one) .left .hit .mark { grid-column: 2; }\n.clwork-playground .columns:not(.one) .left .hit .text { grid-column: 1; }\n.clwork-playground .columns:not(.one) .left h4 { text-align: right; }\n.clwork-playground .columns:not(.one) .left .gone { text-align: right; }\n.clwork-playground .past .hit { color: var(--was); }\n.clwork-playground .hit[aria-expanded="true"] .text { white-space: pre-wrap; overflow-wrap: anywhere; }\n.clwork-playground .hit.lit { background: var(--tint); }\n.clwork-playground .between { width: 64px; height: 100%; overflow: visible; }\n.clwork-playground .between path { fill: none; stroke: var(--was); stroke-width: 1; }\n.clwork-playground .between path.other { stroke: var(--accent); stroke-width: 2; }\n.clwork-playground .between path.alone { stroke-dasharray: 2 3; }\n.clwork-playground .between path.lit { stroke-width: 4; }\n\n/* Matrices and notes. */\n.clwork-playground .lower { display: flex; flex-wrap: wrap; gap: 8px; }\n.clwork-playground .matrices { flex: 0 1 auto; }\n.clwork-playground .notes { flex: 1 1 400px; }\n.clwork-playground .grids { display: flex; flex-wrap: wrap; gap: 8px 24px; }\n.clwork-playground .grids figure { max-width: 100%; }\n.clwork-playground .matrix { display: block; max-width: 100%; height: auto; }\n.clwork-playground .matrix text { font-size: var(--small); text-anchor: middle; dominant-baseline: central; }\n.clwork-playground .matrix .name { fill: var(--soft); }\n.clwork-playground .matrix .chosen { fill: var(--accent); font-weight: 600; }\n.clwork-playground .matrix .changed { fill: none; stroke: currentColor; stroke-width: 1; stroke-dasharray: 2 2; }\n.clwork-playground .matrix .ring { fill: none; stroke: var(--accent); stroke-width: 3; }\n.clwork-playground .notes { display: grid; gap: 8px; align-content: start; }\n.clwork-playground .warnings:empty, .clwork-playground .remarks:empty, .clwork-playground .moves:empty { display: none; }\n.clwork-playground .warnings { border-left: 4px solid var(--trouble); padding-left: 8px; color: var(--trouble); }\n.clwork-playground table { border-collapse: collapse; width: 100%; table-layout: fixed; font-size: var(--small); line-height: 16px; }\n.clwork-playground caption { text-align: left; font-weight: 600; font-size: var(--normal); line-height: 24px; }\n.clwork-playground :is(th, td) { border-top: 1px solid var(--rule); padding: 4px; text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; color: var(--ink); background: transparent; }\n.clwork-playground thead th { font-weight: 600; }\n.clwork-playground .fold { display: block; width: 100%; height: auto; padding: 0; border: 0; background: transparent; text-align: left; white-space: normal; font: inherit; }\n.clwork-playground .fold li { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-playground .fold[aria-expanded="true"] li { white-space: normal; }\n.clwork-playground summary { cursor: pointer; }\n\n@container (min-width: 1400px) {\n  .clwork-playground > * { --small: 13px; --normal: 15px; --large: 20px; font-size: 15px; }\n  .clwork-playground .upper { height: 336px; }\n}\n@container (max-width: 759px) {\n  .clwork-playground .control .row:first-child { flex-wrap: wrap; }\n  .clwork-playground .control h2 { flex: 1 1 auto; }\n  .clwork-playground .control .field { flex: 1 1 40%; }\n  .clwork-playground .control .row:first-child > .go { order: -1; }\n  .clwork-playground .control h2 { order: -2; }\n  .clwork-playground .control .searched { flex: 1 1 100%; }\n  .clwork-playground .upper { grid-template-columns: minmax(0, 1fr); height: auto; }\n  .clwork-playground .notes { flex-basis: 100%; }\n  .clwork-playground .lines { max-height: 208px; flex: none; }\n  .clwork-playground .clouds { height: 256px; }\n}\n@container (max-width: 559px) {\n  .clwork-playground :where(button, select, input[type="text"], input[type="number"]) { min-height: 40px; }\n  .clwork-playground .control .under { flex-wrap: wrap; height: auto; }\n  .clwork-playground .control .state { flex: 1 1 100%; min-height: 20px; white-space: normal; }\n  .clwork-playground .control .far { flex: 1 1 0; }\n  .clwork-playground .control .bar { flex: 0 0 96px; }\n  .clwork-playground .clouds { grid-auto-flow: row; grid-auto-rows: 240px; height: auto; }\n  .clwork-playground .columns { grid-template-columns: minmax(0, 1fr); gap: 8px; }\n  .clwork-playground .between { display: none; }\n  .clwork-playground .sentences .head { flex-wrap: wrap; }\n  .clwork-playground .sentences .head button, .clwork-playground .hit, .clwork-playground .drop, .clwork-playground .fold { min-height: 40px; }\n  .clwork-playground .columns:not(.one) .left .hit { grid-template-columns: 24px 40px minmax(0, 1fr) auto; }\n  .clwork-playground .columns:not(.one) .left .hit .rank { grid-column: 1; text-align: right; }\n  .clwork-playground .columns:not(.one) .left .hit .cosine { grid-column: 2; }\n  .clwork-playground .columns:not(.one) .left .hit .text { grid-column: 3; }\n  .clwork-playground .columns:not(.one) .left .hit .mark { grid-column: 4; }\n  .clwork-playground .columns:not(.one) .left :is(h4, .gone) { text-align: left; }\n}\n@media (prefers-reduced-motion: no-preference) {\n  .clwork-playground .bar > div { transition: width 250ms linear; }\n}\n';

// src/playground/index.js
var EVERY = 250;
var PARTS = ["sentences", "setup", "compared", "clouds", "answer", "texts"];
var Page = class {
  constructor(model) {
    this.versions = {};
    this.texts = /* @__PURE__ */ new Map();
    this.pulse = { working: false, busy: false, sentence: "", trouble: false, doing: "", done: 0, total: 0 };
    this.requested = 0;
    const about = model.get("about");
    this.controls = new Controls(this, about);
    this.sentences = new Sentences(this, about.most);
    this.answer = new Answer(this);
    this.clouds = [];
    this.matrices = new Matrices(this);
    this.notes = new Notes();
    this.places = element("div", { class: "clouds" });
    this.root = element(
      "section",
      { class: "clwork-look clwork-playground", "aria-label": "Playground: your own sentences under one encoder or two" },
      this.controls.root,
      element("div", { class: "upper" }, this.sentences.root, this.places),
      this.answer.root,
      element("div", { class: "lower" }, this.matrices.root, this.notes.root)
    );
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.empty = element("p", { class: "empty", text: "Here the sentence moves in the cloud of the corpus, once you have pressed Compare." });
    this.places.append(this.empty);
    this.channel = new Channel(model, {
      known: () => ({ ...this.versions }),
      take: (news) => this.take(news),
      lively: () => this.pulse.busy || Date.now() - this.requested < 2e3,
      refused: (why) => this.controls.report(why, true),
      standing: (state, since) => this.controls.standing(state, since)
    });
  }
  take(news) {
    for (const name of PARTS) {
      const part = news[name];
      if (!part || part.version === this.versions[name]) continue;
      this.versions[name] = part.version;
      this[`take_${name}`](part);
    }
    if (news.pulse) {
      this.pulse = news.pulse;
      this.controls.show(news.pulse);
    }
  }
  take_sentences({ texts, by }) {
    if (by !== this.channel?.page || !this.sentences.rows.length) this.sentences.fill(texts);
  }
  take_setup(setup) {
    this.controls.fill(setup);
  }
  take_compared(compared) {
    const fresh = compared.number !== this.compared?.number;
    this.compared = compared;
    if (fresh) {
      this.sentences.compared(compared.texts);
      this.last = this.matrices.last = null;
      this.answer.clear();
      this.lookUp();
    }
    this.matrices.fill(compared);
    this.notes.fill(compared);
  }
  take_clouds({ sides, axes }) {
    this.empty.remove();
    while (this.clouds.length > sides.length) this.clouds.pop().close();
    sides.forEach((side, place) => {
      if (!this.clouds[place]) {
        this.clouds[place] = new Cloud(this);
        this.places.append(this.clouds[place].root);
      }
      this.clouds[place].fill(side, axes);
    });
    this.clouds.forEach((cloud) => cloud.dark(this.isDark));
    if (this.last) this.clouds.forEach((cloud) => cloud.answer(this.last));
  }
  take_answer(answer) {
    this.last = answer;
    for (const [row, text] of Object.entries(answer.texts)) this.store(Number(row), text);
    this.answer.fill(answer);
    this.matrices.change(answer);
    this.notes.moved(answer.moved);
    this.clouds.forEach((cloud) => cloud.answer(answer));
  }
  take_texts({ texts }) {
    for (const [row, text] of Object.entries(texts)) this.store(Number(row), text);
    this.clouds.forEach((cloud) => cloud.read());
  }
  store(row, text) {
    this.texts.set(row, text);
    if (this.texts.size > 2e3) this.texts.delete(this.texts.keys().next().value);
  }
  /** Look the chosen sentence up, soon: at most four times a second, as it was typed last. */
  lookUp() {
    if (!this.compared) return;
    const wait = this.requested + EVERY - Date.now();
    clearTimeout(this.soon);
    this.soon = setTimeout(() => {
      const { text, origin } = this.sentences.chosen();
      if (!text) return;
      this.requested = Date.now();
      this.channel.command("edit", { text, row: origin });
    }, Math.max(0, wait));
  }
  /** The sentences have changed: the kernel stores them, for a reloaded page and for Python. */
  typed() {
    clearTimeout(this.storing);
    this.storing = setTimeout(() => this.channel.command("type", { texts: this.sentences.texts(), by: this.channel.page }), 2 * EVERY);
    this.lookUp();
  }
  compare() {
    clearTimeout(this.storing);
    this.controls.begin();
    return this.channel.command("compare", { texts: this.sentences.texts(), by: this.channel.page });
  }
  /** The text of a row of the corpus; requested if it was not sent yet. */
  read(row) {
    if (!this.texts.has(row) && row !== this.wanted) {
      this.wanted = row;
      clearTimeout(this.reading);
      this.reading = setTimeout(() => this.channel.command("read", { rows: [row] }), 80);
    }
    return this.texts.get(row) ?? "";
  }
  highlight(row) {
    this.answer.highlight(row);
    this.clouds.forEach((cloud) => cloud.highlight(row));
  }
  key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.compare();
    }
    if (event.key === "Escape" && !this.sentences.revert()) return;
    if (event.key === "Escape") event.preventDefault();
  }
  paint(dark) {
    this.isDark = dark;
    this.clouds.forEach((cloud) => cloud.dark(dark));
    this.matrices.dark(dark);
  }
  close() {
    [this.soon, this.storing, this.reading].forEach(clearTimeout);
    this.channel.close();
    this.clouds.forEach((cloud) => cloud.close());
  }
};
var render = ({ model, el }) => mount(el, style_default, new Page(model));
var index_default = { render };
export {
  index_default as default
};
