// Made by js/build.mjs (make bundle); edit js/src/cloud instead. sources 81459308cba4de69231b9823547c38a929e00ad00530ee1e2beb586a39960106 body dd182434a621dedf8b1b8bf1cd385700358392defc1e9bbd40ca5ae2b6ec64aa
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
  const tell = (again) => {
    const dark = said() ?? told ?? Boolean(SYSTEM?.matches);
    const theme = dark ? "dark" : "light";
    const now = `${theme} ${document.body.dataset.jpThemeName ?? ""}`;
    if (now === last && again !== true) return;
    last = now;
    document.documentElement.dataset.clworkTheme = theme;
    if (root) root.dataset.theme = theme;
    show(dark);
    clearTimeout(timer);
    if (again !== true) timer = setTimeout(() => tell(true), LATER);
  };
  const hear = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      told = event.data.clworkDark;
      tell();
    }
  };
  const forget = onPage(tell);
  SYSTEM?.addEventListener("change", tell);
  window.addEventListener("message", hear);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  tell();
  return () => {
    clearTimeout(timer);
    forget();
    SYSTEM?.removeEventListener("change", tell);
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

// src/cloud/drawing.js
var NEAR = 14;
var [TOP, BOTTOM, SIDE] = [30, 40, 14];
var STRETCH = 1.7;
var Drawing = class {
  /** It reads from its cloud what there is to draw, and changes nothing of it. */
  constructor(canvas, cloud) {
    this.canvas = canvas;
    this.frame = canvas.parentElement;
    this.pen = canvas.getContext("2d");
    this.cloud = cloud;
    this.paths = {};
    for (const [name, outline] of Object.entries(OUTLINES)) this.paths[name] = new Path2D(outline);
  }
  /** The row of the dot that is nearest to a place, -1 if none is near. */
  nearest(x, y) {
    const { cloud } = this;
    let best = NEAR * NEAR;
    let found = -1;
    for (let row = 0; 2 * row < cloud.at.length; row++) {
      const [px, py] = this.pixel(cloud.at[2 * row], cloud.at[2 * row + 1]);
      const far = (px - x) ** 2 + (py - y) ** 2;
      if (far < best && (cloud.lit < 0 || cloud.topic(row) === cloud.lit)) [best, found] = [far, row];
    }
    return found;
  }
  pixel(x, y) {
    const { width, height, cloud: { view: view2 } } = this;
    const [across, up] = this.scale(view2);
    return [width / 2 + (x - view2.x) * across, (TOP + height - BOTTOM) / 2 - (y - view2.y) * up];
  }
  /** Pixels a unit, across and up: dots fill the frame, so the two may differ, within reason; the scale marks say so. */
  scale(view2) {
    const across = Math.max(1, (this.width / 2 - SIDE) / view2.w);
    const up = Math.max(1, (this.height - TOP - BOTTOM) / 2 / view2.h);
    return [Math.min(across, STRETCH * up), Math.min(up, STRETCH * across)];
  }
  /** Fit the canvas to its frame, in real pixels; false where there is no room to draw. */
  fit() {
    this.width = this.frame.clientWidth;
    this.height = this.frame.clientHeight;
    if (this.width < 20 || this.height < 20) return false;
    const ratio = globalThis.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(this.width * ratio) || this.canvas.height !== Math.round(this.height * ratio)) {
      this.canvas.width = Math.round(this.width * ratio);
      this.canvas.height = Math.round(this.height * ratio);
    }
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return true;
  }
  draw() {
    const { cloud } = this;
    this.pen.clearRect(0, 0, this.width, this.height);
    const style = getComputedStyle(this.frame);
    this.ink = style.getPropertyValue("--jp-ui-font-color1").trim() || (cloud.night ? "#eee" : "#222");
    this.ground = style.getPropertyValue("--jp-layout-color0").trim() || (cloud.night ? "#111" : "#fff");
    this.rule = style.getPropertyValue("--jp-border-color2").trim() || (cloud.night ? "#444" : "#ddd");
    if (cloud.view && cloud.at.length) {
      this.grid();
      this.trails();
      this.dots();
      this.labels();
    }
  }
  /** Lines at round distances, and marks that say how long one of them is: a view that zooms must say so. */
  grid() {
    const { pen, cloud } = this;
    if (cloud.now.kind === "umap") return;
    const [across, up] = this.scale(cloud.view);
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((size) => size * Math.min(across, up) >= 40) ?? 1;
    pen.strokeStyle = this.rule;
    pen.globalAlpha = 0.55;
    pen.lineWidth = 1;
    pen.beginPath();
    const [x0, y0] = this.pixel(0, 0);
    for (let x = x0 - Math.floor(x0 / (step * across)) * step * across; x < this.width; x += step * across) {
      pen.moveTo(Math.round(x) + 0.5, 0);
      pen.lineTo(Math.round(x) + 0.5, this.height);
    }
    for (let y = y0 - Math.floor(y0 / (step * up)) * step * up; y < this.height; y += step * up) {
      pen.moveTo(0, Math.round(y) + 0.5);
      pen.lineTo(this.width, Math.round(y) + 0.5);
    }
    pen.stroke();
    const [left, foot] = [10.5, this.height - BOTTOM - 4.5];
    pen.globalAlpha = 0.75;
    pen.strokeStyle = pen.fillStyle = this.ink;
    pen.beginPath();
    pen.moveTo(left, foot - step * up);
    pen.lineTo(left, foot);
    pen.lineTo(left + step * across, foot);
    pen.stroke();
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.fillText(String(step), left + 5, foot - 5);
    pen.globalAlpha = 1;
  }
  line(points, colour) {
    const { pen } = this;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.8;
    for (let place = 1; place < points.length; place++) {
      pen.globalAlpha = 0.15 + 0.75 * place / points.length;
      pen.beginPath();
      pen.moveTo(...this.pixel(...points[place - 1]));
      pen.lineTo(...this.pixel(...points[place]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }
  trails() {
    const { cloud } = this;
    if (cloud.now.kind === "umap") return;
    const rows = new Set(cloud.chosen);
    if (cloud.under >= 0) rows.add(cloud.under);
    if (cloud.walked >= 0) rows.add(cloud.walked);
    for (const row of rows) {
      const past = cloud.trail.filter((look) => look.step < cloud.now.step && look.at.length > 2 * row + 1);
      const points = past.map((look) => [look.at[2 * row], look.at[2 * row + 1]]);
      this.line([...points, [cloud.at[2 * row], cloud.at[2 * row + 1]]], cloud.colour(cloud.topic(row)));
    }
    for (const one of cloud.now.own) this.line([...one.trail ?? [], [one.x, one.y]], this.ink);
  }
  dots() {
    const { pen, cloud } = this;
    const count = cloud.at.length / 2;
    const room = Math.sqrt(this.width * this.height / Math.max(count, 1));
    this.radius = Math.max(3.2, Math.min(6.5, room / 6.5));
    const rows = [...Array(count).keys()];
    const rank = (row) => row === cloud.under || row === cloud.walked ? 2 : cloud.chosen.has(row) ? 1 : 0;
    rows.sort((a, b) => rank(a) - rank(b) || a * 7919 % count - b * 7919 % count);
    for (const row of rows) {
      const topic = cloud.topic(row);
      const high = rank(row);
      const [x, y] = this.pixel(cloud.at[2 * row], cloud.at[2 * row + 1]);
      pen.save();
      pen.translate(x, y);
      const size = this.radius * (high ? 1.6 : 1);
      pen.scale(size, size);
      pen.globalAlpha = cloud.lit >= 0 && topic !== cloud.lit ? 0.12 : cloud.now.faded ? 0.45 : high ? 1 : 0.88;
      pen.fillStyle = cloud.colour(topic);
      const path = this.paths[cloud.about.shapes[topic]] ?? this.paths.circle;
      pen.lineWidth = (high ? 2 : 1.2) / size;
      pen.strokeStyle = high ? this.ink : this.ground;
      pen.stroke(path);
      pen.fill(path);
      pen.restore();
    }
  }
  /** Words beside a dot, on the side where there is room. */
  label(text, x, y, strong) {
    const { pen } = this;
    pen.font = `${strong ? "600 " : ""}12px system-ui, sans-serif`;
    const gap = 1.8 * this.radius + 3;
    const right = x <= this.width / 2;
    const room = (right ? this.width - x : x) - gap - 6;
    let short = text;
    for (let length = Math.min(text.length, 60); length > 6 && (short.length > 60 || pen.measureText(short).width > room); length--) {
      short = `${text.slice(0, length).trimEnd()}…`;
    }
    const left = right ? x + gap : x - gap - pen.measureText(short).width;
    const base = Math.max(30, Math.min(y + 4, this.height - BOTTOM));
    pen.textAlign = "left";
    pen.lineJoin = "round";
    pen.lineWidth = 5;
    pen.strokeStyle = this.ground;
    pen.globalAlpha = 0.95;
    pen.strokeText(short, left, base);
    pen.globalAlpha = 1;
    pen.fillStyle = this.ink;
    pen.fillText(short, left, base);
  }
  labels() {
    const { pen, cloud } = this;
    for (const row of /* @__PURE__ */ new Set([...cloud.chosen, cloud.walked, cloud.under])) {
      if (row >= 0 && 2 * row < cloud.at.length) this.label(cloud.about.texts[row], ...this.pixel(cloud.at[2 * row], cloud.at[2 * row + 1]), row === cloud.under);
    }
    for (const one of cloud.now.own) {
      const [x, y] = this.pixel(one.x, one.y);
      pen.beginPath();
      pen.arc(x, y, this.radius * 1.5, 0, 2 * Math.PI);
      pen.fillStyle = this.ground;
      pen.fill();
      pen.lineWidth = 3;
      pen.strokeStyle = this.ink;
      pen.stroke();
      this.label(one.text, x, y, true);
    }
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

// src/cloud/looks.js
var SPAN = 2;
var unpack = (packed) => floats(packed, SPAN / STEPS);
function bounds(at, own) {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  const take = (x, y) => {
    low[0] = Math.min(low[0], x);
    low[1] = Math.min(low[1], y);
    high[0] = Math.max(high[0], x);
    high[1] = Math.max(high[1], y);
  };
  for (let place = 0; place < at.length; place += 2) take(at[place], at[place + 1]);
  for (const one of own) take(one.x, one.y);
  if (low[0] > high[0]) return { x: 0, y: 0, w: 1, h: 1 };
  const half = (axis) => Math.max((high[axis] - low[axis]) / 2, 0.02);
  return { x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, w: half(0), h: half(1) };
}

// src/cloud/style.css
var style_default = ".clwork-cloud {position: absolute; inset: 0; display: flex; flex-direction: column; gap: 3px;\n  font: 12px/1.35 var(--jp-ui-font-family, system-ui, sans-serif); color: var(--jp-ui-font-color1, inherit)}\n.clwork-cloud-frame {position: relative; flex: 1 1 0; min-height: 0; border-radius: 6px; overflow: hidden;\n  border: 1px solid var(--jp-border-color2, #ddd)}\n.clwork-cloud canvas {position: absolute; inset: 0; width: 100%; height: 100%; display: block; cursor: crosshair}\n.clwork-cloud canvas:focus-visible {outline: 2px solid var(--jp-brand-color1, #1976d2); outline-offset: -2px}\n.clwork-cloud-caption {position: absolute; left: 8px; top: 6px; right: 8px; pointer-events: none; font-size: 12px}\n.clwork-cloud-said {position: absolute; left: 0; right: 0; bottom: 0; padding: 1px 8px 2px; height: 2.75em; overflow: hidden;\n  font-size: 11.5px; line-height: 1.35; pointer-events: none; color: var(--jp-ui-font-color1, inherit);\n  background: color-mix(in srgb, var(--jp-layout-color0, Canvas) 82%, transparent)}\n.clwork-cloud-topics {flex: 0 0 auto; display: flex; flex-flow: row wrap; gap: 0 7px}\n.clwork-cloud-topics button {all: unset; display: inline-flex; align-items: center; gap: 3px; cursor: pointer;\n  font-size: 10.5px; line-height: 1.35; white-space: nowrap; border-radius: 3px}\n.clwork-cloud-topics button:focus-visible {outline: 2px solid var(--jp-brand-color1, #1976d2)}\n.clwork-cloud-topics button[aria-pressed=true] {text-decoration: underline; font-weight: 600}\n.clwork-cloud-topics svg {flex: none}\n";

// src/shared/counted.js
function counted(count, noun) {
  return `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
}

// src/cloud/cloud.js
var MOVE = 600;
var CALM = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
var HINT = "Point at a dot, or walk from dot to dot with the arrow keys; click or Enter follows it through time.";
var NOTHING = { texts: [], topics: [], names: [], light: [], dark: [], shapes: [] };
function element(name, kind = "", text = "") {
  const made = document.createElement(name);
  made.className = `clwork-cloud${kind}`;
  made.textContent = text;
  return made;
}
var Cloud = class {
  constructor(el, choose) {
    this.choose = choose;
    this.root = el.appendChild(element("div"));
    this.root.appendChild(document.createElement("style")).textContent = style_default;
    this.frame = this.root.appendChild(element("div", "-frame"));
    this.canvas = this.frame.appendChild(element("canvas", "-canvas"));
    this.canvas.tabIndex = 0;
    this.canvas.dataset.lmSuppressShortcuts = "true";
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-roledescription", "cloud of sentences");
    this.caption = this.frame.appendChild(element("div", "-caption"));
    this.said = this.frame.appendChild(element("div", "-said", HINT));
    this.said.setAttribute("aria-live", "polite");
    this.topics = this.root.appendChild(element("div", "-topics"));
    this.drawing = new Drawing(this.canvas, this);
    this.about = NOTHING;
    this.order = [];
    this.night = false;
    this.now = { own: [], step: 0 };
    this.from = this.to = this.at = new Float32Array(0);
    this.trail = [];
    this.chosen = /* @__PURE__ */ new Set();
    this.under = this.walked = -1;
    this.lit = -1;
    this.view = this.view_from = this.view_to = null;
    this.began = 0;
    this.asked = false;
    this.listen();
  }
  listen() {
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.canvas.addEventListener("pointermove", (event) => this.point(this.drawing.nearest(...at(event))));
    this.canvas.addEventListener("pointerleave", () => this.point(-1));
    this.canvas.addEventListener("click", (event) => this.follow(this.drawing.nearest(...at(event))));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("blur", () => this.walk(-1));
    this.watch = new ResizeObserver(() => this.ask());
    this.watch.observe(this.frame);
    this.forget = followTheme(this.root, (dark) => {
      this.night = dark;
      this.dress();
    });
  }
  close() {
    this.gone = true;
    this.watch.disconnect();
    this.forget();
  }
  // --- what is shown ---
  /** Texts, their topics, and how topics look. */
  tell(about) {
    const others = JSON.stringify(about.texts) !== JSON.stringify(this.about.texts);
    this.about = { ...NOTHING, ...about };
    if (others) {
      this.at = this.from = this.to = new Float32Array(0);
      this.view = this.view_to = null;
      this.chosen.clear();
      this.under = this.walked = this.lit = -1;
      this.order = [...this.about.texts.keys()].sort((a, b) => this.topic(a) - this.topic(b) || a - b);
    }
    this.dress();
  }
  /** A look: dots move from where they are to where it saw them. */
  look(now, trail) {
    this.now = { own: [], ...now };
    this.trail = [...trail, ...now.since ?? []].map((look) => ({ step: look.step, at: unpack(look.at) }));
    const to = now.at ? unpack(now.at) : new Float32Array(0);
    this.caption.textContent = now.caption ?? "";
    this.canvas.setAttribute("aria-label", `${counted(to.length / 2, "sentence")} as dots. ${now.caption ?? ""} ${HINT}`);
    this.from = this.at.length === to.length ? this.at.slice() : to;
    this.to = to;
    const wanted = bounds(to, this.now.own);
    const old = this.view_to;
    const within = (middle, half) => Math.abs(wanted[middle] - old[middle]) + wanted[half] <= 1.02 * old[half];
    const stays = old && old.kind === now.kind && within("x", "w") && within("y", "h") && wanted.w > 0.7 * old.w && wanted.h > 0.7 * old.h;
    this.view_from = this.view ?? wanted;
    this.view_to = stays ? old : { ...wanted, w: wanted.w * 1.06, h: wanted.h * 1.06, kind: now.kind };
    this.view ??= this.view_to;
    this.began = performance.now();
    this.ask();
  }
  topic(row) {
    return this.about.topics?.[row] ?? 0;
  }
  colour(topic) {
    const colours = this.night ? this.about.dark : this.about.light;
    return colours[topic % colours.length] ?? "#0072B2";
  }
  /** Colours and the list of topics, as the page's theme wants them. */
  dress() {
    this.topics.replaceChildren();
    if (this.about.names.length > 1) this.about.names.forEach((name, topic) => this.topics.appendChild(this.key_of(name, topic)));
    this.ask();
    setTimeout(() => this.ask(), 400);
  }
  key_of(name, topic) {
    const button = element("button", "-topic");
    const marker = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [key, value] of Object.entries({ width: 12, height: 12, viewBox: "-1.5 -1.5 3 3", "aria-hidden": true })) marker.setAttribute(key, value);
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", OUTLINES[this.about.shapes[topic]] ?? OUTLINES.circle);
    path.setAttribute("fill", this.colour(topic));
    marker.appendChild(path);
    button.append(marker, name);
    button.title = `Show ${name} alone`;
    button.setAttribute("aria-pressed", String(this.lit === topic));
    button.addEventListener("click", () => {
      this.lit = this.lit === topic ? -1 : topic;
      [...this.topics.children].forEach((one, place) => one.setAttribute("aria-pressed", String(this.lit === place)));
      this.ask();
    });
    return button;
  }
  // --- what the reader does ---
  point(row) {
    if (row === this.under) return;
    this.under = row;
    this.say();
  }
  walk(row) {
    this.walked = row;
    this.say();
  }
  follow(row) {
    if (row < 0) return;
    if (!this.chosen.delete(row)) this.chosen.add(row);
    this.choose([...this.chosen]);
    this.say();
  }
  key(event) {
    const { order } = this;
    if (!order.length) return;
    const place = order.indexOf(this.walked);
    const topic = this.walked < 0 ? -1 : this.topic(this.walked);
    const next = (way) => order[(place < 0 ? way > 0 ? 0 : order.length - 1 : place + way + order.length) % order.length];
    const jump = (way) => {
      const starts = order.filter((row, at) => at === 0 || this.topic(order[at - 1]) !== this.topic(row));
      const mine = starts.findIndex((row) => this.topic(row) === topic);
      return starts[(mine + way + starts.length) % starts.length];
    };
    const moves = { ArrowRight: () => next(1), ArrowLeft: () => next(-1), ArrowDown: () => jump(1), ArrowUp: () => jump(-1), Home: () => order[0], End: () => order.at(-1) };
    if (moves[event.key]) this.walk(moves[event.key]());
    else if ((event.key === "Enter" || event.key === " ") && this.walked >= 0) this.follow(this.walked);
    else if (event.key === "Escape") {
      this.chosen.clear();
      this.choose([]);
      this.walk(-1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  say() {
    const row = this.under >= 0 ? this.under : this.walked;
    if (row < 0) this.said.textContent = this.chosen.size ? `${this.chosen.size} followed. Esc lets go.` : HINT;
    else {
      const place = this.order.indexOf(row) + 1;
      const topic = this.about.names.length > 1 ? ` · ${this.about.names[this.topic(row)]}` : "";
      const kept = this.chosen.has(row) ? " · followed" : "";
      this.said.textContent = `${place} of ${this.order.length}${topic}${kept}: ${this.about.texts[row]}`;
    }
    this.said.title = row < 0 ? "" : this.about.texts[row];
    this.ask();
  }
  // --- from look to look ---
  ask() {
    if (!this.asked && !this.gone) requestAnimationFrame(() => this.draw());
    this.asked = true;
  }
  draw() {
    this.asked = false;
    if (this.gone || !this.drawing.fit()) return;
    const share = CALM?.matches ? 1 : Math.min(1, (performance.now() - this.began) / MOVE);
    const ease = share * share * (3 - 2 * share);
    if (this.at.length !== this.to.length) this.at = new Float32Array(this.to.length);
    for (let place = 0; place < this.to.length; place++) this.at[place] = this.from[place] + ease * (this.to[place] - this.from[place]);
    if (this.view_to) {
      const between = (key) => this.view_from[key] + ease * (this.view_to[key] - this.view_from[key]);
      this.view = { x: between("x"), y: between("y"), w: between("w"), h: between("h") };
    }
    this.drawing.draw();
    if (share < 1) this.ask();
  }
};

// src/cloud/index.js
async function feed_of(model) {
  const feed = model.get("feed");
  if (typeof feed !== "string") return feed ?? model;
  return model.widget_manager.get_model(feed.replace("IPY_MODEL_", ""));
}
function render({ model, el }) {
  let cloud = null;
  let feed = null;
  let gone = false;
  let told = null;
  let asked = false;
  const take = () => {
    asked = false;
    if (gone) return;
    if (feed.get("about") !== told) cloud.tell((told = feed.get("about")) ?? {});
    cloud.look(feed.get("now") ?? {}, feed.get("trail") ?? []);
  };
  const ask = () => {
    if (!asked) queueMicrotask(take);
    asked = true;
  };
  feed_of(model).then((found) => {
    if (gone) return;
    feed = found;
    cloud = new Cloud(el, (rows) => {
      feed.set("chosen", rows);
      feed.save_changes();
    });
    el.clworkCloud = cloud;
    take();
    for (const row of feed.get("chosen") ?? []) cloud.chosen.add(row);
    feed.on("change:about", ask);
    feed.on("change:now", ask);
  });
  return () => {
    gone = true;
    feed?.off("change:about", ask);
    feed?.off("change:now", ask);
    cloud?.close();
  };
}
var index_default = { render };
export {
  index_default as default
};
