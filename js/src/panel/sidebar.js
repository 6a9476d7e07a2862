// The player's left column: what the dots are coloured by, which axes are shown, a sentence to find, and the groups.

import { element, tell } from "../shared/dom.js";
import { percent } from "./format.js";

export function choice(label, options, change) {
  const box = element("select", { "aria-label": label, title: label, onchange: () => change(box.value) });
  box.offer = (offered) => {
    const key = JSON.stringify(offered);
    if (box.key === key) return;
    box.key = key;
    const held = box.value;
    box.replaceChildren(...offered.map(([value, text, off]) => element("option", { value, text, disabled: off })));
    if (offered.some(([value]) => value === held)) box.value = held;
  };
  box.offer(options);
  return box;
}

/** What the reader may colour the dots by; the first is what they are coloured by at first. */
export function colourings(records) {
  const own = records.some((record) => record.own);
  const topics = records.some((record) => record.labels?.some((label) => label));
  return [...(own ? [["own", "your labels"]] : []), ...(topics ? [["topic", "topic"]] : []), ["cluster", "cluster"], ["words", "your words"]];
}

export class Sidebar {
  /** `hooks`: colour(by), words(text), axes(x, y), kind(kind), find(text), next(); `legend`: the groups. */
  constructor(legend, hooks) {
    this.colour = choice("colour the dots by", [], (by) => {
      this.words.hidden = by !== "words";
      hooks.colour(by);
      if (by === "words") this.words.focus();
    });
    this.words = element("input", {
      class: "words", type: "text", placeholder: "music, war, river", "aria-label": "your words, parted by commas", hidden: true,
      oninput: () => hooks.words(this.words.value),
    });
    const axes = () => hooks.axes(Number(this.x.value), Number(this.y.value));
    this.kind = choice("what the picture shows", [["pca", "PCA"]], hooks.kind);
    this.x = choice("axis to the right", [], axes);
    this.y = choice("axis upwards", [], axes);
    this.search = element("input", {
      class: "find", type: "search", placeholder: "find a sentence …", "aria-label": "find a sentence; Enter chooses the next that fits",
      oninput: () => hooks.find(this.search.value),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        hooks.next();
      },
    });
    const field = (text, ...parts) => element("div", { class: "field" }, element("span", { text }), ...parts);
    this.root = element("div", { class: "dots" }, field("colour", this.colour), this.words, field("view", this.kind), element("div", { class: "field pair" }, this.x, this.y), this.search, legend.root);
  }

  /** Of other records: their colourings and axes. */
  offer(records) {
    const [record] = records;
    this.colour.offer(colourings(records));
    const axes = Array.from({ length: record.axes }, (_, axis) => [String(axis), record.shares[axis] === undefined ? `axis ${axis + 1}` : `axis ${axis + 1} · ${percent(record.shares[axis])}`]);
    this.x.offer(axes);
    this.y.offer(axes);
  }

  /** `umap`: "there", "asked", "possible" or "missing". */
  show(view, umap) {
    const words = { there: "UMAP, aligned", asked: "UMAP is being made …", possible: "UMAP (Python makes it)", missing: "UMAP: ask with umap=True" };
    this.kind.offer([["pca", "PCA, one basis"], ["umap", words[umap], umap === "missing" || umap === "asked"]]);
    this.kind.value = view.kind;
    this.x.value = String(view.x);
    this.y.value = String(view.y);
    this.x.parentElement.hidden = view.kind === "umap";
    tell(this.root, "data-kind", view.kind);
  }
}
