// The playground: sentences of the reader's own under one encoder or two; see clwork/lab/playground/playground.py.
// The model holds `about`: {most: sentences, searched: [least, most] of a corpus}; all else comes by the channel.

import { mount } from "../shared/mount.js";
import { Page } from "./page.js";
import css from "./style.css";

const render = ({ model, el }) => mount(el, css, new Page(model));

export default { render };
