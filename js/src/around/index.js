// For the page around our frames (see clwork/lab/page/standalone.py). A frame of its own cannot see whether its page is dark:
// the page answers, and tells of a change. Where scripts run, a frame needs no poster behind it.

import { onPage, said } from "../shared/theme.js";

const KEPT = "__clwork_around"; // one listener for all frames of a page

function answer() {
  const tell = (frame) => said() !== null && frame?.postMessage({ clworkDark: said() }, "*");
  const all = () => document.querySelectorAll("iframe.clwork-page").forEach((frame) => tell(frame.contentWindow));
  window.addEventListener("message", (event) => {
    if (event.data === "clwork: light or dark?") tell(event.source);
  });
  onPage(all);
  all();
  return true;
}

function render() {
  globalThis[KEPT] ??= answer();
  document.querySelectorAll(".clwork-poster").forEach((poster) => poster.remove());
}

export default { render };
