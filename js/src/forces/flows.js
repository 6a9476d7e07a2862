// Arrows between the chosen sentence and its candidates: those that pull come in from above, those that push leave below.
// Side by side they make one stem, so the stem is as wide as all that is drawn pulls, or pushes, together.

const GUTTER = 72; // pixels at the left of the rows
const STEM = 24; // the middle of both stems
const MOST = { one: 18, all: 32 }; // width of an arrow, and of a stem
const BEND = 10;

/** `rows`: {y, pull} from top to bottom; `chosen`: its top and bottom. Paths, widths and heads. */
export function flows(rows, chosen) {
  const sides = [rows.filter(({ pull }) => pull > 0), rows.filter(({ pull }) => pull < 0)];
  const sums = sides.map((side) => side.reduce((sum, { pull }) => sum + Math.abs(pull), 0));
  const strongest = Math.max(...rows.map(({ pull }) => Math.abs(pull)), 0) || 1;
  const scale = Math.min(MOST.one / strongest, MOST.all / (Math.max(...sums) || 1));
  const width = ({ pull }) => Math.max(1, Math.abs(pull) * scale);
  return [...pulls(sides[0], width, chosen.top), ...pushes(sides[1], width, chosen.bottom)];
}

/** Length and half the breadth of an arrow's head. */
const head = (wide) => [Math.max(7, wide / 2), Math.max(4, wide * 0.8)];

function places(side, width) {
  const widths = side.map(width);
  let left = STEM - widths.reduce((sum, one) => sum + one, 0) / 2;
  return widths.map((one) => {
    const x = left + one / 2;
    left += one;
    return { x, width: one };
  });
}

/** Of two arrows the upper one is further left, so that none crosses another. */
function pulls(side, width, top) {
  return places(side, width).map(({ x, width: wide }, place) => {
    const { y } = side[place];
    const [tip, half] = head(wide);
    const bend = Math.min(BEND + wide / 2, top - y - tip);
    const d = `M${GUTTER - 4} ${y}H${x + bend}Q${x} ${y} ${x} ${y + bend}V${top - tip}`;
    return { d, width: wide, head: `M${x - half} ${top - tip}H${x + half}L${x} ${top}Z`, kind: "pull" };
  });
}

function pushes(side, width, bottom) {
  const stems = places(side, width).reverse();
  return stems.map(({ x }, place) => {
    const { y } = side[place];
    const wide = width(side[place]);
    const [tip, half] = head(wide);
    const bend = Math.min(BEND + wide / 2, y - bottom);
    const end = GUTTER - 4;
    const d = `M${x} ${bottom}V${y - bend}Q${x} ${y} ${x + bend} ${y}H${end - tip}`;
    return { d, width: wide, head: `M${end - tip} ${y - half}V${y + half}L${end} ${y}Z`, kind: "push" };
  });
}
