// Colours and markers of groups, as in clwork/views/style.py, so that a topic looks the same in
// every picture.

import IN_DARK from "../../../clwork/views/dark.json" with { type: "json" };
import { drawn } from "./dom.js";

const OUTLINES = {
  circle: "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
  square: "M-.88 -.88H.88V.88H-.88Z",
  diamond: "M0 -1.2L1.2 0L0 1.2L-1.2 0Z",
  cross: "M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "triangle-up": "M0 -1.2L1.15 .8H-1.15Z",
  x: "M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",
  star: "M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z",
};

const LIGHT = [
  "#0072B2",
  "#E69F00",
  "#009E73",
  "#D55E00",
  "#CC79A7",
  "#56B4E9",
  "#6F4AB8",
  "#7D5A2B",
  "#3D4650",
  "#8AA000",
  "#B5123F",
];
const DARK = LIGHT.map((light) => IN_DARK[light]);
const SYMBOLS = ["circle", "square", "diamond", "cross", "triangle-up", "x", "star"];
export const DISTINCT = LIGHT.length;

/**
 * The colour of a group, given its index among the names in alphabetical order; -1 means no group.
 */
export function colour(group, dark) {
  if (group < 0) return dark ? "#6b7480" : "#a4abb3";
  return (dark ? DARK : LIGHT)[group % DISTINCT];
}

/** The outline of a group's marker, with radius 1. */
export const outline = (group) => OUTLINES[group < 0 ? "circle" : SYMBOLS[group % SYMBOLS.length]];

/** A group's marker, to stand in a text; `shade` null: the style sheet fills it. */
export const marker = (group, shade = null) =>
  drawn(
    "svg",
    { class: "marker", width: 12, height: 12, viewBox: "-1.4 -1.4 2.8 2.8", "aria-hidden": true },
    drawn("path", { d: outline(group), fill: shade }),
  );
