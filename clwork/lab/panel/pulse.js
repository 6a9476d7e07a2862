// What only the page can know of a panel: whether its kernel still answers, and what a slider says while it is moved.
// The kernel's beats come through a plain model (anywidget's own misses messages where a page starts slowly).

const SILENCE = 60_000; // milliseconds without a beat while a run is said to go on
const LOOK = 2_000;

// What a panel says whose kernel is gone: how it stood, and how the run that it shows is opened from its folder.
function lost(beat) {
  const gone =
    "The kernel that this panel belonged to was restarted or shut down. Nothing here moves any more: what is shown is " +
    "how it stood.";
  const folder = JSON.stringify(beat.get("folder") ?? "");
  if (folder === '""') return `${gone} Run the cell again for a panel.`;
  const further = beat.get("at_work") ? ` It had not ended: clwork.resume(${folder}) goes on with it.` : "";
  return `${gone} Its run is kept: lab.panel(run=clwork.open_run(${folder})) shows it.${further}`;
}

function silent(since) {
  return (
    `No word from the kernel since ${new Date(since).toLocaleTimeString()}. It may be very busy, or gone: what is shown ` +
    "is how it stood then."
  );
}

// Says in `told` when the kernel is gone, and marks the panel; returns how to stop watching.
function watch(beat, told, panel) {
  let last = Date.now();
  const look = () => {
    const gone = beat.comm_live === false;
    const quiet = beat.get("at_work") && Date.now() - last > SILENCE;
    const text = gone ? lost(beat) : quiet ? silent(last) : "";
    if (told.textContent !== text) told.textContent = text;
    panel()?.classList.toggle("clwork-gone", gone);
    panel()?.classList.toggle("clwork-silent", !gone && quiet);
  };
  const heard = () => {
    last = Date.now();
    look();
  };
  beat.on("change:count change:at_work", heard);
  beat.on("comm_live_update", look);
  const timer = setInterval(look, LOOK);
  look();
  return () => {
    clearInterval(timer);
    beat.off("change:count change:at_work", heard);
    beat.off("comm_live_update", look);
  };
}

// The number a handle stands at, as people write it; its slider's class tells the base of a logarithmic one.
function standing(handle) {
  const raw = Number(handle.getAttribute("aria-valuetext"));
  const base = [2, 10].find((each) => handle.closest(`.clwork-base-${each}`));
  const value = base ? base ** raw : raw;
  return Number.isFinite(raw) ? String(Number(value.toPrecision(3))) : null;
}

// A handle is named as its knob, and says the knob's real value; under the reader's hand the box shows it too.
function name(handle) {
  const knob = handle.closest(".clwork-knob");
  const box = knob?.querySelector("input[type=text]");
  if (!box) return;
  const held = handle.classList.contains("noUi-active") || document.activeElement === handle;
  const now = held ? standing(handle) : null;
  if (now !== null && handle.dataset.said !== handle.getAttribute("aria-valuetext")) box.value = now;
  handle.setAttribute("aria-label", knob.querySelector(".widget-label")?.textContent ?? "");
  handle.setAttribute("aria-valuetext", box.value);
  handle.dataset.said = box.value;
}

// Boxes whose meaning stands beside them and not in a label.
const BOXES = {
  ".clwork-search input": "search settings",
  ".clwork-settings-text textarea": "these settings as a text",
  ".clwork-own-text textarea": "own sentences, one a line",
};

function name_handles(panel) {
  for (const [part, title] of Object.entries(BOXES)) panel.querySelector(part)?.setAttribute("aria-label", title);
  const all = (root) => root.querySelectorAll?.(".clwork-knob [role=slider]").forEach(name);
  const watcher = new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes") name(change.target);
      else change.addedNodes.forEach((node) => node.nodeType === 1 && all(panel));
    }
  });
  const focused = (event) => event.target.getAttribute?.("role") === "slider" && name(event.target);
  const wish = { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-valuenow"] };
  panel.querySelectorAll(".clwork-knobs, .clwork-drawer").forEach((part) => watcher.observe(part, wish));
  panel.addEventListener("focusin", focused);
  all(panel);
  return () => {
    watcher.disconnect();
    panel.removeEventListener("focusin", focused);
  };
}

async function copy(event) {
  const button = event.target.closest?.(".clwork-copy");
  const box = event.currentTarget.querySelector(".clwork-settings-text textarea");
  if (!button || !box) return;
  box.select(); // where the clipboard is closed to scripts, the reader's own keys still copy it
  try {
    await navigator.clipboard.writeText(box.value);
  } catch {
    document.execCommand("copy");
  }
}

function render({ model, el }) {
  const told = document.createElement("div");
  told.className = "clwork-pulse";
  told.setAttribute("role", "alert");
  el.appendChild(told);
  const panel = () => el.closest(".clwork-panel");
  let ends = [];
  let gone = false;

  const attach = () => {
    if (gone) return;
    const around = panel();
    if (!around || !around.querySelector(".clwork-knob")) {
      setTimeout(attach, 200); // not on the page yet
      return;
    }
    around.addEventListener("click", copy);
    ends.push(name_handles(around), () => around.removeEventListener("click", copy));
  };
  attach();
  model.widget_manager.get_model(model.get("feed").replace("IPY_MODEL_", "")).then((beat) => {
    if (!gone) ends.push(watch(beat, told, panel));
  });
  return () => {
    gone = true;
    for (const end of ends) end();
    ends = [];
  };
}

export default { render };
