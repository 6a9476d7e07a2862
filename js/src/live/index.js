// A plotly figure whose complete state is in the model, so that it shows the last state sent, also after the page
// was reloaded. One model carries plotly.js for all figures of a page. It is evaluated outside of the widget's
// initialisation, because anywidget limits that to two seconds and plotly.js alone can take longer on a slow machine.
//
// The figure follows the page's theme: its model maps each colour to its counterpart on a dark page. The figure is as wide
// as its container.

import { followTheme } from "../shared/theme.js";
import css from "./style.css";

const KEPT = "__clwork_plotly";
const SHEET = "clwork-figures"; // the id of the style sheet of all figures on the page

async function evaluate(model) {
  const library = await model_of(model, "library");
  // plotly.js looks for a module system first; with its own it does not change the page's
  const text = `const module = {exports: {}};\n${library.get("source")}\nexport default module.exports;`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function model_of(model, name) {
  return model.widget_manager.get_model(model.get(name).replace("IPY_MODEL_", ""));
}

function plotly(model) {
  globalThis[KEPT] ??= evaluate(model);
  globalThis[KEPT].catch(() => delete globalThis[KEPT]); // the next figure may try again
  return globalThis[KEPT];
}

const GROUNDS = new Set(["paper_bgcolor", "plot_bgcolor"]); // transparent backgrounds
const WORDS = new Set(["x", "y", "z", "customdata", "hovertext", "hovertemplate", "name"]); // fields that never hold colours

// Copies a packed array, because plotly.js needs a separate buffer, not a view of the whole message.
function own_buffer(value) {
  const bytes = value?.bdata;
  if (!(bytes instanceof DataView)) return value;
  return { ...value, bdata: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) };
}

// A copy of plotly's JSON in other colours; `twins` maps each colour to its replacement.
function dressed(value, twins, key = "") {
  if (GROUNDS.has(key)) return "rgba(0,0,0,0)";
  if (typeof value === "string") {
    if (key === "text") return value.replace(/#[0-9A-Fa-f]{6}\b/g, (colour) => twins[colour] ?? colour);
    return twins[value] ?? value;
  }
  if (value === null || typeof value !== "object") return value;
  if ("bdata" in value) return own_buffer(value);
  if (Array.isArray(value)) return key === "text" ? value : value.map((part) => dressed(part, twins));
  const copy = {};
  for (const [name, part] of Object.entries(value)) copy[name] = WORDS.has(name) ? own_buffer(part) : dressed(part, twins, name);
  return copy;
}

function dress() {
  if (document.getElementById(SHEET)) return;
  const sheet = document.head.appendChild(document.createElement("style"));
  sheet.id = SHEET;
  sheet.textContent = css;
}

function render({ model, el }) {
  const box = document.createElement("div");
  box.setAttribute("role", "img");
  box.textContent = "The figure is loading …";
  box.style.cssText = "width: 100%; height: 100%; overflow: hidden";
  el.appendChild(box);
  let Plotly = null;
  let feed = null; // the model that receives new data, even after anywidget's model is replaced
  let asked = false;
  let gone = false;
  let dark = false;
  dress();

  const draw = () => {
    asked = false;
    if (gone || !Plotly) return;
    const twins = dark ? (model.get("twins") ?? {}) : {};
    const axes = dressed(feed.get("axes"), twins);
    if (box.clientWidth < 40 || box.clientHeight < 40) return; // not in the document yet: the resize observer calls again
    axes.width = box.clientWidth;
    box.setAttribute("aria-label", model.get("label"));
    Plotly.react(box, dressed(feed.get("data"), twins), axes, { displayModeBar: false, displaylogo: false });
  };
  const ask = () => {
    if (!asked) requestAnimationFrame(draw); // data and layout arrive together, so draw once
    asked = true;
  };
  const sized = new ResizeObserver(ask);
  const forget = followTheme(null, (is) => {
    dark = is;
    ask();
  });

  Promise.all([plotly(model), model_of(model, "feed")]).then(
    ([loaded, found]) => {
      if (gone) return;
      Plotly = loaded;
      feed = found;
      feed.on("change:data change:axes", ask);
      box.textContent = "";
      sized.observe(box);
      ask();
    },
    (error) => {
      box.textContent = `The figure cannot be shown: ${error}`;
    },
  );
  return () => {
    gone = true;
    forget();
    sized.disconnect();
    if (feed) feed.off("change:data change:axes", ask);
    if (Plotly) Plotly.purge(box);
  };
}

export default { render };
