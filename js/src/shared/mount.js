// A page of our own in the place that a widget has: its styles, its theme, and its end.

import { element } from "./dom.js";
import { followTheme } from "./theme.js";
import look from "./look.css";

/** Put a page there that has `root`, `paint(dark)` and perhaps `close()`; returns how to take it away. */
export function mount(el, css, page) {
  const style = element("style", { text: look + css });
  el.append(style, page.root);
  const forget = followTheme(page.root, (dark) => page.paint(dark));
  page.root.page = page; // for tests and for the curious
  return () => {
    forget();
    page.close?.();
    page.root.remove();
    style.remove();
  };
}
