// A page that is reloaded shows what the notebook's file holds, and JupyterLab writes that only every two minutes. Widgets
// live in the kernel and come back by themselves where their output is in the file. So the file is written once when a
// panel has come onto the page, as JupyterLab's own autosave would a little later.

const SOON = 1500; // milliseconds: the cell that showed the panel has ended by then
const seen = new Set(); // models whose notebook was asked to be written
const asked = new WeakMap(); // by notebook: whether it is to be written (again) once the writing in progress is done

async function write(context) {
  const writable = context.contentsModel?.writable !== false && !context.model?.readOnly;
  asked.set(context, false);
  // one at a time: two at once look to JupyterLab like somebody else's change of the file
  if (!context.isDisposed && context.model?.dirty && writable) await context.save().catch(() => {}); // JupyterLab tells why
  if (asked.get(context)) setTimeout(write, SOON, context);
  else asked.delete(context);
}

/** Has the notebook written that shows `model`, once; elsewhere than in JupyterLab nothing happens. */
export function keep(model) {
  const context = model.widget_manager?.context;
  const name = model.model_id ?? model.get("_model_id");
  if (typeof context?.save !== "function" || seen.has(name)) return;
  seen.add(name);
  if (!asked.has(context)) setTimeout(write, SOON, context);
  asked.set(context, true);
}
