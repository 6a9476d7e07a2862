// Colours and markers of groups: those of clwork/views/style.py, so that a topic looks the same in every picture.

import { OUTLINES } from "./outlines.js";

const LIGHT = [
  "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#6F4AB8", "#7D5A2B", "#3D4650", "#8AA000", "#B5123F",
];
const DARK = [
  "#4DA3FF", "#FFB52E", "#2BD4A0", "#FF7A33", "#F29AC8", "#96D8FF", "#AB8DF0", "#C79C6A", "#DFE4EA", "#CFDC4D", "#FF6B88",
];
const SYMBOLS = ["circle", "square", "diamond", "cross", "triangle-up", "x", "star"];
export const DISTINCT = LIGHT.length;

/** Of a group by its place among the names in alphabetical order; -1 is whatever belongs to none. */
export const colour = (group, dark) => (group < 0 ? (dark ? "#6b7480" : "#a4abb3") : (dark ? DARK : LIGHT)[group % DISTINCT]);

/** The outline, of radius 1, of a group's marker. */
export const outline = (group) => OUTLINES[group < 0 ? "circle" : SYMBOLS[group % SYMBOLS.length]];
