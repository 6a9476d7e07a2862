// The page's parts, and its controls.

import { element, partsOf } from "../shared/dom.js";
import { EXPERIMENTS } from "./show.js";

const PAGE = `
<div class="frame">
  <div class="head">
    <h2>The sphere lab</h2>
    <button type="button" class="play" data-part="play">Play</button>
    <button type="button" data-part="step" title="one step">Step</button>
    <button type="button" data-part="reset" title="back to the same start">Reset</button>
    <span class="count" data-part="count"></span>
    <div class="tries" role="group" aria-label="Experiments" data-part="tries">Try:</div>
  </div>
  <div class="left" role="group" aria-label="The loss" data-part="loss"></div>
  <div class="middle">
    <p class="ask" data-part="ask"></p>
    <div class="stage">
      <canvas tabindex="0" role="application" data-part="canvas"></canvas>
      <div class="legend">
        <span class="pull" data-part="pull">pull</span>
        <span class="push" data-part="push">push</span>
        <span>net move</span>
      </div>
    </div>
    <p class="says" role="status" data-part="says"></p>
    <div class="world" role="group" aria-label="The points" data-part="points"></div>
  </div>
  <div class="right">
    <div class="formula"><div data-part="math"></div><small data-part="symbols"></small></div>
    <div class="sheets" data-part="sheets"></div>
    <table>
      <caption class="who" data-part="who"></caption>
      <thead>
        <tr>
          <th></th>
          <th scope="col">cosine</th>
          <th scope="col" data-part="share"></th>
        </tr>
      </thead>
      <tbody data-part="forces"></tbody>
    </table>
  </div>
  <details class="more">
    <summary>More: batch, noise, false negatives, step size, state, seed, chosen</summary>
    <div data-part="more"></div>
    <div class="copy">
      State
      <input type="text" spellcheck="false" autocomplete="off" aria-label="State as text" data-part="text" />
      <button type="button" data-part="copy">Copy</button>
      <button type="button" data-part="load">Load</button>
      <small data-part="told">copy it, or paste one and load it</small>
    </div>
  </details>
</div>`;

// settings below "More": the first picture has those that a first experiment needs
const FURTHER = ["batch_size", "noise", "false_negatives", "step_size", "seed", "chosen"];

/** The page's parts by name; `changed(name, value)` is called after input in a control. */
export function build(table, changed) {
  const parts = partsOf(PAGE);
  parts.controls = table.map((setting) => control(setting, changed));
  table.forEach(({ name, restarts }, k) => {
    let place = restarts ? parts.points : parts.loss;
    if (FURTHER.includes(name)) place = parts.more;
    place.append(parts.controls[k].box);
  });
  parts.experiments = EXPERIMENTS.map(({ title, ask }) =>
    element("button", { type: "button", text: title, title: ask }),
  );
  parts.tries.append(...parts.experiments);
  return parts;
}

// Positions of a slider with real values. With a range from 0 to 3, the value 1 is one of them.
const TRACK = 300;

/** The slider's position of a value. */
function onTrack({ least, most, log }, value) {
  const share = log
    ? Math.log(value / least) / Math.log(most / least)
    : (value - least) / (most - least);
  return Math.round(TRACK * share);
}

/** The value of a slider's position. */
function offTrack({ least, most, log }, position) {
  const share = position / TRACK;
  const value = log ? least * (most / least) ** share : least + (most - least) * share;
  return Number(value.toPrecision(3));
}

/** The input of a setting: a menu, a field for a whole number, or a slider. */
function inputOf({ name, title, least, most, whole, options }) {
  const about = { "aria-label": title };
  if (options) {
    const choices = Object.entries(options).map(([value, text]) =>
      element("option", { value, text }),
    );
    return element("select", about, ...choices);
  }
  if (name === "seed" || name === "chosen")
    return element("input", { ...about, type: "number", min: least, max: most });
  const range = whole ? { min: least, max: most } : { min: 0, max: TRACK };
  return element("input", { ...about, type: "range", ...range });
}

/** One control: `show(settings, limits)` updates it; `limits` has lower maxima of some settings. */
function control(setting, changed) {
  const { name, title, help, least, most, whole, options } = setting;
  const input = inputOf(setting);
  const isSlider = input.type === "range";
  const value = element("output");
  const line = element("small", { text: help });
  const read = () => {
    if (options) return input.value;
    if (!whole) return offTrack(setting, Number(input.value));
    // the right end means "all"
    if (isSlider && input.value === input.max) return most;
    return Math.max(least, Math.min(Number(input.max), Math.round(Number(input.value))));
  };
  input.addEventListener(isSlider ? "input" : "change", () => changed(name, read()));
  const text = element("span", { text: title });
  const box = element("label", { class: "control", "data-name": name }, text, value, input, line);
  const show = (settings, limits) => {
    const now = settings[name];
    const top = limits[name] ?? most;
    if (whole) input.max = top;
    input.value = options || whole ? now : onTrack(setting, now);
    if (isSlider) {
      value.textContent = name in limits && now >= top ? `all ${top}` : Number(now.toPrecision(3));
      input.setAttribute("aria-valuetext", value.textContent);
    }
    input.disabled = setting.without.includes(settings.objective);
    line.textContent = input.disabled ? "no effect on this objective" : help;
  };
  return { box, show };
}
