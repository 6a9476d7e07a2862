// Mounts a page in a widget's element: styles, theme, and removal.

import { element, writesInto } from "./dom.js";
import look from "./look.css";
import { fillScreen, offerSaving } from "./save.js";
import { followTheme } from "./theme.js";

/**
 * Mount a page that has `root`, `paint(dark)` and optionally `close()`; returns a function that
 * removes it.
 */
export function mount(el, css, page) {
  const style = element("style", { text: look + css });
  el.append(style, page.root);
  offerSaving(page.root, page);
  page.root.addEventListener("keydown", (event) => {
    if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!writesInto(event.target)) fillScreen(page.root);
  });
  const forget = followTheme(page.root, (dark) => page.paint(dark));
  // for tests and the browser console
  page.root.page = page;
  return () => {
    forget();
    page.close?.();
    page.root.remove();
    style.remove();
  };
}
