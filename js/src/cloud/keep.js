// A page that is reloaded shows what the notebook's file holds, and JupyterLab writes that only every two minutes. Widgets
// live in the kernel and come back by themselves where their output is in the file. So the file is written once when a
// panel has come onto the page, as JupyterLab's own autosave would a little later.

const SOON = 1500; // milliseconds: the cell that showed the panel has ended by then
const done = new Set();

/** Has the notebook written that shows `model`, once; elsewhere than in JupyterLab nothing happens. */
export function keep(model) {
  const context = model.widget_manager?.context;
  const name = model.model_id ?? model.get("_model_id");
  if (typeof context?.save !== "function" || done.has(name)) return;
  done.add(name);
  setTimeout(() => {
    const writable = context.contentsModel?.writable !== false && !context.model?.readOnly;
    if (!context.isDisposed && context.model?.dirty && writable) context.save().catch(() => {}); // JupyterLab tells why
  }, SOON);
}
