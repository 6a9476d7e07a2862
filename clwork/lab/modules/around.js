// Made by js/build.mjs (make bundle); edit js/src/around instead. sources 299aec94d448139f1c85fec238731a362c02bf02b90d9db012aceb796b859feb body 367090b310e30bc28a23866266861f48a94bcee665d6f7440080e8312527a1d5
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
var LEAST = 40;
var MOST = 4e3;
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
    if (event.data?.clworkHeight !== void 0) fit(event.source, event.data.clworkHeight);
  });
  onPage(all);
  all();
  document.querySelectorAll("iframe.clwork-page").forEach((frame) => frame.contentWindow?.postMessage("clwork: how high?", "*"));
  return true;
}
function render() {
  globalThis[KEPT] ??= answer();
}
var index_default = { render };
export {
  index_default as default
};
