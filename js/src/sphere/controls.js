// The controls: each with its name, its value and a line of help. All are native inputs, so that keys reach them.

const TRACK = 300; // places of a slider that has no whole numbers: 1 is one of them where it runs from 0 to 3
const WHY = {
  "alignment-uniformity": "no effect: there is no softmax",
  "no-negatives": "no effect: there are no negatives",
  "no-stop-gradient": "no effect: there are no negatives",
};

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") made.textContent = value;
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const onTrack = ({ least, most, log }, value) =>
  Math.round(TRACK * (log ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least)));
const offTrack = ({ least, most, log }, place) => {
  const raw = log ? least * (most / least) ** (place / TRACK) : least + ((most - least) * place) / TRACK;
  return Number(raw.toPrecision(3));
};

let count = 0;

/** One control. `changed(name, value)` hears of what the reader does; `show(settings, limits)` brings it up to date. */
export function control(setting, changed) {
  const { name, title, help, least, most, whole, options } = setting, id = `clwork-sphere-${name}-${++count}`;
  const value = element("output"), line = element("small", { text: help, id: `${id}-help` });
  const common = { id, "aria-describedby": `${id}-help` };
  const typed = name === "seed" || name === "chosen";
  let input;
  if (options) {
    input = element("select", common, ...Object.entries(options).map(([key, text]) => element("option", { value: key, text })));
  } else if (typed) input = element("input", { ...common, type: "number", min: least, max: most, step: 1 });
  else if (whole) input = element("input", { ...common, type: "range", min: least, max: most, step: 1 });
  else input = element("input", { ...common, type: "range", min: 0, max: TRACK, step: 1 });
  const read = () => {
    if (options) return input.value;
    if (!whole) return offTrack(setting, Number(input.value));
    const asked = Math.round(Number(input.value)), top = Number(input.max);
    if (!typed && asked >= top) return most; // "all", however many there are
    return Number.isFinite(asked) ? Math.min(top, Math.max(least, asked)) : least;
  };
  input.addEventListener(options || typed ? "change" : "input", () => changed(name, read()));
  const box = element("div", { className: `control ${options || typed ? "short" : ""}` },
    element("label", { htmlFor: id, text: title }), value, input, line);
  box.dataset.name = name;
  return {
    name, box, input,
    show(settings, limits) {
      const now = settings[name], top = limits[name] ?? most;
      if (input.max !== undefined && whole) input.max = top;
      input.value = options || typed ? now : whole ? Math.min(now, top) : onTrack(setting, now);
      const told = name in limits && now >= top ? `all ${top}` : options || typed ? "" : String(Number(now.toPrecision(3)));
      value.textContent = told;
      if (!options && !typed) input.setAttribute("aria-valuetext", told);
      const idle = setting.without.includes(settings.objective);
      input.disabled = idle;
      box.classList.toggle("idle", idle);
      line.textContent = idle ? WHY[settings.objective] : help;
    },
  };
}
