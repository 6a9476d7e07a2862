// The parts that only a panel has: toolbar, formula, setting controls, own sentences, sheets.

import { button, div, element, write } from "../shared/dom.js";
import { Compare, SetUp, sheetOf } from "./dialogs.js";
import { Formula } from "./formula.js";
import { SettingControl } from "./setting_control.js";
import { Toolbar } from "./toolbar.js";

// shown until the kernel replies
const STARTING = { status: "starting", alive: true, step: 0, left: "" };

/** For the cloud: rows, each with the strength of its pull or push. */
function strengths({ row, step, pairs }) {
  const there = pairs.filter((pair) => pair.row >= 0 && pair.row !== row);
  const of = (sign) =>
    there.filter(({ pull }) => sign * pull > 0).map((pair) => [pair.row, Math.abs(pair.pull)]);
  return { row, step, pull: of(1), push: of(-1) };
}

/** Creates these parts, connects them with the page, and passes the kernel's data to them. */
export class Controls {
  constructor(page) {
    Object.assign(this, { page, refusal: "" });
    const { about } = page;
    const hooks = {
      set: (setting, value) => this.set(setting, value),
      hot: (name) => this.light(name),
      changed: () => {
        this.formula.refresh();
        page.layout?.report();
      },
    };
    // all settings by name, also steps and seed
    this.knobs = new Map(
      [about.steps, about.seed, ...about.fields].map((field) => [
        field.name,
        new SettingControl(field, hooks),
      ]),
    );
    this.toolbar = new Toolbar(about.method, (name) => this.act(name));
    this.formula = new Formula(
      about.method,
      (name) => this.knobs.get(name),
      (name) => this.light(name),
    );
    const roots = [true, false].map((main) =>
      [...this.knobs.values()]
        .filter(({ field }) => Boolean(field.main) === main)
        .map(({ root }) => root),
    );
    this.knobbed = div("knobs small", ...roots[0]);
    this.all = button("clwork-all", "All settings", null, {
      title: "The other settings, and all as a call (/)",
    });
    this.others = button("clwork-compare later", "Compare", () => page.act("list_runs"), {
      title: "Show another run next to this one",
    });
    this.setup = new SetUp(about, (name, what) => page.act(name, what));
    this.compare = new Compare(page);
    this.slow = element("input", {
      type: "checkbox",
      onchange: () => page.act("speed", { speed: this.slow.checked ? "slow" : "full" }),
    });
    this.line = element("textarea", {
      class: "clwork-settings-text",
      rows: 3,
      readonly: true,
      "aria-label": "these settings as a call",
    });
    const slow = element("label", { class: "lined" }, this.slow, "train slowly");
    this.fixed = div("sheet-note small soft", "What is grey is fixed while a run lasts.");
    const call = element("label", {}, "These settings as a call", this.line);
    this.sheets = [
      sheetOf("settings-sheet", "All settings", this.all, this.fixed, slow, ...roots[1], call),
      sheetOf(
        "setup-sheet",
        "Encoder, sentences, settings",
        this.toolbar.chip,
        ...this.setup.nodes,
      ),
      sheetOf("", "Compare with", this.others, this.compare.note, this.compare.entries),
    ];
    this.ownField = element("input", {
      class: "clwork-own later",
      type: "text",
      maxlength: 500,
      placeholder: "Type a sentence …",
      "aria-label": "your own sentence in the cloud",
      title:
        "Enter adds your sentence, at most three; in the empty field it removes the last one. (t)",
      onkeydown: (event) => event.key === "Enter" && this.write(),
    });
  }

  /** Send a changed setting; resolves to an error text, empty if it was taken. */
  async set(setting, value) {
    const { page } = this;
    const before = page.settings?.controls[setting].text;
    if (!(await page.act("set", { setting, value }))) return this.refusal;
    page.markSetting(setting, before);
    return "";
  }

  /** Add the typed sentence; an empty field removes the last one. */
  write() {
    const text = this.ownField.value.trim();
    const texts = this.page.own.map((own) => own.text).filter((own) => own !== text);
    this.page.act("typed", { texts: text ? [...texts, text] : texts.slice(0, -1) });
    this.ownField.value = "";
  }

  /** Choose a corpus in its sheet, which opens at the field of its text. */
  async openCorpus(choice) {
    await this.page.act("corpus", { choice });
    this.toolbar.chip.popoverTargetElement.showPopover();
    this.setup.parts.corpus.fields[0].box.focus();
  }

  /** Highlight a setting in its control and in the formula; null: none. */
  light(name) {
    for (const [field, { root }] of this.knobs) root.toggleAttribute("data-lit", field === name);
    this.formula.light(name);
  }

  /** The parts that show a setting; one that is only in a sheet has the button of the sheet. */
  placesOf(name) {
    const { root } = this.knobs.get(name);
    const symbols = this.formula.root.querySelectorAll(`[data-field="${name}"]`);
    return [root.checkVisibility() ? root : this.all, ...symbols];
  }

  /** Pass the kernel's data to the parts; `found` says what has changed in the records. */
  take({ state, settings, comparable }, found) {
    if (state) this.showState(state);
    if (settings) this.showSettings(settings);
    if (comparable) this.compare.list(comparable);
    if (found.replaced) this.compare.mark();
  }

  /** Show the status of the run. */
  showState(runState) {
    // an earlier rejection no longer applies
    if (runState.status !== this.status) this.page.said = "";
    this.status = runState.status;
    if (runState.speed) this.slow.checked = runState.speed === "slow";
    this.toolbar.show(this.starting ? { ...runState, ...STARTING } : runState);
  }

  /** Show the kernel's settings in all controls. */
  showSettings(settings) {
    for (const [name, knob] of this.knobs) knob.show(settings.controls[name]);
    this.setup.show(settings);
    this.fixed.hidden = !settings.frozen;
    write(this.toolbar.chip, this.setup.words(settings));
    this.line.value = settings.line;
    this.formula.refresh();
  }

  /** Send a command of the toolbar. A run does not start while a text field is invalid. */
  act(name) {
    const { page } = this;
    const starts = name === "start" || (name === "step" && !page.runState?.alive);
    const { errors } = this;
    if (starts && errors.length) return page.refuse(`It did not start. ${errors.join(" ")}`, name);
    // show at once that a run is starting
    if (starts) {
      this.starting = true;
      this.toolbar.show({ ...page.runState, ...STARTING });
      page.layout.report();
    }
    return page.act(name).then(() => {
      this.starting = false;
      if (page.runState) this.toolbar.show(page.runState);
      page.layout.report();
    });
  }

  /** Why values in the controls were rejected. */
  get errors() {
    return [...this.knobs.values()].map((knob) => knob.error).filter(Boolean);
  }

  /** The status if the kernel replies and has rejected no command: [text, whether it is an error]. */
  standing() {
    const { about, records, runState } = this.page;
    if (this.errors.length) return [this.errors.join(" "), true];
    if (this.starting) return ["Starting …", false];
    if (records[0].recorded && runState?.status === "ready" && !runState.trouble)
      return [
        `${about.method.title} trains sentence vectors. This run is recorded; press Start for your own.`,
        false,
      ];
    return [runState?.sentence ?? "", Boolean(runState?.trouble)];
  }

  /** Show the kernel's forces on the chosen sentence; null: none. */
  forces(forces) {
    // show the earlier ones until then; an answer about a dot that is no longer chosen is late
    if (forces?.working || (forces?.pairs && forces.row !== this.page.chosenRow)) return;
    this.page.strokes = forces?.pairs ? strengths(forces) : null;
    this.formula.fill(forces?.formula?.[1] ?? "");
    // at once, and not with the next picture: they are of the reply's step
    this.markForces();
    if (forces?.refused) this.page.refuse(forces.refused, "forces");
  }

  /** Let the formula say the step of its numbers, if it is not the picture's. */
  markForces() {
    const { picture, strokes } = this.page;
    const step = strokes?.step ?? null;
    const dim = step !== null && picture.elsewhere(step);
    this.formula.markNumbers(step, picture.moment, dim);
  }

  /** The keys of a panel, with what they do. */
  keys() {
    return {
      s: () => this.toolbar.press(),
      ".": () => this.toolbar.oneStep(),
      "/": () => this.all.click(),
      t: () => this.ownField.focus(),
    };
  }
}
