// A figure of several pictures of the same sentences, in which a sentence is marked in all of them at once.
// Traces 0 … n - 1 are the pictures, point k of each the same sentence; traces n … 2n - 1 hold the marks, and those
// after them are the legend's: a kind of sentences each.
// The figure itself is drawn by live.js, which a model carries and this module imports.

const KEPT = "__clwork_live"; // one import serves all such widgets of a page

async function import_live(model) {
  const carrier = await model.widget_manager.get_model(model.get("figure").replace("IPY_MODEL_", ""));
  const address = URL.createObjectURL(new Blob([carrier.get("source")], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function live(model) {
  globalThis[KEPT] ??= import_live(model);
  globalThis[KEPT].catch(() => delete globalThis[KEPT]); // the next widget may try again
  return globalThis[KEPT];
}

function element(name, text = "", style = "") {
  const made = document.createElement(name);
  made.textContent = text; // never as HTML: sentences may hold anything
  made.style.cssText = style;
  return made;
}

// A sentence and, in a column for each picture, its nearest neighbours there.
function answer(model, row) {
  const texts = model.get("texts");
  const names = model.get("names");
  const near = model.get("near"); // [picture][row] -> rows
  const table = element("table", "", "border-collapse: collapse; table-layout: fixed; width: 100%");
  const head = table.insertRow();
  const body = table.insertRow();
  names.forEach((name, picture) => {
    head.appendChild(element("th", name, "text-align: left; padding: 2px 8px 2px 0"));
    const cell = body.insertCell();
    cell.style.cssText = "text-align: left; vertical-align: top; padding: 2px 8px 2px 0; white-space: normal";
    for (const other of near[picture][row]) {
      cell.appendChild(element("div", texts[other], "margin-bottom: 4px; cursor: pointer")).dataset.row = other;
    }
  });
  const whole = element("div");
  whole.appendChild(element("p", texts[row], "font-weight: bold; margin: 4px 0"));
  whole.appendChild(table);
  return whole;
}

function render({ model, el }) {
  const drawn = el.appendChild(element("div"));
  const held = el.appendChild(element("div", "", "font: 12px sans-serif; padding: 0 10px; min-height: 26px"));
  held.className = "clwork-held";
  held.setAttribute("role", "status");
  const told = el.appendChild(element("div", model.get("hint"), "font: 12px sans-serif; padding: 0 10px; min-height: 9em"));
  told.setAttribute("aria-live", "polite");
  const count = model.get("names").length;
  const pictures = [...Array(count).keys()];
  const marks = pictures.map((picture) => count + picture);
  let gone = false;
  let stop = null; // ends what live.js draws
  let kept = null; // the sentence that was clicked
  let chosen = ""; // the kind that was chosen in the legend

  const attach = (Plotly, box) => {
    const mark = (row) => {
      const at = (key) => pictures.map((picture) => (row === null ? [] : [box.data[picture][key][row]]));
      Plotly.restyle(box, { x: at("x"), y: at("y") }, marks);
    };
    let choosing = false; // plotly tells of what is done here as if the reader had done it
    const choose = (rows, what = "") => {
      if (choosing) return;
      choosing = true;
      chosen = what;
      // the box that was drawn goes: what it held stays selected, in every picture, until it is let go
      const done = Plotly.update(box, { selectedpoints: pictures.map(() => rows) }, { selections: [] }, pictures);
      Promise.resolve(done).finally(() => (choosing = false));
      held.replaceChildren();
      if (rows) {
        const count = rows.length === 1 ? "1 sentence is" : `${rows.length} sentences are`;
        held.appendChild(element("span", `${count} selected${what ? ` (${what})` : ""} `));
        held.appendChild(element("button", "Let go", "margin-left: 8px")).addEventListener("click", () => choose(null));
      }
      model.set("chosen", rows ?? []);
      model.save_changes();
    };
    // a click on a kind in the legend selects it everywhere, another one lets it go
    const kind = (event) => {
      const name = event.data[event.curveNumber].name ?? "";
      const rows = (model.get("kinds") ?? [])[event.curveNumber - 2 * count];
      if (rows) choose(chosen === name ? null : rows, chosen === name ? "" : name);
      return false; // plotly would only hide the legend's own empty trace
    };
    const show = (row) => {
      kept = row;
      mark(row);
      told.replaceChildren(answer(model, row));
    };
    const rowsOf = (event) => {
      const points = event?.points?.filter((point) => point.curveNumber < count) ?? [];
      return [...new Set(points.map((point) => point.pointNumber))].sort((a, b) => a - b);
    };
    box.on("plotly_hover", (event) => rowsOf(event).slice(0, 1).forEach(mark));
    box.on("plotly_unhover", () => mark(kept));
    box.on("plotly_click", (event) => rowsOf(event).slice(0, 1).forEach(show));
    box.on("plotly_selected", (event) => event?.points?.length && choose(rowsOf(event)));
    box.on("plotly_deselect", () => choose(null));
    box.on("plotly_doubleclick", () => choose(null));
    box.on("plotly_legendclick", kind);
    box.on("plotly_legenddoubleclick", () => false);
    el.addEventListener("keydown", (event) => event.key === "Escape" && choose(null));
    told.addEventListener("click", (event) => {
      const row = event.target.dataset.row;
      if (row !== undefined) show(Number(row));
    });
  };
  const wait = (Plotly, box) => {
    if (gone) return;
    if (box.on) attach(Plotly, box);
    else requestAnimationFrame(() => wait(Plotly, box)); // the first drawing makes the box listen
  };
  live(model).then(
    (figure) => {
      if (gone) return;
      stop = figure.default.render({ model, el: drawn });
      figure.plotly(model).then((Plotly) => wait(Plotly, drawn.firstElementChild), () => {}); // live.js tells what failed
    },
    (error) => {
      drawn.textContent = `The figure cannot be shown: ${error}`;
    },
  );
  return () => {
    gone = true;
    if (stop) stop();
  };
}

export default { render };
