// Two encoders in a page of the site; scripts/site/page_encoder.py writes the state.

import { mount } from "../../../js/src/shared/mount.js";
import { Page } from "./page.js";
import css from "./style.css";

const NAMES = ["columns", "texts", "examples", "shape", "vocabulary", "order", "size", "pieces"];

const render = ({ model, el }) => mount(el, css, new Page(Object.fromEntries(NAMES.map((name) => [name, model.get(name)]))));

export default { render };
