// Parses the MathML that Python made of a method's LaTeX. It is parsed as XML, and only MathML
// nodes are copied.

import font from "./math.woff2";

const MATH = "http://www.w3.org/1998/Math/MathML";
const KEPT = new Set([
  "data-field",
  "display",
  "mathvariant",
  "stretchy",
  "form",
  "fence",
  "separator",
  "lspace",
  "rspace",
  "accent",
  "movablelimits",
  "largeop",
  "minsize",
  "maxsize",
  "width",
  "height",
  "columnalign",
  "rowspacing",
  "columnspacing",
  "displaystyle",
  "scriptlevel",
  "linethickness",
]);

/** A copy of a MathML node with known attributes only; null for nodes of other kinds. */
function copy(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (
    node.nodeType !== Node.ELEMENT_NODE ||
    node.namespaceURI !== MATH ||
    node.localName === "annotation-xml"
  )
    return null;
  const made = document.createElementNS(MATH, node.localName);
  for (const { name, value } of node.attributes) if (KEPT.has(name)) made.setAttribute(name, value);
  for (const child of node.childNodes) {
    const part = copy(child);
    if (part) made.append(part);
  }
  return made;
}

/** The <math> element, or null if the text contains none. */
export function math(text) {
  if (!text) return null;
  const root = new DOMParser().parseFromString(text, "application/xml").documentElement;
  return root.namespaceURI === MATH && root.localName === "math" ? copy(root) : null;
}

// Symbols look alike and have equal widths everywhere. A machine without a maths font would show
// empty boxes.
let loading = null;

/** Load the typeface of all formulas once; if the page forbids fonts, the machine's own is used. */
export function loadMathFont() {
  loading ??= new FontFace("clwork math", `url(${font})`).load().then(
    (face) => document.fonts.add(face),
    () => {},
  );
  return loading;
}
