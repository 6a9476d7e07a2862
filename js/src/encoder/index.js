// Two encoders in the page; see clwork/lab/encoder/page_encoder.py, which names the state's parts.

import { mount } from "../shared/mount.js";
import { Page } from "./page.js";
import css from "./style.css";

const NAMES = ["columns", "texts", "examples", "shape", "vocabulary", "order", "size", "pieces"];

/** A widget has all parts in one, a page of its own each by its name. */
const stateOf = (model) => model.get("state") ?? Object.fromEntries(NAMES.map((name) => [name, model.get(name)]));

const render = ({ model, el }) => mount(el, css, new Page(model, stateOf(model)));

export default { render };
