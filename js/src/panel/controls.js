// The parts that only a panel has: toolbar, status, formula, setting controls, verdict, own
// sentences, dialogs.

import { attribute, element, write } from "../shared/dom.js";
import { Compare, Dialog, Drawer, ForcesPanel, SetUp, strengths } from "./dialogs.js";
import { Formula } from "./formula.js";
import { SettingControl } from "./setting_control.js";
import { Toolbar } from "./toolbar.js";
import { Verdict } from "./verdict.js";

// shown until the kernel replies
const STARTING = { status: "starting", alive: true, step: 0, left: "" };
const READY = "Press Start to train; most controls can be moved during training.";

/** Creates these parts, connects them with the page, and passes the kernel's data to them. */
export class Controls {
  constructor(page, help) {
    Object.assign(this, { page, help, hot: null, refusal: "" });
    const { about } = page;
    const set = async (setting, value) => {
      const before = page.settings?.controls[setting]?.text;
      const done = await page.act("set", { setting, value });
      if (done) page.markSetting(setting, before);
      return done ? "" : this.refusal;
    };
    const fields = new Map((about.fields ?? []).map((field) => [field.name, field]));
    const hooks = {
      set,
      help,
      hot: (one, on) => this.light(on ? one : null),
      changed: () => this.formula.refresh(),
      waits: (late) => this.wait(late),
    };
    this.knobs = new Map(
      [...fields].map(([name, field]) => [name, new SettingControl(field, hooks)]),
    );
    this.toolbar = new Toolbar(about, {
      set,
      help,
      act: (name, more) => this.act(name, more),
      setup: () =>
        this.sheet.toggle(
          "setup",
          "Encoder, corpus, preset",
          this.setup.root,
          this.setup.corpus.box,
        ),
    });
    this.statusLine = this.toolbar.status;
    this.formula = new Formula(about.method ?? {}, fields, {
      light: (name) => this.light(name),
      control: (name) => this.knobs.get(name),
    });
    this.verdict = new Verdict(help);
    this.setup = new SetUp(about, { act: (...given) => page.act(...given) });
    const main = (about.fields ?? [])
      .filter((field) => field.main)
      .map(({ name }) => this.knobs.get(name));
    const rest = [...this.knobs.values()].filter((knob) => !main.includes(knob));
    this.drawer = new Drawer([...this.toolbar.fields, ...rest], this.toolbar.speed, (words) =>
      main.filter((knob) => knob.matches(words)).map(({ field }) => field.title),
    );
    const opener = (name, text, title, open) =>
      element("button", {
        class: `clwork-${name}`,
        type: "button",
        text,
        title,
        "aria-expanded": "false",
        "aria-haspopup": "dialog",
        onclick: open,
      });
    this.all = opener(
      "all",
      "All settings",
      `${rest.length} more, with a search; all settings as a text`,
      () => this.openAll(),
    );
    this.others = opener("compare", "Compare", "Show another run next to this one", () =>
      this.openCompare(),
    );
    this.compare = new Compare(page);
    this.knobbed = element(
      "div",
      { class: "knobs", role: "group", "aria-label": "Controls" },
      ...main.map(({ root }) => root),
    );
    this.sheets = element("div", { class: "sheets" }, this.all, this.others);
    this.sheet = new Dialog({ all: this.all, compare: this.others, setup: this.toolbar.chip });
    this.forced = new ForcesPanel((row) => page.choose(page.shared.ofRow[0][row]));
    this.createOwnField();
  }

  /** The field for own sentences, and the switch between PCA and UMAP. */
  createOwnField() {
    const { page } = this;
    this.ownField = element("input", {
      class: "clwork-own",
      type: "text",
      maxlength: 500,
      placeholder: "Type a sentence …",
      "aria-label":
        "your own sentence in the cloud; Enter adds it, Enter in the empty field removes the last one",
      onkeydown: (event) => event.key === "Enter" && this.write(),
    });
    const half = (kind, text) =>
      element("button", {
        type: "button",
        text,
        "aria-pressed": "false",
        onclick: () => page.kind(kind),
      });
    this.halves = { pca: half("pca", "PCA"), umap: half("umap", "UMAP") };
    this.kinds = element(
      "div",
      { class: "switch kinds", role: "group", "aria-label": "picture of the sentences" },
      ...Object.values(this.halves),
    );
    this.help.on(
      this.kinds,
      () =>
        "PCA: two principal axes, fixed for the run. UMAP: a map of neighbours, computed from all probes so far. Its first use compiles for about a minute. Later each dot follows its nearest sentences; press UMAP again for a new map.",
    );
    this.help.on(
      this.ownField,
      () =>
        "Shows your own sentences as dots, at most three. Enter adds one; Enter in the empty field removes the last one.",
    );
  }

  /** Add the typed sentence; an empty field removes the last one. */
  write() {
    const text = this.ownField.value.trim();
    const texts = this.page.own.map((one) => one.text);
    this.page.act("typed", {
      texts: text ? [...texts.filter((one) => one !== text), text] : texts.slice(0, -1),
    });
    this.ownField.value = "";
  }

  /** A change of a setting waits for the kernel, or no longer does. */
  wait(late) {
    this.waiting = late;
    this.page.layout.report();
  }

  /** Open or close the sheet with all settings. */
  openAll(focus = null) {
    this.sheet.toggle("all", "All settings", this.drawer.root, focus ?? this.drawer.search);
  }

  /** Open or close the list of other runs. */
  openCompare() {
    this.sheet.toggle("compare", "Compare with", this.compare.root);
    if (this.sheet.name === "compare") this.compare.ask();
  }

  /** Highlight a setting in its control and in the formula; null: none. */
  light(name) {
    if (name === this.hot) return;
    this.knobs.get(this.hot)?.root.removeAttribute("data-lit");
    this.knobs.get(name)?.root.setAttribute("data-lit", "");
    this.hot = name;
    this.formula.light(name);
    this.formula.refresh();
  }

  /** Pass the kernel's data to the parts; `found` says what has changed in the records. */
  take(news, found) {
    if (news.state) this.showState(news.state);
    if (news.settings) this.showSettings(news.settings);
    if (news.comparable) this.compare.list(news.comparable);
    if (found.replaced || news.state) this.compare.mark();
  }

  /** Show the status of the run. */
  showState(runState) {
    if (runState.step !== this.step && runState.alive) this.toolbar.flash();
    // an earlier rejection no longer applies
    if (runState.status !== this.status) this.page.said = "";
    // a run has started or ended
    if (runState.status !== this.status && this.sheet.name === "compare") this.compare.ask();
    Object.assign(this, { step: runState.step, status: runState.status });
    this.toolbar.show(this.starting ? { ...runState, ...STARTING } : runState);
    this.statusLine.speak(runState);
  }

  /** Show the kernel's settings in all controls. */
  showSettings(settings) {
    for (const [name, knob] of this.knobs)
      if (settings.controls?.[name]) knob.show(settings.controls[name]);
    this.setup.show(settings);
    this.drawer.show(settings);
    this.toolbar.set(settings, this.setup.words(settings));
    this.formula.refresh();
  }

  /** The errors of all text fields, which keep a run from starting. */
  get errors() {
    return [...this.knobs.values(), ...this.toolbar.fields]
      .map((knob) => knob.error)
      .filter(Boolean);
  }

  /** A command was sent: show at once that a run is starting. */
  pending(name) {
    this.refusal = "";
    if (name !== "start" && name !== "step") return;
    if (name === "step" && this.page.runState?.alive) return;
    this.starting = true;
    this.toolbar.show({ ...this.page.runState, ...STARTING });
    this.statusLine.show("Starting …", false);
  }

  /** Send a command of the toolbar. A run does not start while a text field is invalid. */
  act(name, more) {
    const { page, errors } = this;
    const starts = name === "start" || (name === "step" && !page.runState?.alive);
    if (!starts || !errors.length) return page.act(name, more);
    page.refuse(`It did not start. ${errors.join(" ")}`, name);
    return Promise.resolve(false);
  }

  /** The reply to a command has arrived. */
  settled(name) {
    if (name !== "start" && name !== "step") return;
    this.starting = false;
    if (this.page.runState) this.toolbar.show(this.page.runState);
  }

  /** The kernel has rejected a command. */
  refuse(why, name) {
    this.refusal = why;
    if (name === "forces") this.forced.report(why);
  }

  /** Show one status line: a missing reply first, then a rejection, then the kernel's status. */
  report(silence, trouble) {
    const { page } = this;
    const { runState } = page;
    if (silence) return this.statusLine.show(silence, trouble);
    if (this.waiting)
      return this.statusLine.show(
        "The change waits for the kernel, which runs another cell.",
        false,
      );
    if (page.said || page.picture.failure)
      return this.statusLine.show(page.said || page.picture.failure, true);
    if (this.starting) return undefined;
    const opening = page.records[0].recorded && runState?.status === "ready" && !runState.trouble;
    const text = opening
      ? `${page.about.method?.title ?? "It"} trains sentence vectors. This run is recorded; press Start for your own.`
      : (runState?.sentence ?? READY);
    return this.statusLine.show(text, Boolean(runState?.trouble));
  }

  forces(forces) {
    const { page } = this;
    if (!forces?.working) page.strokes = forces?.pairs ? strengths(forces) : null;
    if (!forces?.working) this.formula.fill(forces?.formula?.[1] ?? "");
    // at once, and not with the next picture: they are of the reply's step
    this.markForces();
    if (!forces) {
      if (this.sheet.name === "forces") this.sheet.close();
      return;
    }
    if (!forces.working || !page.strokes) this.forced.show(forces);
    if (forces.pairs && !this.sheet.name) this.openForces();
  }

  /** Let the formula and the forces say their step, if it is not the picture's. */
  markForces() {
    const { picture, strokes } = this.page;
    const numbers = strokes?.step ?? null;
    const dim = numbers !== null && picture.elsewhere(numbers);
    this.formula.markNumbers(
      this.formula.filled ? numbers : null,
      picture.moment,
      dim && Boolean(this.formula.filled),
    );
    this.forced.mark(numbers, picture.moment, dim);
  }

  /** Open the sheet of forces without moving the focus. */
  openForces() {
    const held = document.activeElement;
    this.sheet.toggle("forces", "What pulls, what pushes", this.forced.root);
    held?.focus?.({ preventScroll: true });
  }

  /** Update the parts that belong to the step of the picture. */
  drawn() {
    const { page } = this;
    const [record] = page.records;
    const step = page.step;
    const newest = record.probeAt(step) === record.probes.length - 1;
    const probed = record.steps[record.probeAt(step)] ?? null;
    const { moment } = page.picture;
    this.verdict.show(record.trend(step), record.verdict, newest, page.measurements);
    this.verdict.mark(
      record.trend(step) ? probed : null,
      moment,
      !page.clock.playing && page.picture.elsewhere(probed),
    );
    this.markForces();
    for (const [kind, half] of Object.entries(this.halves))
      attribute(half, "aria-pressed", String(page.view.kind === kind));
    const asked = Boolean(page.umap?.working);
    write(this.halves.umap, asked ? "UMAP …" : "UMAP");
    this.halves.umap.disabled = asked;
  }

  /** The keys of a panel, with what they do. */
  keys() {
    return {
      s: () => this.toolbar.press(),
      ".": () => this.toolbar.step.disabled || this.act("step"),
      "/": () => (this.sheet.name === "all" ? this.drawer.search.focus() : this.openAll()),
      t: () => this.ownField.focus(),
    };
  }

  /** Close whatever is open; returns whether something was open. */
  escape() {
    const { sheet, statusLine } = this;
    if (!sheet.name && statusLine.opened) {
      statusLine.open(false);
      return true;
    }
    if (!sheet.name) return false;
    if (sheet.name === "forces") this.page.choose(-1);
    sheet.close();
    return true;
  }
}
