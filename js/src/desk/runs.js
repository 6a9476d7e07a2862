// The runs as the kernel sent them (clwork/lab/desk/table.py). A setting's value is a text, or a number with its text.

/** As Python's "%.4g": a number in a cell of the table. */
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

/** By what a setting's value is compared and sorted; null where a run has none. */
export const keyOf = (value) => (Array.isArray(value) ? value[0] : (value ?? null));
/** A setting's value in a formula: fractions without their leading zero. */
export const shortText = (value) => (Array.isArray(value) ? value[1].replace(/^(-?)0\./, "$1.") : (value ?? ""));

export class Runs {
  constructor() {
    Object.assign(this, { version: 0, names: {}, columns: {}, rows: new Map(), order: [] });
  }

  take(news) {
    Object.assign(this.names, news.names);
    Object.assign(this.columns, news.columns);
    for (const row of news.rows) this.rows.set(row.id, { ...row, searched: this.searched(row) });
    this.order = news.order.map((id) => this.rows.get(id)).filter(Boolean);
    this.rows = new Map(this.order.map((row) => [row.id, row]));
    this.version = news.version;
  }

  /** The text that the filter searches: name, method, state and settings (name=value). */
  searched(row) {
    const settings = Object.entries(row.settings).map(([name, value]) => `${name}=${Array.isArray(value) ? value[1] : value}`);
    return [row.label, row.method, row.status, row.fork, ...settings].join("\n").toLowerCase();
  }

  /** The settings in which these runs differ, of those that more than one of them has. */
  differing(rows) {
    return Object.keys(this.names).filter((name) => {
      const keys = rows.map((row) => keyOf(row.settings[name])).filter((key) => key !== null);
      return this.names[name].column && new Set(keys).size > 1;
    });
  }

  /**
   * The columns of a table of these runs, after their name: settings that differ, state and measurements.
   * A column is {name, label, text(row), key(row), number, differs}.
   */
  tableColumns(rows) {
    const columns = new Map();
    const add = (column) => columns.has(column.name) || columns.set(column.name, column);
    for (const name of this.differing(rows)) {
      const value = (row) => row.settings[name];
      const text = (row) => (Array.isArray(value(row)) && !Number.isInteger(value(row)[0]) ? general(value(row)[0]) : String((Array.isArray(value(row)) ? value(row)[1] : value(row)) ?? ""));
      const number = rows.every((row) => value(row) === undefined || Array.isArray(value(row)));
      add({ name, label: this.names[name].label, differs: true, number, text, key: (row) => keyOf(value(row)) });
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
