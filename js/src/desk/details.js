// Overlays on the curves: the details and actions of a run, and the confirmation before runs are deleted.

import { element } from "../shared/dom.js";
import { counted } from "../shared/text.js";

const NAMED = 5; // runs whose names the confirmation lists

const button = (text, onclick, more = {}) => element("button", { type: "button", text, onclick, ...more });

/** Python snippets that open a run, each with a title. */
function snippets(row) {
  const folder = JSON.stringify(row.folder);
  return [
    ["Open it in a panel", `lab.panel(run=${folder})`],
    ["Watch it again, step by step", `lab.player(${folder})`],
    ["What pulls and what pushes", `lab.forces(${folder})`],
    ["Its encoder", `clwork.open_run(${folder}).encoder`],
    ["Its best encoder", `clwork.open_run(${folder}).as_run().best_encoder()`],
  ];
}

export class Details {
  /** `act` has command(name, more), shut(), remove(ids). */
  constructor(act) {
    this.act = act;
    this.root = element("section", { class: "details", tabindex: -1, hidden: true });
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.act.shut();
    });
  }

  shut() {
    this.key = null;
    this.root.hidden = true;
    this.root.replaceChildren();
  }

  open(key, label, ...parts) {
    const typed = this.key?.split("|")[0] === key.split("|")[0] ? (this.root.querySelector("input")?.value ?? null) : null;
    this.key = key;
    const close = button("✕", () => this.act.shut(), { "aria-label": "Close", class: "close" });
    this.root.setAttribute("aria-label", label);
    this.root.replaceChildren(close, element("h3", { text: label, title: label }), ...parts);
    if (typed !== null && this.root.querySelector("input")) this.root.querySelector("input").value = typed;
    this.root.hidden = false;
  }

  /** Focus a part. On a narrow page the details are below the table, outside the viewport. */
  focusPart(part) {
    part.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  showRun(row, differs) {
    const key = `run ${row.id}|${JSON.stringify([row.state, row.step, row.size, differs])}`;
    if (key === this.key) return;
    const { command } = this.act;
    const fresh = this.key?.split("|")[0] !== `run ${row.id}`;
    const name = element("input", { type: "text", class: "clwork-name", "aria-label": "another name", placeholder: "another name", disabled: row.active });
    const rename = () => command("rename", { run: row.id, new: name.value }).then((done) => done && this.act.shut());
    name.addEventListener("keydown", (event) => event.key === "Enter" && rename());
    const facts = [["state", row.state], ["step", `${row.step} of ${row.total}`], ["method", row.method], ["seed", row.seed], ["on disk", row.size], row.fork && ["fork", row.fork], ...differs, ["folder", row.folder]];
    const list = element("dl", {}, ...facts.filter(Boolean).flatMap(([term, text]) => [element("dt", { text: term }), element("dd", { text: String(text) })]));
    const acts = element("div", { class: "acts" },
      button("Continue", () => command("resume", { run: row.id }), { class: "clwork-continue", title: "Resume from its last checkpoint, in the background.", disabled: row.active || row.status === "finished" }),
      button("Save page", () => command("report", { run: row.id }), { class: "clwork-report", title: "Write one HTML file: player, curves, settings, seeds." }),
      button("Delete …", () => this.act.remove([row.id]), { class: "clwork-delete", title: "Shows the space that this frees, and asks for confirmation.", disabled: row.active }),
      name,
      button("Rename", rename, { class: "clwork-rename", title: "Rename the run and its folder.", disabled: row.active }));
    const codes = element("div", { class: "codes" }, ...snippets(row).flatMap(([word, code]) => [
      element("span", { class: "soft", text: word }),
      element("code", { text: code, title: code }),
    ]));
    this.open(key, row.label, row.active ? element("p", { class: "soft", text: "This run is training: it can be neither renamed nor deleted." }) : "", acts, list, element("h4", { text: "In a cell" }), codes);
    if (fresh) this.focusPart(this.root);
  }

  /** Ask the reader to confirm a deletion; states the number of runs and what is lost. */
  confirm(rows) {
    const free = rows.filter((row) => !row.active);
    if (!free.length) return void this.act.command("delete", { names: rows.map((row) => row.id) }); // the kernel reports why not
    const names = free.slice(0, NAMED).map((row) => row.label).join(", ") + (free.length > NAMED ? ` and ${free.length - NAMED} more` : "");
    const [steps, bytes] = ["step", "bytes"].map((part) => free.reduce((sum, row) => sum + row[part], 0));
    const stay = free.length < rows.length ? ` ${counted(rows.length - free.length, "run")} in training will stay.` : "";
    const text = `Delete ${free.length > 1 ? `${counted(free.length, "run")}: ` : ""}${names} for good? That frees ${(bytes / 1e6).toPrecision(3)} MB on disk. Lost: settings, records and checkpoints of ${counted(steps, "step")}, and their encoders.${stay}`;
    const keep = button("Keep", () => this.act.shut(), { class: "clwork-keep" });
    const remove = () => {
      this.act.shut();
      this.act.command("delete", { names: free.map((row) => row.id) });
    };
    const sure = button("Delete", remove, { class: "clwork-sure danger", title: "Deletion is permanent." });
    this.open(`ask|${text}`, "Delete for good?", element("p", { role: "alert", text }), element("div", { class: "acts" }, sure, keep));
    this.focusPart(keep);
  }
}
