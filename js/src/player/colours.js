// Colours of groups and runs. Eleven groups are told apart by colour alone for most readers; from the ninth on the
// marker's shape differs too, and a dot's group is always named in the line below the cloud.

// Okabe & Ito's colours, darker or lighter where the ground asks for it, and four more that stand apart from them.
const LIGHT = [
  "#0072b2", "#e08f00", "#00936b", "#cc4f00", "#c2609a", "#3fa3dc", "#6f4ab8", "#7d5a2b", "#3d4650", "#8aa000", "#b5123f",
];
const DARK = [
  "#4ea3ea", "#f3b13c", "#2fc79b", "#ff8348", "#ea95c6", "#96d8ff", "#ab8df0", "#c79c6a", "#dfe4ea", "#cfdc4d", "#ff6b88",
];
const SHAPES = ["square", "diamond", "triangle"];
export const DISTINCT = LIGHT.length;

export const colour = (group, dark) => (group < 0 ? (dark ? "#6b7480" : "#a4abb3") : (dark ? DARK : LIGHT)[group % DISTINCT]);

export function shape(group) {
  if (group < 0) return "circle";
  const round = Math.floor(group / DISTINCT);
  const place = group % DISTINCT;
  return round === 0 && place < 8 ? "circle" : SHAPES[(round * 2 + Math.max(0, place - 8)) % 3];
}

const D = { square: 0.9, diamond: 1.25, triangle: 1.3 };

/** The outline of a marker around x, y, onto a canvas (or a Path2D). */
export function outline(path, kind, x, y, r) {
  if (kind === "circle") {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  const d = r * D[kind];
  const corners = {
    square: [[-d, -d], [d, -d], [d, d], [-d, d]],
    diamond: [[0, -d], [d, 0], [0, d], [-d, 0]],
    triangle: [[0, -d], [d * 0.92, d * 0.72], [-d * 0.92, d * 0.72]],
  }[kind];
  corners.forEach(([dx, dy], i) => (i ? path.lineTo(x + dx, y + dy) : path.moveTo(x + dx, y + dy)));
  path.closePath();
}

/** The same outline as SVG, for the legend: a path around 0, 0. */
export function outlineOf(kind, r) {
  if (kind === "circle") return `M${r},0A${r},${r} 0 1 1 ${-r},0A${r},${r} 0 1 1 ${r},0Z`;
  const parts = [];
  const path = {
    moveTo: (x, y) => parts.push(`M${x.toFixed(2)},${y.toFixed(2)}`),
    lineTo: (x, y) => parts.push(`L${x.toFixed(2)},${y.toFixed(2)}`),
    closePath: () => parts.push("Z"),
  };
  outline(path, kind, 0, 0, r);
  return parts.join("");
}
