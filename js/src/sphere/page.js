// The page's controls and other parts, and their layout.

import { element } from "../shared/dom.js";
import { curves } from "./curves.js";
import { EXPERIMENTS } from "./show.js";

// positions of a slider with real values; with a range from 0 to 3, the value 1 is one of them
const TRACK = 300;
const WHY = {
  "alignment-uniformity": "no effect: there is no softmax",
  "no-negatives": "no effect: there are no negatives",
  "no-stop-gradient": "no effect: there are no negatives",
};

/** The slider's position of a value, and the value of a position. */
const onTrack = ({ least, most, log }, value) =>
  Math.round(
    TRACK *
      (log ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least)),
  );
const offTrack = ({ least, most, log }, place) => {
  const raw = log
    ? least * (most / least) ** (place / TRACK)
    : least + ((most - least) * place) / TRACK;
  return Number(raw.toPrecision(3));
};

let count = 0;

/**
 * One control. It calls `changed(name, value)` after input; `show(settings, limits)` updates it.
 */
function control(setting, changed) {
  const { name, title, help, least, most, whole, options } = setting;
  const id = `clwork-sphere-${name}-${++count}`;
  const value = element("output");
  const line = element("small", { text: help, id: `${id}-help` });
  const common = { id, "aria-describedby": `${id}-help` };
  const typed = name === "seed" || name === "chosen";
  let input;
  if (options) {
    input = element(
      "select",
      common,
      ...Object.entries(options).map(([key, text]) => element("option", { value: key, text })),
    );
  } else if (typed)
    input = element("input", { ...common, type: "number", min: least, max: most, step: 1 });
  else if (whole)
    input = element("input", { ...common, type: "range", min: least, max: most, step: 1 });
  else input = element("input", { ...common, type: "range", min: 0, max: TRACK, step: 1 });
  const read = () => {
    if (options) return input.value;
    if (!whole) return offTrack(setting, Number(input.value));
    const asked = Math.round(Number(input.value));
    const top = Number(input.max);
    // the right end means "all"
    if (!typed && asked >= top) return most;
    return Number.isFinite(asked) ? Math.min(top, Math.max(least, asked)) : least;
  };
  input.addEventListener(options || typed ? "change" : "input", () => changed(name, read()));
  const box = element(
    "div",
    { class: `control ${options || typed ? "short" : ""}` },
    element("label", { for: id, text: title }),
    value,
    input,
    line,
  );
  box.dataset.name = name;
  return {
    name,
    box,
    input,
    show(settings, limits) {
      const now = settings[name];
      const top = limits[name] ?? most;
      if (input.max !== undefined && whole) input.max = top;
      if (options || typed) input.value = now;
      else input.value = whole ? Math.min(now, top) : onTrack(setting, now);
      let told = "";
      if (name in limits && now >= top) told = `all ${top}`;
      else if (!options && !typed) told = String(Number(now.toPrecision(3)));
      value.textContent = told;
      if (!options && !typed) input.setAttribute("aria-valuetext", told);
      const idle = setting.without.includes(settings.objective);
      input.disabled = idle;
      box.classList.toggle("idle", idle);
      line.textContent = idle ? WHY[settings.objective] : help;
    },
  };
}

const SHEETS = [
  { title: "Loss", help: "what steps make smaller", lines: [{ name: "loss", colour: "accent" }] },
  {
    title: "Alignment",
    help: "of partners, 0 is best",
    range: [0, 2.4],
    lines: [{ name: "alignment", colour: "pull" }],
  },
  {
    title: "Uniformity",
    help: "of all, lower is better",
    range: [-2.4, 0],
    lines: [{ name: "uniformity", colour: "push" }],
  },
  {
    title: "Gradients",
    help: "lengths: pull / push",
    zero: true,
    lines: [
      { name: "pull", colour: "pull" },
      { name: "push", colour: "push" },
    ],
  },
];

const HEADS = ["", "cosine"];
const button = (text, more = {}) => element("button", { type: "button", text, ...more });

/**
 * Create the page in `root`; returns the parts that change. `table`: the settings; `changed(name,
 * value)` is called after input.
 */
export function build(root, table, changed) {
  const controls = table.map((setting) => control(setting, changed));
  const boxes = (names) =>
    controls
      .filter(({ name }) => names(table.find((setting) => setting.name === name)))
      .map(({ box }) => box);
  const parts = {
    controls,
    play: button("Play", { class: "play" }),
    step: button("Step", { title: "one step" }),
    slow: button("Slow", { title: "slow motion: two steps a second" }),
    reset: button("Reset", { title: "back to the same start" }),
    count: element("span", { class: "count", text: "step 0" }),
    tries: EXPERIMENTS.map(({ title, ask }) => button(title, { title: ask })),
    ask: element("p", { class: "ask" }),
    canvas: element("canvas", { tabindex: 0, role: "application" }),
    says: element("p", { class: "says", role: "status" }),
    math: element("div"),
    symbols: element("small"),
    forces: element("tbody"),
    who: element("div", { class: "who", id: `clwork-sphere-who-${++count}` }),
    share: element("th", { scope: "col" }),
    text: element("input", {
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": "State as text",
    }),
    copy: button("Copy"),
    load: button("Load"),
    told: element("small", { text: "copy it, or paste one and load it" }),
  };
  parts.slow.setAttribute("aria-pressed", "false");
  const legend = element(
    "div",
    { class: "legend" },
    ...[
      ["--pull", "pull"],
      ["--push", "push"],
      ["--text", "net move"],
    ].map(([colour, text]) => {
      const sign = element("i");
      sign.style.borderColor = `var(${colour})`;
      return element("span", {}, sign, text);
    }),
  );
  const sheets = element("div", { class: "sheets" });
  const heads = element(
    "thead",
    {},
    element(
      "tr",
      {},
      ...HEADS.map((text) => element("th", { text, scope: "col" })),
      parts.share,
      element("th"),
    ),
  );
  const acting = element("table", {}, heads, parts.forces);
  acting.setAttribute("aria-labelledby", parts.who.id);
  root.append(
    element(
      "div",
      { class: "frame" },
      element(
        "div",
        { class: "head" },
        element("h2", { text: "The sphere lab" }),
        parts.play,
        parts.step,
        parts.slow,
        parts.reset,
        parts.count,
        element(
          "div",
          { class: "tries", role: "group", "aria-label": "Experiments" },
          element("span", { text: "Try:" }),
          ...parts.tries,
        ),
      ),
      element(
        "div",
        { class: "left", role: "group", "aria-label": "The loss" },
        ...boxes(({ restarts, name }) => !restarts && name !== "chosen"),
      ),
      element(
        "div",
        { class: "middle" },
        parts.ask,
        element("div", { class: "stage" }, parts.canvas, legend),
        parts.says,
        element(
          "div",
          { class: "world", role: "group", "aria-label": "The points" },
          ...boxes(({ restarts, name }) => restarts || name === "chosen"),
        ),
      ),
      element(
        "div",
        { class: "right" },
        element("div", { class: "formula" }, parts.math, parts.symbols),
        sheets,
        parts.who,
        acting,
      ),
      element(
        "div",
        { class: "copy" },
        element("label", { text: "State" }),
        parts.text,
        parts.copy,
        parts.load,
        parts.told,
      ),
    ),
  );
  parts.curves = curves(sheets, SHEETS);
  return parts;
}
