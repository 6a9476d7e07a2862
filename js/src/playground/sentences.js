// The reader's sentences, one per line. The page searches for the line with the caret; Escape restores the compared sentence.

import { attribute, element, write } from "../shared/dom.js";

const lines = (text) => text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter(Boolean);

export class Sentences {
  constructor(page, most) {
    this.page = page;
    this.most = most;
    this.rows = [];
    this.at = 0; // index of the chosen line
    this.last = 1; // index of the line chosen before
    this.list = element("ol", { class: "lines" });
    this.about = element("span", { class: "soft", text: `one a line, 2 to ${most}` });
    this.more = element("button", { type: "button", text: "Add", title: "A new line (Enter)", onclick: () => this.add(this.rows.length, "") });
    this.root = element(
      "div",
      { class: "part sentences" },
      element("div", { class: "head" }, element("h3", { text: "Your sentences" }), this.about, this.more),
      this.list,
    );
  }

  fill(texts) {
    const held = this.list.contains(document.activeElement);
    this.rows = [];
    this.list.replaceChildren();
    for (const text of texts.length ? texts : [""]) this.insert(this.rows.length, text);
    this.at = Math.min(this.at, this.rows.length - 1);
    if (this.page.compared) this.compared(this.page.compared.texts);
    this.mark();
    if (held) this.rows[this.at].field.focus();
  }

  insert(place, text) {
    const row = { origin: null, original: "" };
    row.field = element("input", {
      type: "text",
      class: "line",
      autocomplete: "off",
      spellcheck: "false",
      onfocus: () => this.choose(this.rows.indexOf(row)),
      oninput: () => this.typed(row),
      onpaste: (event) => this.paste(event, row),
      onkeydown: (event) => this.key(event, row),
    });
    row.field.value = text;
    row.was = element("span", { class: "was" });
    row.drop = element("button", { type: "button", class: "drop", text: "×", tabindex: -1, onclick: () => this.remove(row) });
    row.root = element("li", {}, row.field, row.was, row.drop);
    this.rows.splice(place, 0, row);
    this.list.insertBefore(row.root, this.list.children[place] ?? null);
    return row;
  }

  add(place, text) {
    if (this.rows.length >= this.most) return this.page.controls.report(`At most ${this.most} sentences can be compared.`, true);
    const row = this.insert(place, text);
    this.mark();
    row.field.focus();
    this.page.typed();
    return row;
  }

  remove(row) {
    if (this.rows.length < 2) return;
    const place = this.rows.indexOf(row);
    this.rows.splice(place, 1);
    row.root.remove();
    this.choose(Math.max(0, place - 1));
    this.rows[this.at].field.focus();
    this.page.typed();
  }

  choose(place) {
    const other = this.at !== place;
    if (other) this.last = this.at;
    this.at = place;
    this.mark();
    if (other) this.page.lookUp();
  }

  typed(row) {
    this.at = this.rows.indexOf(row);
    this.mark();
    this.page.typed();
  }

  /** Several pasted lines become several sentences. */
  paste(event, row) {
    const pasted = lines(event.clipboardData.getData("text"));
    if (pasted.length < 2) return;
    event.preventDefault();
    let place = this.rows.indexOf(row);
    if (!row.field.value.trim()) row.field.value = pasted.shift();
    for (const text of pasted.slice(0, this.most - this.rows.length)) this.insert(++place, text);
    this.mark();
    this.page.typed();
  }

  key(event, row) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.rows.indexOf(row);
    const to = { ArrowUp: place - 1, ArrowDown: place + 1 }[event.key];
    if (event.key === "Enter") this.add(place + 1, "");
    else if (event.key === "Backspace" && !row.field.value && this.rows.length > 1) this.remove(row);
    else if (to !== undefined) this.rows[to]?.field.focus();
    else return;
    event.preventDefault();
  }

  /** After Compare: each line except empty ones is a compared sentence. */
  compared(texts) {
    let place = 0;
    for (const row of this.rows) {
      const text = row.field.value.trim().replace(/\s+/g, " ");
      const same = text && place < texts.length;
      row.origin = same ? place : null;
      row.original = same ? texts[place] : "";
      if (same) place += 1;
    }
    this.mark();
  }

  mark() {
    this.rows.forEach((row, place) => {
      const changed = row.origin !== null && row.field.value.trim() !== row.original;
      attribute(row.root, "class", `${place === this.at ? "chosen" : place === this.partner ? "partner" : ""} ${changed ? "changed" : ""}`.trim());
      attribute(row.field, "aria-label", `sentence ${place + 1} of ${this.rows.length}`);
      attribute(row.field, "title", row.field.value);
      attribute(row.drop, "aria-label", `remove sentence ${place + 1}`);
      write(row.was, changed ? `was: ${row.original}` : "");
      attribute(row.was, "title", row.original);
    });
  }

  texts() {
    return this.rows.map((row) => row.field.value);
  }

  chosen() {
    const row = this.rows[this.at];
    return { text: row?.field.value.trim() ?? "", row: row?.origin ?? null, partner: this.rows[this.partner]?.field.value.trim() ?? "" };
  }

  /** The line whose sentence the chosen one is compared with: the line chosen before, else the first other one. */
  get partner() {
    return this.last === this.at || this.last >= this.rows.length ? Number(this.at === 0) : this.last;
  }

  /** Restore the compared sentence if its line was changed; returns whether it was. */
  revert() {
    const row = this.rows[this.at];
    if (!row || row.origin === null || row.field.value === row.original) return false;
    row.field.value = row.original;
    this.typed(row);
    return true;
  }
}
