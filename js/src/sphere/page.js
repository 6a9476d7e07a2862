// The page's parts and where they stand. What they say and do is show.js's and lab.js's.

import { control, element } from "./controls.js";
import { curves } from "./curves.js";
import { EXPERIMENTS } from "./words.js";

const SHEETS = [
  { title: "Loss", help: "what steps make smaller", lines: [{ name: "loss", colour: "accent" }] },
  { title: "Alignment", help: "of partners, 0 is best", range: [0, 2.4], lines: [{ name: "alignment", colour: "pull" }] },
  { title: "Uniformity", help: "of all, lower is better", range: [-2.4, 0], lines: [{ name: "uniformity", colour: "push" }] },
  { title: "Gradients", help: "lengths: pull / push", zero: true,
    lines: [{ name: "pull", colour: "pull" }, { name: "push", colour: "push" }] },
];

const HEADS = ["", "cosine"];
let count = 0;
const button = (text, more = {}) => element("button", { type: "button", textContent: text, ...more });

/** Build everything inside `root`. `changed(name, value)` hears of controls. */
export function build(root, table, changed) {
  const controls = table.map((setting) => control(setting, changed));
  const boxes = (names) => controls.filter(({ name }) => names(table.find((setting) => setting.name === name))).map(({ box }) => box);
  const parts = {
    controls,
    play: button("Play", { className: "play" }),
    step: button("Step", { title: "one step" }),
    slow: button("Slow", { title: "slow motion: two steps a second" }),
    reset: button("Reset", { title: "back to the very same start" }),
    count: element("span", { className: "count", text: "step 0" }),
    tries: EXPERIMENTS.map(({ title, ask }) => button(title, { title: ask })),
    ask: element("p", { className: "ask" }),
    canvas: element("canvas", { tabIndex: 0, role: "application" }),
    says: element("p", { className: "says", role: "status" }),
    math: element("div"),
    symbols: element("small"),
    forces: element("tbody"),
    who: element("div", { className: "who", id: `clwork-sphere-who-${++count}` }),
    share: element("th", { scope: "col" }),
    text: element("input", { type: "text", spellcheck: false, autocomplete: "off", ariaLabel: "State as text" }),
    copy: button("Copy"),
    load: button("Load"),
    told: element("small", { text: "copy it, or paste one and load it" }),
  };
  parts.slow.setAttribute("aria-pressed", "false");
  const legend = element("div", { className: "legend" },
    ...[["--pull", "pull"], ["--push", "push"], ["--text", "net move"]].map(([colour, text]) => {
      const sign = element("i");
      sign.style.borderColor = `var(${colour})`;
      return element("span", {}, sign, text);
    }),
  );
  const sheets = element("div", { className: "sheets" });
  const heads = element("thead", {}, element("tr", {}, ...HEADS.map((text) => element("th", { text, scope: "col" })),
    parts.share, element("th")));
  const acting = element("table", {}, heads, parts.forces);
  acting.setAttribute("aria-labelledby", parts.who.id);
  root.append(element("div", { className: "frame" },
    element("div", { className: "head" }, element("h2", { text: "The sphere lab" }),
      parts.play, parts.step, parts.slow, parts.reset, parts.count,
      element("div", { className: "tries", role: "group", ariaLabel: "Experiments" }, element("span", { text: "Try:" }), ...parts.tries)),
    element("div", { className: "left", role: "group", ariaLabel: "The loss" },
      ...boxes(({ restarts, name }) => !restarts && name !== "chosen")),
    element("div", { className: "middle" }, parts.ask,
      element("div", { className: "stage" }, parts.canvas, legend), parts.says,
      element("div", { className: "world", role: "group", ariaLabel: "The points" },
        ...boxes(({ restarts, name }) => restarts || name === "chosen"))),
    element("div", { className: "right" },
      element("div", { className: "formula" }, parts.math, parts.symbols), sheets, parts.who, acting),
    element("div", { className: "copy" }, element("label", { text: "State" }), parts.text, parts.copy, parts.load, parts.told),
  ));
  parts.curves = curves(sheets, SHEETS);
  return parts;
}
