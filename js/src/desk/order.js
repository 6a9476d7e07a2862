// Filter, order and the tree of forks.

export const FAMILY = "family"; // the order in which runs were started, each followed by its forks

/** The runs that pass the filter, in the order in which they were started. */
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

/** Lines {row, depth} in the order of a column, those without a value last; or as a tree of forks. */
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

/** Each run followed by its forks, by theirs, and then by the next one. */
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
  rows.forEach((_, place) => visit(place, 0)); // circles of parents come last
  return lines;
}
