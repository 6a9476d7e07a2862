// A plotly figure whose whole state is in the model: what is shown is always what was sent last, also after the page
// was reloaded. One copy of plotly.js, carried by one model, serves all figures of a page. It is evaluated outside of
// the widget's own start, for which anywidget allows two seconds: on a slow machine plotly.js alone can take longer.

const KEPT = "__clwork_plotly";

async function evaluate(model) {
  const library = await model_of(model, "library");
  // plotly.js looks for a module system first; handed one of its own, it leaves the page's alone
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

function render({ model, el }) {
  const box = document.createElement("div");
  box.setAttribute("role", "img");
  box.textContent = "The figure is loading …";
  el.appendChild(box);
  let Plotly = null;
  let feed = null; // the model that hears of new data, whatever became of anywidget's own
  let asked = false;
  let gone = false;

  const draw = () => {
    asked = false;
    if (gone || !Plotly) return;
    const axes = feed.get("axes");
    box.setAttribute("aria-label", model.get("label"));
    Plotly.react(box, feed.get("data"), axes, { displayModeBar: false, displaylogo: false });
  };
  const ask = () => {
    if (!asked) requestAnimationFrame(draw); // data and layout come together: one drawing for both
    asked = true;
  };

  Promise.all([plotly(model), model_of(model, "feed")]).then(
    ([loaded, found]) => {
      if (gone) return;
      Plotly = loaded;
      feed = found;
      feed.on("change:data change:axes", ask);
      box.textContent = "";
      ask();
    },
    (error) => {
      box.textContent = `The figure cannot be shown: ${error}`;
    },
  );
  return () => {
    gone = true;
    if (feed) feed.off("change:data change:axes", ask);
    if (Plotly) Plotly.purge(box);
  };
}

export { plotly };
export default { render };
