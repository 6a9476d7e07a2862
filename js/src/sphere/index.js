// The sphere lab: contrastive learning of points, in the page. Reads `table` (the settings' names, ranges and help),
// `text` (the state to begin with), `question`, `play` and `fill` from its model, and asks nothing of a kernel.

import { followTheme } from "../shared/theme.js";
import { Lab } from "./lab.js";
import * as losses from "./losses.js";
import { even } from "./show.js";
import style from "./style.css";

function render({ model, el }) {
  const root = document.createElement("div"), sheet = document.createElement("style");
  root.className = model.get("fill") ? "clwork-sphere fill" : "clwork-sphere"; // a page of its own, or a part of one
  sheet.textContent = style;
  el.append(sheet, root);
  let lab = null;
  const unfollow = followTheme(root, () => {
    lab?.scene.theme();
    lab?.show();
  });
  lab = new Lab(root, model);
  root.lab = Object.assign(lab, { losses, even }); // for tests, and for those who open the console
  return () => {
    unfollow();
    lab.stop();
    root.remove();
    sheet.remove();
  };
}

export default { render };
