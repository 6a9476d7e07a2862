// Made by js/build.mjs (make bundle); edit js/src/sphere instead. sources d3651cab08aaad208bf18ae0e0302ada53b613dfee8494f9d0c9c5076b509c8b body 65ca0bf512fb97777aaf3f9d909b4be4cbd2f5d42bdc8d59bd0836ea169987c9
var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// src/shared/theme.js
var SYSTEM = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
var WATCHED = ["data-jp-theme-light", "data-jp-theme-name", "class", "data-vscode-theme-kind", "theme"];
var LATER = 400;
function isDark(colour) {
  const hex = /^#([0-9a-f]{6})/i.exec(colour)?.[1];
  const parts = hex ? hex.match(/../g).map((two) => parseInt(two, 16)) : (colour.match(/[\d.]+/g) ?? []).map(Number);
  return parts.length < 3 ? null : 0.3 * parts[0] + 0.59 * parts[1] + 0.11 * parts[2] < 128;
}
function ofVsCode(body) {
  const kind = `${body.className} ${body.dataset.vscodeThemeKind ?? ""}`;
  if (/\bvscode-(high-contrast-light|light)\b/.test(kind)) return false;
  if (/\bvscode-(high-contrast|dark)\b/.test(kind)) return true;
  return isDark(getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim());
}
function ofColab(root) {
  const said2 = root.getAttribute("theme") ?? (globalThis.google?.colab ? "light" : null);
  return said2 === null ? null : said2 === "dark";
}
function said() {
  const lab = document.body.dataset.jpThemeLight;
  return lab !== void 0 ? lab === "false" : ofVsCode(document.body) ?? ofColab(document.documentElement);
}
function onPage(act) {
  const watch = new MutationObserver(act);
  for (const part of [document.documentElement, document.body]) watch.observe(part, { attributes: true, attributeFilter: WATCHED });
  return () => watch.disconnect();
}
function followTheme(root, show = () => {
}) {
  let told = null;
  let last = "";
  let timer = 0;
  const tell = (again) => {
    const dark = said() ?? told ?? Boolean(SYSTEM?.matches);
    const theme = dark ? "dark" : "light";
    const now = `${theme} ${document.body.dataset.jpThemeName ?? ""}`;
    if (now === last && again !== true) return;
    last = now;
    document.documentElement.dataset.clworkTheme = theme;
    if (root) root.dataset.theme = theme;
    show(dark);
    clearTimeout(timer);
    if (again !== true) timer = setTimeout(() => tell(true), LATER);
  };
  const hear = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      told = event.data.clworkDark;
      tell();
    }
  };
  const forget = onPage(tell);
  SYSTEM?.addEventListener("change", tell);
  window.addEventListener("message", hear);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  tell();
  return () => {
    clearTimeout(timer);
    forget();
    SYSTEM?.removeEventListener("change", tell);
    window.removeEventListener("message", hear);
  };
}

// src/sphere/words.js
var DEGREES = 180 / Math.PI;
function short(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e5) {
    const power = Math.floor(Math.log10(size));
    return `${(value / 10 ** power).toFixed(1)}·10${String(power).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`;
  }
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.095 || size === 0 ? 2 : size >= 95e-5 ? 3 : 5;
  return value.toFixed(digits).replace("-", "−").replace(/^−(0\.?0*)$/, "$1");
}
var degrees = (angle) => `${Math.round(angle * DEGREES)}°`;
function spread(world, eigenvalues) {
  const { D, N, x } = world, mean = new Float64Array(D);
  for (let i = 0; i < N; i++) for (let d = 0; d < D; d++) mean[d] += x[i * D + d] / N;
  const length = Math.hypot(...mean);
  let farthest = 0;
  for (let i = 0; i < N; i++) {
    let cosine = 0;
    for (let d = 0; d < D; d++) cosine += x[i * D + d] * mean[d] / Math.max(length, 1e-12);
    farthest = Math.max(farthest, Math.acos(Math.min(1, Math.max(-1, cosine))));
  }
  return { length, farthest, axis: Math.max(...eigenvalues) };
}
function apart(same, other) {
  if (same === null) return `Strangers are ${degrees(other)} apart; each point's only partner is its own noisy copy.`;
  if (other === null) return `Partners are ${degrees(same)} apart; there are no strangers.`;
  return `Partners are ${degrees(same)} apart, strangers ${degrees(other)}.`;
}
function happening(world, { length, farthest, axis }) {
  const { same, other } = world.angles(), s = world.settings;
  const tell = (kind, text) => ({ kind, text: `${apart(same, other)} ${text}` });
  if (farthest < 0.14 && world.N > 2) {
    const why = s.objective === "no-stop-gradient" ? "Agreeing is cheapest where all say the same, and nothing holds the target still." : s.push === 0 ? "Nothing pushes." : "";
    return tell("collapsed", `Collapsed: all points lie within ${degrees(farthest)} of one direction. ${why}`.trim());
  }
  if (axis > 0.97 && farthest > Math.PI / 2 && world.colours > 2) {
    return tell("collapsed", "Collapsed to an axis: all points lie on one line through the centre.");
  }
  const crowded = length > 0.8 ? "All points crowd into a cone, whatever they mean." : null;
  if (same === null || other === null) {
    return tell("on the way", crowded ?? (length < 0.3 ? "The points fill the space." : "The points lean to one side."));
  }
  if (same < 0.35 && other > 1.2) {
    return tell("good", length < 0.3 ? "Like lies with like, and the clusters fill the space." : "Like lies with like; the clusters still lean to one side.");
  }
  if (same < 0.35 && same < other / 2 && other < 1) return tell("on the way", "Partners have met; meanings are still crowded.");
  if (same > 0.75 * other && length < 0.35) return tell("on the way", "Points are spread, and meanings are mixed: a partner is as far as a stranger.");
  if (crowded) return tell("on the way", crowded);
  return tell("on the way", same < 0.6 * other ? "Like is nearer than unlike: clusters." : "Meanings are still mixed.");
}
var EXPERIMENTS = [
  { title: "Both forces", ask: "InfoNCE pulls partners together and pushes the rest apart: where do the colours end?", set: {} },
  { title: "Pull only", ask: "Nothing pushes. Will the cone open?", set: { push: 0 } },
  { title: "Push only", ask: "Nothing pulls. Will colours find each other?", set: { pull: 0 } },
  { title: "Cold", ask: "At τ = 0.03 only the nearest negatives push: look at the arrows.", set: { temperature: 0.03, step_size: 5e-3 } },
  { title: "Hot", ask: "At τ = 1.5 all negatives push alike, and feebly: what becomes of the clusters?", set: { temperature: 1.5 } },
  { title: "Small batch", ask: "Eight points a step, seven negatives each: how restless are loss and points?", set: { batch_size: 8 } },
  { title: "No false negatives", ask: "Nobody of the same meaning is pushed: how low can the loss go now?", set: { false_negatives: 0 } },
  { title: "No negatives", ask: "Partners only agree, and the target is held still: does it collapse?", set: { objective: "no-negatives", step_size: 0.1 } },
  { title: "No stop-gradient", ask: "As before, but the target moves as well: watch the uniformity.", set: { objective: "no-stop-gradient", step_size: 0.05 } }
];

// src/sphere/curves.js
var MOST = 800;
var Record = class {
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
      this.rows = this.rows.filter((row2) => row2.step % this.every === 0);
    }
  }
  /** A setting was moved here. */
  mark(step) {
    if (step > 0 && this.marks.at(-1) !== step) this.marks.push(step);
  }
};
function curves(parent, sheets) {
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
  return (record, now, ink, landmarks2) => {
    for (const sheet of made) {
      sheet.value.textContent = sheet.lines.map(({ name }) => short(now[name])).join(" / ");
      sheet.canvas.setAttribute("aria-label", `${sheet.title}: now ${sheet.value.textContent}`);
      draw(sheet, record, ink, landmarks2[sheet.title]);
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
  const values = rows.flatMap((row2) => lines.map(({ name }) => row2[name]));
  let low = range ? Math.min(range[0], 1.1 * (landmark?.value ?? 0)) : zero ? 0 : Math.min(...values, landmark?.value ?? Infinity);
  let high = range ? range[1] : Math.max(...values, landmark?.value ?? -Infinity);
  if (!(high - low > 1e-9)) [low, high] = [low - 0.5, high + 0.5];
  const last = Math.max(rows.at(-1)?.step ?? 0, 30), left = 30, right = width - 4;
  const across = (step) => left + (right - left) * step / last;
  const up = (value) => height - 5 - (height - 10) * (Math.min(high, Math.max(low, value)) - low) / (high - low);
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
    rows.forEach((row2, k) => k ? pen.lineTo(across(row2.step), up(row2[name])) : pen.moveTo(across(row2.step), up(row2[name])));
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

// src/sphere/formulas/alignment-uniformity.tex
var alignment_uniformity_default = '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mtable rowspacing="0.25em" columnalign="right left" columnspacing="0em"><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mi mathvariant="normal">ℓ</mi></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mi>α</mi><mtext> </mtext><mi mathvariant="normal">mean</mi><mo>⁡</mo><mtext> </mtext><mo stretchy="false">∥</mo><msub><mi>x</mi><mi>i</mi></msub><mo>−</mo><msub><mi>y</mi><mi>i</mi></msub><msup><mo stretchy="false">∥</mo><mn>2</mn></msup></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mspace width="1em"/><mo>+</mo><mi>β</mi><mi>log</mi><mo>⁡</mo><mtext>  </mtext><mi mathvariant="normal">mean</mi><mo>⁡</mo><mtext>  </mtext><msup><mi>e</mi><mrow><mo>−</mo><mn>2</mn><mo stretchy="false">∥</mo><msub><mi>x</mi><mi>i</mi></msub><mo>−</mo><msub><mi>x</mi><mi>j</mi></msub><msup><mo stretchy="false">∥</mo><mn>2</mn></msup></mrow></msup></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mtext>  </mtext><mtext>@pull</mtext><mo>⋅</mo><mtext>@alignment</mtext><mo>+</mo><mtext>@push</mtext><mo>⋅</mo><mo stretchy="false">(</mo><mtext>@uniformity</mtext><mo stretchy="false">)</mo></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mtext>  </mtext><mtext>@loss</mtext></mrow></mstyle></mtd></mtr></mtable></semantics></math>';

// src/sphere/formulas/infonce.tex
var infonce_default = '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mtable rowspacing="0.25em" columnalign="right left" columnspacing="0em"><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><msub><mi mathvariant="normal">ℓ</mi><mi>i</mi></msub></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mo>−</mo><mtext> </mtext><mi>α</mi><mtext> </mtext><mfrac><mrow><msub><mi>x</mi><mi>i</mi></msub><mo>⋅</mo><msub><mi>y</mi><mi>i</mi></msub></mrow><mi>τ</mi></mfrac><mo>+</mo><mi>β</mi><mtext> </mtext><mi>log</mi><mo>⁡</mo><mo fence="true" stretchy="true" minsize="1.8em" maxsize="1.8em">(</mo><msup><mi>e</mi><mrow><msub><mi>x</mi><mi>i</mi></msub><mo>⋅</mo><msub><mi>y</mi><mi>i</mi></msub><mi mathvariant="normal">/</mi><mi>τ</mi></mrow></msup><mo>+</mo></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mspace width="2em"/><mspace width="2em"/><mspace width="2em"/><mstyle scriptlevel="0" displaystyle="false"><msub><mo>∑</mo><mi>j</mi></msub><msup><mi>e</mi><mrow><msub><mi>x</mi><mi>i</mi></msub><mo>⋅</mo><msub><mi>y</mi><mi>j</mi></msub><mi mathvariant="normal">/</mi><mi>τ</mi></mrow></msup><mo fence="true" stretchy="true" minsize="1.8em" maxsize="1.8em">)</mo></mstyle></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mo>−</mo><mtext>@pull</mtext><mo>⋅</mo><mfrac><mtext>@cosine</mtext><mtext>@temperature</mtext></mfrac><mo>+</mo><mtext>@push</mtext><mo>⋅</mo><mi>log</mi><mo>⁡</mo><mo fence="true" stretchy="true" minsize="1.2em" maxsize="1.2em">(</mo><mtext>@own</mtext><mo>+</mo><mtext>@others</mtext><mo fence="true" stretchy="true" minsize="1.2em" maxsize="1.2em">)</mo></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mtext>  </mtext><mtext>@loss</mtext></mrow></mstyle></mtd></mtr></mtable></semantics></math>';

// src/sphere/formulas/no-negatives.tex
var no_negatives_default = '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mtable rowspacing="0.25em" columnalign="right left" columnspacing="0em"><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><msub><mi mathvariant="normal">ℓ</mi><mi>i</mi></msub></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mo>−</mo><mstyle scriptlevel="0" displaystyle="false"><mfrac><mi>α</mi><mn>2</mn></mfrac></mstyle><mo fence="true" stretchy="true" minsize="1.2em" maxsize="1.2em">[</mo><mi>cos</mi><mo>⁡</mo><mo stretchy="false">(</mo><mi>P</mi><msub><mi>x</mi><mi>i</mi></msub><mo separator="true">,</mo><mtext> </mtext><mi mathvariant="normal">sg</mi><mo>⁡</mo><mo stretchy="false">(</mo><msub><mi>y</mi><mi>i</mi></msub><mo stretchy="false">)</mo><mo stretchy="false">)</mo></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mspace width="2em"/><mtext>  </mtext><mo>+</mo><mi>cos</mi><mo>⁡</mo><mo stretchy="false">(</mo><mi>P</mi><msub><mi>y</mi><mi>i</mi></msub><mo separator="true">,</mo><mtext> </mtext><mi mathvariant="normal">sg</mi><mo>⁡</mo><mo stretchy="false">(</mo><msub><mi>x</mi><mi>i</mi></msub><mo stretchy="false">)</mo><mo stretchy="false">)</mo><mo fence="true" stretchy="true" minsize="1.2em" maxsize="1.2em">]</mo></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mo>−</mo><mtext>@pull</mtext><mo>⋅</mo><mtext>@agreement</mtext></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mtext>  </mtext><mtext>@loss</mtext></mrow></mstyle></mtd></mtr></mtable></semantics></math>';

// src/sphere/formulas/no-stop-gradient.tex
var no_stop_gradient_default = '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mtable rowspacing="0.25em" columnalign="right left" columnspacing="0em"><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><msub><mi mathvariant="normal">ℓ</mi><mi>i</mi></msub></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mo>−</mo><mstyle scriptlevel="0" displaystyle="false"><mfrac><mi>α</mi><mn>2</mn></mfrac></mstyle><mo fence="true" stretchy="true" minsize="1.2em" maxsize="1.2em">[</mo><mi>cos</mi><mo>⁡</mo><mo stretchy="false">(</mo><mi>P</mi><msub><mi>x</mi><mi>i</mi></msub><mo separator="true">,</mo><mtext> </mtext><msub><mi>y</mi><mi>i</mi></msub><mo stretchy="false">)</mo></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mspace width="2em"/><mtext>  </mtext><mo>+</mo><mi>cos</mi><mo>⁡</mo><mo stretchy="false">(</mo><mi>P</mi><msub><mi>y</mi><mi>i</mi></msub><mo separator="true">,</mo><mtext> </mtext><msub><mi>x</mi><mi>i</mi></msub><mo stretchy="false">)</mo><mo fence="true" stretchy="true" minsize="1.2em" maxsize="1.2em">]</mo></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mo>−</mo><mtext>@pull</mtext><mo>⋅</mo><mtext>@agreement</mtext></mrow></mstyle></mtd></mtr><mtr><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow></mrow></mstyle></mtd><mtd><mstyle scriptlevel="0" displaystyle="true"><mrow><mrow></mrow><mo>=</mo><mtext>  </mtext><mtext>@loss</mtext></mrow></mstyle></mtd></mtr></mtable></semantics></math>';

// src/sphere/math.woff2
var math_default = "data:font/woff2;base64,d09GMk9UVE8AAByYAA0AAAAAMdwAABxGAAEZmQAAAAAAAAAAAAAAAAAAAAAAAAAADbRQGiIbggocZh+FCAZgAIRgATYCJAOCWgQGBZtwByAb8zAF3Bi6YeMAsPAyVUTVJFP8XyaYY+h8B60D0EI5M+oEs5YEGje4xdYLj7zfzolLy/ptk+HE0Iha0mgZoGUgYe020lKP6V7Q8J/bH6GxT3J9eP5Wf+5DfImvmmrkhm4Ar+Ra0bO7X+AsGGG22LT7F0ICAhAa6RDSYvWOtlUnr09PHGvLsKL6m5QKNB4bDvuP1vz/Ntv9bJCkn+5hI2ICMbsxhRARseqhBn4B/P//On0nHd8pm1frF5gCAIpJQGAnfIuIa8d2g5WVnOdf//9r8/tRJWfUs0yp7v46EtVnIjFDHmxcSoCCoDEiYi3ul7duf/+/Zd/Ourp/aKqb3BuiamIPIQnFrHDg0AiHmq7qmjdVRdEDubeZPR83gRy6e36IahVRhygsqwgq5OBgncZojMRZvtyzwnAQUmJLnJDUnKOPbD7oLn99UxJ9T+SzjR3c55+pqaqIJyKeiKrbGwFDgRDC9R0mw5QRLtg1L+xJOZ5UkCeV1JNK+omRaeboVx0vHg1y+ywSAfvsjTCPxVyitjCTVEgoCERQQM8qQDiXFFkKlKrWqF1fg4001SKrbHPUeTfxOj7E1/gV/+MlERIV4UkgiSZppIhUkQ4ynEwmC8gKsoUcJufJHfIG+Yz8Sv6ip9ILxhuxsoEYAxvxIWyg4KjdjiDEiZL0oWjBjkbwuG0xd+gCNbqptUO7BboN3ekRjq9aa05PbxCBVVQRYqT/Je0wahJHdfM+EKp4kkm4jqjso+AteOOQH/FjfnLw6ZEHDYccccxbvkBX9kQL8lAr4ihly0a0YA+34p3gs+KW1mtbWsJ1mItgdZaS6a7f9M90ryhMHdxA1X96vnhaP/10Q7UlRIVBp1dNneRZlVVNy6pErZNZ7XudbJRSX2HFEkJ/JdNCs/QQW/38YNXSUn+nUFRqyNHs0tQQAy4p78oATfILPxIl4rqgwfKieNUMm5VW06irsavaUpZkL4x/BpQWEw0wDQcE4gvj4gopbBDL0lkmy2X5zM2K/otdEpQP6qA5GIMspDESWUqwD1kejsaCgEGigWY5pgcfEwMpIuspGZVEHaBZOpheTz9mOGY4s4w5zOax69lfBccET4RtQq8oSbRT9Ku4v/hvySDJbGmIdDmn5Gq5Tu5zmV7mkCXJqmS35Gb5ZPmHis7VDjsenjv8QER4RKmI3hGjIuIitkRQnSIye2SdyEGR4yM3RB6MPB/5IPKTOkkTlqxcsiHJpiVblexgMmizJy+VvGHy7slXJn+Y/JvuZ5OCD/u4C3eY19AOcVewggop69f8gRCkekScwPgseRggLBeS+ZhF4cqpXe5adT/EIJCCZRQKK4U0dD+DTor1zMEO4t49RSpBuZSZOZDGyJfa9ZQYZc5zHjZW5EZurIiN3Hge85TLh78wpbm0bseqnNQHO2xg2tuOKD4abarNFp/DAw9cBuhxsTs3y4HLh+XQjurqniu0LpalKE/Ya55LJTM6l59iq5dsKgiZnOi+KI6bxo7CVwbdOeCggQnlmMQCJh9hNWQh6QxKIDsq8xjDlmZEmC9vcwjQic5dpeTB050Us1+Um8bafo9VJXxO+z/0tij21xF2XphDYtJ3CfHuqNMHWuRtuUD79Up23/Wu2YFo5X6zOgJWk06jOtX2igaAM6RMQb7z7N2+p/AcPvrzM5wVrpB//7IfxVoyCls/LOYexyuYOYCzJV/74llPBrpZLXmVF8f95vKB12y7PpJbwQYGL2AA45eYZd3PzYJtgxh1DMo9WU+X6ovLuEry1S5/DerwnFxKT8SuCNBnYOLxr3tPiG/ge5mxtUxvdBzTmGoe0Xs8OQysx+FCf2oCY3jxP7PfQ2qp8g/tdO1+szocaeaH46vVzSt8y6+WEXZEwNNuI1iaU3StyucJm4ffHfeb1RIvw3SnC4P7dbdvA9hXCOFsRyz3zAa72Su+xUcvjbLDvLyEEVxQqUBZ8eF4dUVOBU4H0H1QZrGf2E+JWzgbHi1sTWRX8D6mu3pvlKafOyAT/xV66yusQag4eFx2N7nfrNZ42Ya26CK98+a8vhR7uhBSNn69tlgcWT37HDYwly6P5Ptjc1gj6Erf5eKoYyLql888XYaDAQCX67L+OJOWK33dGY0/soiXX6vz7wz+k2uj+tJU6z2zecBn1TYGx48Qtm9FQwsgDBXS4v9yLlEd0FQj2uDdSzNccZ8+TBcLeIpu/239u5wusC1zFFaS2M8SdYo/9GljP2V9rp+xUYy7tfGZX84DuUHVG42B1nkH243gCp2ulDd1W28e+Rudn2w0F9eyLYxRpWbM8FUNDv6uwzlpYHGM3G8uunXQx59TX3nm+Sf6GREmlJdvPX5qoj02p40AKM31bcJTfvVXDKETOBauDJ7iyWRS8YgeGj14auqVctevXvmZSaNwOLyYSEflVCALejL8U6aH+jwVPjAbvW8r1tpv2Qb/7t0jcYdhJlDXDb52XEN+jpKfjh7229F6AI4sqC3kGBLEpwmFaoU5Yknhq6X7vAtT5XxiGNOYaBqQNKb3uuRJokuVqq6Y5s0wy8kWp3Juq0WoqHoJrY4NXL4L1xljniygOg247w3Ri1IbY4GC7sGTfGBiT0AWFr/Cwx4O7PVr7eZgw3k6MUZ1GZoItdwWrVFxtuJ8XVNMZ7sZMHDII++JqFWybJJuZewMG5kBg0a7HgpuLKNJPRYH0lMJOa6TRQY7YrQiK/cP56/9t1ZXkW3ZLlB9aNNTaeMChirsCioYD04v0cSaqXtlv4wFpHzZXmL0syq6GdKrPgwa5hl9tKGqOI0en6rKSWVAWpHJcb81J2LMSlnenkbI/p+7TPj11uUXxJIEO3xnadodYcbVWCQjLZfiytxfRy8KrcpKY0uaY9R+vFiou3Mmo6WC3lBBy6qJTG7F4F9XBJLNcklWGcQ1cDG9zI9t9xmfJtwPjJ3pzNVr8jCjjgGoLnQCcdB29VwmCX2Mjy70MaL5p4gwd9/o65/DBqQL/kvT0X7jEGs0rxdT/SWx+27oO4PqMctwmjhTSv4Zz5YqKXbzYmuaZkkmaZmPPlx/MVhPpeubEnKYf+bY+3gcT6tT/QO5eB79WDk8eI0dqJvm1J1sezCCRL6Y9tACsxBvDllcKKIczqmldKSMKWSMSmsOOLNh9cQzxRHdGkk1RdS44GfQpDrdBGas+eP7OnbU9zdTxdtQkHvnqnd0ssQb7h8r6J8zjINe5NvP0i4/RZHHGa2vol1zHF17zNVqqxfLGfHaUc6EVcWpG348ScL+HzuFR9eRWIh3huEFLfM0H6Y5Ucnvh4/4W6EtjJtqOIc+iv7bmcA8M2ayUKMPm02GIM3OG4U4ewg+0BJv03HaVyj8flyvDt/Qae1OkaDjbpJCJfXGgD4DI1d+3Zlh9ImnmdPJn/ba32NV5SlFELMk1R/GOIT6g7hOfxMMVnG2IDygtb7mQ7Q/WMnu1mh023mfDsvzNv8usTdsVNdJWRCHCZ0Kkg6nf6WbksUbc1PhlxfScwl+n+0a+juMf7JmpF1oMEAqZltgkJpr91j9oOXepoM0lynZ0ZrO7EM0xsRW6k1KfFghHFJic7ndnoQ6Hi+Ddsgn/kZzoJL/dWztNEE0xsVWak1MQrhOWKVWV7KxUdCxxMXfhEgfJTu6il2GUq83+fd4rNHU3I8zLzlafTgx+3vdmqzdWZiECc86LGg0EM3rp9v94Up3M1sYbe+I9++wgbEGU9IQ9t3wgNo9rAby0a371Ct/Ya1b/9nuL+2a0CIk3rUeUw1sWX8jcvI5zyR+9HtzMpOBf/7n41DUOYahqHnZa2rtRY65OW6m+XE8h49HFx9BBVq9quaasX4MkMuHIAY3zbX5SQZljOakCpaQvaico2NhZJZhIozsMllM0KPT3uG863OtNi6R2sfwcmlQXnnpCB2+IqxrTJhQ0LwkLWI/uCHvAxrM2LmBaT6XLQA//Ba1W+nOWCQ8jbUFbGL+VnqkLwP+Csb+Hqu6iBPVK0Atmh4wzomns5GclWK5K1qtNvsMaEXeErpCJ+mMOzPT7UaX0X21EuUxiHDQlVV+Zd/oO9vvD5G2nlV6zQMoYIrTvVW+Kd2DaATGqm7Dbg2KMt0VCMl0hylecLszxWAzQo9G/c5Fc+TtmyNtg6EpOrAm3N0syliL/p6eMvEDZLDCGR3SR+BHLOSu2CiWd8dUlpuiXb47BCOPOQtOKWtIENeP+lps+36KW+iydrgafbE9BPQe4FnS01aFvomjk1PMqRFmI5155YBftTff9gQP/9CVbEtmfAD3/Z7aBff30GFvGn30SNvvhcb+8za7DjqzWavdT1GF9kbnCIFgcyZpxi3OwKsHn/wJNOUlSVFDy51TGUK3cWC0uErz/pVkBpD2Z1afFnnLnbrOeteJtZxAriYUX2eCA8MT4nVM8bDZJcl9kP1h/c1LcyU5mPQrjiQkevarjcs5cpfngijfo+SqQen06GHNtJCvByVCmtp4UduogCB+wkSQh3D7xJO/jWnWPqkLq1e5lZVn498r1z5f12rRonu6oM7Di46WSEcRF4rTLYFWzxzjfNrVoiXrLb76nOhSbSssZV4mR1RmNHhwaAWIrYmfGSjNgu7XDKrlnCPFdInFV977qfLkc7qWwIij1y0Jm8gncBGPx15xppP8gcwitJt9/qJGte6tW1WTeXpATzdrab2Turm7eknXQlIHU/3aKK5icf6Lx2H67nwqE2fq1FlFA904VGy+xYIPPmT5y8sg6OTb0t13pAYuEfJ0piLRuqsoNkkBFAyoHrw3+8L4RDKVkTQoCLQjwGkUZuSxHbTLXvf+2FrXNdA3ffvyhBHyXYIfrJvnLI8PRIBJNh+QCK9Xs5WJMwOW9tf4Ft/rTRfKvU8wypzv3axY6/66amO1SaArJtGKm34HX+gB/i464TFre2jyRV09/qf7jJp/Ia3ldO4I1u45zM7gOAqnos13aRlp7jJ3E1X+fGfEhXr9StGDZKeZ/SqOyCVQNQbe/4QoM6xum4eOsrHOFIvd4oRqki0aCF33Pvnz+n9f5Zmh8dbV+ZPC1ijoTXbvthMK35A25IvtiB3gchd8YMy5pithA6Fa/bd/EDUF6TSWtk+YRk5vCzVANEKKql6kx9y2pHBwXd9F73EFW+qjrxI9YEzm0RITXgctizfePC9rf+pQHy9grX3NJPsmzauBZZkP+5mn5ERK15UqQ1x9J8fCdFvA5oUCjxFN2LXoLebf8J40IIcRCDQcx8RScZiGzKLat9nK7+AmDHa44YDD6iKXD7EiUxr9juo+OWL2f7l4QIt9ne1iduJz7MydijeVbRhdcCASsSNMS5rDwflcdfVHpGkdgxxlwsWvk7sXd3HG9D8iDF0XDKyrQGOnyaEwyxG2BTGL1MnoCq37fqV0TudGZieHhVsSNwC9hnix+4BVoo9ippIbpzMf9nPWCZ6LNwdwAcPvB8IUM4vq18JOY2TgML7raTryijBP9keyiMLZJYOWB5W41BSQxYYiHDNb4D7IduGe6bquT93OA8N6TYqFmdaI3Y85eLc5GdrM33J6tp4eizDGTT3HAUN6FOqth5UyfRHXP3zi7cFploh58ixtuanIV8PQrUnbqQ7uIuz26zm3KUyMX6zd31T32mxTBCtzhfPo2Y3f6QgkVwqd4tE3LQFcXLyz6CPcxFS5MEGTaiYd0ZolHEJ+NvYERU+nBtRJghyh9/CPx8RNqvzjOvSw2Ca/YXaGaCoLNBz7wTyLu1NqjtELt/z177RLas/DZrtfZ1Mf052aqf5Aj0ujlUzuSE2xnSRexEb/0Fx+MPs8NjDaMtT0w8Ta01rvs3gCW8dGZrGG+g1Ru6piH0UkTv3lGyM9kp98CrQzuueIFZ/cPBQjrnMD1H5Y3JGHOjExXpyeOCjOeRVndTy1BospDg0Vf2oUDy4T7DCbbTgzkFkKZO5eCeICa/ZN9M2KPiD/ZJszsle0iKIsrEg24YacPLfkth4cGNReVEw0pBtGASFbyBmLPx5/eskRjeiAS96qaTY5QZVGhqBHcPsqSjzHf/RqRSfN6ThEyHbhez49ZwE/Ye2Sf5ywyDznf66yqLBHeLs0s3OS0l0VnDB/eixJuV3YnnToT/pktNvbXkm4ZkpJryVI1zVxXI6CjwXMOrLB/00Eu46ltlECOmPB/11g5U6xIMeR7dTzCvAfdovtb9oE2jO5XDniJ9p/Q+wQ+7R3lr1vfxNng1Qsmmlz5IX6K4lhSv/ppgR6I/7/vx2wWxM7/ZuJvRN2ieAy0gZ4VYYbWZaLz5G3NeOgxFwl8B7GZmSjWbuMRC7vmoQFVCYtUBp97koSed3yZPxKjblLj3H1zLz9jCzvY1lgAzS80+F2Ljwn9+EOXRWy2XyYM+N9zlVKq8b7Xn1XmdCB4NV1eZJPCdXJO272DETcNn7vcR5n9vskafbHhOrKlmEYP9bpGynL53s9bh3a9262RUntzn5sa0NsTSI80Qhop9poupJbG5Z/pBi7lAsNzUghj61SbZODDvC4BDNsep3iYGYxnL3oB4gfiXC+iY5s0+5UCIJOgg5mpoDnJvm6S3ot5HmVZtp0J4XByEI4/kcbIDaS4XiLHdGmXXR6O4OBKFNYEpOD9vW74rgMsKk8bLYyJhh4jhxbOc3WqguwMxZUeTmtdSzo8Yxp/U0h2IvmX4ZujGIz/kX7FO1/5ZK1w40yvVPxBCex3e8nvWPy9Um0+6k4we366W/iQVA9MXBzOJr5P/rP0P+PLPl2ulmmmyucwCS020FycEiqZ9luE3kC9M7sgoTbQR1p0khSZvBHvy9LHTeLnRlUL8xObrufxtadvF75UxlVBzju28xNd/58ZXNkjd/cFWY1Vy66vVF+s+E4TKPXLpP7M+RwK7x2OMZhqj6q+Ji8To//kSQmSGISPP6HwFo//U3cDP50wWAcp8HrT5CjXvn/Ynr9uRzHqbq2wuPydXjsl+JFi5dBj32LKOkT8hqCzm/BnwMmtQQ5NPj15d/ouMc91/eYoxwX/GUGFh3ly9qtdIH9Tyz463/5c+1Y8NtwLqr9Dr2c5PZvkxxBAHAAAIACDQInAv+zmUKABuTDABIEcKHy3dfPH+TDupP9IAcDABPS9xjaP9gPIgCXJCz11oxFILCP/3KlSFWlRT9jTDLDPEussQ+BFGo6BkYmPAsrGzsHFozvDta3j25/MOwXtv2Egnktxz5Hwb5vOYSmc/je/Bm/SUjxAOmLZ+OdfTWFNxveYLTe0Qbx/LZ9SgzG9zrWd9HHZ3zOXzPWIb8f2Erfb7/6cfZ4udw4heeoKDsGkPhz7mGDB8IZp24s47k13870edPfkBKUSj9fsIewDvAMILcA6mW8CoCraTM0mI6JTjTAQgOsuyDi9KmmgHwzzAdou2DzfPQE5C0bMSSHj8S69GJXfOQeih56EZMTu3SiZsGl0ye64OWHcOci1HVROjkx4B98hm/wFLOEjfESIMsspw/cxxP0aqqD+uaAjgPh14YazxOlQV1U3osQLnpBBADCDLDLJY+ICwSCuaEAGtr+myQAjFgQugGJ19souiWi/L4VNQ8GAEAjE7Bu/gSQkV7SS/8HgnTrwEkFQCEJxajgtTyHZ/MsIBJQp5GMElSiTghHmolDCkpRxetZ/qH0OZ7XzcVlKK2tSEUZqnkDL+RuXiD8fenQ8SHtHAZFPGQVWGBYBJE2iXiMKy7gvvcsmFugqK+fae3v4v1DtpD9P/WXrwaQCCgOAAEAcotaBzs7GgADXC7gxfSWkLw20JCEDN6xMUXyWSuFipAiQ5VW7br11d9AQ4w01mTn5xR9x65xaJxqZ6DzbiqfOES4qLlwsGGY5J08SPXnq+/Tz3z6E2cPHzqwf9/e5aX5mZd8+0XzG+3X5qs/vwp8ORDBN+CwkQyDsWKqxApBhCMCNKKQAtZlPKDyqqD2WqHx2qH1uqHz+kLv9YfBGwgjBmMITBiGkeC9sfDDJEyG3TvPnAF9kp06GQKAvnMyBIH9czIEg+PThBBwvthbnJc6v8fJEA7O/0kQgXyQlwORytQcCUAUGtCIaPTHABbrf/Qi+Ogli7v4Y8WRMEvwgTdp2qgfXD2wDEt/KJLSvwDAmwetic3Lv0h82cvtkwgAiEABCKMN214P6JMMe1AftW0o4bwcMeKM1h5FjGdIOqM7eh/SCyNGwopQcPCDE1okG9v0nRoJZcrRxJEzVxDYMMV7YYkeSt+35wzQjATK9ArhcD7ioDJy5V7NblC/5n+QlC9Bf3Kg8hAzXqT2KLIrxezYUNsaBOUqQpIEV+b7PmkQbE/mtnKO/rPqS/CMH2BpPkBD8/KZOCPOj/ZwaMktuPZAtJcP/4tJRPOiLcfSdmHMBMGU13GtRIH9C+fOWHuVw5YX+DZSTQimfRFlxwpl15Jg8FAFjQARBqBBGDFAm4GX4wj0Yz6OgpyOWch0j2NhmUwIvJbjZOIe+jv6z9JV59k54nizQBqMEuA36g8AaTSgsgUcAr151SkPHj15dpHfy2yBpDZ9SNiIi4qccjCMZJ5I8NwDwBFy4wMGRzFUQgjKvjPv0OMnDhV/6smskOhfsJptgZxxXdwXszixmijVv0FGjGnnAYh0ZyxhTyp5zK3IwxVGCqp6AdFMuWetmZhUctdzVALJtEh1JCmwhvZEMDIeyxEWxx+A8T0nqMpAVbQz4ueU0IYN61sa2NzoSoDiXuDkL6DoGp1Z+AkQHdA0CYpTAYmp4QrHlmMobdJqcYYH+7hAkTXx3atnElcCueqxGIjw0h5oZiQbYFk6jZhSSKCQKjVSQoKqYWfxhfgYsJywHeEwCPMhRzA6j5vemtXmiaW5RUypXmVsZPEoiAFPjCFp0MFZ3kIWnv61OmrDI1QzAkGb3lUkTxy1UjXsERGEA8ilygkvXJs7S7LvTmEfDLgWtNvx6pQfbqrVK6iW0CQUCa21ss6zokYRa4d1XS3xVFdaj8LszUtTeqmuZXZYDtzP19vfOXVt1y7hT0LNJBOZ8LeT18xZRdQ5tTz1zsRhWSmZSL3VeQgZLlh31tUOZRQyqUryJNsuTSAOhWRyEMgUBSU0KwE7MC5jk3KlAF0AhXc8OEzJHyuGXRotDJdEEphUAYSeAATHalomVjCrzDij6KLP4iLxiV4Qvi0iojU1IUfKlHSaUmGoDQWQvFkNI7jVEpH2qBxmwbxYsAveWVcZsdkFSEulrH9mZL1SNqkUGhZRMiCcUd3F1ClaZbOFj//21Q2n6JM26krxAV/9iVoSGgZBOqQEILJAhrZ+Zpibawqo0NUSpIqtUGp9u2TaRajmyBvpO7ideiu1G9DOaZUtxbWdaXLiv1htUhcH8/YrkPRFBbyirxap+3AyTT0pKifI/uwtEemCWqlWzfts6KVPZ/kpZhfmhaIFWmRtiTHFi/WajtnuE/2ysQJpyXGJqiKsIG7IotrppNv69hlijHwRchs5ICtpomtOLnCsCibrku1JcS+ISAS7GuOd/u2YmyRJAy7tIm4mM037bo3tPztI6bGaUBSGc1pZAOnQrGUh2zPha+li8SzmiVpabAaORzCxbHdzEklNyESq4pTLi4JcLubVkU6fUuuZ3CV2w55Mb3Jg0lpbDqxEN0GSS6UhCmOpasOw05+rtvKF/0Vpy1AUPliwdNRWpXYzQ/vse14HIQAA";

// src/sphere/formula.js
var FORMULAS = {
  infonce: infonce_default,
  "alignment-uniformity": alignment_uniformity_default,
  "no-negatives": no_negatives_default,
  "no-stop-gradient": no_stop_gradient_default
};
var FONT = new FontFace("clwork math", `url(${math_default})`);
function numbers(world) {
  const { settings: s, found, now: { row: row2, anchors, allowed } } = world, B = anchors.length;
  if (s.objective === "alignment-uniformity") {
    return { pull: s.pull, push: s.push, alignment: found.alignment, uniformity: found.uniformity, loss: found.loss };
  }
  if (s.objective !== "infonce") {
    return { pull: s.pull, agreement: found.agreement[row2], loss: -s.pull * found.agreement[row2] };
  }
  const cosine = found.cosines[row2 * B + row2], own = Math.exp(cosine / s.temperature);
  let others = 0;
  for (let j = 0; j < B; j++) {
    if (j !== row2 && allowed[row2 * B + j]) others += Math.exp(found.cosines[row2 * B + j] / s.temperature);
  }
  const loss = -s.pull * cosine / s.temperature + s.push * found.sums[row2];
  return { pull: s.pull, push: s.push, temperature: s.temperature, cosine, own, others, loss };
}
function symbols(world) {
  const { settings: s, now: { row: row2, partners } } = world, partner = `y its partner ${partners[row2]}`;
  if (s.objective === "alignment-uniformity") return "means over the batch; x a point, y its partner";
  if (s.objective === "infonce") return `x is point ${s.chosen}, ${partner}, j its negatives`;
  const held = s.objective === "no-negatives" ? "; sg: held still" : "";
  return `x is point ${s.chosen}, ${partner}; P the predictor${held}`;
}
function formula(box, line) {
  let shown = null, places = [], room = "", size = 1;
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = box, math = box.firstElementChild, now = `${shown} ${width} ${height}`;
    if (!width || !height) return;
    if (now !== room) [room, size] = [now, 1];
    for (let share = 0; share < 1 && size > 0.3; ) {
      math.style.fontSize = `${size}em`;
      const needed = box.querySelector("mtable").getBoundingClientRect();
      share = Math.min(width / needed.width, height / needed.height);
      if (share < 1) size *= 0.98 * share;
    }
  };
  FONT.load().then(() => {
    document.fonts.add(FONT);
    room = "";
    fit();
  }, () => {
  });
  return (world) => {
    const { objective } = world.settings;
    if (objective !== shown) {
      shown = objective;
      box.innerHTML = FORMULAS[objective];
      places = [...box.querySelectorAll("mtext")].filter((node) => node.textContent.startsWith("@")).map((node) => ({ node, name: node.textContent.slice(1).trim() }));
    }
    const found = numbers(world);
    for (const { node, name } of places) node.textContent = short(found[name]);
    line.textContent = symbols(world);
    fit();
  };
}

// src/sphere/losses.js
var losses_exports = {};
__export(losses_exports, {
  alignmentUniformity: () => alignmentUniformity,
  cosines: () => cosines,
  directPredictor: () => directPredictor,
  eigen: () => eigen,
  infoNCE: () => infoNCE,
  secondMoment: () => secondMoment,
  unitRows: () => unitRows,
  withoutNegatives: () => withoutNegatives
});
function unitRows(rows, D) {
  const unit2 = new Float64Array(rows.length), lengths = new Float64Array(rows.length / D);
  for (let i = 0; i < lengths.length; i++) {
    let sum = 0;
    for (let d = 0; d < D; d++) sum += rows[i * D + d] ** 2;
    lengths[i] = Math.max(Math.sqrt(sum), 1e-12);
    for (let d = 0; d < D; d++) unit2[i * D + d] = rows[i * D + d] / lengths[i];
  }
  return { unit: unit2, lengths };
}
function throughUnit(gradient, { unit: unit2, lengths }, D) {
  for (let i = 0; i < lengths.length; i++) {
    let along = 0;
    for (let d = 0; d < D; d++) along += gradient[i * D + d] * unit2[i * D + d];
    for (let d = 0; d < D; d++) {
      gradient[i * D + d] = (gradient[i * D + d] - along * unit2[i * D + d]) / lengths[i];
    }
  }
  return gradient;
}
function cosines(a, b, D) {
  const A = a.length / D, B = b.length / D, all = new Float64Array(A * B);
  for (let i = 0; i < A; i++) {
    for (let j = 0; j < B; j++) {
      let sum = 0;
      for (let d = 0; d < D; d++) sum += a[i * D + d] * b[j * D + d];
      all[i * B + j] = sum;
    }
  }
  return all;
}
var add = (rows, i, factor, from, j, D) => {
  for (let d = 0; d < D; d++) rows[i * D + d] += factor * from[j * D + d];
};
function result(pull, push, pulls, pushes, more = {}) {
  return { loss: pull + push, pull, push, pulls, pushes, ...more };
}
function infoNCE(z1, z2, D, { temperature, pull = 1, push = 1, allowed = null }) {
  const one = unitRows(z1, D), two = unitRows(z2, D), B = one.lengths.length;
  const s = cosines(one.unit, two.unit, D), softmax = new Float64Array(B * B), sums = new Float64Array(B);
  const zeros = () => new Float64Array(B * D), pulls = [zeros(), zeros()], pushes = [zeros(), zeros()];
  let pulling = 0, pushing = 0;
  for (let i = 0; i < B; i++) {
    let most = s[i * B + i], sum = 0;
    for (let j = 0; j < B; j++) if (!allowed || allowed[i * B + j]) most = Math.max(most, s[i * B + j]);
    for (let j = 0; j < B; j++) {
      if (i !== j && allowed && !allowed[i * B + j]) continue;
      sum += softmax[i * B + j] = Math.exp((s[i * B + j] - most) / temperature);
    }
    sums[i] = most / temperature + Math.log(sum);
    pulling += pull * -s[i * B + i] / temperature / B;
    pushing += push * sums[i] / B;
    const by = pull / temperature / B;
    add(pulls[0], i, -by, two.unit, i, D);
    add(pulls[1], i, -by, one.unit, i, D);
    for (let j = 0; j < B; j++) {
      const share = softmax[i * B + j] /= sum, weight = push * share / temperature / B;
      if (share === 0) continue;
      for (let d = 0, a = i * D, b = j * D; d < D; d++, a++, b++) {
        pushes[0][a] += weight * two.unit[b];
        pushes[1][b] += weight * one.unit[a];
      }
    }
  }
  for (const [pair, rows] of [[0, one], [1, two]]) {
    throughUnit(pulls[pair], rows, D);
    throughUnit(pushes[pair], rows, D);
  }
  return result(pulling, pushing, pulls, pushes, { cosines: s, softmax, sums });
}
function uniformityOf(rows, D, allowed, t, factor, gradient) {
  const B = rows.lengths.length, weights = new Float64Array(B * B), u = rows.unit;
  let sum = 0, count3 = 0;
  for (let i = 0; i < B; i++) {
    for (let j = 0; j < B; j++) {
      if (i === j || allowed && !allowed[i * B + j]) continue;
      let square = 0;
      for (let d = 0; d < D; d++) square += (u[i * D + d] - u[j * D + d]) ** 2;
      sum += weights[i * B + j] = Math.exp(-t * square);
      count3++;
    }
  }
  if (count3 === 0) return { value: 0, weights };
  for (let i = 0; i < B; i++) {
    for (let j = 0; j < B; j++) {
      const share = weights[i * B + j] /= sum;
      if (share === 0) continue;
      for (let d = 0; d < D; d++) {
        const slope = -2 * t * factor * share * (u[i * D + d] - u[j * D + d]);
        gradient[i * D + d] += slope;
        gradient[j * D + d] -= slope;
      }
    }
  }
  return { value: Math.log(sum / count3), weights };
}
function alignmentUniformity(z1, z2, D, { pull = 1, push = 1, allowed = null, t = 2 }) {
  const one = unitRows(z1, D), two = unitRows(z2, D), B = one.lengths.length;
  const zeros = () => new Float64Array(B * D), pulls = [zeros(), zeros()], pushes = [zeros(), zeros()];
  let apart2 = 0;
  for (let i = 0; i < B * D; i++) {
    const gap = one.unit[i] - two.unit[i];
    apart2 += gap ** 2 / B;
    pulls[0][i] = 2 * pull * gap / B;
    pulls[1][i] = -pulls[0][i];
  }
  const first = uniformityOf(one, D, allowed, t, push / 2, pushes[0]);
  const second = uniformityOf(two, D, allowed, t, push / 2, pushes[1]);
  for (const [pair, rows] of [[0, one], [1, two]]) {
    throughUnit(pulls[pair], rows, D);
    throughUnit(pushes[pair], rows, D);
  }
  const s = cosines(one.unit, two.unit, D), even2 = (first.value + second.value) / 2;
  return result(pull * apart2, push * even2, pulls, pushes, {
    cosines: s,
    softmax: first.weights,
    alignment: apart2,
    uniformity: even2
  });
}
function withoutNegatives(z1, z2, D, { predictor, stopGradient = true, pull = 1 }) {
  const rows = [unitRows(z1, D), unitRows(z2, D)], B = rows[0].lengths.length;
  const zeros = () => new Float64Array(B * D), pulls = [zeros(), zeros()], pushes = [zeros(), zeros()];
  const agreement = new Float64Array(B);
  let loss = 0;
  for (const [own, other] of [[0, 1], [1, 0]]) {
    const u = rows[own].unit, v = rows[other].unit, p = new Float64Array(B * D);
    for (let i = 0; i < B; i++) {
      for (let d = 0; d < D; d++) for (let e = 0; e < D; e++) p[i * D + d] += predictor[d * D + e] * u[i * D + e];
    }
    const predicted = unitRows(p, D), byP = zeros(), factor = -pull / 2 / B;
    for (let i = 0; i < B * D; i++) {
      loss += factor * predicted.unit[i] * v[i];
      agreement[Math.floor(i / D)] += predicted.unit[i] * v[i] / 2;
      byP[i] = factor * v[i];
      if (!stopGradient) pulls[other][i] += factor * predicted.unit[i];
    }
    throughUnit(byP, predicted, D);
    for (let i = 0; i < B; i++) {
      for (let d = 0; d < D; d++) {
        for (let e = 0; e < D; e++) pulls[own][i * D + e] += predictor[d * D + e] * byP[i * D + d];
      }
    }
  }
  throughUnit(pulls[0], rows[0], D);
  throughUnit(pulls[1], rows[1], D);
  return result(loss, 0, pulls, pushes, { cosines: cosines(rows[0].unit, rows[1].unit, D), softmax: null, agreement });
}
function directPredictor(u, D, extra = 0.1) {
  const moment = secondMoment(u, D), { values, vectors } = eigen(moment, D), P = new Float64Array(D * D);
  const most = Math.max(...values, 1e-12);
  for (let k = 0; k < D; k++) {
    const root = Math.sqrt(Math.max(values[k], 0) / most) + extra;
    for (let d = 0; d < D; d++) for (let e = 0; e < D; e++) P[d * D + e] += root * vectors[d * D + k] * vectors[e * D + k];
  }
  return P;
}
function secondMoment(u, D) {
  const N = u.length / D, moment = new Float64Array(D * D);
  for (let i = 0; i < N; i++) {
    for (let d = 0; d < D; d++) for (let e = 0; e < D; e++) moment[d * D + e] += u[i * D + d] * u[i * D + e] / N;
  }
  return moment;
}
function eigen(matrix, D) {
  const a = Float64Array.from(matrix), v = new Float64Array(D * D);
  for (let d = 0; d < D; d++) v[d * D + d] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    for (let p = 0; p < D; p++) {
      for (let q = p + 1; q < D; q++) {
        if (Math.abs(a[p * D + q]) < 1e-15) continue;
        const angle = 0.5 * Math.atan2(2 * a[p * D + q], a[q * D + q] - a[p * D + p]);
        const c = Math.cos(angle), s = Math.sin(angle);
        for (let k = 0; k < D; k++) {
          [a[k * D + p], a[k * D + q]] = [c * a[k * D + p] - s * a[k * D + q], s * a[k * D + p] + c * a[k * D + q]];
        }
        for (let k = 0; k < D; k++) {
          [a[p * D + k], a[q * D + k]] = [c * a[p * D + k] - s * a[q * D + k], s * a[p * D + k] + c * a[q * D + k]];
          [v[k * D + p], v[k * D + q]] = [c * v[k * D + p] - s * v[k * D + q], s * v[k * D + p] + c * v[k * D + q]];
        }
      }
    }
  }
  return { values: Array.from({ length: D }, (_, d) => a[d * D + d]), vectors: v };
}

// src/sphere/controls.js
var TRACK = 300;
var WHY = {
  "alignment-uniformity": "no effect: there is no softmax",
  "no-negatives": "no effect: there are no negatives",
  "no-stop-gradient": "no effect: there are no negatives"
};
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") made.textContent = value;
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
var onTrack = ({ least, most, log }, value) => Math.round(TRACK * (log ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least)));
var offTrack = ({ least, most, log }, place) => {
  const raw = log ? least * (most / least) ** (place / TRACK) : least + (most - least) * place / TRACK;
  return Number(raw.toPrecision(3));
};
var count = 0;
function control(setting, changed) {
  const { name, title, help, least, most, whole, options } = setting, id = `clwork-sphere-${name}-${++count}`;
  const value = element("output"), line = element("small", { text: help, id: `${id}-help` });
  const common = { id, "aria-describedby": `${id}-help` };
  const typed = name === "seed" || name === "chosen";
  let input;
  if (options) {
    input = element("select", common, ...Object.entries(options).map(([key, text]) => element("option", { value: key, text })));
  } else if (typed) input = element("input", { ...common, type: "number", min: least, max: most, step: 1 });
  else if (whole) input = element("input", { ...common, type: "range", min: least, max: most, step: 1 });
  else input = element("input", { ...common, type: "range", min: 0, max: TRACK, step: 1 });
  const read2 = () => {
    if (options) return input.value;
    if (!whole) return offTrack(setting, Number(input.value));
    const asked = Math.round(Number(input.value)), top = Number(input.max);
    if (!typed && asked >= top) return most;
    return Number.isFinite(asked) ? Math.min(top, Math.max(least, asked)) : least;
  };
  input.addEventListener(options || typed ? "change" : "input", () => changed(name, read2()));
  const box = element(
    "div",
    { className: `control ${options || typed ? "short" : ""}` },
    element("label", { htmlFor: id, text: title }),
    value,
    input,
    line
  );
  box.dataset.name = name;
  return {
    name,
    box,
    input,
    show(settings, limits) {
      const now = settings[name], top = limits[name] ?? most;
      if (input.max !== void 0 && whole) input.max = top;
      input.value = options || typed ? now : whole ? Math.min(now, top) : onTrack(setting, now);
      const told = name in limits && now >= top ? `all ${top}` : options || typed ? "" : String(Number(now.toPrecision(3)));
      value.textContent = told;
      if (!options && !typed) input.setAttribute("aria-valuetext", told);
      const idle = setting.without.includes(settings.objective);
      input.disabled = idle;
      box.classList.toggle("idle", idle);
      line.textContent = idle ? WHY[settings.objective] : help;
    }
  };
}

// src/sphere/page.js
var SHEETS = [
  { title: "Loss", help: "what steps make smaller", lines: [{ name: "loss", colour: "accent" }] },
  { title: "Alignment", help: "of partners, 0 is best", range: [0, 2.4], lines: [{ name: "alignment", colour: "pull" }] },
  { title: "Uniformity", help: "of all, lower is better", range: [-2.4, 0], lines: [{ name: "uniformity", colour: "push" }] },
  {
    title: "Gradients",
    help: "lengths: pull / push",
    zero: true,
    lines: [{ name: "pull", colour: "pull" }, { name: "push", colour: "push" }]
  }
];
var HEADS = ["", "cosine"];
var count2 = 0;
var button = (text, more = {}) => element("button", { type: "button", textContent: text, ...more });
function build(root, table, changed) {
  const controls = table.map((setting) => control(setting, changed));
  const boxes = (names) => controls.filter(({ name }) => names(table.find((setting) => setting.name === name))).map(({ box }) => box);
  const parts = {
    controls,
    play: button("Play", { className: "play" }),
    step: button("Step", { title: "one step" }),
    slow: button("Slow", { title: "slow motion: two steps a second" }),
    reset: button("Reset", { title: "back to the very same start" }),
    count: element("span", { className: "count", text: "step 0" }),
    tries: EXPERIMENTS.map(({ title, ask }) => button(title, { title: ask })),
    ask: element("p", { className: "ask" }),
    canvas: element("canvas", { tabIndex: 0, role: "application" }),
    says: element("p", { className: "says", role: "status" }),
    math: element("div"),
    symbols: element("small"),
    forces: element("tbody"),
    who: element("div", { className: "who", id: `clwork-sphere-who-${++count2}` }),
    share: element("th", { scope: "col" }),
    text: element("input", { type: "text", spellcheck: false, autocomplete: "off", ariaLabel: "State as text" }),
    copy: button("Copy"),
    load: button("Load"),
    told: element("small", { text: "copy it, or paste one and load it" })
  };
  parts.slow.setAttribute("aria-pressed", "false");
  const legend = element(
    "div",
    { className: "legend" },
    ...[["--pull", "pull"], ["--push", "push"], ["--text", "net move"]].map(([colour, text]) => {
      const sign = element("i");
      sign.style.borderColor = `var(${colour})`;
      return element("span", {}, sign, text);
    })
  );
  const sheets = element("div", { className: "sheets" });
  const heads = element("thead", {}, element(
    "tr",
    {},
    ...HEADS.map((text) => element("th", { text, scope: "col" })),
    parts.share,
    element("th")
  ));
  const acting = element("table", {}, heads, parts.forces);
  acting.setAttribute("aria-labelledby", parts.who.id);
  root.append(element(
    "div",
    { className: "frame" },
    element(
      "div",
      { className: "head" },
      element("h2", { text: "The sphere lab" }),
      parts.play,
      parts.step,
      parts.slow,
      parts.reset,
      parts.count,
      element("div", { className: "tries", role: "group", ariaLabel: "Experiments" }, element("span", { text: "Try:" }), ...parts.tries)
    ),
    element(
      "div",
      { className: "left", role: "group", ariaLabel: "The loss" },
      ...boxes(({ restarts, name }) => !restarts && name !== "chosen")
    ),
    element(
      "div",
      { className: "middle" },
      parts.ask,
      element("div", { className: "stage" }, parts.canvas, legend),
      parts.says,
      element(
        "div",
        { className: "world", role: "group", ariaLabel: "The points" },
        ...boxes(({ restarts, name }) => restarts || name === "chosen")
      )
    ),
    element(
      "div",
      { className: "right" },
      element("div", { className: "formula" }, parts.math, parts.symbols),
      sheets,
      parts.who,
      acting
    ),
    element("div", { className: "copy" }, element("label", { text: "State" }), parts.text, parts.copy, parts.load, parts.told)
  ));
  parts.curves = curves(sheets, SHEETS);
  return parts;
}

// src/sphere/pointer.js
var TURN = 0.12;
var SHIFT = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
function pointer(canvas, lab) {
  let held = null;
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
    if (held?.point !== void 0) {
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
  const up = () => held = null;
  const keys = (event) => {
    const { world, scene } = lab, { chosen } = world.settings, way = SHIFT[event.key];
    if (way && event.shiftKey) {
      const p = Array.from(world.x.subarray(chosen * world.D, (chosen + 1) * world.D));
      const [right, up2] = world.D === 3 ? scene.axes() : [[p[1], -p[0]], [-p[1], p[0]]];
      const next = p.map((value, d) => value + TURN * (way[0] * right[d] + way[1] * up2[d]));
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

// src/sphere/vectors.js
var dot = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);
var scaled = (a, factor) => a.map((value) => value * factor);
var plus = (a, b, factor = 1) => a.map((value, d) => value + factor * b[d]);
var unit = (a) => scaled(a, 1 / Math.max(Math.hypot(...a), 1e-12));

// src/sphere/arrows.js
var EXAGGERATED = 9;
var LONGEST = 0.75;
function bows(scene, world) {
  const { pen } = scene, chosen = world.settings.chosen;
  if (world.N === 2 * world.colours) pairs(scene, world);
  for (const { point, kind, share } of world.forces.slice(0, 6)) {
    if (point === chosen) continue;
    pen.strokeStyle = kind === "pull" ? scene.ink.pull : scene.ink.push;
    pen.lineWidth = kind === "pull" ? 2 : 0.8 + 4 * share;
    pen.globalAlpha = kind === "pull" ? 0.9 : 0.35 + 0.5 * share;
    pen.setLineDash(kind === "pull" ? [] : [4, 3]);
    pen.beginPath();
    bow(scene, scene.rows[chosen], scene.rows[point]);
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}
function pairs(scene, world) {
  scene.pen.lineWidth = 1.2;
  scene.pen.globalAlpha = 0.55;
  for (let i = 0; i < world.N; i += 2) {
    scene.pen.strokeStyle = scene.palette[world.meaning[i]];
    scene.pen.beginPath();
    bow(scene, scene.rows[i], scene.rows[i + 1]);
    scene.pen.stroke();
  }
  scene.pen.globalAlpha = 1;
}
function bow(scene, from, to) {
  for (let k = 0; k <= 16; k++) {
    const p = plus(scaled(from, 1 - k / 16), to, k / 16), [x, y] = scene.place(scene.D === 2 ? p : unit(p));
    if (k === 0) scene.pen.moveTo(x, y);
    else scene.pen.lineTo(x, y);
  }
}
function arrows(scene, world) {
  const { chosen } = world.settings, from = scene.rows[chosen];
  const { pull, push } = world.chosenMove, lift = scene.lifts[chosen];
  for (const [move, colour, wide] of [[push, scene.ink.push, 3], [pull, scene.ink.pull, 3], [plus(pull, push), scene.ink.text, 4]]) {
    const along = plus(move, from, -dot(move, from)), length = Math.hypot(...along) * world.settings.step_size;
    if (length < 2e-4) continue;
    arrow(scene, from, unit(along), LONGEST * (1 - Math.exp(-EXAGGERATED * length / LONGEST)), colour, wide, lift);
  }
}
function arrow(scene, from, way, angle, colour, wide, lift) {
  const { pen } = scene, spots = [];
  for (let k = 0; k <= 10; k++) {
    const turn = angle * k / 10;
    spots.push(scene.place(plus(scaled(from, Math.cos(turn)), way, Math.sin(turn)), lift));
  }
  const [tip, before] = [spots[10], spots[8]], length = Math.hypot(tip[0] - spots[0][0], tip[1] - spots[0][1]);
  const head = Math.min(6 + wide, length / 2);
  if (length < 5) return;
  const heading = Math.atan2(tip[1] - before[1], tip[0] - before[0]);
  for (const [colouring, width] of [[scene.ink.back, wide + 2.5], [colour, wide]]) {
    pen.strokeStyle = pen.fillStyle = colouring;
    pen.lineWidth = width;
    pen.lineCap = pen.lineJoin = "round";
    pen.beginPath();
    spots.forEach(([x, y], k) => k ? pen.lineTo(x, y) : pen.moveTo(x, y));
    pen.stroke();
    pen.beginPath();
    for (const side of [-0.5, 0.5]) {
      pen.moveTo(tip[0], tip[1]);
      pen.lineTo(tip[0] - head * Math.cos(heading + side), tip[1] - head * Math.sin(heading + side));
    }
    pen.stroke();
  }
}

// src/sphere/scene.js
var TRAIL = 14;
function colours(count3, dark) {
  return Array.from({ length: count3 }, (_, k) => {
    const hue = count3 <= 12 ? (25 + 360 * k / count3) % 360 : (25 + 137.508 * k) % 360;
    return `oklch(${dark ? 0.76 : 0.6} ${dark ? 0.14 : 0.17} ${hue.toFixed(1)})`;
  });
}
var Scene = class {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.yaw = 0.5;
    this.pitch = 0.8;
    this.lifts = new Float64Array(0);
    this.trails = [];
    this.theme();
  }
  /** Read the page's colours anew. */
  theme() {
    const style = getComputedStyle(this.canvas);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    this.ink = {
      text: of("text"),
      muted: of("muted"),
      line: of("line"),
      ball: of("ball"),
      edge: of("edge"),
      back: of("back"),
      accent: of("accent"),
      pull: of("pull"),
      push: of("push"),
      font: style.fontFamily
    };
    this.dark = of("dark") === "1";
  }
  /** Fit the canvas to its box, in real pixels. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas, ratio = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.width = width;
    this.height = height;
    const room = Math.min(width, height) / 2;
    this.radius = Math.max(20, this.D === 2 ? room * 0.72 : room - 14);
  }
  /** Turn so that a direction is on the reader's side, with the start's cone above it. */
  face(direction) {
    this.yaw = Math.atan2(direction[1], direction[0]) - 0.5;
  }
  /** Axes of the view: right, up, towards the reader. */
  axes() {
    const { yaw, pitch } = this, [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return [[-sy, cy, 0], [-sp * cy, -sp * sy, cp], [cp * cy, cp * sy, sp]];
  }
  /** Where a direction is drawn: x, y in pixels and depth (towards the reader above 0). */
  place(p, lift = 0) {
    const far = this.radius * (1 + lift), [cx, cy] = [this.width / 2, this.height / 2];
    if (this.D === 2) return [cx + far * p[0], cy - far * p[1], 1];
    const [right, up, out] = this.view;
    return [cx + far * dot(p, right), cy - far * dot(p, up), dot(p, out)];
  }
  /** The direction that lies under a place of the screen, on the near side. */
  direction(x, y) {
    let [a, b] = [(x - this.width / 2) / this.radius, (this.height / 2 - y) / this.radius];
    if (this.D === 2) return unit([a, b]);
    const length = Math.hypot(a, b);
    if (length > 1) [a, b] = [a / length, b / length];
    const c = Math.sqrt(Math.max(0, 1 - a * a - b * b)), [right, up, out] = this.axes();
    return unit(plus(plus(scaled(right, a), up, b), out, c));
  }
  /** Forget the trails: the points have jumped. */
  clear() {
    this.trails = [];
  }
  /** Draw a world with its points at `x` (between two steps while it plays). */
  draw(world, x, { trails = true } = {}) {
    this.D = world.D;
    this.view = this.axes();
    this.fit();
    const { pen, width, height } = this, row2 = (i) => Array.from(x.subarray(i * world.D, (i + 1) * world.D));
    this.rows = Array.from({ length: world.N }, (_, i) => row2(i));
    this.palette = colours(world.colours, this.dark);
    pen.clearRect(0, 0, width, height);
    this.lift();
    this.spots = this.rows.map((p, i) => this.place(p, this.lifts[i]));
    this.body();
    if (trails) this.trail();
    bows(this, world);
    this.points(world);
    arrows(this, world);
  }
  /** On the ring, points at one place are piled up outwards, so that a crowd is seen as one. */
  lift() {
    const N = this.rows.length;
    if (this.lifts.length !== N) this.lifts = new Float64Array(N);
    if (this.D !== 2) return void this.lifts.fill(0);
    const wide = 11 / this.radius, tops = /* @__PURE__ */ new Map(), levels = new Int32Array(N);
    const cells = Math.max(8, Math.floor(2 * Math.PI / wide));
    for (let i = 0; i < N; i++) {
      const cell2 = Math.floor((Math.atan2(this.rows[i][1], this.rows[i][0]) / (2 * Math.PI) + 1) * cells) % cells;
      levels[i] = tops.get(cell2) ?? 0;
      tops.set(cell2, levels[i] + 1);
    }
    const most = Math.max(...levels, 1), step = Math.min(wide, 0.34 / most);
    for (let i = 0; i < N; i++) this.lifts[i] += 0.35 * (levels[i] * step - this.lifts[i]);
  }
  body() {
    const { pen, radius, ink } = this, [cx, cy] = [this.width / 2, this.height / 2];
    pen.lineWidth = 1;
    pen.beginPath();
    pen.arc(cx, cy, radius, 0, 2 * Math.PI);
    if (this.D === 3) {
      const shade = pen.createRadialGradient(cx - radius * 0.35, cy - radius * 0.4, radius * 0.1, cx, cy, radius);
      shade.addColorStop(0, ink.ball);
      shade.addColorStop(1, ink.edge);
      pen.fillStyle = shade;
      pen.fill();
    }
    pen.strokeStyle = ink.line;
    pen.stroke();
    if (this.D === 3) this.graticule();
  }
  /** Three great circles and two parallels, faint on the far side. */
  graticule() {
    const { pen } = this, line = (at) => {
      for (const near of [false, true]) {
        pen.globalAlpha = near ? 0.9 : 0.3;
        pen.beginPath();
        let open = false;
        for (let k = 0; k <= 72; k++) {
          const [x, y, depth] = this.place(at(k / 36 * Math.PI));
          if (depth >= 0 !== near) open = false;
          else if (open) pen.lineTo(x, y);
          else {
            pen.moveTo(x, y);
            open = true;
          }
        }
        pen.stroke();
      }
      pen.globalAlpha = 1;
    };
    const { cos, sin } = Math;
    line((t) => [cos(t), sin(t), 0]);
    for (const turn of [0, Math.PI / 3, 2 * Math.PI / 3]) line((t) => [cos(t) * cos(turn), cos(t) * sin(turn), sin(t)]);
    for (const z of [0.6, -0.6]) line((t) => [0.8 * cos(t), 0.8 * sin(t), z]);
  }
  trail() {
    const { pen, trails } = this;
    trails.push(this.rows);
    if (trails.length > TRAIL) trails.shift();
    pen.strokeStyle = this.ink.muted;
    for (let age = 1; age < trails.length; age++) {
      if (trails[age].length !== this.rows.length || trails[age - 1].length !== this.rows.length) continue;
      pen.globalAlpha = 0.32 * age / trails.length;
      pen.beginPath();
      for (let i = 0; i < this.rows.length; i++) {
        const [x0, y0, d0] = this.place(trails[age - 1][i]), [x1, y1, d1] = this.place(trails[age][i]);
        if (d0 < 0 || d1 < 0 || Math.abs(x0 - x1) + Math.abs(y0 - y1) < 0.3) continue;
        pen.moveTo(x0, y0);
        pen.lineTo(x1, y1);
      }
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }
  points(world) {
    const { pen, spots } = this, chosen = world.settings.chosen, inBatch = new Set(world.now.anchors);
    const size = Math.max(3.2, Math.min(6, 40 / Math.sqrt(world.N))) * Math.max(1, this.radius / 300);
    const order = spots.map((_, i) => i).sort((a, b) => spots[a][2] - spots[b][2]);
    for (const i of order) {
      const [x, y, depth] = spots[i], near = depth >= 0;
      pen.globalAlpha = (near ? 1 : 0.32) * (inBatch.has(i) ? 1 : 0.45);
      pen.beginPath();
      pen.arc(x, y, size * (this.D === 2 ? 1 : 0.8 + 0.2 * depth), 0, 2 * Math.PI);
      pen.fillStyle = this.palette[world.meaning[i]];
      pen.fill();
      pen.lineWidth = 1;
      pen.strokeStyle = this.ink.back;
      pen.stroke();
      if (i === chosen || i === this.hovered) {
        pen.globalAlpha = near ? 1 : 0.5;
        pen.beginPath();
        pen.arc(x, y, size + 4, 0, 2 * Math.PI);
        pen.lineWidth = i === chosen ? 2.2 : 1.2;
        pen.strokeStyle = this.ink.text;
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }
  /** The point drawn nearest to a place, near ones before far ones; -1 where none is. */
  find(x, y) {
    let best = -1, least = 14;
    this.spots?.forEach(([px, py, depth], i) => {
      const gap = Math.hypot(px - x, py - y) + (depth < 0 ? 5 : 0);
      if (gap < least) [least, best] = [gap, i];
    });
    return best;
  }
};

// src/shared/counted.js
function counted(count3, noun) {
  return `${count3} ${noun}${Number(count3) === 1 ? "" : "s"}`;
}

// src/sphere/show.js
var SHOWN = 5;
var EVEN = [
  -8,
  -6,
  -5.334,
  -4.443,
  -4.219,
  -3.734,
  -3.523,
  -3.34,
  -3.183,
  -3.041,
  -2.972,
  -2.864,
  -2.795,
  -2.733,
  -2.682,
  -2.637,
  -2.598,
  -2.562,
  -2.533,
  -2.506,
  -2.483,
  -2.46,
  -2.442
];
var ALL_OVER = (1 - Math.exp(-8)) / 8;
function words(lab) {
  const { world, parts } = lab, { settings } = world;
  const limits = { batch_size: world.N, negatives: world.batch - 1, chosen: world.N - 1, meanings: world.N };
  for (const one of parts.controls) one.show(settings, limits);
  const { values } = eigen(secondMoment(world.x, world.D), world.D);
  const { kind, text } = happening(world, spread(world, values));
  parts.says.textContent = text;
  parts.says.dataset.kind = kind;
  parts.canvas.setAttribute("aria-label", `${counted(world.N, "point")} on the ${settings.shape}; point ${settings.chosen} is chosen. N and P choose another, Shift with an arrow key moves it, arrow keys turn the sphere, space plays.`);
  lab.formula(world);
  forces(world, parts, lab.scene.dark);
  if (!lab.typing) parts.text.value = lab.text;
  numbers2(lab);
}
function numbers2({ world, parts, record, scene }) {
  parts.count.textContent = `step ${world.step}`;
  parts.curves(record, world.measured, scene.ink, landmarks(world));
}
function even(N, D) {
  if (D === 3) return EVEN[N - 2] ?? Math.log((N * ALL_OVER - 1) / (N - 1));
  let near = 0;
  for (let k = 1; k < N; k++) near += Math.exp(-8 * Math.sin(Math.PI * k / N) ** 2);
  return Math.log(near / (N - 1));
}
function landmarks({ settings: s, now, N, D }) {
  const marks = { Alignment: { value: 2, name: "at random" }, Uniformity: { value: even(N, D), name: "even" } };
  const usual = s.objective === "infonce" && s.pull === 1 && s.push === 1;
  const seen = 1 + now.counted / now.anchors.length;
  return usual ? { ...marks, Loss: { value: Math.log(seen), name: "guessing" } } : marks;
}
function cell(text, className = "") {
  return Object.assign(document.createElement("td"), { textContent: text, className });
}
function forces(world, parts, dark) {
  const { wrong, counted: counted2 } = world.now, { chosen, objective } = world.settings, told = document.createElement("small");
  told.textContent = counted2 && world.found.softmax ? `${Math.round(100 * wrong / counted2)} % of all are false` : "";
  parts.who.replaceChildren(`Acting on point ${chosen}`, told);
  parts.share.textContent = objective === "infonce" ? "softmax" : "of push";
  const palette = colours(world.colours, dark), most = Math.max(...world.forces.map((force) => force.share), 1e-9);
  parts.forces.replaceChildren(...world.forces.slice(0, SHOWN).map((force) => row(force, world, palette, most)));
}
function row({ point, kind, wrong, cosine, share }, world, palette, most) {
  const made = document.createElement("tr"), who = cell(""), bar = cell("", "bar"), dot2 = document.createElement("span");
  const role = kind === "pull" ? "partner" : wrong ? "false neg." : "negative";
  dot2.className = "dot";
  dot2.style.background = palette[world.meaning[point]];
  who.append(dot2, `${point === world.settings.chosen ? "itself" : point}, ${role}`);
  const line = document.createElement("i");
  line.style.width = `${100 * (share ?? 0) / most}%`;
  line.style.background = `var(--${kind})`;
  bar.append(line);
  made.append(who, cell(short(cosine)), cell(share === null ? "–" : `${(100 * share).toFixed(1)} %`), bar);
  return made;
}

// src/sphere/text.js
var FIRST_WORD = "sphere1";
var TURN2 = 2 * Math.PI / 65536;
function packed(x, D) {
  const N = x.length / D, bytes = new Uint8Array(N * (D - 1) * 2), view = new DataView(bytes.buffer);
  const put = (place, angle) => view.setUint16(place * 2, Math.round(angle / TURN2) & 65535, true);
  for (let i = 0; i < N; i++) {
    put(i * (D - 1), Math.atan2(x[i * D + 1], x[i * D]));
    if (D === 3) put(i * 2 + 1, Math.acos(Math.min(1, Math.max(-1, x[i * D + 2]))));
  }
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
function unpacked(text, N, D) {
  let raw = "";
  try {
    raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    raw = "";
  }
  if (raw.length !== N * (D - 1) * 2) throw new Error(`the places in it are not those of ${N} points: copy all of it`);
  const bytes = Uint8Array.from(raw, (letter) => letter.charCodeAt(0)), view = new DataView(bytes.buffer);
  const x = new Float64Array(N * D), angle = (place) => view.getUint16(place * 2, true) * TURN2;
  for (let i = 0; i < N; i++) {
    const around = angle(i * (D - 1)), down = D === 3 ? angle(i * 2 + 1) : Math.PI / 2;
    x[i * D] = Math.cos(around) * Math.sin(down);
    x[i * D + 1] = Math.sin(around) * Math.sin(down);
    if (D === 3) x[i * D + 2] = Math.cos(down);
  }
  return x;
}
var plain = (value) => typeof value === "number" ? String(Number(value.toPrecision(6))) : value;
function write(table, { settings, step, from, at }) {
  const D = settings.shape === "circle" ? 2 : 3;
  const words2 = table.filter(({ name, default: usual }) => settings[name] !== usual).map(({ name }) => `${name}=${plain(settings[name])}`);
  if (from) words2.push(`from=${packed(from, D)}`);
  if (step > 0) words2.push(`step=${step}`);
  if (at) words2.push(`at=${packed(at, D)}`);
  return [FIRST_WORD, ...words2].join(" ");
}
function checked(setting, word) {
  const { name, options, least, most, whole } = setting;
  if (options) {
    if (!Object.hasOwn(options, word)) throw new Error(`${name}=${word} is not one of ${Object.keys(options).join(", ")}`);
    return word;
  }
  const value = word.trim() === "" ? NaN : Number(word);
  if (!(value >= least && value <= most) || whole && !Number.isInteger(value)) {
    throw new Error(`${name}=${word} is not a ${whole ? "whole " : ""}number from ${least} to ${most}`);
  }
  return value;
}
function read(table, text) {
  const [first, ...words2] = text.trim().split(/\s+/);
  if (first !== FIRST_WORD) throw new Error(`this does not begin with ${FIRST_WORD}: copy the whole text`);
  const settings = Object.fromEntries(table.map((setting) => [setting.name, setting.default])), more = {};
  for (const word of words2) {
    const cut = word.indexOf("="), name = word.slice(0, cut), value = word.slice(cut + 1);
    const setting = table.find((one) => one.name === name);
    if (cut > 0 && setting) settings[name] = checked(setting, value);
    else if (cut > 0 && ["step", "from", "at"].includes(name)) more[name] = value;
    else throw new Error(`${word.slice(0, 40)} is not known here`);
  }
  const D = settings.shape === "circle" ? 2 : 3, places = (name) => more[name] ? unpacked(more[name], settings.points, D) : null;
  const step = Number(more.step ?? 0);
  if (!Number.isInteger(step) || step < 0) throw new Error(`step=${more.step} is not a whole number`);
  return { settings, step, from: places("from"), at: places("at") };
}

// src/sphere/world.js
var FARTHEST = 0.15;
function random(seed, step) {
  let a = (Math.imul(seed ^ 2654435769, 2246822507) ^ Math.imul(step + 1, 3266489909)) >>> 0;
  return () => {
    a = a + 1831565813 >>> 0;
    let t = Math.imul(a ^ a >>> 15, a | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}
var normal = (draw2) => Math.sqrt(-2 * Math.log(1 - draw2())) * Math.cos(2 * Math.PI * draw2());
function startPoints({ shape, points, start, seed }) {
  const D = shape === "circle" ? 2 : 3, draw2 = random(seed, -1), rows = new Float64Array(points * D);
  for (let i = 0; i < points; i++) {
    for (let d = 0; d < D; d++) rows[i * D + d] = normal(draw2);
    if (start === "cone") rows[i * D + D - 1] = 2.2 + 0.6 * rows[i * D + D - 1];
  }
  return unitRows(rows, D).unit;
}
function meaningsOf({ points, meanings }) {
  return Int32Array.from({ length: points }, (_, i) => Math.floor(i * Math.min(meanings, points) / points));
}
var World = class {
  /** `given`: rows to start from instead of those that the seed draws. */
  constructor(settings, given = null) {
    this.settings = { ...settings };
    this.given = given;
    this.reset();
  }
  /** Back to the very same start. */
  reset() {
    const s = this.settings;
    this.D = s.shape === "circle" ? 2 : 3;
    this.N = s.points;
    const fits = this.given && this.given.length === this.N * this.D;
    this.x = fits ? Float64Array.from(this.given) : startPoints(s);
    this.meaning = meaningsOf(s);
    this.step = 0;
    this.mates = Array.from({ length: this.N }, () => []);
    for (let i = 0; i < this.N; i++) {
      for (let j = 0; j < this.N; j++) if (i !== j && this.meaning[i] === this.meaning[j]) this.mates[i].push(j);
    }
    this.look();
  }
  /** How many meanings there are. */
  get colours() {
    return Math.min(this.settings.meanings, this.N);
  }
  /** How many points take part in a step, and how many negatives an anchor then has. */
  get batch() {
    return Math.min(this.settings.batch_size, this.N);
  }
  get negatives() {
    return Math.min(this.settings.negatives, this.batch - 1);
  }
  /** The batch of the present step: anchors, positives with noise, and who counts as whose negative. */
  draw() {
    const s = this.settings, { D, N } = this, B = this.batch, draw2 = random(s.seed, this.step);
    const order = Int32Array.from({ length: N }, (_, i) => i), chosen = Math.min(s.chosen, N - 1);
    for (let i = 0; i < B; i++) {
      const j = i + Math.floor(draw2() * (N - i));
      [order[i], order[j]] = [order[j], order[i]];
    }
    const anchors = order.slice(0, B);
    if (!anchors.includes(chosen)) anchors[0] = chosen;
    const partners = anchors.map((a) => {
      const mates = this.mates[a], pick = draw2();
      return mates.length ? mates[Math.floor(pick * mates.length)] : a;
    });
    const z1 = new Float64Array(B * D), z2 = new Float64Array(B * D), spread2 = s.noise / Math.sqrt(D);
    for (let i = 0; i < B; i++) {
      for (let d = 0; d < D; d++) {
        z1[i * D + d] = this.x[anchors[i] * D + d];
        z2[i * D + d] = this.x[partners[i] * D + d] + spread2 * normal(draw2);
      }
    }
    const allowed = new Uint8Array(B * B), views = s.objective === "infonce";
    let counted2 = 0, wrong = 0;
    for (let i = 0; i < B; i++) {
      for (let k = 1; k <= this.negatives; k++) {
        const j = (i + k) % B, same = this.meaning[anchors[i]] === this.meaning[anchors[j]];
        const kept = draw2() < s.false_negatives;
        if (same && !kept || views && partners[j] === anchors[i]) continue;
        allowed[i * B + j] = 1;
        counted2++;
        wrong += same ? 1 : 0;
      }
    }
    return { anchors, partners, z1, z2, allowed, counted: counted2, wrong, row: anchors.indexOf(chosen) };
  }
  /** Loss and gradients of a batch by the chosen objective. */
  evaluate(batch) {
    const s = this.settings, { D } = this, { z1, z2, allowed } = batch, { pull, push, temperature } = s;
    if (s.objective === "infonce") return infoNCE(z1, z2, D, { temperature, pull, push, allowed });
    if (s.objective === "alignment-uniformity") {
      return alignmentUniformity(z1, z2, D, { pull, push, allowed });
    }
    const predictor = directPredictor(this.x, D), stopGradient = s.objective === "no-negatives";
    return withoutNegatives(z1, z2, D, { predictor, stopGradient, pull });
  }
  /** Compute what the present batch says, without moving: arrows, formula and curves are read off it. */
  look() {
    this.now = this.draw();
    this.found = this.evaluate(this.now);
    const { D, N } = this, { anchors, partners } = this.now, B = anchors.length;
    this.move = new Float64Array(N * D);
    this.chosenMove = {};
    const lengths = { pull: 0, push: 0 }, chosen = Math.min(this.settings.chosen, N - 1);
    for (const [name, both] of [["pull", this.found.pulls], ["push", this.found.pushes]]) {
      const own = new Float64Array(N * D);
      for (let i = 0; i < B; i++) {
        for (let d = 0; d < D; d++) {
          own[anchors[i] * D + d] -= B * both[0][i * D + d];
          own[partners[i] * D + d] -= B * both[1][i * D + d];
        }
      }
      for (let n = 0; n < N; n++) {
        let square = 0;
        for (let d = 0; d < D; d++) square += own[n * D + d] ** 2;
        lengths[name] += Math.sqrt(square) / N;
      }
      for (let k = 0; k < N * D; k++) this.move[k] += own[k];
      this.chosenMove[name] = Array.from(own.subarray(chosen * D, (chosen + 1) * D));
    }
    this.forces = this.whoActs();
    this.measured = { loss: this.found.loss, ...this.geometry(), pull: lengths.pull, push: lengths.push };
  }
  /** Who pulls and who pushes the chosen point as an anchor: first its partner, then negatives, the strongest first. */
  whoActs() {
    const { anchors, partners, row: row2, allowed } = this.now, B = anchors.length, { cosines: cosines2, softmax } = this.found;
    let all = 0;
    for (let j = 0; softmax && j < B; j++) all += softmax[row2 * B + j];
    const share = (j) => softmax && all > 0 ? softmax[row2 * B + j] / all : 0;
    const who = (j) => this.settings.objective === "infonce" ? partners[j] : anchors[j];
    const kin = (j) => this.meaning[anchors[j]] === this.meaning[anchors[row2]];
    const byPoint = /* @__PURE__ */ new Map();
    for (let j = 0; softmax && this.settings.push > 0 && j < B; j++) {
      if (j === row2 || !allowed[row2 * B + j]) continue;
      const cosine = cosines2[row2 * B + j], known = byPoint.get(who(j));
      if (known) known.share += share(j);
      else byPoint.set(who(j), { point: who(j), kind: "push", wrong: kin(j), cosine, share: share(j) });
    }
    const pushers = [...byPoint.values()].sort((a, b) => b.share - a.share);
    const own = this.settings.objective === "infonce" ? share(row2) : null;
    const partner = { point: partners[row2], kind: "pull", wrong: false, cosine: cosines2[row2 * B + row2], share: own };
    return [...this.settings.pull > 0 ? [partner] : [], ...pushers];
  }
  /** Move every point of the batch a step down its slope, along the sphere. */
  advance() {
    const { D, N, x, move } = this, rate = this.settings.step_size;
    for (let n = 0; n < N; n++) {
      let along = 0, length = 0;
      for (let d = 0; d < D; d++) along += move[n * D + d] * x[n * D + d];
      for (let d = 0; d < D; d++) length += (rate * (move[n * D + d] - along * x[n * D + d])) ** 2;
      const scale = rate * Math.min(1, FARTHEST / Math.max(Math.sqrt(length), 1e-12));
      for (let d = 0; d < D; d++) x[n * D + d] += scale * (move[n * D + d] - along * x[n * D + d]);
    }
    this.x = unitRows(x, D).unit;
    this.step++;
    this.look();
  }
  /** What is measured over all points, free of noise: partners are points of one meaning. */
  geometry() {
    const { D, N, x, meaning } = this;
    let apart2 = 0, pairs2 = 0, near = 0;
    for (let i = 0; i < N; i++) {
      for (let j = i + 1; j < N; j++) {
        let square = 0;
        for (let d = 0, a = i * D, b = j * D; d < D; d++, a++, b++) square += (x[a] - x[b]) ** 2;
        near += Math.exp(-2 * square);
        if (meaning[i] !== meaning[j]) continue;
        apart2 += square;
        pairs2++;
      }
    }
    return { alignment: pairs2 ? apart2 / pairs2 : 0, uniformity: Math.log(near / (N * (N - 1) / 2)) };
  }
  /** Mean angles between partners and between strangers, null where there are none. */
  angles() {
    const { D, N, x, meaning } = this, sums = [0, 0], counts = [0, 0];
    for (let i = 0; i < N; i++) {
      for (let j = i + 1; j < N; j++) {
        let cosine = 0;
        for (let d = 0; d < D; d++) cosine += x[i * D + d] * x[j * D + d];
        const kind = meaning[i] === meaning[j] ? 0 : 1;
        sums[kind] += Math.acos(Math.min(1, Math.max(-1, cosine)));
        counts[kind]++;
      }
    }
    const [same, other] = sums.map((sum, kind) => counts[kind] ? sum / counts[kind] : null);
    return { same, other };
  }
};

// src/sphere/lab.js
var PACE = { play: 30, slow: 2 };
var CALM = 0.25;
var FIRST = "Press Play. Each point is a sentence, each colour a meaning. Drag a point, or drag beside it to turn.";
var Lab = class {
  constructor(root, model) {
    this.root = root;
    this.table = model.get("table");
    this.parts = build(root, this.table, (name, value) => this.set(name, value));
    this.scene = new Scene(this.parts.canvas);
    this.record = new Record();
    this.formula = formula(this.parts.math, this.parts.symbols);
    this.mode = null;
    this.load(model.get("text"));
    this.parts.ask.textContent = model.get("question") || FIRST;
    this.listen();
    if (model.get("play")) this.run("play");
  }
  listen() {
    const { play, step, slow, reset, tries, text, copy, load } = this.parts;
    play.addEventListener("click", () => this.run(this.mode ? null : "play"));
    slow.addEventListener("click", () => this.run(this.mode === "slow" ? null : "slow"));
    step.addEventListener("click", () => (this.run(null), this.advance()));
    reset.addEventListener("click", () => (this.run(null), this.reset()));
    tries.forEach((button2, k) => button2.addEventListener("click", () => this.experiment(EXPERIMENTS[k])));
    copy.addEventListener("click", () => this.copy());
    load.addEventListener("click", () => this.tryLoad(text.value));
    text.addEventListener("keydown", (event) => event.key === "Enter" && this.tryLoad(text.value));
    text.addEventListener("input", () => this.typing = true);
    this.unlisten = pointer(this.parts.canvas, this);
    this.resized = new ResizeObserver(() => this.show());
    for (const part of [this.parts.canvas, this.parts.math]) this.resized.observe(part);
  }
  stop() {
    cancelAnimationFrame(this.frame);
    this.resized.disconnect();
    this.unlisten();
  }
  // ---- the state --------------------------------------------------------------------------------------------------
  /** What the text tells, with an error thrown where it tells nothing. */
  load(text) {
    const { settings, step, from, at } = read(this.table, text);
    settings.chosen = Math.min(settings.chosen, settings.points - 1);
    this.world = new World(settings, from);
    if (at) this.world.x = at;
    this.world.step = step;
    this.moved = at !== null;
    this.world.look();
    if (this.world.D === 3) this.scene.face(this.world.x.subarray(settings.chosen * 3, settings.chosen * 3 + 3));
    this.begin();
  }
  /** The record and the picture start anew from the world as it is. */
  begin() {
    this.record.clear();
    this.record.add(this.world.step, this.world.measured);
    this.before = this.world.x;
    this.part = 1;
    this.scene.clear();
    this.typing = false;
    this.show();
  }
  reset() {
    this.world.reset();
    this.moved = false;
    this.begin();
  }
  /** A control was moved. */
  set(name, value) {
    const { world } = this, { restarts } = this.table.find((setting) => setting.name === name);
    if (restarts) {
      const given = name === "seed" || name === "start" ? null : world.given;
      const settings = { ...world.settings, [name]: value };
      settings.chosen = Math.min(settings.chosen, settings.points - 1);
      this.world = new World(settings, given);
      this.moved = false;
      return void this.begin();
    }
    world.settings[name] = name === "chosen" ? Math.min(value, world.N - 1) : value;
    if (name !== "chosen") this.record.mark(world.step);
    world.look();
    this.show();
  }
  choose(point) {
    this.set("chosen", point);
  }
  /** Put a point where the reader wants it. */
  put(point, direction) {
    this.world.x = Float64Array.from(this.world.x);
    direction.forEach((value, d) => this.world.x[point * this.world.D + d] = value);
    this.before = this.world.x;
    this.moved = true;
    this.world.look();
    this.show();
  }
  experiment({ ask, set }) {
    const keep = Object.fromEntries(["shape", "points", "meanings", "seed", "chosen"].map((name) => [name, this.world.settings[name]]));
    const usual = Object.fromEntries(this.table.map((setting) => [setting.name, setting.default]));
    this.world = new World({ ...usual, ...keep, ...set }, this.world.given);
    this.moved = false;
    this.begin();
    this.parts.ask.textContent = ask;
    this.run("play");
  }
  get text() {
    const { settings, step, given, x } = this.world;
    return write(this.table, { settings, step, from: given, at: step > 0 || this.moved ? x : null });
  }
  copy() {
    const { text } = this.parts;
    text.value = this.text;
    this.typing = false;
    text.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch {
      done = false;
    }
    this.tell(done ? "copied" : "press Ctrl+C to copy what is marked");
  }
  tryLoad(text) {
    this.run(null);
    try {
      this.load(text);
      this.tell("loaded");
    } catch (error) {
      this.tell(error.message, true);
    }
  }
  tell(text, wrong = false) {
    const { told } = this.parts;
    told.textContent = text;
    if (wrong) told.setAttribute("role", "alert");
    else told.removeAttribute("role");
  }
  // ---- time -------------------------------------------------------------------------------------------------------
  run(mode) {
    this.mode = mode;
    const { play, slow, says } = this.parts;
    play.textContent = mode ? "Pause" : "Play";
    slow.setAttribute("aria-pressed", String(mode === "slow"));
    says.setAttribute("aria-live", mode ? "off" : "polite");
    this.last = null;
    if (!mode) this.part = 1;
    this.redraw();
    this.show();
  }
  /** One step, counted and recorded. */
  advance() {
    this.before = this.world.x;
    this.world.advance();
    this.record.add(this.world.step, this.world.measured);
    this.moved = true;
    if (!this.mode) this.show();
  }
  /** Draw in the next frame. */
  redraw() {
    this.frame ??= requestAnimationFrame((time) => this.tick(time));
  }
  tick(time) {
    this.frame = void 0;
    if (this.mode) {
      const passed = this.last === null ? 0 : Math.min(0.25, (time - this.last) / 1e3);
      this.last = time;
      this.part += passed * PACE[this.mode];
      for (let k = 0; this.part >= 1 && k < 4; k++, this.part -= 1) this.advance();
      this.part = Math.min(this.part, 1);
    }
    this.frames = (this.frames ?? 0) + 1;
    this.paint(time);
    if (this.mode || this.settling > 0) this.redraw();
    this.settling = Math.max(0, (this.settling ?? 0) - 1);
  }
  /** The points between the last step and this one, so that slow motion glides. */
  between() {
    const { world, before, part } = this, to = world.x;
    if (!this.mode || part >= 1 || before.length !== to.length) return to;
    return unitRows(to.map((value, k) => before[k] + part * (value - before[k])), world.D).unit;
  }
  // ---- showing ----------------------------------------------------------------------------------------------------
  /** Everything that is not the moving picture, at once; then a frame. */
  show() {
    this.told = this.world.step;
    words(this);
    this.settling = 20;
    this.redraw();
  }
  paint(time) {
    const { world, scene } = this;
    scene.draw(world, this.between());
    if (!this.mode || world.step === this.told) return;
    this.told = world.step;
    if (time - (this.spoken ?? 0) > CALM * 1e3) {
      this.spoken = time;
      words(this);
    } else numbers2(this);
  }
};

// src/sphere/style.css
var style_default = `.clwork-sphere {
  --text: #1d2733; --muted: #5f6b7a; --line: #d5dbe3; --back: #ffffff; --panel: #f5f7fa; --ball: #ffffff; --edge: #dfe6ef;
  --accent: #2457c5; --on-accent: #ffffff; --pull: #0b7fae; --push: #c8501b; --good: #23763a; --bad: #b3261e; --dark: 0;
  color: var(--text); background: var(--back); color-scheme: light; container-type: inline-size; box-sizing: border-box;
  font: 13px/1.35 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; height: 640px; overflow: auto;
}
.clwork-sphere[data-theme="dark"] {
  --text: #e6ebf2; --muted: #9aa7b8; --line: #364250; --back: #12171e; --panel: #1a212b; --ball: #2a3441; --edge: #171e27;
  --accent: #7aa7ff; --on-accent: #0b1220; --pull: #58c4f0; --push: #ff9a5c; --good: #7fd495; --bad: #ff8a80; --dark: 1;
  color-scheme: dark;
}
.clwork-sphere.fill { height: 100vh; }
.clwork-sphere *, .clwork-sphere *::before { box-sizing: border-box; }
.clwork-sphere :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 4px; }
.clwork-sphere .frame {
  height: 100%; min-height: 540px; display: grid; gap: 6px 14px; padding: 8px 12px;
  grid-template: "head head head" auto "left middle right" minmax(0, 1fr) "foot foot foot" auto / 232px minmax(0, 1fr) 320px;
}
.clwork-sphere .head { grid-area: head; display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.clwork-sphere h2 { font-size: 15px; margin: 0 8px 0 0; font-weight: 650; }
.clwork-sphere button {
  font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: 3px 10px; cursor: pointer;
}
.clwork-sphere button:hover { border-color: var(--accent); }
.clwork-sphere button[aria-pressed="true"] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.clwork-sphere button.play { background: var(--accent); color: var(--on-accent); border-color: var(--accent); min-width: 76px; font-weight: 600; }
.clwork-sphere .count { color: var(--muted); font-variant-numeric: tabular-nums; min-width: 62px; }
.clwork-sphere .tries { display: flex; flex-wrap: wrap; gap: 4px; align-items: center; }
.clwork-sphere .tries button { padding: 2px 8px; font-size: 12px; border-radius: 12px; }
.clwork-sphere .tries span { color: var(--muted); }
.clwork-sphere .left { grid-area: left; display: flex; flex-direction: column; justify-content: space-between; gap: 2px; min-height: 0; overflow: auto; }
.clwork-sphere .control { display: grid; grid-template-columns: 1fr auto; column-gap: 6px; }
.clwork-sphere .control label { font-weight: 550; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.clwork-sphere .control output { font-variant-numeric: tabular-nums; }
.clwork-sphere .control input[type="range"] { grid-column: 1 / -1; width: 100%; margin: 1px 0 0; height: 16px; accent-color: var(--accent); }
.clwork-sphere .control select, .clwork-sphere .control input[type="number"], .clwork-sphere .copy input {
  font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 5px; padding: 2px 4px; min-width: 0;
}
.clwork-sphere .control select, .clwork-sphere .control input[type="number"] { grid-column: 1 / -1; width: 100%; }
.clwork-sphere small { grid-column: 1 / -1; color: var(--muted); font-size: 11px; line-height: 1.2; }
.clwork-sphere .idle > :not(small) { opacity: 0.4; }
.clwork-sphere .middle { grid-area: middle; display: flex; flex-direction: column; min-width: 0; min-height: 0; gap: 4px; }
.clwork-sphere .ask { margin: 0; color: var(--muted); min-height: 1.35em; text-align: center; }
.clwork-sphere .stage { position: relative; flex: 1 1 0; min-height: 180px; }
.clwork-sphere .stage canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
.clwork-sphere .legend { position: absolute; left: 2px; bottom: 0; display: grid; gap: 0 6px; font-size: 11px; color: var(--muted); pointer-events: none; }
.clwork-sphere .legend i { display: inline-block; width: 16px; height: 0; border-top: 3px solid; vertical-align: middle; margin-right: 5px; }
.clwork-sphere .says { margin: 0; min-height: 2.7em; text-align: center; font-size: 14px; text-wrap: balance; }
.clwork-sphere .says[data-kind="good"] { color: var(--good); }
.clwork-sphere .says[data-kind="collapsed"] { color: var(--bad); }
.clwork-sphere .world { display: grid; grid-template-columns: repeat(auto-fit, minmax(100px, 1fr)); gap: 4px 12px; }
.clwork-sphere .right { grid-area: right; display: flex; flex-direction: column; gap: 6px; min-height: 0; overflow: auto; }
/* The box has a height of its own, and formula.js makes the formula fit into it: no machine's font moves what is below. */
.clwork-sphere .formula { background: var(--panel); border-radius: 8px; padding: 6px 6px 4px; display: flex; flex-direction: column; flex: 0 1 172px; min-height: 128px; }
.clwork-sphere .formula div { flex: 1 1 0; min-height: 0; display: flex; align-items: center; justify-content: center; font-size: 15px; }
.clwork-sphere .formula math { font-family: "clwork math", math; }
.clwork-sphere .formula mtd { padding: 1px 0; text-align: left; }
.clwork-sphere .formula mtext { color: var(--accent); }
.clwork-sphere .formula small { display: block; text-align: center; }
.clwork-sphere .sheets { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-auto-rows: 1fr; gap: 5px 10px; flex: 1 0 200px; }
.clwork-sphere .curve { margin: 0; display: flex; flex-direction: column; min-height: 0; min-width: 0; }
.clwork-sphere .curve canvas { width: 100%; flex: 1 1 0; min-height: 44px; height: 0; }
.clwork-sphere figcaption { display: flex; justify-content: space-between; font-weight: 550; font-size: 12px; }
.clwork-sphere figcaption output { font-variant-numeric: tabular-nums; font-weight: 400; white-space: nowrap; }
.clwork-sphere .curve small { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.clwork-sphere table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: 12px; font-variant-numeric: tabular-nums; }
.clwork-sphere .who { font-weight: 550; font-size: 12px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; flex: none; }
.clwork-sphere .who small { font-weight: 400; margin-left: 8px; }
.clwork-sphere table { flex: none; }
.clwork-sphere td, .clwork-sphere th { padding: 0 4px 0 0; text-align: left; font-weight: 400; white-space: nowrap; height: 17px; }
.clwork-sphere th:nth-child(2), .clwork-sphere th:nth-child(3) { width: 52px; }
.clwork-sphere th:nth-child(4) { width: 20%; }
.clwork-sphere td { overflow: hidden; text-overflow: ellipsis; }
.clwork-sphere td.bar { padding: 0; }
.clwork-sphere td.bar i { display: block; height: 8px; border-radius: 4px; min-width: 1px; }
.clwork-sphere td .dot { display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 5px; }
.clwork-sphere .copy { grid-area: foot; display: flex; gap: 6px; align-items: center; }
.clwork-sphere .copy input { flex: 1 1 120px; font-family: ui-monospace, monospace; font-size: 11px; }
.clwork-sphere .copy small { flex: 0 1 auto; min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.clwork-sphere .copy small[role="alert"] { color: var(--bad); }
@container (min-width: 1500px) {
  .clwork-sphere .frame { grid-template-columns: 280px minmax(0, 1fr) 460px; gap: 8px 24px; }
  .clwork-sphere .formula { flex-basis: 204px; }
  .clwork-sphere .formula div { font-size: 18px; }
}
@container (max-width: 1000px) {
  .clwork-sphere figcaption { font-size: 11px; }
  .clwork-sphere .says { font-size: 13px; }
  .clwork-sphere .frame { grid-template-columns: 196px minmax(0, 1fr) 250px; gap: 5px 10px; padding: 6px 8px; }
  .clwork-sphere .formula div { font-size: 13px; }
}
@container (max-width: 720px) {
  .clwork-sphere .frame {
    height: auto; grid-template: "head" auto "middle" 460px "left" auto "right" auto "foot" auto / minmax(0, 1fr);
  }
  .clwork-sphere .left { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 8px 14px; }
}
`;

// src/sphere/index.js
function render({ model, el }) {
  const root = document.createElement("div"), sheet = document.createElement("style");
  root.className = model.get("fill") ? "clwork-sphere fill" : "clwork-sphere";
  sheet.textContent = style_default;
  el.append(sheet, root);
  let lab = null;
  const unfollow = followTheme(root, () => {
    lab?.scene.theme();
    lab?.show();
  });
  lab = new Lab(root, model);
  root.lab = Object.assign(lab, { losses: losses_exports, even });
  return () => {
    unfollow();
    lab.stop();
    root.remove();
    sheet.remove();
  };
}
var index_default = { render };
export {
  index_default as default
};
