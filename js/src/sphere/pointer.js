// Mouse, pen, finger and keys on the picture: drag a point, turn the sphere, choose, move.

const TURN = 0.12; // radians of one press of an arrow key
const SHIFT = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Connects a canvas with the lab; returns a function that lets go. */
export function pointer(canvas, lab) {
  let held = null; // { point } or { x, y }
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const down = (event) => {
    const [x, y] = at(event), point = lab.scene.find(x, y);
    canvas.setPointerCapture(event.pointerId);
    held = point >= 0 ? { point } : { x, y };
    if (point >= 0) lab.choose(point);
  };
  const move = (event) => {
    const [x, y] = at(event);
    if (held?.point !== undefined) {
      held.moved = true;
      return void lab.put(held.point, lab.scene.direction(x, y));
    }
    if (held && lab.world.D === 3) {
      lab.scene.yaw -= (x - held.x) / lab.scene.radius;
      lab.scene.pitch = Math.max(-1.5, Math.min(1.5, lab.scene.pitch + (y - held.y) / lab.scene.radius));
      lab.scene.clear();
      held = { x, y };
    } else if (!held) {
      const over = lab.scene.find(x, y);
      if (over === lab.scene.hovered) return;
      lab.scene.hovered = over;
      canvas.title = over < 0 ? "" : `point ${over}, meaning ${lab.world.meaning[over]}`;
      canvas.style.cursor = over < 0 ? "grab" : "pointer";
    }
    lab.redraw();
  };
  const up = () => (held = null);
  const keys = (event) => {
    const { world, scene } = lab, { chosen } = world.settings, way = SHIFT[event.key];
    if (way && event.shiftKey) {
      const p = Array.from(world.x.subarray(chosen * world.D, (chosen + 1) * world.D));
      const [right, up] = world.D === 3 ? scene.axes() : [[p[1], -p[0]], [-p[1], p[0]]]; // on the ring: round and back
      const next = p.map((value, d) => value + TURN * (way[0] * right[d] + way[1] * up[d]));
      const length = Math.hypot(...next);
      lab.put(chosen, next.map((value) => value / length));
    } else if (way) {
      scene.yaw -= TURN * way[0];
      scene.pitch = Math.max(-1.5, Math.min(1.5, scene.pitch + TURN * way[1]));
      scene.clear();
      lab.redraw();
    } else if (event.key === "n") lab.choose((chosen + 1) % world.N);
    else if (event.key === "p") lab.choose((chosen + world.N - 1) % world.N);
    else if (event.key === " ") lab.run(lab.mode ? null : "play");
    else return;
    event.preventDefault();
  };
  const ways = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, keydown: keys };
  for (const [what, call] of Object.entries(ways)) canvas.addEventListener(what, call);
  return () => {
    for (const [what, call] of Object.entries(ways)) canvas.removeEventListener(what, call);
  };
}
