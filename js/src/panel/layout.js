// Creates and places the parts of the page. Panel and player share cloud, charts, movers, verdict
// and time; a player has titles above them, a panel its controls.

import { STANDING } from "../shared/channel.js";
import { attribute, button, div, element, span, write } from "../shared/dom.js";
import { point } from "../shared/point.js";
import { playable } from "../shared/prose.js";
import { steps } from "../shared/text.js";
import { Controls } from "./controls.js";
import { Movers } from "./movers.js";
import { markStep, stepIfOther } from "./reading.js";

const SIGNS = { good: "✓ ", early: "… ", bad: "⚠ " };

/** Buttons of which one is pressed: {name: text}; `choose(name)` is called after a click. */
function switchOf(name, label, texts, choose) {
  const buttons = Object.entries(texts).map(([value, text]) =>
    button("", text, () => choose(value), { "data-tab": value }),
  );
  return element(
    "div",
    { class: `switch ${name}`, role: "group", "aria-label": label },
    ...buttons,
  );
}

/** Press one of these buttons. */
function press(buttons, value) {
  for (const button of buttons.children)
    attribute(button, "aria-pressed", String(button.dataset.tab === value));
}

/** Creates all parts around the picture, and passes changes to them. */
export class Layout {
  constructor(page) {
    this.page = page;
    this.standing = "answers";
    const { curves, plane, transport, reading } = page.picture;
    const charts = { curves: "Curves", plane: "Plane" };
    this.tabs = switchOf("tabs later", "charts", charts, (name) => this.tab(name));
    const maps = { pca: "PCA", umap: "UMAP" };
    this.kinds = switchOf("kinds later", "map of the sentences", maps, (kind) => page.kind(kind));
    this.kinds.title =
      "PCA: two principal axes, fixed for the run. UMAP: a map of neighbours; its first use may compile for half a minute. Later each dot follows its nearest sentences; press UMAP again for a new map.";
    this.clouds = div("clouds");
    this.movers = new Movers((sentence) => page.choose(sentence));
    this.when = span("at-step");
    this.text = element("span", { class: "verdict-text", role: "status" });
    this.verdict = div("clwork-verdict lined", this.text, this.when);
    this.verdict.tabIndex = 0;
    this.titles = div("clwork-titles lined");
    if (page.panel) this.knobs = new Controls(page);
    const { toolbar, formula, knobbed = "", all = "", others = "", sheets = [] } = this.knobs ?? {};
    const asks = playable(page.about.question ?? "", (moment) => page.restore(moment));
    const named = div("clwork-head", this.titles, element("p", { class: "asks" }, ...asks));
    const above = page.panel ? [toolbar.root, formula.root] : [named];
    const head = div("side-head lined", this.tabs, all, others);
    this.root = div(
      "stage",
      ...above,
      this.clouds,
      div("side", knobbed, head, curves.root, plane.root, this.movers.root),
      this.verdict,
      transport.root,
      reading.root,
      ...sheets,
    );
    // for the frame around a page of its own
    this.root.toggleAttribute("data-fits", true);
    this.tab("curves");
    this.arrange();
  }

  /** Show the curves or the alignment–uniformity plane. */
  tab(name) {
    const { curves, plane } = this.page.picture;
    curves.root.hidden = name !== "curves";
    plane.root.hidden = name !== "plane";
    press(this.tabs, name);
  }

  /** Place one cloud per run side by side; the first has the field, the last one the switch. */
  arrange() {
    const { clouds, slots } = this.page.picture;
    const boxes = clouds.map((cloud, run) => {
      const { name, ink } = slots[run];
      const key = element("b", { class: "run-key small", style: `background: ${ink}`, text: name });
      const head = div(
        "cloud-head lined",
        slots.length > 1 ? key : "",
        run ? "" : (this.knobs?.ownField ?? ""),
        cloud.when,
        run === slots.length - 1 ? this.kinds : "",
      );
      return div("clwork-cloud", cloud.root, head, cloud.note);
    });
    this.clouds.replaceChildren(...boxes);
  }

  /** The kernel has sent data. */
  take(news, found) {
    this.knobs?.take(news, found);
    this.report();
  }

  /** The picture was drawn at this step: update the other parts. */
  drawn(runs, step) {
    const { page } = this;
    const { selection, dark, picture } = page;
    picture.part("controls", () => {
      this.knobs?.markForces();
      this.showVerdict(step);
      press(this.kinds, page.view);
      const umap = this.kinds.lastChild;
      umap.disabled = Boolean(page.umap?.working) || !(page.panel || page.hasUmap);
      const alone = runs.length < 2;
      attribute(umap, "title", alone ? "" : "Each run has a map of its own: use PCA to compare.");
    });
    picture.part("movers", () => this.movers.show(runs, selection, step, picture.moment, dark));
  }

  /**
   * Show the kernel's sentence on the angles at the shown step; at the newest probe it has the sign
   * of the verdict, which the title explains.
   */
  showVerdict(step) {
    const { picture, clock, records, measurements } = this.page;
    const [record] = records;
    const { verdict } = record;
    const trend = record.trend(step);
    const probe = trend ? record.steps[record.probeAt(step)] : null;
    const sign = probe === record.steps.at(-1) ? (verdict?.sign ?? "none") : "none";
    attribute(this.verdict, "data-sign", sign);
    attribute(this.text, "data-mark", SIGNS[sign] ?? "");
    // of two runs each has its sentence
    const alone = records.length < 2;
    const told = picture.shown().map(({ record: one, name }) => `${name}: ${one.trend(step)}`);
    write(this.text, alone ? trend : told.join("\n"));
    attribute(this.verdict, "data-alone", String(alone));
    write(this.when, stepIfOther(probe, picture.moment));
    markStep(this.verdict, probe, probe !== null && !clock.playing && picture.elsewhere(probe));
    const values = [...(verdict?.signals ?? []), ...(measurements?.values ?? [])];
    const explained = verdict && [
      `${verdict.headline} at step ${verdict.step}. ${verdict.text}`,
      values.map((value) => value.join(" ")).join(" · "),
      measurements?.about ?? "",
    ];
    attribute(this.verdict, "title", explained?.join("\n") ?? "");
  }

  /** Name the runs of a player. */
  showTitles() {
    const runs = this.page.picture.shown();
    const titles = runs.map(({ record, name, ink }) => {
      const { title, differs, method, seed, total } = record;
      const style = `background: ${ink}`;
      return span(
        "",
        runs.length > 1 ? element("b", { class: "run-key small", style, text: name }) : "",
        element("strong", { text: differs || title || method }),
        [record.name, `seed ${seed}`, `${steps(total)} steps`].join(" · "),
      );
    });
    this.titles.replaceChildren(...titles);
  }

  /** The connection to the kernel has changed, see `Channel.checkState`. */
  stand(state) {
    this.standing = state;
    attribute(this.page.root, "data-line", state);
    this.report();
  }

  /** Show one status: a missing reply first, then a rejection, then the kernel's status. */
  report() {
    const { page, knobs, standing } = this;
    const [record] = page.records;
    // before the first start only what leads to it is shown
    page.root.toggleAttribute(
      "data-ready",
      page.panel && record.recorded && !page.runState?.alive && page.records.length === 1,
    );
    const trouble = page.said || page.picture.failure;
    if (!knobs) {
      this.showTitles();
      if (trouble) this.titles.append(trouble);
      return;
    }
    let [text, wrong] = trouble ? [trouble, true] : knobs.standing();
    if (standing !== "answers") [text, wrong] = [STANDING[standing], standing === "gone"];
    if (standing === "gone" && record.id && !record.recorded) {
      const name = JSON.stringify(record.id);
      text += ` The run is stored: lab.panel(run=clwork.open_run(${name})) shows it.`;
      if (record.alive) text += ` clwork.resume(${name}) continues it.`;
    }
    knobs.toolbar.report(text, wrong);
  }

  /** Point at the parts of a panel that these actions of a lesson's sentence are about. */
  point(actions) {
    const { knobs, kinds, page } = this;
    const { transport } = page.picture;
    const { toolbar, ownField, others } = knobs;
    const parts = {
      start: toolbar.start,
      step: toolbar.step,
      scrub: transport.root,
      fork: transport.fork,
      view: kinds,
      type: ownField,
      compare: others,
    };
    point(actions.flatMap((name) => parts[name] ?? knobs.placesOf(name)));
  }

  /** The Escape key undoes one thing: a question, a topic, a choice, a moved time. */
  escape() {
    const { page } = this;
    if (page.picture.askToEnd(false)) return;
    if (page.selection.lit !== null) page.selection.set({ lit: null });
    else if (page.selection.chosen >= 0) page.choose(-1);
    else if (page.now === false) page.toNow();
  }
}
