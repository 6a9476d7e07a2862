// Made by js/build.mjs (make bundle); edit js/src/sphere instead. sources a33762bbb13165f27930397e02c28302e41083fb52f9b5efe990d1d15ecdd282 body 26fd3f0db42d8b230935eb9f8a1f770c749fa4f207ad367ace63bab4b49a4303
// src/shared/theme.js
var LAB = "jpThemeLight";
function followTheme(root, show = () => {
}) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let told = null;
  const tell = () => {
    const lab = document.body.dataset[LAB];
    const dark = lab !== void 0 ? lab === "false" : told !== null ? told : system.matches;
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

// src/sphere/index.js
function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "clwork-sphere";
  root.textContent = `Sphere lab: ${JSON.stringify(model.get("start"))}`;
  el.append(root);
  const stop = followTheme(root);
  return () => {
    stop();
    root.remove();
  };
}
var index_default = { render };
export {
  index_default as default
};
