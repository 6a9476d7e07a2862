// Who pulls and who pushes a dot, in a list with numbers, under the formula that says how.

import { element } from "../shared/dom.js";
import { math } from "../shared/mathml.js";
import { measured } from "./format.js";

/** For the cloud: rows with the strength that each pulls or pushes with. */
export function strengths({ row, pairs }) {
  const there = pairs.filter((pair) => pair.row >= 0 && pair.row !== row);
  const of = (sign) => there.filter(({ pull }) => sign * pull > 0).map((pair) => [pair.row, Math.abs(pair.pull)]);
  return { row, pull: of(1), push: of(-1) };
}

export class ForcesSheet {
  constructor(choose) {
    this.choose = choose;
    this.root = element("div", { class: "forces-sheet" });
  }

  say(text) {
    this.root.replaceChildren(element("div", { class: "sheet-note", text }));
  }

  show(forces) {
    if (forces.refused) return this.say(forces.refused);
    if (!forces.pairs) return this.say("Working out who pulls and who pushes …");
    const { about = "", loss, measure = "", formula = [], pairs } = forces;
    const lines = formula.map((text) => element("div", { class: "forces-formula" }, math(text) ?? text));
    const list = (title, found) => found.length ? [element("h4", { text: measure ? `${title} (${measure} · gradient)` : title }), element("ol", { class: "forces-list" }, ...found.map((pair) => this.pair(pair)))] : [];
    this.root.replaceChildren(
      element("div", { class: "sheet-note", text: [about, Number.isFinite(loss) ? `loss ${measured(loss)}` : ""].filter(Boolean).join("; ") }),
      ...lines,
      ...list("pulls", pairs.filter(({ pull }) => pull > 0)),
      ...list("pushes", pairs.filter(({ pull }) => pull < 0)),
      element("div", { class: "sheet-note", text: measure ? `${measure} of the two, and the length of the part of this sentence's gradient that comes from the pair.` : "" }),
    );
    return undefined;
  }

  pair({ row, kind, text, score, pull }) {
    const words = [element("span", { class: "force-text", text, title: text }), element("span", { class: "force-number", text: `${measured(score)} · ${measured(Math.abs(pull))}` })];
    return element("li", { class: pull > 0 ? "pull" : "push", title: kind },
      row >= 0 ? element("button", { class: "force", type: "button", onclick: () => this.choose(row) }, ...words) : element("span", { class: "force" }, ...words));
  }
}
