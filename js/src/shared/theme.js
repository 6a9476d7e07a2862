// Light or dark, and whatever changes it: JupyterLab's theme where this page is JupyterLab's, a message from the page
// that holds our frame (see clwork/lab/standalone.py), else what the reader's system prefers.

const LAB = "jpThemeLight"; // <body data-jp-theme-light="true|false">

/**
 * Calls `show(dark)` at once and at every change; sets `root.dataset.theme` to "dark" or "light" before each call.
 * Returns a function that ends the watch.
 */
export function followTheme(root, show = () => {}) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let told = null; // what the page around our frame says
  const tell = () => {
    const lab = document.body.dataset[LAB];
    const dark = lab !== undefined ? lab === "false" : told !== null ? told : system.matches;
    root.dataset.theme = dark ? "dark" : "light";
    show(dark);
  };
  const hear = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      told = event.data.clworkDark;
      tell();
    }
  };
  const watch = new MutationObserver(tell);
  watch.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  system.addEventListener("change", tell);
  window.addEventListener("message", hear);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  tell();
  return () => {
    watch.disconnect();
    system.removeEventListener("change", tell);
    window.removeEventListener("message", hear);
  };
}
