// The playground in a page of the site: two encoders run in the page; scripts/site/page_encoder.py writes the state.

import { render as playground } from "../../../js/src/playground/index.js";
import { Kernel } from "./kernel.js";

const NAMES = ["columns", "texts", "examples", "shape", "vocabulary", "order", "size", "pieces"];

const render = ({ model, el }) => playground({ model: new Kernel(Object.fromEntries(NAMES.map((name) => [name, model.get(name)]))), el });

export default { render };
