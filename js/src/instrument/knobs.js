// What a panel has beside the pictures: control, state, formula, knobs, verdict, own sentences, and the sheets.

import { element, tell, write } from "../shared/dom.js";
import { Compare } from "./compare.js";
import { Control } from "./control.js";
import { Drawer } from "./drawer.js";
import { ForcesSheet, strengths } from "./forces.js";
import { Formula } from "./formula.js";
import { Knob } from "./knob.js";
import { SetUp } from "./setup.js";
import { Sheet } from "./sheet.js";
import { State } from "./state.js";
import { Verdict } from "./verdict.js";

const STARTING = { status: "starting", alive: true, step: 0, left: "" }; // what is shown until the kernel answers
const READY = "Press Start to train; most knobs may be moved while it trains.";

export class Knobs {
  constructor(page, help) {
    Object.assign(this, { page, help, hot: null, refusal: "" });
    const { about } = page;
    const set = async (setting, value) => {
      const before = page.setup?.controls[setting]?.text;
      const done = await page.act("set", { setting, value });
      if (done) page.steered(setting, before);
      return done;
    };
    const fields = new Map((about.fields ?? []).map((field) => [field.name, field]));
    this.knobs = new Map([...fields].map(([name, field]) => [name, new Knob(field, { set, help, hot: (one, on) => this.light(on ? one : null) })]));
    this.control = new Control(about, { set, help, act: (name, more) => page.act(name, more), setup: () => this.sheet.toggle("setup", "Set-up", this.setup.root, this.setup.corpus.box) });
    this.state = new State(help);
    this.formula = new Formula(about.method ?? {}, fields, {
      light: (name) => this.light(name), focus: (name) => this.knobs.get(name)?.input.focus(), value: (name) => this.knobs.get(name)?.value ?? "",
    });
    this.verdict = new Verdict(help);
    this.setup = new SetUp(about, { act: (...given) => page.act(...given) });
    const main = (about.fields ?? []).filter((field) => field.main).map(({ name }) => this.knobs.get(name));
    const rest = [...this.knobs.values()].filter((knob) => !main.includes(knob));
    this.drawer = new Drawer(rest, {
      act: (...given) => page.act(...given), refused: () => this.refusal,
      main: (words) => main.filter((knob) => knob.matches(words)).map(({ field }) => field.title),
    });
    this.all = element("button", { class: "clwork-all", type: "button", text: "All settings", title: `${rest.length} more, with a search; all as a text`, "aria-expanded": "false", "aria-haspopup": "dialog", onclick: () => this.openAll() });
    this.others = element("button", { class: "clwork-compare", type: "button", text: "Compare", title: "another run beside this one", "aria-expanded": "false", "aria-haspopup": "dialog", onclick: () => this.openCompare() });
    this.compare = new Compare(page);
    this.knobbed = element("div", { class: "knobs", role: "group", "aria-label": "Knobs" }, ...main.map(({ root }) => root));
    this.left = element("div", { class: "left" }, this.knobbed, element("div", { class: "sheets" }, this.all, this.others), this.verdict.root);
    this.sheet = new Sheet({ all: this.all, compare: this.others, setup: this.control.chip });
    this.forced = new ForcesSheet((row) => page.choose(page.shared.ofRow[0][row]));
    this.owned();
  }

  owned() {
    const { page } = this;
    this.ownField = element("input", {
      class: "clwork-own", type: "text", maxlength: 500, placeholder: "Type a sentence …", "aria-label": "a sentence of your own, to see where it lies; Enter takes it, an empty one takes the last away",
      onkeydown: (event) => event.key === "Enter" && this.write(),
    });
    const half = (kind, text) => element("button", { type: "button", text, "aria-pressed": "false", onclick: () => page.kind(kind) });
    this.halves = { pca: half("pca", "PCA"), umap: half("umap", "UMAP") };
    this.kinds = element("div", { class: "switch kinds", role: "group", "aria-label": "picture of the sentences" }, ...Object.values(this.halves));
    this.help.on(this.kinds, () => "PCA: the two main axes, the same ones all the time. UMAP: who is near whom, made of all looks so far; it takes a while.");
    this.help.on(this.ownField, () => "Your own sentence as a dot among the others, three at most. Enter takes it; Enter in the empty field takes the last one away.");
  }

  write() {
    const text = this.ownField.value.trim();
    const texts = this.page.own.map((one) => one.text);
    this.page.act("own", { texts: text ? [...texts.filter((one) => one !== text), text] : texts.slice(0, -1) });
    this.ownField.value = "";
  }

  openAll(focus = null) {
    this.sheet.toggle("all", "All settings", this.drawer.root, focus ?? this.drawer.search);
  }

  openCompare() {
    this.sheet.toggle("compare", "Compare with", this.compare.root);
    if (this.sheet.name === "compare") this.compare.ask();
  }

  /** Light a knob and its symbol, whichever of them is under the hand. */
  light(name) {
    if (name === this.hot) return;
    this.knobs.get(this.hot)?.root.removeAttribute("data-lit");
    this.knobs.get(name)?.root.setAttribute("data-lit", "");
    this.hot = name;
    this.formula.light(name);
    this.formula.refresh();
  }

  // --- what comes -----------------------------------------------------------------------------------------------

  begin() {
    this.verdict.show(null, "", { values: [] });
  }

  take(news, found) {
    const { page } = this;
    if (news.pulse) this.beat(news.pulse);
    if (news.setup) this.settle(news.setup);
    if (news.others) this.compare.list(news.others);
    if (found.replaced || news.pulse) this.compare.mark();
    const [film] = page.films;
    if (found.rows || news.numbers) {
      const cosines = film.history.series("mean_cosine");
      this.verdict.show(film.verdict, film.trend(Infinity), cosines.values.length ? cosines : film.history.series("uniformity"), page.numbers);
    }
  }

  beat(pulse) {
    if (pulse.step !== this.step && pulse.alive) this.control.breathe();
    if (pulse.status !== this.status) this.page.said = ""; // what was refused is past
    if (pulse.status !== this.status && this.sheet.name === "compare") this.compare.ask(); // a run has begun or ended
    Object.assign(this, { step: pulse.step, status: pulse.status });
    this.control.show(this.starting ? { ...pulse, ...STARTING } : pulse);
    this.state.speak(pulse);
  }

  settle(setup) {
    for (const [name, knob] of this.knobs) if (setup.controls?.[name]) knob.show(setup.controls[name]);
    this.setup.show(setup);
    this.drawer.show(setup);
    this.control.set(setup, this.setup.words(setup));
    this.formula.refresh();
  }

  /** A command is on its way: show at once what it will do. */
  pending(name) {
    this.refusal = "";
    if (name !== "start" && name !== "step") return;
    if (name === "step" && this.page.pulse?.alive) return;
    this.starting = true;
    this.control.show({ ...this.page.pulse, ...STARTING });
    this.state.show("Starting …", false);
  }

  /** A command was answered: from here on the kernel says how things stand. */
  settled(name) {
    if (name !== "start" && name !== "step") return;
    this.starting = false;
    if (this.page.pulse) this.control.show(this.page.pulse);
  }

  refuse(why, name) {
    this.refusal = why;
    if (name === "forces") this.forced.say(why);
  }

  /** The state's line: silence first, then what was refused, then what the kernel says. */
  say(silence, trouble) {
    const { page } = this;
    const { pulse } = page;
    if (silence) return this.state.show(silence, trouble);
    if (page.said) return this.state.show(page.said, true);
    if (this.starting) return undefined;
    const opening = page.films[0].recorded && pulse?.status === "ready" && !pulse.trouble;
    const text = opening ? `This trains sentence vectors with ${page.about.method?.title ?? "a method"}. What you see is a recorded run; press Start for your own.` : (pulse?.sentence ?? READY);
    return this.state.show(text, Boolean(pulse?.trouble));
  }

  // --- forces ---------------------------------------------------------------------------------------------------

  forces(forces) {
    const { page } = this;
    page.forces = forces?.pairs ? strengths(forces) : null;
    if (!forces) {
      if (this.sheet.name === "forces") this.sheet.close();
      return;
    }
    this.forced.show(forces, page.films[0].texts);
    if (forces.pairs && this.sheet.name !== "forces") this.openForces();
  }

  openForces() {
    const held = document.activeElement;
    this.sheet.toggle("forces", "What pulls, what pushes", this.forced.root);
    held?.focus?.({ preventScroll: true });
  }

  drawn() {
    const { page } = this;
    const state = page.umapState;
    for (const [kind, half] of Object.entries(this.halves)) tell(half, "aria-pressed", String(page.view.kind === kind));
    write(this.halves.umap, state === "asked" ? "UMAP …" : "UMAP");
    this.halves.umap.disabled = state === "asked";
  }

  keys() {
    return {
      s: () => this.control.press(),
      ".": () => this.control.step.disabled || this.page.act("step"),
      "/": () => this.sheet.name === "all" ? this.drawer.search.focus() : this.openAll(),
      t: () => this.ownField.focus(),
    };
  }

  /** Shut what is open; whether there was something. */
  escape() {
    const { sheet, state } = this;
    if (!sheet.name && state.opened) {
      state.open(false);
      return true;
    }
    if (!sheet.name) return false;
    if (sheet.name === "forces") this.page.choose(-1);
    sheet.close();
    return true;
  }

  close() {
    this.formula.close();
    this.state.close();
  }
}
