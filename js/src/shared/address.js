// Settings of a page without a kernel in the fragment of the address, such as
// #sphere=…&hide=seed,copy: a link restores them and hides controls. In a frame the address is that
// of the page around it, which js/src/around reads and writes.

import { element } from "./dom.js";

// milliseconds between two changes of the address
const EVERY = 1000;

const framed = () => window.parent !== window;
// the address of the page around a frame, which only the page knows
let around = "";

/** The fragment with another value of one of its parts. */
export function withPart(fragment, name, text) {
  const parts = new URLSearchParams(fragment.slice(1));
  parts.set(name, text);
  return `#${parts}`;
}

/** The address of the page, also around a frame; empty in a notebook, which has none. */
export const address = () => (framed() ? around : location.href);

/** The address that opens this page with the settings `text`. */
export function linkTo(name, text) {
  const [page, fragment = ""] = address().split("#");
  return page + withPart(`#${fragment}`, name, text);
}

/**
 * Call `take(text)` with the part `name` of the address; returns a function that receives the
 * settings as a text after a change.
 */
export function followAddress(root, name, take) {
  const style = root.appendChild(element("style"));
  let given;
  let saved;
  let next;
  let timer;
  const use = (fragment) => {
    if (fragment === given) return;
    given = fragment;
    const parts = new URLSearchParams(fragment.slice(1));
    const hidden = (parts.get("hide") ?? "").split(",").filter((one) => /^[\w-]+$/.test(one));
    style.textContent = hidden
      .map((one) => `[data-name="${one}"], .${one}, .clwork-${one} { display: none !important; }`)
      .join("\n");
    if (parts.has(name)) take(parts.get(name));
  };
  const save = () => {
    timer = 0;
    // the settings at the start are in no address
    const first = saved === undefined;
    if (next === saved) return;
    saved = next;
    if (first) return;
    if (framed()) window.parent.postMessage({ clworkSettings: [name, next] }, "*");
    else history.replaceState(null, "", withPart(location.hash, name, next));
  };
  if (framed()) {
    window.addEventListener("message", ({ source, data }) => {
      if (source !== window.parent || typeof data?.clworkAddress !== "string") return;
      around = data.clworkAddress;
      use(new URL(around).hash);
    });
    window.parent.postMessage("clwork: which address?", "*");
  } else use(location.hash);
  return (text) => {
    next = text;
    if (!timer) timer = setTimeout(save, saved === undefined ? 0 : EVERY);
  };
}
