// Filter, order and the tree of forks, by the same rules as clwork/lab/desk/view.py and table.py.

export const FAMILY = "family"; // the order in which runs were begun, each followed by its forks

/** The runs that the view leaves, in the order in which they were begun. */
export function matching(runs, view) {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const only = view.only && new Set(view.only);
  return runs.order.filter(
    (row) =>
      (!view.method || row.method === view.method) &&
      (!view.status || row.status === view.status) &&
      (!only || only.has(row.id)) &&
      words.every((word) => row.words.includes(word)),
  );
}

const missing = (key) => key === null || key === undefined || Number.isNaN(key);

/** Lines {row, depth} in the order of a column, those without a value last; or as a tree of forks. */
export function arranged(rows, columns, view) {
  if (view.order === FAMILY) return tree(rows);
  const key = view.order === "run" ? (row) => row.called : columns.find((column) => column.name === view.order)?.key;
  const flat = (row) => ({ row, depth: 0 });
  if (!key) return rows.map(flat);
  const known = rows.filter((row) => !missing(key(row)));
  const words = known.some((row) => typeof key(row) === "string");
  const by = words ? (row) => String(key(row)) : key;
  const sign = view.descending ? -1 : 1;
  known.sort((a, b) => (by(a) < by(b) ? -sign : by(a) > by(b) ? sign : 0));
  return [...known, ...rows.filter((row) => missing(key(row)))].map(flat);
}

/** Each run followed by its forks, by theirs, and then by the next one. */
function tree(rows) {
  const places = new Map();
  rows.forEach((row, i) => places.has(row.name) || places.set(row.name, i));
  const below = new Map();
  const roots = [];
  rows.forEach((row, i) => {
    const parent = row.parent ? places.get(row.parent[0]) : undefined;
    if (parent === undefined || parent === i) roots.push(i);
    else if (below.has(parent)) below.get(parent).push(i);
    else below.set(parent, [i]);
  });
  const seen = new Set();
  const lines = [];
  const left = [...roots, ...rows.keys()].map((place) => [place, 0]).reverse(); // circles of parents come last
  while (left.length) {
    const [place, depth] = left.pop();
    if (seen.has(place)) continue;
    seen.add(place);
    lines.push({ row: rows[place], depth });
    for (const child of (below.get(place) ?? []).toReversed()) left.push([child, depth + 1]);
  }
  return lines;
}
