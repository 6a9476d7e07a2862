// Elements without innerHTML: texts of a recording may hold anything.

const SVG = "http://www.w3.org/2000/svg";

function dress(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "text") made.textContent = value;
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const FOCUSED = new Set(["button", "canvas", "input", "select"]);
const OWN_KEYS = { "data-lm-suppress-shortcuts": true }; // JupyterLab looks for it where the focus is: "b" would make a cell

export const element = (name, attributes = {}, ...children) =>
  dress(document.createElement(name), FOCUSED.has(name) ? { ...OWN_KEYS, ...attributes } : attributes, children);
export const drawn = (name, attributes = {}, ...children) => dress(document.createElementNS(SVG, name), attributes, children);

/** Change an attribute only where it differs: readers of the screen hear of changes. */
export function tell(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const number = (value, digits = 3) => (value === null ? "–" : value.toFixed(digits).replace("-", "−"));
export const steps = (value) => Math.round(value).toLocaleString("en");
export const cut = (text, length) => (text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`);
