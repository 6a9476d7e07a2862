// Detects the light or dark theme and its changes. In this order: JupyterLab, VS Code and Colab
// mark <html> or <body>; the page around an iframe sends its theme (js/src/around); otherwise the
// system's preference counts.

import DARK from "../../../clwork/views/dark.json" with { type: "json" };

const SYSTEM = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
const WATCHED = [
  "data-jp-theme-light",
  "data-jp-theme-name",
  "class",
  "data-vscode-theme-kind",
  "theme",
];
// milliseconds: JupyterLab sets the name of a new theme before its style sheet is loaded
const LATER = 400;

/** Whether a colour such as #1e1e1e or rgb(30, 30, 30) is dark; null for other formats. */
function isDark(colour) {
  const hex = /^#([0-9a-f]{6})/i.exec(colour)?.[1];
  const parts = hex
    ? hex.match(/../g).map((two) => parseInt(two, 16))
    : (colour.match(/[\d.]+/g) ?? []).map(Number);
  return parts.length < 3 ? null : 0.3 * parts[0] + 0.59 * parts[1] + 0.11 * parts[2] < 128;
}

/** VS Code's theme: true if dark, false if light, null outside of VS Code. */
function ofVsCode(body) {
  const kind = `${body.className} ${body.dataset.vscodeThemeKind ?? ""}`;
  if (/\bvscode-(high-contrast-light|light)\b/.test(kind)) return false;
  if (/\bvscode-(high-contrast|dark)\b/.test(kind)) return true;
  return isDark(
    getComputedStyle(document.documentElement)
      .getPropertyValue("--vscode-editor-background")
      .trim(),
  );
}

/** Colab's theme, in the same way. */
function ofColab(root) {
  const said = root.getAttribute("theme") ?? (globalThis.google?.colab ? "light" : null);
  return said === null ? null : said === "dark";
}

// Plotly draws into the notebook's own page. Only clwork's figures have this white (GROUND in
// clwork/views/style.py). In a dark notebook their colours are replaced, but not in labels under the
// pointer and in heatmaps, whose text fits their colours.
const FIGURE =
  '[data-clwork-theme="dark"] .js-plotly-plot:has(.main-svg[style*="rgb(255, 255, 254)"])';
const SHEET = "clwork-figures";

/** The rules that replace light colours, as plotly writes them, by dark ones. */
function rules() {
  const written = (light) => {
    const [red, green, blue, opacity] = light.startsWith("#")
      ? light.match(/[0-9a-f]{2}/gi).map((two) => parseInt(two, 16))
      : light.match(/[\d.]+/g);
    return `rgb(${red}, ${green}, ${blue})${opacity ? `; fill-opacity: ${opacity}` : ""}`;
  };
  return ["fill", "stroke", "background"].flatMap((part) =>
    Object.entries(DARK).map(
      ([light, dark]) =>
        `${FIGURE} [style*="${part}: ${written(light)}"]:not(.hoverlayer *, .heatmaplayer *) {
          ${part}: ${dark} !important }`,
    ),
  );
}

/** Note the theme at <html>, by which clwork's plotly figures are dark. */
export function note(dark) {
  document.documentElement.dataset.clworkTheme = dark ? "dark" : "light";
  if (!document.getElementById(SHEET)) {
    const sheet = Object.assign(document.createElement("style"), { id: SHEET });
    sheet.textContent = rules().join("\n");
    document.head.append(sheet);
  }
}

/** True if the page declares a dark theme, false for a light one, null if it declares none. */
export function said() {
  const lab = document.body.dataset.jpThemeLight;
  return lab !== undefined
    ? lab === "false"
    : (ofVsCode(document.body) ?? ofColab(document.documentElement));
}

/**
 * Call `act` whenever <html> or <body> may declare another theme; returns a function that stops
 * this.
 */
export function onPage(act) {
  const watch = new MutationObserver(act);
  for (const part of [document.documentElement, document.body])
    watch.observe(part, { attributes: true, attributeFilter: WATCHED });
  return () => watch.disconnect();
}

/**
 * Call `show(dark)` now and at every change, after setting `data-theme` of `root` and
 * `data-clwork-theme` of <html>; returns how to stop.
 */
export function followTheme(root, show) {
  // the theme that the page around our iframe has sent
  let parentTheme = null;
  let last = "";
  let timer = 0;
  const update = (again) => {
    const dark = said() ?? parentTheme ?? Boolean(SYSTEM?.matches);
    const theme = dark ? "dark" : "light";
    const now = `${theme} ${document.body.dataset.jpThemeName ?? ""}`;
    if (now === last && again !== true) return;
    last = now;
    note(dark);
    root.dataset.theme = theme;
    show(dark);
    clearTimeout(timer);
    if (again !== true) timer = setTimeout(() => update(true), LATER);
  };
  const onMessage = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      parentTheme = event.data.clworkDark;
      update();
    }
  };
  const forget = onPage(update);
  SYSTEM?.addEventListener("change", update);
  window.addEventListener("message", onMessage);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  update();
  return () => {
    clearTimeout(timer);
    forget();
    SYSTEM?.removeEventListener("change", update);
    window.removeEventListener("message", onMessage);
  };
}
