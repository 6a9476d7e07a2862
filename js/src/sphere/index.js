// The sphere lab: contrastive learning of points, in the page. State comes as JSON from model.get("start").

import { followTheme } from "../shared/theme.js";

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

export default { render };
