// The force view: who pulls and who pushes a sentence of a batch; see clwork/lab/forces/forces.py.
// The model holds `about`: {now: what the last stop is}; all else comes by the channel, see clwork/lab/forces/parts.py.

import { mount } from "../shared/mount.js";
import { Page } from "./page.js";
import css from "./style.css";

const render = ({ model, el }) => mount(el, css, new Page(model));

export default { render };
