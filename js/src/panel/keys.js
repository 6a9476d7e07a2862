// Keys that count wherever the focus is within the page, but for where somebody types.

/** Listen on `target`; returns how to stop. */
export function onKeys(target, page) {
  const hear = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName = "", type } = event.target;
    const ranges = tagName === "INPUT" && type === "range" && !event.target.classList.contains("time");
    const writes = (tagName === "INPUT" && type !== "range" && type !== "checkbox") || tagName === "SELECT" || tagName === "TEXTAREA";
    if (event.key === "Escape") page.layout.escape();
    else if (writes) return;
    else if (!act(event, page, tagName === "BUTTON" || event.target.getAttribute?.("role") === "button", ranges)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  target.addEventListener("keydown", hear);
  return () => target.removeEventListener("keydown", hear);
}

/** Whether the key was one of ours. */
function act(event, page, button, ranges) {
  const { transport } = page.picture;
  const many = event.shiftKey ? 10 : 1;
  const moves = {
    ArrowRight: () => transport.step(1, many),
    ArrowLeft: () => transport.step(-1, many),
    Home: () => {
      page.clock.glide(0);
      page.moved();
    },
    End: () => page.toNow(),
  };
  const keys = { " ": button ? null : () => transport.toggle(), ...(ranges ? {} : moves), ...(page.panel ? page.layout.keys() : {}) };
  const found = keys[event.key];
  if (!found) return false;
  found();
  return true;
}
