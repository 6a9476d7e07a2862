// The instrument: see clwork/lab/instrument/. The model holds
//   about    what never changes: {mode: "panel" or "player", method, fields, presets, curves, …}
//   height   pixels, where it is not the page's
//   own_id   of a page with a kernel, which is asked for everything else (../shared/channel.js)
//   runs     of a page without one: [{head, looks, rows}], bytes as base64
//   page     whether the page is ours alone: keys then count wherever the focus is

import { element } from "../shared/dom.js";
import { Instrument } from "./instrument.js";
import look from "../shared/look.css";
import css from "./style.css";
import panel from "./panel.css";
import player from "./player.css";

function render({ model, el }) {
  const style = element("style", { text: look + css + panel + player });
  el.append(style);
  const live = Boolean(model.get("own_id"));
  const page = new Instrument(el, {
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
