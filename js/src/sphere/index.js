// The sphere lab: contrastive learning of points, computed in the page without a kernel. Reads from
// its model `table` (the settings' names, ranges and help), `text` (the initial state), `question`
// and `play`.

import { mount } from "../shared/mount.js";
import { Lab } from "./lab.js";
import css from "./style.css";

/** Called by anywidget, or by the page of standalone.py. */
const render = ({ model, el }) => mount(el, css, new Lab(model));

export default { render };
