// Creates and places the parts of the page: in a player titles and a sidebar; in a panel toolbar,
// formula, controls and dialogs.

import { attribute, element } from "../shared/dom.js";
import { Tooltip } from "../shared/tooltip.js";
import { Controls } from "./controls.js";
import { Movers } from "./movers.js";
import { Legend, Sidebar, Titles } from "./player_parts.js";
import { isTrouble, lost, silent, unanswered } from "./toolbar.js";

/** Creates all parts around the picture, and passes changes to them. */
export class Layout {
  constructor(page) {
    this.page = page;
    this.help = new Tooltip(page.root, "clwork-help", 320);
    this.standing = "answers";
    this.clouds = element("div", { class: "clouds" });
    const { curves, plane, transport, reading } = page.picture;
    const right = element("div", { class: "right" }, curves.root, plane.root);
    this.movers = new Movers((sentence) => page.choose(sentence));
    if (page.panel) {
      this.knobs = new Controls(page, this.help);
      const { toolbar, formula, knobbed, sheets, sheet, verdict } = this.knobs;
      const tab = (name, text) =>
        element("button", {
          type: "button",
          text,
          "data-tab": name,
          "aria-pressed": "false",
          onclick: () => this.tab(name),
        });
      this.tabs = element(
        "div",
        { class: "switch tabs", role: "group", "aria-label": "charts" },
        tab("curves", "Curves"),
        tab("plane", "Plane"),
      );
      const side = element(
        "div",
        { class: "side" },
        element("div", { class: "side-head" }, this.tabs, sheets),
        right,
        element("div", { class: "below" }, this.movers.root, sheet.root),
      );
      this.root = element(
        "div",
        { class: "stage" },
        toolbar.root,
        formula.root,
        knobbed,
        this.clouds,
        side,
        verdict.root,
        transport.root,
        reading.root,
      );
      this.tab("curves");
    } else {
      this.player();
      this.root = element(
        "div",
        { class: "stage", "data-fits": true },
        this.titles.root,
        this.dots.root,
        this.clouds,
        right,
        transport.root,
        reading.root,
        this.movers.root,
      );
    }
    this.arrange();
  }

  /** Show the curves or the alignment–uniformity plane. */
  tab(name) {
    const { curves, plane } = this.page.picture;
    curves.root.hidden = name !== "curves";
    plane.root.hidden = name !== "plane";
    for (const button of this.tabs.children)
      attribute(button, "aria-pressed", String(button.dataset.tab === name));
  }

  /**
   * Place one cloud per run side by side; in a panel the first head has the field, the last one the
   * switch.
   */
  arrange() {
    const {
      knobs,
      page: {
        picture: { clouds, slots },
      },
    } = this;
    const boxes = clouds.map((cloud, run) => {
      const { name, ink } = slots[run];
      const key =
        slots.length > 1
          ? element("span", { class: "run-key", style: `background: ${ink}`, text: name })
          : "";
      const head = element(
        "div",
        { class: "cloud-head" },
        key,
        (knobs && !run && knobs.ownField) || "",
        cloud.when,
        cloud.note,
        (knobs && run === slots.length - 1 && knobs.kinds) || "",
      );
      return element("div", { class: "clwork-cloud" }, cloud.root, head, knobs ? "" : cloud.trend);
    });
    this.clouds.replaceChildren(...boxes);
  }

  /** Create the parts that only a player has. */
  player() {
    const { page } = this;
    const on =
      (act) =>
      (...given) =>
        act(page.selection, ...given);
    this.legend = new Legend({
      toggle: on((selection, group) => selection.toggle(group)),
      only: on((selection, group) => selection.only(group)),
      all: on((selection) => selection.set({ hidden: new Set() })),
      lift: () => page.choose(-1),
    });
    this.dots = new Sidebar(this.legend, {
      axes: (x, y) => page.turn({ ...page.view, x, y }),
      kind: (kind) => page.kind(kind),
      find: on((selection, text) => selection.set({ query: text.trim().toLowerCase() })),
      next: on((selection) => selection.next()),
    });
    this.titles = new Titles(page.picture.slots);
  }

  /** The records have changed, for example their number. */
  begin() {
    const { page } = this;
    this.arrange();
    this.dots?.offer(page.records);
  }

  /** The kernel has sent data. */
  take(news, found) {
    this.knobs?.take(news, found);
    this.titles?.show(this.page.picture.shown());
    this.report();
  }

  /** The picture was drawn at this step: update the other parts. */
  drawn(runs, step) {
    const { page } = this;
    const { selection, dark, picture } = page;
    picture.part("controls", () => {
      this.dots?.show(page.view, page.hasUmap);
      this.knobs?.drawn(runs);
      this.legend?.show(
        selection.groups.groups,
        selection.hidden,
        dark,
        selection.chosen.length > 0,
      );
    });
    picture.part("movers", () => this.movers.show(runs, selection, step, picture.moment, dark));
  }

  /** The connection to the kernel has changed, see `Channel.checkState`. */
  stand(state, since) {
    Object.assign(this, { standing: state, since });
    attribute(this.page.root, "data-line", state);
    clearTimeout(this.later);
    if (state === "silent") this.later = setTimeout(() => this.report(), 31_000);
    this.report();
  }

  /** [why the kernel does not reply, whether this is an error]; an empty text if it does. */
  silence() {
    const { page } = this;
    const [record] = page.records;
    const alive = page.runState ? page.runState.alive : record.alive;
    if (this.standing === "gone")
      return [lost(record.recorded || !record.id ? "" : record.id, alive), true];
    if (this.standing === "unanswered" && page.runState)
      return [`${page.runState.sentence}${unanswered(this.since)}`, Boolean(page.runState.trouble)];
    if (this.standing === "silent" && (alive || isTrouble(this.since)))
      return [
        silent(this.since, Math.max(page.runState?.step ?? 0, record.last)),
        isTrouble(this.since),
      ];
    return ["", false];
  }

  /** Update the status line. */
  report() {
    const { page } = this;
    const [text, trouble] = this.silence();
    page.root.toggleAttribute(
      "data-ready",
      page.records[0].recorded && !page.runState?.alive && page.records.length === 1,
    );
    if (this.knobs) this.knobs.report(text, trouble);
    else this.titles?.report(page.said || page.picture.failure);
  }

  /**
   * The Escape key undoes one thing: a question, a sheet, a highlighted topic, a choice, a moved
   * time.
   */
  escape() {
    const { page } = this;
    if (page.picture.askToEnd(false) || this.knobs?.escape()) return;
    else if (page.selection.pinned !== null) page.selection.pin(page.selection.pinned);
    else if (page.selection.chosen.length || page.forces) page.choose(-1);
    else if (page.now === false) page.toNow();
  }
}
