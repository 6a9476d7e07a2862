// The page of panel and player: see clwork/lab/panel/panel.py and clwork/lab/player_view.py. The
// model holds
//   about   never changes: {mode: "panel" or "player", curves, …}; of a panel method, fields, …
//   own_id  only with a kernel, which the page polls for everything else (../shared/channel.js)
//   runs    only without a kernel: [{head, probes, rows}], bytes as base64
//   page    whether this is the only part of the page; keys then work wherever the focus is

import { mount } from "../shared/mount.js";
import { Page } from "./page.js";
import css from "./style.css";

/** Called by anywidget, or by the page of standalone.py. */
const render = ({ model, el }) => mount(el, css, new Page(model));

export default { render };
