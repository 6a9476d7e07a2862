// The row above the cloud: whose film it is, what the dots are coloured by, what the picture shows, a sentence to find.

import { element, steps, tell, write } from "./dom.js";

const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const ALIVE = new Set(["waiting", "running", "paused"]);
export const alive = (film) => ALIVE.has(film.status);

function choice(label, options, change) {
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

/** How a run stands, in a few words. */
function standing(film) {
  const last = film.known()[0];
  const how = film.status === "shipped" || !film.status ? "recorded" : film.status;
  return alive(film) ? `${how}, step ${steps(last)} of ${steps(film.total)}` : `${how}, ${steps(film.total || last)} steps`;
}

export class Controls {
  /** `hooks`: colour(by), words(text), axes(x, y), kind(kind), find(text), next(). */
  constructor(runs, hooks) {
    this.runs = runs;
    const own = runs.some(({ film }) => film.own);
    const topics = runs.some(({ film }) => film.labels?.some((label) => label));
    this.names = runs.map(({ name, ink }) =>
      runs.length > 1 ? element("span", { class: "run-key", style: `background: ${ink}`, text: name }) : "",
    );
    this.titles = runs.map(({ film }) => element("strong", { class: "run-title", text: film.differs || film.title || film.method || "" }));
    this.stands = runs.map(() => element("span", { class: "run-stand" }));
    const heads = runs.map((_, i) => element("span", { class: "run" }, this.names[i], this.titles[i], this.stands[i]));
    this.colour = choice("colour the dots by", [
      ...(own ? [["own", "your labels"]] : []),
      ...(topics ? [["topic", "topic"]] : []),
      ["cluster", "cluster"],
      ["words", "your words"],
    ], (by) => {
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
    this.find = element("input", {
      class: "find", type: "search", placeholder: "find a sentence …", "aria-label": "find a sentence; Enter chooses the next that fits",
      oninput: () => hooks.find(this.find.value),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        hooks.next();
      },
    });
    const by = element("label", { class: "field" }, element("span", { text: "colour" }), this.colour);
    const view = element("span", { class: "field" }, element("span", { text: "view" }), this.kind, this.x, this.y);
    this.root = element("div", { class: "controls" }, element("div", { class: "runs" }, ...heads), by, this.words, view, this.find);
    const { film } = runs[0];
    const offered = Array.from({ length: film.axes }, (_, axis) => [String(axis), film.shares[axis] === undefined ? `axis ${axis + 1}` : `axis ${axis + 1} · ${percent(film.shares[axis])}`]);
    this.x.offer(offered);
    this.y.offer(offered);
    this.y.value = String(Math.min(1, film.axes - 1));
  }

  /** `umap`: "there", "asked", "possible" or "missing". */
  show(view, umap) {
    this.runs.forEach(({ film }, run) => {
      const said = this.titles[run].textContent; // in which it differs from the run beside it
      const method = said.startsWith(film.title ?? "") ? "" : film.title;
      const seed = film.seed === null || said.includes("seed =") ? "" : `seed ${film.seed}`;
      write(this.stands[run], [method, film.name, seed, standing(film)].filter(Boolean).join(" · "));
      tell(this.stands[run], "title", this.stands[run].textContent);
    });
    const told = { there: "UMAP, aligned", asked: "UMAP is being made …", possible: "UMAP (Python makes it)", missing: "UMAP: ask with umap=True" };
    this.kind.offer([["pca", "PCA, one basis"], ["umap", told[umap], umap === "missing" || umap === "asked"]]);
    this.kind.value = view.kind;
    this.x.hidden = this.y.hidden = view.kind === "umap";
  }
}

/** What share of the variance a picture holds, in words; `brief` where another one stands beside it. */
export function holds(film, step, view, brief) {
  if (view.kind === "umap") {
    const last = film.umap.steps.at(-1);
    return `UMAP of the ${film.axes} axes: who is near whom, not how far${step > last ? `; it ends at step ${steps(last)}` : ""}`;
  }
  const look = film.lookAt(step);
  const part = film.share(look, view.x, view.y);
  return `${brief ? "" : `axes ${view.x + 1} and ${view.y + 1}: `}${percent(part)} of the variance`;
}
