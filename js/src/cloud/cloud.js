// A cloud of sentences on a canvas: each a dot of its topic's colour and shape. Dots move to where the newest look saw
// them; chosen ones draw a trail through the looks before; the reader's own sentences carry their words. A mouse is not
// needed: arrow keys go from sentence to sentence, and the line below says which.

import { followTheme } from "../shared/theme.js";
import { OUTLINES } from "../shared/outlines.js";
import { Drawing } from "./drawing.js";
import { bounds, unpack } from "./looks.js";
import STYLE from "./style.css";
import { counted } from "../shared/counted.js";

const MOVE = 600; // milliseconds that dots take to their new places
const CALM = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
const HINT = "Point at a dot, or walk from dot to dot with the arrow keys; click or Enter follows it through time.";
const NOTHING = { texts: [], topics: [], names: [], light: [], dark: [], shapes: [] };

function element(name, kind = "", text = "") {
  const made = document.createElement(name);
  made.className = `clwork-cloud${kind}`;
  made.textContent = text; // never as HTML: sentences may hold anything
  return made;
}

export class Cloud {
  constructor(el, choose) {
    this.choose = choose;
    this.root = el.appendChild(element("div"));
    this.root.appendChild(document.createElement("style")).textContent = STYLE;
    this.frame = this.root.appendChild(element("div", "-frame"));
    this.canvas = this.frame.appendChild(element("canvas", "-canvas"));
    this.canvas.tabIndex = 0;
    this.canvas.dataset.lmSuppressShortcuts = "true"; // JupyterLab asks the element with the focus: its letters are ours
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
    this.chosen = new Set();
    this.under = this.walked = -1; // the row under the mouse, and the one that arrow keys came to
    this.lit = -1; // the topic that is shown alone
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
    this.trail = [...trail, ...(now.since ?? [])].map((look) => ({ step: look.step, at: unpack(look.at) }));
    const to = now.at ? unpack(now.at) : new Float32Array(0);
    this.caption.textContent = now.caption ?? "";
    this.canvas.setAttribute("aria-label", `${counted(to.length / 2, "sentence")} as dots. ${now.caption ?? ""} ${HINT}`);
    this.from = this.at.length === to.length ? this.at.slice() : to;
    this.to = to;
    const wanted = bounds(to, this.now.own);
    const old = this.view_to;
    // the view stays put while all dots are in it and fill most of it
    const within = (middle, half) => Math.abs(wanted[middle] - old[middle]) + wanted[half] <= 1.02 * old[half];
    const stays =
      old && old.kind === now.kind && within("x", "w") && within("y", "h") && wanted.w > 0.7 * old.w && wanted.h > 0.7 * old.h;
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
    setTimeout(() => this.ask(), 400); // a theme's colours may come after its name
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
    const next = (way) => order[(place < 0 ? (way > 0 ? 0 : order.length - 1) : place + way + order.length) % order.length];
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
    event.stopPropagation(); // JupyterLab would take arrows for its cells
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
}
