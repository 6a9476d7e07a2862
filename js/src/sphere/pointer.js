// Mouse, finger and keys on the picture.

import { consume } from "../shared/dom.js";

// radians per press of an arrow key, and pixels by which it moves a point
const TURN = 0.12;
const SHIFT = 12;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Drag a point, or the background to turn the sphere; arrow keys do the same. */
export function followPointer(canvas, lab) {
  const { scene } = lab;
  // what is dragged: { point }, or { x, y } of the background
  let held = null;
  const turn = (around, up) => {
    scene.turn(around, up);
    lab.redraw();
  };
  canvas.addEventListener("pointerdown", ({ offsetX: x, offsetY: y, pointerId }) => {
    canvas.setPointerCapture(pointerId);
    const point = scene.find(x, y);
    held = { point, x, y };
    if (point >= 0) lab.set("chosen", point);
  });
  canvas.addEventListener("pointermove", ({ offsetX: x, offsetY: y }) => {
    if (held?.point >= 0) lab.put(held.point, scene.direction(x, y));
    else if (held) {
      turn((held.x - x) / scene.radius, (y - held.y) / scene.radius);
      held = { point: -1, x, y };
    } else {
      const point = scene.find(x, y);
      canvas.title = point < 0 ? "" : `point ${point}, meaning ${lab.world.meaning[point]}`;
      canvas.style.cursor = point < 0 ? "grab" : "pointer";
    }
  });
  canvas.addEventListener("lostpointercapture", () => (held = null));
  canvas.addEventListener("keydown", (event) => {
    const { N, settings } = lab.world;
    const way = ARROWS[event.key];
    if (way && event.shiftKey) {
      const [x, y] = scene.spots[settings.chosen];
      lab.put(settings.chosen, scene.direction(x + SHIFT * way[0], y - SHIFT * way[1]));
    } else if (way) turn(-TURN * way[0], TURN * way[1]);
    else if (event.key === "n") lab.set("chosen", (settings.chosen + 1) % N);
    else if (event.key === "p") lab.set("chosen", (settings.chosen + N - 1) % N);
    else if (event.key === " ") lab.play(!lab.playing);
    else return;
    consume(event);
  });
}
