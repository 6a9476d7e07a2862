// The page of panel and player: see clwork/lab/panel/run_page.py and clwork/lab/player_view.py. The model holds
//   about    what never changes: {mode: "panel" or "player", method, fields, presets, curves, …}
//   height   pixels, where it is not the page's
//   own_id   of a page with a kernel, which polls the kernel for everything else (../shared/channel.js)
//   runs     of a page without one: [{head, probes, rows}], bytes as base64
//   page     whether nothing else is on the page: keys then work wherever the focus is

import { element } from "../shared/dom.js";
import { Page } from "./page.js";
import look from "../shared/look.css";
import panel from "./panel.css";
import player from "./player.css";
import css from "./style.css";

function render({ model, el }) {
  const style = element("style", { text: look + css + panel + player });
  el.append(style);
  const live = Boolean(model.get("own_id"));
  const page = new Page(el, {
    about: model.get("about") ?? {},
    runs: live ? [] : (model.get("runs") ?? []),
    page: Boolean(model.get("page")),
    height: model.get("height") || null,
  }, live ? model : null);
  return () => {
    page.close();
    style.remove();
  };
}

export default { render };
