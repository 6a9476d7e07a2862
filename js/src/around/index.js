// Runs in the page that contains our iframes (see clwork/lab/page/standalone.py). An iframe cannot see its page's theme, so
// the page sends it, and again after each change. An iframe may report its height, which the page then sets.

import { onPage, said } from "../shared/theme.js";

const KEPT = "__clwork_around"; // one listener for all frames of a page
const SCROLLS = "__clwork_scrolls";
const LEAST = 40, MOST = 4000; // pixels

function fit(source, height) {
  const frame = [...document.querySelectorAll("iframe.clwork-page")].find((one) => one.contentWindow === source);
  if (!frame) return;
  frame.dataset.height ??= frame.style.height;
  frame.style.height = Number.isFinite(height) ? `${Math.min(MOST, Math.max(LEAST, height))}px` : frame.dataset.height;
}

function answer() {
  const send = (frame) => said() !== null && frame?.postMessage({ clworkDark: said() }, "*");
  const all = () => document.querySelectorAll("iframe.clwork-page").forEach((frame) => send(frame.contentWindow));
  window.addEventListener("message", (event) => {
    if (event.data === "clwork: light or dark?") send(event.source);
    if (event.data?.clworkHeight !== undefined) fit(event.source, event.data.clworkHeight);
  });
  onPage(all);
  all();
  document.querySelectorAll("iframe.clwork-page").forEach((frame) => frame.contentWindow?.postMessage("clwork: how high?", "*"));
  return true;
}

// JupyterLab's "Run All" scrolls to the last cell: unless the reader has interacted since, scroll back to the first of our frames.
function scrollBack() {
  const frame = document.querySelector("iframe.clwork-page");
  const outer = frame?.closest(".jp-WindowedPanel-outer"), book = frame?.closest(".jp-NotebookPanel");
  if (!outer || !book || globalThis[SCROLLS]) return;
  globalThis[SCROLLS] = true; // one timer at a time, although each iframe calls this function
  let touched = false, idle = 0;
  const touch = () => { touched = true; };
  const kinds = ["wheel", "keydown", "pointerdown"];
  for (const kind of kinds) window.addEventListener(kind, touch, { capture: true });
  const top = frame.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
  const watch = setInterval(() => {
    idle = book.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status === "idle" ? idle + 1 : 0;
    if (!touched && idle < 4) return;
    if (!touched && outer.scrollTop > top) {
      outer.scrollTo({ top: Math.max(0, top - 90) });
      const whole = () => document.querySelector("iframe.clwork-page")?.scrollIntoView({ block: "nearest" });
      setTimeout(whole, 400); // by now, cells that were outside the viewport have their final height
    }
    clearInterval(watch);
    globalThis[SCROLLS] = false;
    for (const kind of kinds) window.removeEventListener(kind, touch, { capture: true });
  }, 500);
}

function render() {
  globalThis[KEPT] ??= answer();
  scrollBack();
}

export default { render };
