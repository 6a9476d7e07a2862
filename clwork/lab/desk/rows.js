// The desk's table on the page: a heading sorts, a name chooses the run for the buttons below, a tick draws it.
// What is shown comes through a plain model beside this one, which hears every message however late this page starts;
// what the reader asks for goes back through it, with a number, so that the same wish twice is two wishes.

const ARROWS = { ascending: " ▲", descending: " ▼", none: "" };

function element(name, text = "", about = {}) {
  const made = document.createElement(name);
  made.textContent = text; // never as HTML: names may hold anything
  for (const [key, value] of Object.entries(about)) made.setAttribute(key, value);
  return made;
}

function draw(el, state, ask) {
  const focused = el.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const button = (text, key, wish) => {
    const made = element("button", text, { type: "button", class: "clwork-plain", "data-key": key });
    made.addEventListener("click", () => ask(wish));
    return made;
  };
  const table = element("table", "", { class: "clwork-table clwork-rows" });
  table.appendChild(element("caption", state.caption));
  const head = table.createTHead().insertRow();
  head.appendChild(element("th", "draw", { scope: "col" }));
  for (const column of state.head) {
    const cell = element("th", "", { scope: "col", "aria-sort": column.sorted });
    cell.appendChild(button(column.label + ARROWS[column.sorted], `sort ${column.name}`, { sort: column.name }));
    head.appendChild(cell);
  }
  const body = table.createTBody();
  for (const run of state.runs) {
    const row = body.insertRow();
    row.setAttribute("aria-selected", String(run.folder === state.one));
    const tick = element("input", "", { type: "checkbox", "aria-label": `draw ${run.name}`, "data-key": `draw ${run.folder}` });
    tick.checked = run.drawn;
    tick.addEventListener("change", () => ask({ draw: run.name, on: tick.checked }));
    row.insertCell().appendChild(tick);
    const name = element("th", "", { scope: "row" });
    name.title = run.name;
    name.appendChild(button(run.label, `one ${run.folder}`, { one: run.folder }));
    row.appendChild(name);
    for (const text of run.cells) row.insertCell().textContent = text;
  }
  el.replaceChildren(element("style", state.style), table);
  if (focused) [...el.querySelectorAll("[data-key]")].find((part) => part.dataset.key === focused)?.focus();
}

function render({ model, el }) {
  let gone = false;
  let stop = () => {};
  model.widget_manager.get_model(model.get("feed").replace("IPY_MODEL_", "")).then((feed) => {
    if (gone) return;
    const ask = (wish) => {
      feed.set("asked", { ...wish, number: (feed.get("asked").number ?? 0) + 1 });
      feed.save_changes();
    };
    const again = () => draw(el, feed.get("state"), ask);
    feed.on("change:state", again);
    stop = () => feed.off("change:state", again);
    again();
  });
  return () => {
    gone = true;
    stop();
  };
}

export default { render };
