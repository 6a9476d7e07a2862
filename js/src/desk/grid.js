// Two settings against each other: means over runs and their spread; arrow keys move, Enter draws the runs of a cell.

import { attribute, consume, element, offer, write } from "../shared/dom.js";
import { counted } from "../shared/text.js";
import { general, keyOf, shortText } from "./runs.js";

const MOST = 40; // values of a setting

export class Grid {
  constructor(act) {
    this.act = act;
    Object.assign(this, { cells: [], at: [0, 0], rows: [], runs: null, wanted: {} });
    const choose = (part, value) => {
      this.wanted[part] = value;
      this.draw();
    };
    const menu = (label, part) => element("select", { "aria-label": label, onchange: ({ target }) => choose(part, target.value) });
    this.menus = { x: menu("setting of the columns", "x"), y: menu("setting of the rows", "y"), value: menu("value of the cells", "value") };
    const labelled = (word, select) => element("label", {}, element("span", { class: "soft", text: word }), select);
    this.tools = element("div", { class: "grid-tools" }, labelled("across", this.menus.x), labelled("down", this.menus.y), labelled("shows", this.menus.value));
    this.table = element("table", { class: "heat", role: "grid", tabindex: 0, "data-lm-suppress-shortcuts": true });
    this.table.addEventListener("keydown", (event) => this.press(event));
    this.sentence = element("p", { class: "cell-text", role: "status", "aria-live": "polite" });
    this.root = element("div", { class: "grid" }, this.tools, element("div", { class: "heat-box" }, this.table), this.sentence);
  }

  show(runs, rows) {
    Object.assign(this, { runs, rows });
    if (this.root.isConnected && !this.root.hidden) this.draw();
  }

  axis(name) {
    const values = new Map(this.rows.map((row) => row.settings[name]).filter((value) => keyOf(value) !== null).map((value) => [keyOf(value), value]));
    const numeric = [...values.keys()].every((key) => typeof key === "number");
    const keys = [...values.keys()].sort(numeric ? (a, b) => a - b : undefined);
    return keys.map((key) => values.get(key));
  }

  menu(select, options, wanted, other) {
    const chosen = options.some(([name]) => name === wanted) ? wanted : (options.find(([name]) => name !== other)?.[0] ?? "");
    offer(select, options, chosen);
    return chosen;
  }

  draw() {
    const { runs, rows } = this;
    const names = runs.differing(rows).filter((name) => name !== "seed");
    const numeric = (name) => rows.every((row) => [null, undefined].includes(row.settings[name]) || Array.isArray(row.settings[name]));
    names.sort((a, b) => Number(numeric(b)) - Number(numeric(a))); // stable: numbers first
    const settings = names.map((name) => [name, runs.names[name].label]);
    const scores = Object.entries(runs.columns).filter(([name]) => rows.some((row) => name in row.last));
    scores.sort((a, b) => Number(b[1].score) - Number(a[1].score));
    this.root.classList.toggle("none", !settings.length || !scores.length);
    if (!settings.length || !scores.length) {
      this.table.replaceChildren();
      return write(this.sentence, "These runs differ in no setting: a grid needs one or two that vary.");
    }
    const x = this.menu(this.menus.x, settings, this.wanted.x);
    const y = this.menu(this.menus.y, [...settings.filter(([name]) => name !== x), ["", "nothing"]], this.wanted.y, x);
    const value = this.menu(this.menus.value, scores.map(([name, about]) => [name, about.label]), this.wanted.value);
    const [across, down] = [this.axis(x), y === "" ? [null] : this.axis(y)];
    if (across.length > MOST || down.length > MOST) {
      this.table.replaceChildren();
      return write(this.sentence, `A setting has ${Math.max(across.length, down.length)} values; filter the table until at most ${MOST} are left.`);
    }
    this.about = { x, y: y || null, value, ...runs.columns[value] };
    this.cells = down.map((low) => across.map((high) => this.cell(high, low)));
    this.fill(across, down);
  }

  cell(across, down) {
    const { about } = this;
    const is = (row, name, wanted) => keyOf(row.settings[name]) === keyOf(wanted);
    const members = this.rows.filter((row) => is(row, about.x, across) && (about.y === null || is(row, about.y, down)));
    const measured = members.filter((row) => about.value in row.last);
    const values = measured.map((row) => about.scale * row.last[about.value]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spread = values.length > 1 ? Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)) : null;
    return { across, down, members, mean: values.length ? mean : null, spread, measured: values.length, seeds: new Set(measured.map((row) => row.seed)).size };
  }

  fill(across, down) {
    const { runs, about } = this;
    const means = this.cells.flat().map((cell) => cell.mean).filter((mean) => mean !== null);
    const [low, high] = [Math.min(...means), Math.max(...means)];
    const best = about.better === "lower" ? low : about.better === "higher" ? high : null;
    const head = element("tr", {}, element("td", { class: "corner", text: `${about.y === null ? "" : `${runs.names[about.y].sign} ↓ `}${runs.names[about.x].sign} →` }), ...across.map((value) => element("th", { scope: "col", text: shortText(value) })));
    this.parts = [];
    const lines = this.cells.map((cells, i) => {
      const made = cells.map((cell, j) => {
        const part = cell.mean === null ? 0 : high > low ? (cell.mean - low) / (high - low) : 0.5;
        const strong = about.better === "lower" ? 1 - part : part;
        const style = cell.mean === null ? null : `--part: ${strong.toFixed(2)}`;
        const marks = [cell.mean === null && "empty", best !== null && high > low && cell.mean === best && "best"];
        const seen = cell.mean === null ? "·" : cell.mean.toPrecision(3).replace("-", "−");
        return element("td", { role: "gridcell", id: `${this.key}-${i}-${j}`, class: marks.filter(Boolean).join(" ") || null, style, text: seen, title: this.text(cell), onclick: () => this.go(i, j) });
      });
      this.parts.push(made);
      return element("tr", {}, element("th", { scope: "row", text: shortText(down[i]) }), ...made);
    });
    this.table.replaceChildren(head, ...lines);
    attribute(this.table, "aria-label", `${about.label}: ${runs.names[about.x].label}${about.y === null ? "" : ` by ${runs.names[about.y].label}`}; arrow keys move`);
    this.go(Math.min(this.at[0], down.length - 1), Math.min(this.at[1], across.length - 1));
  }

  key = `clwork-heat-${Math.random().toString(36).slice(2, 8)}`;

  text(cell) {
    const { runs, about } = this;
    const value = (name, of) => `${runs.names[name].sign} = ${shortText(of)}`;
    const where = [value(about.x, cell.across), about.y === null ? "" : value(about.y, cell.down)].filter(Boolean).join(", ");
    if (cell.mean === null) return `${where}: ${cell.members.length ? `${counted(cell.members.length, "run").replace(/^1 /, "one ")}, not measured` : "no run"}`;
    const spread = cell.spread === null ? "" : ` ± ${cell.spread.toPrecision(2)}`;
    const others = runs.differing(cell.members).filter((name) => name !== "seed").map((name) => runs.names[name].label);
    const mixed = others.length ? `; they differ in ${others.join(", ")} too` : "";
    const over = cell.measured > 1 ? `, ${counted(cell.measured, "run")}, ${counted(cell.seeds, "seed")}` : `, one run, seed ${cell.members[0].seed}`;
    return `${where}: ${about.label} ${general(cell.mean)}${spread}${over}${mixed}`;
  }

  go(i, j) {
    this.at = [Math.max(0, Math.min(this.parts.length - 1, i)), Math.max(0, Math.min(this.parts[0].length - 1, j))];
    const [row, column] = this.at;
    this.parts.flat().forEach((part) => part.classList.remove("active"));
    this.parts[row][column].classList.add("active");
    if (this.table === document.activeElement) this.parts[row][column].scrollIntoView({ block: "nearest", inline: "nearest" });
    attribute(this.table, "aria-activedescendant", this.parts[row][column].id);
    write(this.sentence, `${this.text(this.cells[row][column])}${this.cells[row][column].members.length ? ". Enter draws them alone." : ""}`);
  }

  press(event) {
    const [i, j] = this.at;
    const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], Home: [0, -MOST], End: [0, MOST] };
    if (!this.parts?.length) return;
    if (event.key in moves) this.go(i + moves[event.key][0], j + moves[event.key][1]);
    else if (event.key === "Enter") this.act.alone(this.cells[i][j].members.map((row) => row.id));
    else return;
    consume(event);
  }
}
