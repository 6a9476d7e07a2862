// Runs in the page that contains our iframes (see clwork/lab/page/standalone.py). An iframe cannot
// see its page's theme, so the page sends it, and again after each change. An iframe may report its
// height, which the page then sets. A page of the site, whose iframes are files, also sends its
// address and stores the iframe's settings there.

import { withPart } from "../shared/address.js";
import { note, onPage, said } from "../shared/theme.js";

// names of globals: whether the page has the listener for all its frames, and whether the timer of
// `scrollBack` is running
const KEPT = "__clwork_around";
const SCROLLS = "__clwork_scrolls";
// least and largest height of an iframe in pixels
const LEAST = 40;
const MOST = 4000;

/** The iframes of clwork in this page. */
const frames = () => [...document.querySelectorAll("iframe.clwork-page")];
/** Whether a frame is on our site, where it shows a file; in a notebook it holds its document. */
const onSite = (frame) => frame && !frame.hasAttribute("srcdoc");
/** Send the address to a frame of our site. */
const sendAddress = (frame) =>
  onSite(frame) && frame.contentWindow?.postMessage({ clworkAddress: location.href }, "*");

/**
 * Set a frame to the height that its page reports; any other value restores the original height.
 */
function fit(frame, height) {
  frame.dataset.height ??= frame.style.height;
  frame.style.height = Number.isFinite(height)
    ? `${Math.min(MOST, Math.max(LEAST, height))}px`
    : frame.dataset.height;
}

/** Answer the messages of all frames, and send them every change of the theme. */
function answerFrames() {
  const sendTheme = (target) => said() !== null && target?.postMessage({ clworkDark: said() }, "*");
  const sendThemeToAll = () => {
    if (said() !== null) note(said());
    for (const frame of frames()) sendTheme(frame.contentWindow);
  };
  window.addEventListener("message", ({ source, data }) => {
    const frame = frames().find((one) => one.contentWindow === source);
    if (data === "clwork: light or dark?") sendTheme(source);
    if (data === "clwork: which address?") sendAddress(frame);
    if (frame && data?.clworkHeight !== undefined) fit(frame, data.clworkHeight);
    if (onSite(frame) && Array.isArray(data?.clworkSettings))
      history.replaceState(null, "", withPart(location.hash, ...data.clworkSettings));
  });
  onPage(sendThemeToAll);
  sendThemeToAll();
  frames().forEach(sendAddress);
  for (const frame of frames()) frame.contentWindow?.postMessage("clwork: how high?", "*");
  return true;
}

// JupyterLab's "Run All" scrolls to the last cell: unless the reader has interacted since, scroll
// back to the first of our frames.
function scrollBack() {
  const frame = document.querySelector("iframe.clwork-page");
  const outer = frame?.closest(".jp-WindowedPanel-outer");
  const book = frame?.closest(".jp-NotebookPanel");
  if (!outer || !book || globalThis[SCROLLS]) return;
  // one timer at a time, although each iframe calls this function
  globalThis[SCROLLS] = true;
  let touched = false;
  let idle = 0;
  const touch = () => {
    touched = true;
  };
  const kinds = ["wheel", "keydown", "pointerdown"];
  for (const kind of kinds) window.addEventListener(kind, touch, { capture: true });
  const top =
    frame.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
  const watch = setInterval(() => {
    idle =
      book.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status === "idle"
        ? idle + 1
        : 0;
    // after two seconds without work all cells have run
    if (!touched && idle < 4) return;
    if (!touched && outer.scrollTop > top) {
      outer.scrollTo({ top: Math.max(0, top - 90) });
      const showCompletely = () =>
        document.querySelector("iframe.clwork-page")?.scrollIntoView({ block: "nearest" });
      // by now, cells that were outside the viewport have their final height
      setTimeout(showCompletely, 400);
    }
    clearInterval(watch);
    globalThis[SCROLLS] = false;
    for (const kind of kinds) window.removeEventListener(kind, touch, { capture: true });
  }, 500);
}

/** Called by each frame's output; only the first call adds the listener. */
function render() {
  globalThis[KEPT] ??= answerFrames();
  scrollBack();
}

export default { render };
