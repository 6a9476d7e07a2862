// Points at the parts of a page that a lesson's sentence is about.

// milliseconds
const LIT = 2000;

/** Bring the first of these parts into view, and outline all that are visible for two seconds. */
export function point(nodes) {
  const seen = nodes.filter((node) => node.checkVisibility());
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  seen[0]?.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
  for (const node of seen) {
    node.toggleAttribute("data-meant", true);
    setTimeout(() => node.removeAttribute("data-meant"), LIT);
  }
}
