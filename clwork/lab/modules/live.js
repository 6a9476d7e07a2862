// Made by js/build.mjs (make bundle); edit js/src/live instead. sources 3568043f063d646d4866cc1aadde4b9662c7b6157c516777e06258c724c1298f body 50854ad101695a442957fe93fbecf3d140973b0985b2dfbf777a38722c241e54
// src/shared/theme.js
var SYSTEM = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
var WATCHED = ["data-jp-theme-light", "data-jp-theme-name", "class", "data-vscode-theme-kind", "theme"];
var LATER = 400;
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
function followTheme(root, show = () => {
}) {
  let told = null;
  let last = "";
  let timer = 0;
  const update = (again) => {
    const dark = said() ?? told ?? Boolean(SYSTEM?.matches);
    const theme = dark ? "dark" : "light";
    const now = `${theme} ${document.body.dataset.jpThemeName ?? ""}`;
    if (now === last && again !== true) return;
    last = now;
    document.documentElement.dataset.clworkTheme = theme;
    if (root) root.dataset.theme = theme;
    show(dark);
    clearTimeout(timer);
    if (again !== true) timer = setTimeout(() => update(true), LATER);
  };
  const hear = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      told = event.data.clworkDark;
      update();
    }
  };
  const forget = onPage(update);
  SYSTEM?.addEventListener("change", update);
  window.addEventListener("message", hear);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  update();
  return () => {
    clearTimeout(timer);
    forget();
    SYSTEM?.removeEventListener("change", update);
    window.removeEventListener("message", hear);
  };
}

// src/live/style.css
var style_default = `/* Boards on a dark page: followTheme says on <html> that it is one. JupyterLab colours widgets itself, but for the arrow
   of a drop-down, which is as dark as its ground; on other pages ipywidgets stay light unless they are told. */

:root[data-clwork-theme="dark"] .clwork-evidence {
  --jp-widgets-dropdown-arrow: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E%3Cpath fill='%23e8eaed' d='M5.2 5.9 9 9.7l3.8-3.8 1.2 1.2-5 5-5-5z'/%3E%3C/svg%3E");
}
:root[data-clwork-theme="dark"] body:not([data-jp-theme-light]) .clwork-evidence {
  --jp-ui-font-color1: var(--vscode-foreground, #e8eaed);
  --jp-ui-font-color2: var(--vscode-descriptionForeground, #a6abb3);
  --jp-border-color2: var(--vscode-panel-border, #4a4f57);
  --jp-layout-color0: var(--vscode-editor-background, #1e1e1e);
  --jp-layout-color1: var(--vscode-sideBar-background, #26282c);
  --jp-layout-color2: var(--vscode-button-secondaryBackground, #3a3f47);
  --jp-layout-color3: #4a4f57;
  --jp-widgets-color: var(--jp-ui-font-color1);
  --jp-widgets-label-color: var(--jp-ui-font-color1);
  --jp-widgets-readout-color: var(--jp-ui-font-color1);
  --jp-widgets-input-color: var(--vscode-input-foreground, #e8eaed);
  --jp-widgets-input-background-color: var(--vscode-input-background, #26282c);
  --jp-widgets-input-border-color: var(--vscode-input-border, #5f6368);
  color: var(--jp-ui-font-color1);
}
`;

// src/live/index.js
var KEPT = "__clwork_plotly";
var SHEET = "clwork-figures";
async function evaluate(model) {
  const library = await model_of(model, "library");
  const text = `const module = {exports: {}};
${library.get("source")}
export default module.exports;`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}
function model_of(model, name) {
  return model.widget_manager.get_model(model.get(name).replace("IPY_MODEL_", ""));
}
function plotly(model) {
  globalThis[KEPT] ??= evaluate(model);
  globalThis[KEPT].catch(() => delete globalThis[KEPT]);
  return globalThis[KEPT];
}
var GROUNDS = /* @__PURE__ */ new Set(["paper_bgcolor", "plot_bgcolor"]);
var WORDS = /* @__PURE__ */ new Set(["x", "y", "z", "customdata", "hovertext", "hovertemplate", "name"]);
function own_buffer(value) {
  const bytes = value?.bdata;
  if (!(bytes instanceof DataView)) return value;
  return { ...value, bdata: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) };
}
function dressed(value, twins, key = "") {
  if (GROUNDS.has(key)) return "rgba(0,0,0,0)";
  if (typeof value === "string") {
    if (key === "text") return value.replace(/#[0-9A-Fa-f]{6}\b/g, (colour) => twins[colour] ?? colour);
    return twins[value] ?? value;
  }
  if (value === null || typeof value !== "object") return value;
  if ("bdata" in value) return own_buffer(value);
  if (Array.isArray(value)) return key === "text" ? value : value.map((part) => dressed(part, twins));
  const copy = {};
  for (const [name, part] of Object.entries(value)) copy[name] = WORDS.has(name) ? own_buffer(part) : dressed(part, twins, name);
  return copy;
}
function dress() {
  if (document.getElementById(SHEET)) return;
  const sheet = document.head.appendChild(document.createElement("style"));
  sheet.id = SHEET;
  sheet.textContent = style_default;
}
function render({ model, el }) {
  const box = document.createElement("div");
  box.setAttribute("role", "img");
  box.textContent = "The figure is loading …";
  box.style.cssText = "width: 100%; height: 100%; overflow: hidden";
  el.appendChild(box);
  let Plotly = null;
  let feed = null;
  let asked = false;
  let gone = false;
  let dark = false;
  dress();
  const draw = () => {
    asked = false;
    if (gone || !Plotly) return;
    const twins = dark ? model.get("twins") ?? {} : {};
    const axes = dressed(feed.get("axes"), twins);
    if (box.clientWidth < 40 || box.clientHeight < 40) return;
    axes.width = box.clientWidth;
    box.setAttribute("aria-label", model.get("label"));
    Plotly.react(box, dressed(feed.get("data"), twins), axes, { displayModeBar: false, displaylogo: false });
  };
  const ask = () => {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
  };
  const sized = new ResizeObserver(ask);
  const forget = followTheme(null, (is) => {
    dark = is;
    ask();
  });
  Promise.all([plotly(model), model_of(model, "feed")]).then(
    ([loaded, found]) => {
      if (gone) return;
      Plotly = loaded;
      feed = found;
      feed.on("change:data change:axes", ask);
      box.textContent = "";
      sized.observe(box);
      ask();
    },
    (error) => {
      box.textContent = `The figure cannot be shown: ${error}`;
    }
  );
  return () => {
    gone = true;
    forget();
    sized.disconnect();
    if (feed) feed.off("change:data change:axes", ask);
    if (Plotly) Plotly.purge(box);
  };
}
var index_default = { render };
export {
  index_default as default
};
