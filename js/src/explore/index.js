// Stored runs of a claim under sliders; see clwork/lab/explore_view.py.

import { mount } from "../shared/mount.js";
import { Explorer } from "./explorer.js";
import css from "./style.css";

const PARTS = ["name", "claim", "verdict", "columns", "score", "band", "arms", "knobs", "ordered", "texts", "start"];

const render = ({ model, el }) => mount(el, css, new Explorer(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));

export default { render };
