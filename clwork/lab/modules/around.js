// Made by js/build.mjs (make bundle); edit js/src/around instead. sources 2915960274d1f5cde9b852f49d32845e0dede3b101fa780a6ce8d1b86eb48a05 body 8f7a640e7285707300fdbc8ea54d95e5687a32a1e414662d0da3aa1eec1a04bc
// src/shared/theme.js
var SYSTEM = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
var WATCHED = ["data-jp-theme-light", "data-jp-theme-name", "class", "data-vscode-theme-kind", "theme"];
function isDark(colour) {
  const hex = /^#([0-9a-f]{6})/i.exec(colour)?.[1];
  const parts = hex ? hex.match(/../g).map((two) => parseInt(two, 16)) : (colour.match(/[\d.]+/g) ?? []).map(Number);
  return parts.length < 3 ? null : 0.3 * parts[0] + 0.59 * parts[1] + 0.11 * parts[2] < 128;
}
function ofVsCode(body) {
  const kind = `${body.className} ${body.dataset.vscodeThemeKind ?? ""}`;
  if (/\bvscode-(high-contrast-light|light)\b/.test(kind)) return false;
  if (/\bvscode-(high-contrast|dark)\b/.test(kind)) return true;
  return isDark(getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim());
}
function ofColab(root) {
  const said2 = root.getAttribute("theme") ?? (globalThis.google?.colab ? "light" : null);
  return said2 === null ? null : said2 === "dark";
}
function said() {
  const lab = document.body.dataset.jpThemeLight;
  return lab !== void 0 ? lab === "false" : ofVsCode(document.body) ?? ofColab(document.documentElement);
}
function onPage(act) {
  const watch = new MutationObserver(act);
  for (const part of [document.documentElement, document.body]) watch.observe(part, { attributes: true, attributeFilter: WATCHED });
  return () => watch.disconnect();
}

// src/around/index.js
var KEPT = "__clwork_around";
var SCROLLS = "__clwork_scrolls";
var LEAST = 40;
var MOST = 4e3;
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
    if (event.data?.clworkHeight !== void 0) fit(event.source, event.data.clworkHeight);
  });
  onPage(all);
  all();
  document.querySelectorAll("iframe.clwork-page").forEach((frame) => frame.contentWindow?.postMessage("clwork: how high?", "*"));
  return true;
}
function scrollBack() {
  const frame = document.querySelector("iframe.clwork-page");
  const outer = frame?.closest(".jp-WindowedPanel-outer"), book = frame?.closest(".jp-NotebookPanel");
  if (!outer || !book || globalThis[SCROLLS]) return;
  globalThis[SCROLLS] = true;
  let touched = false, idle = 0;
  const touch = () => {
    touched = true;
  };
  const kinds = ["wheel", "keydown", "pointerdown"];
  for (const kind of kinds) window.addEventListener(kind, touch, { capture: true });
  const top = frame.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
  const watch = setInterval(() => {
    idle = book.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status === "idle" ? idle + 1 : 0;
    if (!touched && idle < 4) return;
    if (!touched && outer.scrollTop > top) {
      outer.scrollTo({ top: Math.max(0, top - 90) });
      const whole = () => document.querySelector("iframe.clwork-page")?.scrollIntoView({ block: "nearest" });
      setTimeout(whole, 400);
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
var index_default = { render };
export {
  index_default as default
};
