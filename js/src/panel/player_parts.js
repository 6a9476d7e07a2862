// Parts that only a player has: the titles of its runs, and a sidebar with axes, search and
// groups.

import { attribute, element, offer, write } from "../shared/dom.js";
import { counted, percent, steps } from "../shared/text.js";
import { marker } from "./reading.js";

/** A menu; `change(value)` is called after a choice. */
const choice = (label, options, change) => {
  const box = element("select", {
    "aria-label": label,
    title: label,
    onchange: () => change(box.value),
  });
  offer(box, options);
  return box;
};

/** The controls of a player. */
export class Sidebar {
  /** `hooks`: axes(x, y), kind(kind), find(text), next(); `legend`: the groups. */
  constructor(legend, hooks) {
    const axes = () => hooks.axes(Number(this.x.value), Number(this.y.value));
    this.kind = choice("what the picture shows", [["pca", "PCA"]], hooks.kind);
    this.x = choice("axis to the right", [], axes);
    this.y = choice("axis upwards", [], axes);
    this.search = element("input", {
      class: "find",
      type: "search",
      placeholder: "find a sentence …",
      "aria-label": "find a sentence; Enter chooses the next match",
      oninput: () => hooks.find(this.search.value),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        hooks.next();
      },
    });
    const field = (text, ...parts) =>
      element("div", { class: "field" }, element("span", { text }), ...parts);
    this.root = element(
      "div",
      { class: "dots" },
      field("view", this.kind),
      element("div", { class: "field pair" }, this.x, this.y),
      this.search,
      legend.root,
    );
  }

  /** Offer the axes of these records. */
  offer(records) {
    const [record] = records;
    const axes = Array.from({ length: record.axes }, (_, axis) => [
      String(axis),
      record.shares[axis] === undefined
        ? `axis ${axis + 1}`
        : `axis ${axis + 1} · ${percent(record.shares[axis])}`,
    ]);
    offer(this.x, axes);
    offer(this.y, axes);
  }

  /** `hasUmap`: whether all runs have a recorded UMAP layout. */
  show(view, hasUmap) {
    offer(this.kind, [
      ["pca", "PCA, one basis"],
      ["umap", hasUmap ? "UMAP, aligned" : "UMAP: not recorded", !hasUmap],
    ]);
    this.kind.value = view.kind;
    this.x.value = String(view.x);
    this.y.value = String(view.y);
    this.x.parentElement.hidden = view.kind === "umap";
    attribute(this.root, "data-kind", view.kind);
  }
}

/** The groups with their markers and numbers of sentences. */
export class Legend {
  /** `hooks`: toggle(group), only(group), all(), lift(). */
  constructor(hooks) {
    this.hooks = hooks;
    this.list = element("div", {
      class: "legend-list",
      role: "group",
      "aria-label": "groups shown",
    });
    this.all = element("button", {
      class: "small",
      type: "button",
      text: "Show all",
      onclick: hooks.all,
    });
    this.lift = element("button", {
      class: "small",
      type: "button",
      text: "Clear selection",
      title: "Clear the chosen sentences (Esc)",
      onclick: hooks.lift,
    });
    this.root = element(
      "div",
      { class: "legend" },
      this.list,
      element("div", { class: "legend-foot" }, this.all, this.lift),
    );
  }

  /** Show the groups; `chosen`: whether sentences are chosen. */
  show(groups, hidden, dark, chosen) {
    const key = JSON.stringify([groups, dark]);
    if (key !== this.key) {
      this.key = key;
      this.buttons = groups.map(({ group, name, count }) =>
        element(
          "button",
          {
            class: "group",
            type: "button",
            title: `${name}: ${counted(count, "sentence")}. Click to hide or show, double-click for this one alone.`,
            onclick: () => this.hooks.toggle(group),
            ondblclick: () => this.hooks.only(group),
          },
          marker(group, dark),
          element("span", { class: "group-name", text: name }),
          element("span", { class: "group-count", text: String(count) }),
        ),
      );
      this.list.replaceChildren(...this.buttons);
    }
    for (const [i, { group }] of groups.entries()) {
      attribute(this.buttons[i], "aria-pressed", String(!hidden.has(group)));
    }
    this.lift.disabled = !chosen;
    this.all.disabled = hidden.size === 0;
  }
}

/** The status and length of a run as text. */
function standing(record) {
  const how = record.status === "shipped" || !record.status ? "recorded" : record.status;
  return `${how}, ${steps(record.total)} steps`;
}

/** A title for each run. */
export class Titles {
  constructor(runs) {
    this.lines = runs.map(({ name, ink }) => ({
      title: element("strong", { class: "run-title" }),
      stand: element("span", { class: "run-stand" }),
      key:
        runs.length > 1
          ? element("span", { class: "run-key", style: `background: ${ink}`, text: name })
          : "",
    }));
    this.said = element("div", { class: "run-said", role: "status" });
    this.root = element(
      "div",
      { class: "clwork-titles" },
      element(
        "div",
        { class: "runs" },
        ...this.lines.map(({ key, title, stand }) =>
          element("span", { class: "run" }, key, title, stand),
        ),
      ),
      this.said,
    );
  }

  /** Write titles, methods, seeds and statuses of the runs. */
  show(runs) {
    runs.forEach(({ record }, run) => {
      const { title, stand } = this.lines[run];
      // difference from the run next to it
      const called = record.differs || record.title || record.method || record.name || "";
      const method = called.startsWith(record.title ?? "") ? "" : record.title;
      const seed = record.seed === null || called.includes("seed =") ? "" : `seed ${record.seed}`;
      write(title, called);
      write(
        stand,
        record.id ? [method, record.name, seed, standing(record)].filter(Boolean).join(" · ") : "",
      );
      attribute(stand, "title", stand.textContent);
    });
  }

  /** Show an error, or an empty text. */
  report(text) {
    write(this.said, text);
  }
}
