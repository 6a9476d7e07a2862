// Buttons that save the figure or the table under the pointer: a figure as PNG or SVG, a table as
// CSV, the cloud of a run as a film (WebM); one that makes the page fill the screen, and one that
// copies the address of what is shown.

import { address } from "./address.js";
import { element, zoomOf } from "./dom.js";

// pixels: narrower pictures are signs in a text
const LEAST = 120;
// pixels of a PNG, and of a film, for each pixel of the page
const [SHARP, SMOOTH] = [3, 2];
// pixels of the lines of text at the bottom of a cloud
const LINES = 28;
// pixels of a film below the figure, for a line of text
const CAPTION = 28;
// The properties by which style sheets draw a figure; a file has no style sheet.
const DRAWN = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "opacity",
  "font",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
  "display",
  "visibility",
];

/** Size and position of a node in pixels. */
const sizeOf = (node) => node.getBoundingClientRect();
/** The background of the page. */
const ground = (node) => getComputedStyle(node.closest("[data-theme]")).backgroundColor;

/** A figure as the text of an SVG file. */
function svgOf(figure) {
  const copy = figure.cloneNode(true);
  const parts = [copy, ...copy.querySelectorAll("*")];
  [figure, ...figure.querySelectorAll("*")].forEach((part, k) => {
    const style = getComputedStyle(part);
    for (const name of DRAWN) parts[k].style.setProperty(name, style.getPropertyValue(name));
  });
  const { width, height } = sizeOf(figure);
  for (const [name, value] of Object.entries({ width, height })) copy.setAttribute(name, value);
  copy.style.background = ground(figure);
  return new XMLSerializer().serializeToString(copy);
}

/** The text of an SVG file as a data: address. */
const addressOf = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** A figure as the data: address of a PNG file. */
async function pngOf(figure) {
  const { width, height } = sizeOf(figure);
  const canvas = element("canvas", { width: SHARP * width, height: SHARP * height });
  const pen = canvas.getContext("2d");
  pen.fillStyle = ground(figure);
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const image =
    figure.localName === "canvas" ? figure : element("img", { src: addressOf(svgOf(figure)) });
  await image.decode?.();
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL();
}

/** The texts of a table's cells; a table that renders only its visible rows has `texts()`. */
function csvOf(table) {
  // biome-ignore lint/performance/useDomNodeTextContent: a line break in a cell separates its words
  const textOf = (cell) => cell.innerText.trim();
  const texts = table.texts?.() ?? Array.from(table.rows, (row) => Array.from(row.cells, textOf));
  // A spreadsheet would compute a text that begins like a formula; an apostrophe makes it a text.
  const plain = (text) =>
    /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  // The mark at the start makes spreadsheets read UTF-8.
  const lines = texts.map((row) => row.map((text) => quoted(plain(text))).join(","));
  return `data:text/csv;charset=utf-8,%EF%BB%BF${encodeURIComponent(`${lines.join("\r\n")}\r\n`)}`;
}

/** A film of a canvas from the first step to the last, while the page plays: a blob: address. */
async function filmOf(figure, page) {
  const { width, height } = sizeOf(figure);
  const film = element("canvas", { width: SMOOTH * width, height: SMOOTH * (height + CAPTION) });
  const pen = film.getContext("2d");
  pen.scale(SMOOTH, SMOOTH);
  pen.font = getComputedStyle(figure).font;
  const frame = () => {
    pen.fillStyle = ground(figure);
    pen.fillRect(0, 0, width, height + CAPTION);
    pen.drawImage(figure, 0, 0, width, height);
    pen.fillStyle = getComputedStyle(figure).color;
    pen.fillText(page.caption, 8, height + CAPTION - 8);
  };
  const recorder = new MediaRecorder(film.captureStream(), { mimeType: "video/webm" });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve) => {
    recorder.onstop = resolve;
  });
  page.clock.jump(0);
  page.clock.play();
  recorder.start();
  do {
    await new Promise(requestAnimationFrame);
    frame();
  } while (page.clock.playing);
  recorder.stop();
  await ended;
  return URL.createObjectURL(new Blob(parts, { type: "video/webm" }));
}

const KINDS = { webm: filmOf, png: pngOf, svg: (figure) => addressOf(svgOf(figure)), csv: csvOf };
const kindsOf = { canvas: ["png"], svg: ["png", "svg"], table: ["csv"] };

/** Let a page fill the screen, or no longer. */
export function fillScreen(root) {
  if (document.fullscreenElement) return document.exitFullscreen();
  return root.requestFullscreen();
}

/** Copy a text to the clipboard; returns whether the browser did. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // a frame like ours may not use navigator.clipboard
    const field = element("textarea", { value: text });
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}

/** A button that copies the address of what is shown; none where there is no address. */
function shareButton(page) {
  if (!page.link || !address()) return "";
  const share = element("button", {
    type: "button",
    text: "Share",
    title: "Copy the address of what is shown",
    onclick: async () => {
      share.textContent = (await copyText(page.link())) ? "Copied" : "Not copied";
    },
  });
  return share;
}

/**
 * Show the buttons at the lower right corner of the figure or table that has the pointer or the
 * focus. `page.clock`, if there is one, plays the figure, and `page.link()` is its address.
 */
export function offerSaving(root, page) {
  const box = element("div", { class: "clwork-save", hidden: true });
  const save = async (node, kind) =>
    element("a", { href: await KINDS[kind](node, page), download: `clwork.${kind}` }).click();
  const show = ({ target }) => {
    if (box.contains(target)) return;
    const node = target.closest("table, canvas, svg:not([aria-hidden])");
    box.hidden = !node || sizeOf(node).width < LEAST;
    if (box.hidden) return;
    const plays = node.localName === "canvas" && page.clock?.last() > 0;
    const kinds = kindsOf[node.localName];
    // a chart may be drawn anew, for instance when its frame grows, while the buttons are shown
    const host = node.parentElement;
    const present = () => (node.isConnected ? node : host.querySelector(node.localName));
    const screen = element("button", {
      type: "button",
      text: "Full screen",
      title: "Fill the screen, or no longer (f)",
      onclick: () => fillScreen(root),
    });
    box.replaceChildren(
      document.fullscreenEnabled ? screen : "",
      shareButton(page),
      ...(plays ? ["webm", ...kinds] : kinds).map((kind) =>
        element("button", {
          type: "button",
          text: kind.toUpperCase(),
          "aria-label": `save as ${kind.toUpperCase()}`,
          onclick: () => save(present(), kind),
        }),
      ),
    );
    const frame = sizeOf(root);
    // of a table that scrolls, only its box is visible
    const visible = sizeOf(node.closest(".scroll") ?? node);
    const zoom = zoomOf(root);
    box.style.right = `${(frame.right - visible.right) / zoom}px`;
    // the last lines of a canvas say what is under the pointer; a cloud has room below its head
    const head = node.closest(".clwork-cloud")?.querySelector(".cloud-head");
    const onCanvas = node.localName === "canvas" ? LINES : 0;
    const above = head ? -LINES : onCanvas;
    const { bottom } = head ? sizeOf(head) : visible;
    box.style.bottom = `${(frame.bottom - bottom) / zoom + above}px`;
  };
  root.addEventListener("pointerover", show);
  root.addEventListener("focusin", show);
  root.addEventListener("pointerleave", () => {
    box.hidden = true;
  });
  root.append(box);
}
