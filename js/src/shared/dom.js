// Creates elements. Texts of a recording are untrusted: only constant HTML is parsed.

const SVG = "http://www.w3.org/2000/svg";

/** Set attributes and listeners (names that begin with "on"), `text`, and append children. */
function dress(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "text") made.textContent = value;
    else if (value !== null && value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const FOCUSED = new Set(["button", "canvas", "input", "select"]);
// makes JupyterLab ignore its shortcuts here: "b" would insert a cell
const OWN_KEYS = { "data-lm-suppress-shortcuts": true };

/** An HTML element. */
export const element = (name, attributes = {}, ...children) =>
  dress(
    document.createElement(name),
    FOCUSED.has(name) ? { ...OWN_KEYS, ...attributes } : attributes,
    children,
  );
/** An SVG element. */
export const drawn = (name, attributes = {}, ...children) =>
  dress(document.createElementNS(SVG, name), attributes, children);

/**
 * Elements from a page's constant HTML: `root`, and those that have `data-part`, by that name. Never
 * pass a text of a reader or a recording, because it is parsed.
 */
export function partsOf(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  const parts = { root: template.content.firstElementChild };
  for (const node of template.content.querySelectorAll("*")) {
    if (node.dataset.part) parts[node.dataset.part] = node;
    if (FOCUSED.has(node.localName)) dress(node, OWN_KEYS, []);
  }
  return parts;
}

/** A <div> of a class. */
export const div = (name, ...children) => element("div", { class: name }, ...children);
/** A <span> of a class. */
export const span = (name, ...children) => element("span", { class: name }, ...children);
/** A button of a class; `more`: further attributes. */
export const button = (name, text, onclick, more) =>
  element("button", { class: name, type: "button", text, onclick, ...more });

/** Set an attribute only if it differs, because screen readers announce changes. */
export function attribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** By how much CSS enlarges a node: places of the pointer are in the enlarged pixels. */
export const zoomOf = (node) => node.currentCSSZoom ?? 1;

/** Call `act(width, height)`, in pixels, whenever the size of a node changes. */
export function onResize(node, act) {
  const watch = new ResizeObserver(([{ contentRect: box }]) => {
    if (node.isConnected) act(Math.round(box.width), Math.round(box.height));
  });
  watch.observe(node);
}

/** Call `act()` once, as soon as the reader sees a part of a node. */
export function whenSeen(node, act) {
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    watch.disconnect();
    act();
  });
  watch.observe(node);
}

/** Set the largest font size, of `most` to `least` pixels, with which a box does not overflow; null if none fits. */
export function fitText(box, most, least) {
  for (let size = most; size >= least; size -= 0.5) {
    box.style.fontSize = `${size}px`;
    const isWide = box.scrollWidth > box.clientWidth + 1;
    if (!isWide && box.scrollHeight <= box.clientHeight + 1) return size;
  }
  return null;
}

/** Whether keys write into a node, so that they are no commands of the page. */
export const writesInto = (node) =>
  node.matches("select, textarea, input:not([type=range], [type=checkbox])");

/** Stop a key event, so that the surrounding page does not handle it. */
export function consume(event) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Fill a menu with options [value, text, disabled] if they have changed; select `chosen` if it is
 * among them.
 */
export function offer(select, options, chosen = select.value) {
  const key = JSON.stringify(options);
  if (select.dataset.options !== key) {
    select.replaceChildren(
      ...options.map(([value, text, disabled]) => element("option", { value, text, disabled })),
    );
    select.dataset.options = key;
  }
  if (options.some(([value]) => String(value) === String(chosen))) select.value = String(chosen);
}

/** Set a text only if it differs, because screen readers announce changes. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
