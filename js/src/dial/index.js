// A dial: a slider over values computed beforehand; see clwork/lab/lesson/dial.py, which names the model's parts.

import { mount } from "../shared/mount.js";
import { Dial } from "./dial.js";
import css from "./style.css";

const PARTS = ["name", "values", "names", "rows", "start", "unit", "says", "log"];

const render = ({ model, el }) => mount(el, css, new Dial(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));

export default { render };
