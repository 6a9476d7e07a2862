// The outline of a marker of radius 1, as canvas and SVG both read it.
export const OUTLINES = {
  circle: "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
  square: "M-.88 -.88H.88V.88H-.88Z",
  diamond: "M0 -1.2L1.2 0L0 1.2L-1.2 0Z",
  cross: "M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "triangle-up": "M0 -1.2L1.15 .8H-1.15Z",
  x: "M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",
  star: "M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z",
};
