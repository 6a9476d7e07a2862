// The front page: a panel whose run trains in this page, three sentences, and the gap between
// related and unrelated sentences. The model holds, besides the panel's `about`:
//   kernel   what ../page_training/kernel.js needs
//   examples three sentences, of which the first two mean the same, and in the recorded run the angles
//            of the second and third from the first: texts, steps, angles
//   mini     address of the folder with weights and sentences; "" if the page holds them

import { BACKENDS, Kernel } from "../page_training/kernel.js";
import { degrees, dot } from "../page_training/measure.js";
import { plain } from "../page_training/run.js";
import { FEWEST_LINES, OWN, WIKIPEDIA } from "../page_training/settings.js";
import { Page } from "../panel/page.js";
import { between } from "../panel/runs.js";
import panelCss from "../panel/style.css";
import { followAddress, linkTo } from "../shared/address.js";
import { element, partsOf, write, writesInto } from "../shared/dom.js";
import look from "../shared/look.css";
import { mount } from "../shared/mount.js";
import { copyText, fillScreen } from "../shared/save.js";
import { cut, linesOf } from "../shared/text.js";
import { followTheme } from "../shared/theme.js";
import { opener, savedEncoder, secondsOf } from "./session.js";
import css from "./style.css";

// milliseconds that the recorded run rests at its end before it plays again
const REST = 2500;
// milliseconds between two looks at the step of the picture
const LOOK = 100;
// a key of the browser's storage for this tab: the step of a run that a reload would end
const LOST = "clwork-run";
// batch on a phone
const SMALL_BATCH = 16;
const NARROW = "(max-width: 700px)";

const PARTS = `
  <div class="clwork-front clwork-look">
    <header class="front-head">
      <h1>Watch a text encoder learn, in this tab</h1>
      <p class="soft" data-part="claim">Nothing is installed, and no sentence leaves your machine.</p>
      <div class="front-buttons">
        <button data-part="own" title="Train on your own sentences and search in them">Your sentences</button>
        <button data-part="save" disabled title="Save the trained encoder: clwork.load_encoder reads the unpacked folder">Save</button>
        <button data-part="share" title="Copy the address of this page with all settings">Share</button>
        <button data-part="full" title="Full screen with large text, for a lecture (f)">Full screen</button>
      </div>
    </header>
    <div class="front-three">
      <div class="front-gap" role="group" aria-label="gap between related and unrelated sentences">
        <output data-part="gap">–</output>
        <div>gap between related and unrelated sentences <small class="soft" data-part="angles"></small></div>
      </div>
      <div class="front-examples" data-part="examples"></div>
      <div class="front-found" data-part="found"></div>
    </div>
    <div data-part="place"></div>
    <div class="front-speed">
      <button data-part="measure">Measure the speed here</button>
      <span class="soft" role="status" data-part="speeds">Seconds of a training step in this browser, by WebAssembly and by WebGPU; it takes about a minute.</span>
    </div>
  </div>`;

const EXAMPLE = `
  <label class="front-example">
    <b data-part="letter"></b>
    <input type="text" maxlength="200" data-part="box">
    <span data-part="angle"></span>
  </label>`;

/** An angle as text. */
const told = (angle) => `${angle.toFixed(0)}°`.replace("-", "−");

export class Front {
  constructor(state) {
    Object.assign(this, partsOf(PARTS), { state, measured: {} });
    const { kernel, examples } = state;
    const small = window.matchMedia(NARROW).matches;
    const defaults = small ? { ...kernel.defaults, batch_size: SMALL_BATCH } : kernel.defaults;
    this.open = opener(state.mini);
    this.kernel = new Kernel({ ...kernel, defaults }, this.open, () => this.show());
    this.kernel.examples = examples.texts;
    const step = sessionStorage.getItem(LOST);
    if (step)
      this.kernel.lost = `The page was reloaded, which ended a run at step ${step}. Press Start to train again.`;
    this.fields = examples.texts.map((text, k) => this.example(text, k));
    this.own.onclick = () => this.panel.layout.knobs.openCorpus(OWN);
    this.save.onclick = () => this.saveEncoder();
    this.share.onclick = () => this.copyAddress();
    this.full.onclick = () => fillScreen(this.root);
    this.measure.onclick = () => this.measureSpeed();
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    this.remember = followAddress(this.root, "training", (text) => this.restore(text));
    this.panel = new Page(this.kernel);
    this.panel.layout.knobs.toolbar.chip.popoverTargetElement.addEventListener(
      "toggle",
      ({ newState }) => newState === "closed" && this.sheetClosed(),
    );
    this.unmount = mount(this.place, panelCss, this.panel);
    const below = document.getElementById("clwork-below");
    if (below) this.root.append(below);
    this.loop = setInterval(() => this.look(), LOOK);
  }

  /** The field of one of the three sentences. */
  example(text, k) {
    const parts = partsOf(EXAMPLE);
    write(parts.letter, "ABC"[k]);
    parts.box.value = text;
    parts.box.setAttribute("aria-label", `sentence ${"ABC"[k]}`);
    parts.box.onchange = () => {
      // an emptied field gets its first sentence back
      parts.box.value = parts.box.value.trim() || text;
      this.kernel.examples = this.fields.map(({ box }) => box.value);
      this.kernel.encodeTyped();
      this.show();
    };
    this.examples.append(parts.root);
    return parts;
  }

  /**
   * Show the angles at the step of the picture, and play the recorded run again and again until
   * Start, unless the reader has moved the time.
   */
  look() {
    const { clock, root } = this.panel;
    const atEnd = clock.t >= clock.last() && !clock.playing && !clock.still.matches;
    const rests = atEnd && root.hasAttribute("data-ready") && !document.hidden;
    this.restsSince = rests ? (this.restsSince ?? performance.now()) : null;
    if (rests && performance.now() - this.restsSince > REST) clock.play();
    this.showGap();
    this.showExamples();
  }

  /** Show what has changed in the kernel. */
  show() {
    const { kernel } = this;
    const { run } = kernel;
    this.save.disabled = !run?.step || !kernel.session;
    this.own.disabled = kernel.active;
    this.measure.disabled = kernel.active || this.measuring;
    if (run?.alive) sessionStorage.setItem(LOST, String(run.step));
    else if (run) sessionStorage.removeItem(LOST);
    if (run?.step) write(this.claim, kernel.speedText());
    this.measureExamples();
    this.showFound();
    this.remember(this.settingsText());
  }

  /** The gap at the step of the picture, in the run that is drawn. */
  showGap() {
    const [record] = this.panel.records;
    const step = this.panel.picture.head;
    const [alignment, cosine] = ["alignment", "mean_cosine"].map((name) =>
      record.history.value(name, step),
    );
    if (alignment === null || cosine === null) return;
    const { steps } = record.history.series("alignment");
    const measured = steps[between(steps, step).low];
    const [related, unrelated] = [degrees(1 - alignment / 2), degrees(cosine)];
    write(this.gap, told(Math.round(unrelated) - Math.round(related)));
    // a setting that was moved is that of the next run
    const { temperature } = this.state.kernel.recordedSettings;
    const of = record.recorded ? ` of a run recorded at τ = ${temperature}` : "";
    const own = !record.recorded && this.kernel.run?.source;
    const whose = own
      ? `clwork's related pairs ${told(related)}, your sentences ${told(unrelated)} (below 0: yours are more alike)`
      : `all sentences: ${told(related)} and ${told(unrelated)}`;
    write(this.angles, `${whose}, step ${measured}${of}`);
  }

  /** Keep the angles of the three sentences at the run's newest weights. */
  measureExamples() {
    const { run, examples } = this.kernel;
    const found = examples.map((text) => run?.encoded.get(text));
    if (!found.every(Boolean)) return;
    const key = JSON.stringify([run.id, examples]);
    if (this.measured.key !== key) this.measured = { key, id: run.id, steps: [], angles: [] };
    const { steps, angles } = this.measured;
    const [{ step, vector }, ...others] = found;
    if (step === steps.at(-1)) return;
    steps.push(step);
    angles.push(others.map((other) => degrees(dot(vector, 0, other.vector, 0, vector.length))));
  }

  /** The angles of the three sentences, from A, at the step of the picture. */
  showExamples() {
    const [record] = this.panel.records;
    const { texts } = this.state.examples;
    const isGiven = this.kernel.examples.every((text, k) => text === texts[k]);
    const measured = record.recorded && isGiven ? this.state.examples : this.measured;
    const isKnown = measured === this.state.examples || measured.id === record.id;
    const { steps, angles } = isKnown ? measured : { steps: [], angles: [] };
    const { low } = between(steps, this.panel.picture.head);
    const [first, ...others] = this.fields;
    write(first.angle, steps.length ? `step ${steps[low]}` : "");
    // what the visitor writes may be related or not
    const names = isGiven ? ["related", "unrelated"] : ["from A", "from A"];
    for (const [k, { angle }] of others.entries())
      write(angle, steps.length ? `${told(angles[low][k])} ${names[k]}` : "");
  }

  /** The sentences nearest to the one that was typed last. */
  showFound() {
    const { run, typed } = this.kernel;
    const text = typed.at(-1);
    const found = (text && run?.search(text)) || [];
    const key = JSON.stringify([text, found]);
    if (key === this.foundKey) return;
    this.foundKey = key;
    const lines = found.slice(0, 3).map(([near, cosine]) => {
      const angle = element("span", { text: told(degrees(cosine)) });
      return element("li", { title: near }, angle, " ", element("span", { text: near }));
    });
    const head = text
      ? `Nearest to “${cut(text, 60)}”${found.length ? "" : " …"}`
      : "Type a sentence in the cloud's field: its nearest sentences stand here and change as the encoder learns.";
    this.found.replaceChildren(
      element("div", { class: "soft", text: head }),
      element("ol", {}, ...lines),
    );
  }

  /** The sheet of the corpus was closed: with too few own sentences, choose Wikipedia again. */
  sheetClosed() {
    const { corpus, text } = this.kernel.settings;
    if (corpus === OWN && linesOf(text).length < FEWEST_LINES)
      this.panel.act("corpus", { choice: WIKIPEDIA });
  }

  /** Measure a step on each backend, one after the other, and show the seconds. */
  async measureSpeed() {
    this.measuring = true;
    this.show();
    const { values } = this.kernel.settings;
    const told = [];
    const tell = (words) => write(this.speeds, [...told, words].join(" "));
    for (const [backend, name] of Object.entries(BACKENDS)) {
      tell(`${name} …`);
      try {
        const seconds = await secondsOf(await this.open(tell, backend), values);
        told.push(`${name}: ${seconds.toFixed(2)} s.`);
      } catch (error) {
        told.push(`${name}: ${plain(error)}`);
      }
    }
    tell(`A step of ${values.batch_size} sentences, each encoded twice.`);
    this.measuring = false;
    this.show();
  }

  /** Save the encoder as a ZIP archive of the folder that clwork.load_encoder reads. */
  async saveEncoder() {
    this.save.disabled = true;
    try {
      const { trainer, files } = this.kernel.session;
      const blob = await savedEncoder(trainer, files);
      const href = URL.createObjectURL(blob);
      element("a", { href, download: `${this.kernel.run.name}.zip` }).click();
      setTimeout(() => URL.revokeObjectURL(href), 60_000);
    } finally {
      this.save.disabled = false;
    }
  }

  /** The settings that differ from the defaults, as a text for the address. */
  settingsText() {
    const { settings, examples, typed } = this.kernel;
    const changed = new URLSearchParams(
      Object.entries(settings.changed()).map(([name, value]) => [name, String(value)]),
    );
    for (const [k, text] of examples.entries())
      if (text !== this.state.examples.texts[k]) changed.set("ABC"[k], text);
    for (const text of typed) changed.append("typed", text);
    return String(changed);
  }

  /** Take the settings of an address; what is not allowed is left out. */
  restore(text) {
    const { settings } = this.kernel;
    for (const [name, value] of new URLSearchParams(text)) {
      const place = "ABC".indexOf(name);
      if (name.length === 1 && place >= 0) this.fields[place].box.value = value;
      else if (name === "typed") this.kernel.typed.push(value);
      else
        try {
          settings.set(name, value, false);
        } catch {
          // a setting of another version
        }
    }
    this.kernel.examples = this.fields.map(({ box }) => box.value);
  }

  async copyAddress() {
    const link = linkTo("training", this.settingsText());
    if (await copyText(link)) this.say(this.share, "Copied");
    else window.prompt("The address with all settings", link);
  }

  /** Show a word on a button for a moment. */
  say(button, word) {
    const before = button.textContent;
    write(button, word);
    setTimeout(() => write(button, before), 1500);
  }

  /** Fill the screen; in the panel, its own key does so with the panel. */
  key(event) {
    if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (!writesInto(target) && !this.panel.root.contains(target)) fillScreen(this.root);
  }

  close() {
    clearInterval(this.loop);
    this.listeners.abort();
    this.unmount();
  }
}

/** Called by the page of standalone.py. */
function render({ model, el }) {
  const names = ["kernel", "examples", "mini"];
  const front = new Front(Object.fromEntries(names.map((name) => [name, model.get(name)])));
  el.append(element("style", { text: look + css }), front.root);
  // for tests and the browser console
  front.root.front = front;
  const forget = followTheme(front.root, () => {});
  return () => {
    forget();
    front.close();
  };
}

export default { render };
