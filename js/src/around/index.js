// For the page around our frames (see clwork/lab/page/standalone.py). A frame of its own cannot see whether its page is dark:
// the page answers, and tells of a change. A frame that fits says how high it is.

import { onPage, said } from "../shared/theme.js";

const KEPT = "__clwork_around"; // one listener for all frames of a page
const LEAST = 40, MOST = 4000; // pixels

/** Give a frame the height that it says, or the one that it came with. */
function fit(source, height) {
  const frame = [...document.querySelectorAll("iframe.clwork-page")].find((one) => one.contentWindow === source);
  if (!frame) return;
  frame.dataset.height ??= frame.style.height;
  frame.style.height = Number.isFinite(height) ? `${Math.min(MOST, Math.max(LEAST, height))}px` : frame.dataset.height;
}

function answer() {
  const tell = (frame) => said() !== null && frame?.postMessage({ clworkDark: said() }, "*");
  const all = () => document.querySelectorAll("iframe.clwork-page").forEach((frame) => tell(frame.contentWindow));
  window.addEventListener("message", (event) => {
    if (event.data === "clwork: light or dark?") tell(event.source);
    if (event.data?.clworkHeight !== undefined) fit(event.source, event.data.clworkHeight);
  });
  onPage(all);
  all();
  document.querySelectorAll("iframe.clwork-page").forEach((frame) => frame.contentWindow?.postMessage("clwork: how high?", "*"));
  return true;
}

function render() {
  globalThis[KEPT] ??= answer();
}

export default { render };
