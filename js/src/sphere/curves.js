// Four small curves over steps: loss, alignment, uniformity, gradient lengths.

import { short } from "./words.js";

const MOST = 800; // points a curve keeps; beyond, every second one goes

/** What is measured at each step. */
export class Record {
  constructor() {
    this.clear();
  }
  clear() {
    this.rows = [];
    this.marks = [];
    this.every = 1;
  }
  add(step, measured) {
    if (step % this.every !== 0) return;
    this.rows.push({ step, ...measured });
    if (this.rows.length > MOST) {
      this.every *= 2;
      this.rows = this.rows.filter((row) => row.step % this.every === 0);
    }
  }
  /** A setting was moved here. */
  mark(step) {
    if (step > 0 && this.marks.at(-1) !== step) this.marks.push(step);
  }
}

/** Builds the curves' boxes in `parent`; returns a function that draws a record. */
export function curves(parent, sheets) {
  const made = sheets.map((sheet) => {
    const box = document.createElement("figure"), head = document.createElement("figcaption");
    const name = document.createElement("span"), value = document.createElement("output"), help = document.createElement("small");
    const canvas = document.createElement("canvas");
    box.className = "curve";
    name.textContent = sheet.title;
    help.textContent = sheet.help;
    head.append(name, value);
    box.append(head, canvas, help);
    canvas.setAttribute("role", "img");
    parent.append(box);
    return { ...sheet, canvas, value };
  });
  return (record, now, ink, landmarks) => {
    for (const sheet of made) {
      sheet.value.textContent = sheet.lines.map(({ name }) => short(now[name])).join(" / ");
      sheet.canvas.setAttribute("aria-label", `${sheet.title}: now ${sheet.value.textContent}`);
      draw(sheet, record, ink, landmarks[sheet.title]);
    }
  };
}

function draw({ canvas, lines, range, zero }, { rows, marks }, ink, landmark) {
  const ratio = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = canvas;
  if (!width) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const values = rows.flatMap((row) => lines.map(({ name }) => row[name]));
  let low = range ? Math.min(range[0], 1.1 * (landmark?.value ?? 0)) : zero ? 0 : Math.min(...values, landmark?.value ?? Infinity);
  let high = range ? range[1] : Math.max(...values, landmark?.value ?? -Infinity);
  if (!(high - low > 1e-9)) [low, high] = [low - 0.5, high + 0.5];
  const last = Math.max(rows.at(-1)?.step ?? 0, 30), left = 30, right = width - 4;
  const across = (step) => left + ((right - left) * step) / last;
  const up = (value) => height - 5 - ((height - 10) * (Math.min(high, Math.max(low, value)) - low)) / (high - low);
  pen.font = `10px ${ink.font}`;
  pen.fillStyle = ink.muted;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.fillText(short(high), left - 4, 7);
  pen.fillText(short(low), left - 4, height - 6);
  pen.strokeStyle = ink.line;
  pen.lineWidth = 1;
  pen.strokeRect(left - 0.5, 0.5, right - left + 1, height - 1);
  for (const step of marks) upright(pen, across(step), height, ink);
  if (landmark && landmark.value >= low && landmark.value <= high) {
    pen.setLineDash([3, 3]);
    pen.strokeStyle = ink.muted;
    pen.beginPath();
    pen.moveTo(left, up(landmark.value));
    pen.lineTo(right, up(landmark.value));
    pen.stroke();
    pen.setLineDash([]);
    pen.textBaseline = up(landmark.value) < 14 ? "top" : "bottom";
    pen.fillText(landmark.name, right - 3, up(landmark.value) + (up(landmark.value) < 14 ? 2 : -2));
  }
  for (const { name, colour } of lines) {
    pen.strokeStyle = ink[colour];
    pen.lineWidth = 1.8;
    pen.lineJoin = "round";
    pen.beginPath();
    rows.forEach((row, k) => (k ? pen.lineTo(across(row.step), up(row[name])) : pen.moveTo(across(row.step), up(row[name]))));
    pen.stroke();
    const end = rows.at(-1);
    if (!end) continue;
    pen.fillStyle = ink[colour];
    pen.beginPath();
    pen.arc(across(end.step), up(end[name]), 2.6, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = ink.muted;
  }
}

function upright(pen, x, height, ink) {
  pen.strokeStyle = ink.accent;
  pen.globalAlpha = 0.6;
  pen.beginPath();
  pen.moveTo(x, 0);
  pen.lineTo(x, height);
  pen.stroke();
  pen.globalAlpha = 1;
}
