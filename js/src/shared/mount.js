// Mounts a page in a widget's element: styles, theme, and removal.

import { element, writesInto } from "./dom.js";
import look from "./look.css";
import { fillScreen, offerSaving } from "./save.js";
import { followTheme } from "./theme.js";

const WAYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
// scripts/site/slides.py gives a page on a slide this fragment
export const onSlide = () => window.location.hash === "#slide";

/** A key that the page has not used turns the slides around it; in a control, the page keys do. */
function turnSlides(event) {
  const isUsed = event.target.closest("input, select, textarea") && !event.key.startsWith("Page");
  if (!WAYS[event.key] || isUsed) return;
  event.preventDefault();
  window.parent.postMessage({ clworkTurn: WAYS[event.key] }, "*");
}

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
  if (onSlide()) document.addEventListener("keydown", turnSlides);
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
