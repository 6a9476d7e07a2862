// The sphere lab: contrastive learning of points, in the page. Reads `table` (the settings' names, ranges and help),
// `text` (the state to begin with), `question`, `play` and `fill` from its model, and asks nothing of a kernel.

import { mount } from "../shared/mount.js";
import { Lab } from "./lab.js";
import css from "./style.css";

const render = ({ model, el }) => mount(el, css, new Lab(model));

export default { render };
