// The runs that the kernel sent (clwork/lab/desk), filtered and sorted. A setting is a string or [number, string].

import { short } from "../shared/text.js";

/** Format a number for a table cell, with four digits. */
const general = (value) => (Number.isFinite(value) ? short(value, 4).replace(/^-/, "−") : "");

const REASON = 44; // characters of a state: a failed run gives its reason

/** The value by which a setting is compared and sorted; null if the run lacks the setting. */
const keyOf = (value) => (Array.isArray(value) ? value[0] : (value ?? null));

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

  /** The settings that differ between these runs, among those that at least two of them have. */
  differing(rows) {
    return Object.keys(this.names).filter((name) => {
      const keys = rows.map((row) => keyOf(row.settings[name])).filter((key) => key !== null);
      return this.names[name].column && new Set(keys).size > 1;
    });
  }

  /** The columns of a table of these runs: settings that differ, state, measurements; each {name, label, text(row), key(row), number, differs}. */
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
    plain("status", { text: (row) => row.state, widest: REASON });
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

export const FAMILY = "family"; // the order in which runs were started, each followed by its forks

export function matching(runs, view) {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const only = view.only && new Set(view.only);
  return runs.order.filter(
    (row) =>
      (!view.method || row.method === view.method) &&
      (!view.status || row.status === view.status) &&
      (!only || only.has(row.id)) &&
      words.every((word) => row.searched.includes(word)),
  );
}

const missing = (key) => key === null || key === undefined || Number.isNaN(key);

/** Rows as {row, depth}, either sorted by a column, with missing values last, or as a tree of forks. */
export function arranged(rows, columns, view) {
  if (view.order === FAMILY) return tree(rows);
  const key = view.order === "run" ? (row) => row.label : columns.find((column) => column.name === view.order)?.key;
  const flat = (row) => ({ row, depth: 0 });
  if (!key) return rows.map(flat);
  const known = rows.filter((row) => !missing(key(row)));
  const texts = known.some((row) => typeof key(row) === "string");
  const by = texts ? (row) => String(key(row)) : key;
  const sign = view.descending ? -1 : 1;
  known.sort((a, b) => (by(a) < by(b) ? -sign : by(a) > by(b) ? sign : 0));
  return [...known, ...rows.filter((row) => missing(key(row)))].map(flat);
}

function tree(rows) {
  const places = new Map();
  rows.forEach((row, i) => places.has(row.name) || places.set(row.name, i));
  const parents = rows.map((row, i) => {
    const parent = row.parent ? places.get(row.parent[0]) : undefined;
    return parent === i ? undefined : parent;
  });
  const lines = [];
  const seen = new Set();
  const visit = (place, depth) => {
    if (seen.has(place)) return;
    seen.add(place);
    lines.push({ row: rows[place], depth });
    parents.forEach((parent, child) => parent === place && visit(child, depth + 1));
  };
  parents.forEach((parent, place) => parent === undefined && visit(place, 0));
  rows.forEach((_, place) => visit(place, 0)); // rows whose parents form a cycle come last
  return lines;
}
