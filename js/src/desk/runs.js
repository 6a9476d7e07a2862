// The runs as the kernel sent them: rows by folder, their settings and values by number (clwork/lab/desk/page_rows.py).

/** As Python's "%.4g": what a cell of the table shows of a number. */
export function general(value, digits = 4) {
  if (!Number.isFinite(value)) return "";
  if (value === 0) return "0";
  const exponent = Number(value.toExponential(digits - 1).split("e")[1]);
  if (exponent < -4 || exponent >= digits) {
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return `${short}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  }
  const text = value.toFixed(digits - 1 - exponent);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export class Runs {
  constructor() {
    Object.assign(this, { version: 0, names: [], values: [], same: [], columns: {}, rows: new Map(), order: [] });
    this.firsts = new Map(); // the first value of each meaning: 1 and 1.0 are one value of a setting
  }

  known() {
    return { version: this.version, names: this.names.length, values: this.values.length };
  }

  take(news) {
    this.names.splice(news.names.from, Infinity, ...news.names.more);
    this.values.splice(news.values.from, Infinity, ...news.values.more);
    for (let i = this.same.length; i < this.values.length; i++) {
      const key = `${typeof this.values[i][0]} ${this.values[i][0]}`;
      if (!this.firsts.has(key)) this.firsts.set(key, i);
      this.same.push(this.firsts.get(key));
    }
    Object.assign(this.columns, news.columns);
    for (const row of news.rows) this.rows.set(row.id, { ...row, words: this.words(row) });
    this.order = news.order.map((id) => this.rows.get(id)).filter(Boolean);
    if (this.rows.size > this.order.length) this.rows = new Map(this.order.map((row) => [row.id, row]));
    this.version = news.version;
  }

  /** What the filter looks through: name, method, state and settings (name=value). */
  words(row) {
    const settings = row.settings.map((value, i) => (value < 0 || this.names[i].name === "seed" ? "" : `${this.names[i].name}=${this.values[value][1]}`));
    return [row.called, row.method, row.status, `seed=${row.seed}`, row.fork, ...settings].join("\n").toLowerCase();
  }

  /** Of a run, the number of a setting's value; -1 where it has none. */
  value(row, place) {
    return row.settings[place] ?? -1;
  }

  /** The settings in which these runs differ, of those that more than one of them has: their places. */
  differing(rows) {
    return this.names.flatMap((about, place) => {
      if (!about.column) return [];
      let first = -1;
      for (const row of rows) {
        const value = this.value(row, place);
        if (value < 0) continue;
        if (first < 0) first = this.same[value];
        else if (this.same[value] !== first) return [place];
      }
      return [];
    });
  }

  /**
   * The columns of a table of these runs, behind their name: what differs first, then how each ended and what came of it.
   * A column is {name, label, text(row), key(row), number, differs}.
   */
  tableColumns(rows) {
    const columns = new Map();
    const add = (column) => columns.has(column.name) || columns.set(column.name, column);
    for (const place of this.differing(rows)) {
      const found = (row) => this.values[this.value(row, place)];
      const shown = (value) => (value === undefined || value[0] === null ? "" : typeof value[0] === "number" && !Number.isInteger(value[0]) ? general(value[0]) : value[1]);
      add({
        name: this.names[place].name,
        label: this.names[place].label,
        differs: true,
        number: rows.every((row) => !found(row) || typeof found(row)[0] === "number"),
        text: (row) => shown(found(row)),
        key: (row) => found(row)?.[0] ?? null,
      });
    }
    const plain = (name, more = {}) => add({ name, label: name, text: (row) => String(row[name]), key: (row) => row[name], ...more });
    plain("status", { text: (row) => row.state });
    const measured = Object.entries(this.columns).sort((a, b) => Number(b[1].score) - Number(a[1].score)); // scores first
    for (const [name, about] of measured) {
      if (!rows.some((row) => name in row.last)) continue;
      const text = (row) => (name in row.last ? general(about.scale * row.last[name]) : "");
      add({ name, label: about.label, number: true, text, key: (row) => row.last[name] ?? null });
    }
    plain("step", { number: true, text: (row) => `${row.step} of ${row.total}` });
    plain("method");
    plain("seed", { number: true });
    plain("size", { number: true, key: (row) => row.bytes });
    if (rows.some((row) => row.fork)) plain("fork");
    return [...columns.values()];
  }
}
