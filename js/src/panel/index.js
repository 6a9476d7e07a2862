// The page of panel and player: see clwork/lab/panel/panel.py and clwork/lab/player_view.py. The model holds
//   about    what never changes: {mode: "panel" or "player", method, fields, presets, curves, …}
//   height   pixels, where it is not the page's
//   own_id   of a page with a kernel, which polls the kernel for everything else (../shared/channel.js)
//   runs     of a page without one: [{head, probes, rows}], bytes as base64
//   page     whether nothing else is on the page: keys then work wherever the focus is

import { mount } from "../shared/mount.js";
import { Page } from "./page.js";
import panel from "./panel.css";
import player from "./player.css";
import css from "./style.css";

const render = ({ model, el }) => mount(el, css + panel + player, new Page(model));

export default { render };
