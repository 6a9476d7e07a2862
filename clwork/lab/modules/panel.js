// Made by js/build.mjs (make bundle); edit js/src/panel instead. sources a0c4eb4deaa4db2bbb469d099524baa0a18e1c71f798136423dc2806be5242f3 body eb0035fec280f769e68dae8188a0d9f91b4441a9cd5531dada78e50fc11f745c
// src/shared/dom.js
var SVG = "http://www.w3.org/2000/svg";
function dress(made, attributes, children) {
  for (const [name, value2] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value2);
    else if (name === "text") made.textContent = value2;
    else if (value2 !== null && value2 !== void 0 && value2 !== false) made.setAttribute(name, value2 === true ? "" : value2);
  }
  made.append(...children);
  return made;
}
var FOCUSED = /* @__PURE__ */ new Set(["button", "canvas", "input", "select"]);
var OWN_KEYS = { "data-lm-suppress-shortcuts": true };
var element = (name, attributes = {}, ...children) => dress(document.createElement(name), FOCUSED.has(name) ? { ...OWN_KEYS, ...attributes } : attributes, children);
var drawn = (name, attributes = {}, ...children) => dress(document.createElementNS(SVG, name), attributes, children);
function attribute(node, name, value2) {
  if (node.getAttribute(name) !== value2) node.setAttribute(name, value2);
}
function onResize(node, act2) {
  const watch = new ResizeObserver(([{ contentRect: { width: width2, height } }]) => node.isConnected && act2(Math.round(width2), Math.round(height)));
  watch.observe(node);
}
function consume(event) {
  event.preventDefault();
  event.stopPropagation();
}
function offer(select, options, chosen = select.value) {
  const key = JSON.stringify(options);
  if (select.dataset.options !== key) {
    select.replaceChildren(...options.map(([value2, text, disabled]) => element("option", { value: value2, text, disabled })));
    select.dataset.options = key;
  }
  if (options.some(([value2]) => String(value2) === String(chosen))) select.value = String(chosen);
}
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// src/shared/bytes.js
function view(packed) {
  if (packed instanceof DataView) return packed;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}
function floats32(packed) {
  const data = view(packed);
  return Float32Array.from({ length: data.byteLength / 4 }, (_, i) => data.getFloat32(4 * i, true));
}
var STEPS = 32767;
function floats(packed, scale) {
  const data = view(packed);
  return Float32Array.from({ length: data.byteLength / 2 }, (_, i) => data.getInt16(2 * i, true) * scale);
}
function whole(packed) {
  const data = view(packed);
  return Uint16Array.from({ length: data.byteLength / 2 }, (_, i) => data.getUint16(2 * i, true));
}

// src/shared/channel.js
var PERIODS = { lively: 250, hidden: 1e3, idle: 1e3, asleep: 5e3 };
var PATIENCE = 2e3;
var LONGEST = 3e4;
var SILENT = 4e3;
var UNANSWERED = 5e3;
function revived(value2, buffers) {
  if (value2 === null || typeof value2 !== "object") return value2;
  if (Array.isArray(value2)) return value2.map((part) => revived(part, buffers));
  if (Number.isInteger(value2.buffer) && Object.keys(value2).length === 1) return buffers[value2.buffer];
  return Object.fromEntries(Object.entries(value2).map(([name, part]) => [name, revived(part, buffers)]));
}
var Channel = class {
  /** `hooks`: known(), what the page has; take(news); lively(), whether to poll often; refused(why, name); standing(state, since), see `look`. */
  constructor(model, hooks) {
    Object.assign(this, { model, hooks, asked: 0, answered: 0, wait: PATIENCE, state: "answers", waiting: /* @__PURE__ */ new Map() });
    this.page = Math.random().toString(36).slice(2, 10).padEnd(4, "0");
    this.heard = Date.now();
    this.onMessage = (content, buffers) => this.hear(content, buffers ?? []);
    this.onLive = () => this.look();
    this.line = null;
    model.widget_manager?.get_model?.(model.get("own_id"))?.then((line2) => {
      if (this.closed) return;
      this.line = line2;
      line2.on?.("comm_live_update", this.onLive);
      this.look();
    }, () => {
    });
    this.onShown = () => document.hidden || this.ask();
    model.on("msg:custom", this.onMessage);
    document.addEventListener("visibilitychange", this.onShown);
    this.ask();
  }
  /** Ask for what is new, with a command or without; a promise of true once it is done, of false where it was refused. */
  ask(command = null, buffers = []) {
    clearTimeout(this.timer);
    this.asked += 1;
    const message = { ask: this.asked, page: this.page, known: this.hooks.known() };
    if (command) message.do = command;
    const done = command ? new Promise((resolve) => this.waiting.set(this.asked, { resolve, name: command.name })) : null;
    this.sent ??= Date.now();
    if (this.gone) this.settle(this.asked, false);
    else this.model.send(message, void 0, buffers);
    this.plan(this.wait);
    return done;
  }
  /** A command: its name, and what belongs to it. */
  command(name, more = {}, buffers = []) {
    return this.ask({ ...more, name }, buffers);
  }
  get gone() {
    return this.line?.comm_live === false;
  }
  plan(after) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tick(), after);
  }
  /** Time for a question; one that was not answered yet is repeated ever more rarely. */
  tick() {
    this.look();
    if (this.gone) return;
    if (this.answered < this.asked) this.wait = Math.min(LONGEST, 2 * this.wait);
    this.ask();
  }
  hear(content, buffers) {
    if (this.closed || !content || typeof content.news !== "object") return;
    const pushed = content.answer === null;
    if (!pushed && content.page !== this.page) return;
    this.heard = Date.now();
    const news = revived(content.news, buffers);
    this.hooks.take(news);
    if (!pushed) {
      this.answered = Math.max(this.answered, content.answer);
      this.wait = PATIENCE;
      if (content.refused) this.hooks.refused(content.refused, this.waiting.get(content.answer)?.name ?? "");
      this.settle(content.answer, !content.refused);
      this.sent = this.answered === this.asked ? null : Date.now();
      const pace = this.hooks.lively() ? ["lively", "hidden"] : ["idle", "asleep"];
      if (!this.sent) this.plan(PERIODS[pace[Number(document.hidden)]]);
    }
    this.look();
  }
  settle(number4, done) {
    this.waiting.get(number4)?.resolve(done);
    this.waiting.delete(number4);
  }
  /** Report "answers", "silent", "unanswered" (there are pushes, but no answers) or "gone", when that has changed. */
  look() {
    const silent2 = this.sent && Date.now() - Math.max(this.heard, this.sent) > SILENT;
    const unanswered2 = this.sent && Date.now() - this.sent > UNANSWERED;
    const state = this.gone ? "gone" : silent2 ? "silent" : unanswered2 ? "unanswered" : "answers";
    clearTimeout(this.watch);
    if (this.sent && state !== "gone") this.watch = setTimeout(() => this.look(), 1e3);
    if (state === this.state) return;
    this.state = state;
    this.hooks.standing?.(state, state === "unanswered" ? this.sent : this.heard);
  }
  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.model.off("msg:custom", this.onMessage);
    this.line?.off?.("comm_live_update", this.onLive);
    document.removeEventListener("visibilitychange", this.onShown);
  }
};

// src/shared/theme.js
var SYSTEM = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
var WATCHED = ["data-jp-theme-light", "data-jp-theme-name", "class", "data-vscode-theme-kind", "theme"];
var LATER = 400;
function isDark(colour2) {
  const hex2 = /^#([0-9a-f]{6})/i.exec(colour2)?.[1];
  const parts = hex2 ? hex2.match(/../g).map((two) => parseInt(two, 16)) : (colour2.match(/[\d.]+/g) ?? []).map(Number);
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
  const lab2 = document.body.dataset.jpThemeLight;
  return lab2 !== void 0 ? lab2 === "false" : ofVsCode(document.body) ?? ofColab(document.documentElement);
}
function onPage(act2) {
  const watch = new MutationObserver(act2);
  for (const part of [document.documentElement, document.body]) watch.observe(part, { attributes: true, attributeFilter: WATCHED });
  return () => watch.disconnect();
}
function followTheme(root, show = () => {
}) {
  let told2 = null;
  let last = "";
  let timer = 0;
  const update = (again) => {
    const dark = said() ?? told2 ?? Boolean(SYSTEM?.matches);
    const theme = dark ? "dark" : "light";
    const now = `${theme} ${document.body.dataset.jpThemeName ?? ""}`;
    if (now === last && again !== true) return;
    last = now;
    document.documentElement.dataset.clworkTheme = theme;
    if (root) root.dataset.theme = theme;
    show(dark);
    clearTimeout(timer);
    if (again !== true) timer = setTimeout(() => update(true), LATER);
  };
  const hear = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      told2 = event.data.clworkDark;
      update();
    }
  };
  const forget = onPage(update);
  SYSTEM?.addEventListener("change", update);
  window.addEventListener("message", hear);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  update();
  return () => {
    clearTimeout(timer);
    forget();
    SYSTEM?.removeEventListener("change", update);
    window.removeEventListener("message", hear);
  };
}

// src/shared/tooltip.js
var AFTER = 300;
var LEAVE = 150;
var GAP = 8;
var count = 0;
var Tooltip = class {
  /** `name`: the box's class; `width`: its pixels at most. */
  constructor(root, name, width2) {
    Object.assign(this, { root, width: width2 });
    this.box = element("div", { class: name, role: "tooltip", id: `clwork-tooltip-${++count}`, hidden: true });
    this.box.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.box.addEventListener("pointerleave", () => this.hide());
    root.append(this.box);
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.box.hidden) return;
      this.hide();
      consume(event);
      event.stopImmediatePropagation();
    });
  }
  /** Show `text()` "above", "below" or "beside" a part; nothing where it is empty. */
  on(part, text, side = "above") {
    const later = (after, act2) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(act2, after);
    };
    const show = () => part.isConnected && this.show(part, text(), side);
    part.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && later(AFTER, show));
    part.addEventListener("pointerleave", () => later(LEAVE, () => this.hide()));
    part.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && later(0, show));
    for (const kind of ["focusout", "pointerdown"]) part.addEventListener(kind, () => this.hide());
  }
  show(part, text, side) {
    if (!text) return this.hide();
    const { box, root } = this;
    write(box, text);
    box.hidden = false;
    const [around, at] = [root.getBoundingClientRect(), part.getBoundingClientRect()];
    box.style.maxWidth = `${Math.min(this.width, around.width - 2 * GAP)}px`;
    const { width: width2, height } = box.getBoundingClientRect();
    const right = at.right - around.left + GAP;
    const above = at.top - around.top - height - GAP;
    const below = at.bottom - around.top + GAP;
    const x = side === "beside" ? right : at.left - around.left;
    let y = below;
    if (side === "beside" && right + width2 + GAP <= around.width) y = at.top - around.top;
    if (above >= 0 && (side === "above" || side === "below" && below + height >= around.height)) y = above;
    const left = Math.max(GAP, Math.min(x, around.width - width2 - GAP));
    box.style.transform = `translate(${Math.round(left)}px,${Math.round(y)}px)`;
    this.part?.removeAttribute("aria-describedby");
    this.part = part.matches("input,button,select") ? part : part.querySelector("input,button,select") ?? part;
    this.part.setAttribute("aria-describedby", box.id);
  }
  hide() {
    clearTimeout(this.timer);
    this.box.hidden = true;
  }
};

// src/shared/mathml.js
var MATH = "http://www.w3.org/1998/Math/MathML";
var KEPT = /* @__PURE__ */ new Set(["data-field", "display", "mathvariant", "stretchy", "form", "fence", "separator", "lspace", "rspace", "accent", "movablelimits", "largeop", "minsize", "maxsize", "width", "height", "columnalign", "rowspacing", "columnspacing", "displaystyle", "scriptlevel", "linethickness"]);
function copy(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || node.namespaceURI !== MATH || node.localName === "annotation-xml") return null;
  const made = document.createElementNS(MATH, node.localName);
  for (const { name, value: value2 } of node.attributes) if (KEPT.has(name)) made.setAttribute(name, value2);
  for (const child of node.childNodes) {
    const part = copy(child);
    if (part) made.append(part);
  }
  return made;
}
function math(text) {
  if (!text) return null;
  const root = new DOMParser().parseFromString(text, "application/xml").documentElement;
  return root.namespaceURI === MATH && root.localName === "math" ? copy(root) : null;
}

// node_modules/d3-format/src/formatDecimal.js
function formatDecimal_default(x) {
  return Math.abs(x = Math.round(x)) >= 1e21 ? x.toLocaleString("en").replace(/,/g, "") : x.toString(10);
}
function formatDecimalParts(x, p) {
  if ((i = (x = p ? x.toExponential(p - 1) : x.toExponential()).indexOf("e")) < 0) return null;
  var i, coefficient = x.slice(0, i);
  return [
    coefficient.length > 1 ? coefficient[0] + coefficient.slice(2) : coefficient,
    +x.slice(i + 1)
  ];
}

// node_modules/d3-format/src/exponent.js
function exponent_default(x) {
  return x = formatDecimalParts(Math.abs(x)), x ? x[1] : NaN;
}

// node_modules/d3-format/src/formatGroup.js
function formatGroup_default(grouping, thousands) {
  return function(value2, width2) {
    var i = value2.length, t = [], j = 0, g = grouping[0], length = 0;
    while (i > 0 && g > 0) {
      if (length + g + 1 > width2) g = Math.max(1, width2 - length);
      t.push(value2.substring(i -= g, i + g));
      if ((length += g + 1) > width2) break;
      g = grouping[j = (j + 1) % grouping.length];
    }
    return t.reverse().join(thousands);
  };
}

// node_modules/d3-format/src/formatNumerals.js
function formatNumerals_default(numerals) {
  return function(value2) {
    return value2.replace(/[0-9]/g, function(i) {
      return numerals[+i];
    });
  };
}

// node_modules/d3-format/src/formatSpecifier.js
var re = /^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(\.\d+)?(~)?([a-z%])?$/i;
function formatSpecifier(specifier) {
  if (!(match = re.exec(specifier))) throw new Error("invalid format: " + specifier);
  var match;
  return new FormatSpecifier({
    fill: match[1],
    align: match[2],
    sign: match[3],
    symbol: match[4],
    zero: match[5],
    width: match[6],
    comma: match[7],
    precision: match[8] && match[8].slice(1),
    trim: match[9],
    type: match[10]
  });
}
formatSpecifier.prototype = FormatSpecifier.prototype;
function FormatSpecifier(specifier) {
  this.fill = specifier.fill === void 0 ? " " : specifier.fill + "";
  this.align = specifier.align === void 0 ? ">" : specifier.align + "";
  this.sign = specifier.sign === void 0 ? "-" : specifier.sign + "";
  this.symbol = specifier.symbol === void 0 ? "" : specifier.symbol + "";
  this.zero = !!specifier.zero;
  this.width = specifier.width === void 0 ? void 0 : +specifier.width;
  this.comma = !!specifier.comma;
  this.precision = specifier.precision === void 0 ? void 0 : +specifier.precision;
  this.trim = !!specifier.trim;
  this.type = specifier.type === void 0 ? "" : specifier.type + "";
}
FormatSpecifier.prototype.toString = function() {
  return this.fill + this.align + this.sign + this.symbol + (this.zero ? "0" : "") + (this.width === void 0 ? "" : Math.max(1, this.width | 0)) + (this.comma ? "," : "") + (this.precision === void 0 ? "" : "." + Math.max(0, this.precision | 0)) + (this.trim ? "~" : "") + this.type;
};

// node_modules/d3-format/src/formatTrim.js
function formatTrim_default(s) {
  out: for (var n = s.length, i = 1, i0 = -1, i1; i < n; ++i) {
    switch (s[i]) {
      case ".":
        i0 = i1 = i;
        break;
      case "0":
        if (i0 === 0) i0 = i;
        i1 = i;
        break;
      default:
        if (!+s[i]) break out;
        if (i0 > 0) i0 = 0;
        break;
    }
  }
  return i0 > 0 ? s.slice(0, i0) + s.slice(i1 + 1) : s;
}

// node_modules/d3-format/src/formatPrefixAuto.js
var prefixExponent;
function formatPrefixAuto_default(x, p) {
  var d = formatDecimalParts(x, p);
  if (!d) return x + "";
  var coefficient = d[0], exponent = d[1], i = exponent - (prefixExponent = Math.max(-8, Math.min(8, Math.floor(exponent / 3))) * 3) + 1, n = coefficient.length;
  return i === n ? coefficient : i > n ? coefficient + new Array(i - n + 1).join("0") : i > 0 ? coefficient.slice(0, i) + "." + coefficient.slice(i) : "0." + new Array(1 - i).join("0") + formatDecimalParts(x, Math.max(0, p + i - 1))[0];
}

// node_modules/d3-format/src/formatRounded.js
function formatRounded_default(x, p) {
  var d = formatDecimalParts(x, p);
  if (!d) return x + "";
  var coefficient = d[0], exponent = d[1];
  return exponent < 0 ? "0." + new Array(-exponent).join("0") + coefficient : coefficient.length > exponent + 1 ? coefficient.slice(0, exponent + 1) + "." + coefficient.slice(exponent + 1) : coefficient + new Array(exponent - coefficient.length + 2).join("0");
}

// node_modules/d3-format/src/formatTypes.js
var formatTypes_default = {
  "%": (x, p) => (x * 100).toFixed(p),
  "b": (x) => Math.round(x).toString(2),
  "c": (x) => x + "",
  "d": formatDecimal_default,
  "e": (x, p) => x.toExponential(p),
  "f": (x, p) => x.toFixed(p),
  "g": (x, p) => x.toPrecision(p),
  "o": (x) => Math.round(x).toString(8),
  "p": (x, p) => formatRounded_default(x * 100, p),
  "r": formatRounded_default,
  "s": formatPrefixAuto_default,
  "X": (x) => Math.round(x).toString(16).toUpperCase(),
  "x": (x) => Math.round(x).toString(16)
};

// node_modules/d3-format/src/identity.js
function identity_default(x) {
  return x;
}

// node_modules/d3-format/src/locale.js
var map = Array.prototype.map;
var prefixes = ["y", "z", "a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"];
function locale_default(locale2) {
  var group = locale2.grouping === void 0 || locale2.thousands === void 0 ? identity_default : formatGroup_default(map.call(locale2.grouping, Number), locale2.thousands + ""), currencyPrefix = locale2.currency === void 0 ? "" : locale2.currency[0] + "", currencySuffix = locale2.currency === void 0 ? "" : locale2.currency[1] + "", decimal = locale2.decimal === void 0 ? "." : locale2.decimal + "", numerals = locale2.numerals === void 0 ? identity_default : formatNumerals_default(map.call(locale2.numerals, String)), percent2 = locale2.percent === void 0 ? "%" : locale2.percent + "", minus = locale2.minus === void 0 ? "−" : locale2.minus + "", nan = locale2.nan === void 0 ? "NaN" : locale2.nan + "";
  function newFormat(specifier) {
    specifier = formatSpecifier(specifier);
    var fill = specifier.fill, align = specifier.align, sign = specifier.sign, symbol = specifier.symbol, zero3 = specifier.zero, width2 = specifier.width, comma = specifier.comma, precision = specifier.precision, trim = specifier.trim, type = specifier.type;
    if (type === "n") comma = true, type = "g";
    else if (!formatTypes_default[type]) precision === void 0 && (precision = 12), trim = true, type = "g";
    if (zero3 || fill === "0" && align === "=") zero3 = true, fill = "0", align = "=";
    var prefix = symbol === "$" ? currencyPrefix : symbol === "#" && /[boxX]/.test(type) ? "0" + type.toLowerCase() : "", suffix = symbol === "$" ? currencySuffix : /[%p]/.test(type) ? percent2 : "";
    var formatType = formatTypes_default[type], maybeSuffix = /[defgprs%]/.test(type);
    precision = precision === void 0 ? 6 : /[gprs]/.test(type) ? Math.max(1, Math.min(21, precision)) : Math.max(0, Math.min(20, precision));
    function format2(value2) {
      var valuePrefix = prefix, valueSuffix = suffix, i, n, c;
      if (type === "c") {
        valueSuffix = formatType(value2) + valueSuffix;
        value2 = "";
      } else {
        value2 = +value2;
        var valueNegative = value2 < 0 || 1 / value2 < 0;
        value2 = isNaN(value2) ? nan : formatType(Math.abs(value2), precision);
        if (trim) value2 = formatTrim_default(value2);
        if (valueNegative && +value2 === 0 && sign !== "+") valueNegative = false;
        valuePrefix = (valueNegative ? sign === "(" ? sign : minus : sign === "-" || sign === "(" ? "" : sign) + valuePrefix;
        valueSuffix = (type === "s" ? prefixes[8 + prefixExponent / 3] : "") + valueSuffix + (valueNegative && sign === "(" ? ")" : "");
        if (maybeSuffix) {
          i = -1, n = value2.length;
          while (++i < n) {
            if (c = value2.charCodeAt(i), 48 > c || c > 57) {
              valueSuffix = (c === 46 ? decimal + value2.slice(i + 1) : value2.slice(i)) + valueSuffix;
              value2 = value2.slice(0, i);
              break;
            }
          }
        }
      }
      if (comma && !zero3) value2 = group(value2, Infinity);
      var length = valuePrefix.length + value2.length + valueSuffix.length, padding = length < width2 ? new Array(width2 - length + 1).join(fill) : "";
      if (comma && zero3) value2 = group(padding + value2, padding.length ? width2 - valueSuffix.length : Infinity), padding = "";
      switch (align) {
        case "<":
          value2 = valuePrefix + value2 + valueSuffix + padding;
          break;
        case "=":
          value2 = valuePrefix + padding + value2 + valueSuffix;
          break;
        case "^":
          value2 = padding.slice(0, length = padding.length >> 1) + valuePrefix + value2 + valueSuffix + padding.slice(length);
          break;
        default:
          value2 = padding + valuePrefix + value2 + valueSuffix;
          break;
      }
      return numerals(value2);
    }
    format2.toString = function() {
      return specifier + "";
    };
    return format2;
  }
  function formatPrefix2(specifier, value2) {
    var f = newFormat((specifier = formatSpecifier(specifier), specifier.type = "f", specifier)), e = Math.max(-8, Math.min(8, Math.floor(exponent_default(value2) / 3))) * 3, k = Math.pow(10, -e), prefix = prefixes[8 + e / 3];
    return function(value3) {
      return f(k * value3) + prefix;
    };
  }
  return {
    format: newFormat,
    formatPrefix: formatPrefix2
  };
}

// node_modules/d3-format/src/defaultLocale.js
var locale;
var format;
var formatPrefix;
defaultLocale({
  thousands: ",",
  grouping: [3],
  currency: ["$", ""]
});
function defaultLocale(definition) {
  locale = locale_default(definition);
  format = locale.format;
  formatPrefix = locale.formatPrefix;
  return locale;
}

// node_modules/d3-format/src/precisionFixed.js
function precisionFixed_default(step) {
  return Math.max(0, -exponent_default(Math.abs(step)));
}

// node_modules/d3-format/src/precisionPrefix.js
function precisionPrefix_default(step, value2) {
  return Math.max(0, Math.max(-8, Math.min(8, Math.floor(exponent_default(value2) / 3))) * 3 - exponent_default(Math.abs(step)));
}

// node_modules/d3-format/src/precisionRound.js
function precisionRound_default(step, max) {
  step = Math.abs(step), max = Math.abs(max) - step;
  return Math.max(0, exponent_default(max) - exponent_default(step)) + 1;
}

// src/shared/text.js
var steps = (value2) => Math.round(value2).toLocaleString("en");
var cut = (text, length) => text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
function counted(count2, noun) {
  return `${count2} ${noun}${Number(count2) === 1 ? "" : "s"}`;
}
var percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
function measured(value2) {
  if (value2 === null || value2 === void 0 || !Number.isFinite(value2)) return "–";
  const digits = Math.abs(value2) < 10 ? 3 : Math.abs(value2) < 100 ? 2 : 1;
  return value2.toFixed(digits).replace("-", "−");
}
var short = (value2) => Math.abs(value2) >= 1e5 || value2 && Math.abs(value2) < 1e-4 ? value2.toExponential().replace("e+", "e") : format(".3~g")(value2).replace("−", "-");

// src/panel/dialogs.js
var Dialog = class {
  constructor(buttons) {
    this.buttons = buttons;
    this.title = element("h3", { class: "sheet-title" });
    this.shut = element("button", { class: "sheet-shut", type: "button", text: "✕", "aria-label": "close", onclick: () => this.close() });
    this.body = element("div", { class: "sheet-body" });
    this.root = element("div", { class: "clwork-sheet", role: "dialog", hidden: true }, element("div", { class: "sheet-head" }, this.title, this.shut), this.body);
  }
  get name() {
    return this.root.hidden ? null : this.shown;
  }
  toggle(name, title, part, focus) {
    if (this.name === name) return this.close();
    this.shown = name;
    this.title.textContent = title;
    this.body.replaceChildren(part);
    this.root.hidden = false;
    this.root.setAttribute("aria-label", title);
    for (const [other, button] of Object.entries(this.buttons)) attribute(button, "aria-expanded", String(other === name));
    (focus ?? this.shut).focus({ preventScroll: true });
  }
  close() {
    if (this.root.hidden) return;
    const inside = this.root.contains(document.activeElement);
    this.root.hidden = true;
    for (const button of Object.values(this.buttons)) attribute(button, "aria-expanded", "false");
    if (inside) this.buttons[this.shown]?.focus({ preventScroll: true });
  }
};
var Drawer = class {
  /** `knobs`: those that are not next to the pictures; hooks: act(command, more) -> promise of whether it was done, main(words). */
  constructor(knobs, hooks) {
    Object.assign(this, { knobs, hooks });
    this.search = element("input", { class: "clwork-search", type: "search", placeholder: "search settings …", "aria-label": "search settings", oninput: () => this.find() });
    this.found = element("div", { class: "sheet-note", role: "status" });
    this.list = element("div", { class: "drawer-knobs" }, ...knobs.map(({ root }) => root));
    this.line = element("textarea", { class: "clwork-settings-text", rows: 3, spellcheck: "false", "aria-label": "these settings as a text", "data-lm-suppress-shortcuts": true });
    this.said = element("div", { class: "sheet-note", role: "status" });
    const button = (name, text, title, act2) => element("button", { class: `clwork-${name} small`, type: "button", text, title, onclick: act2 });
    this.take = button("apply", "Apply", "take over the settings of the line above", () => this.apply());
    this.root = element(
      "div",
      { class: "clwork-drawer" },
      this.search,
      this.found,
      this.list,
      element("h4", { text: "These settings as a text" }),
      this.line,
      element("div", { class: "sheet-row" }, button("copy", "Copy", "copy this line: it holds all that differs from defaults", () => this.copy()), this.take),
      this.said
    );
    this.find();
  }
  find() {
    const words = this.search.value.trim();
    let count2 = 0;
    for (const knob of this.knobs) {
      knob.root.hidden = Boolean(words) && !knob.matches(words);
      count2 += !knob.root.hidden;
    }
    const beside = words ? this.hooks.main(words) : [];
    write(this.found, (words ? `${count2} of ${this.knobs.length} settings` : `${count2} more settings`) + (beside.length ? `; next to the pictures: ${beside.join(", ")}` : ""));
  }
  show({ line: line2 = "", frozen }) {
    if (document.activeElement !== this.line && line2 !== this.shown) this.line.value = this.shown = line2;
    this.take.disabled = Boolean(frozen);
  }
  async copy() {
    this.line.select();
    try {
      await navigator.clipboard.writeText(this.line.value);
    } catch {
      document.execCommand("copy");
    }
    write(this.said, "Copied.");
  }
  async apply() {
    this.shown = null;
    const done = await this.hooks.act("apply", { text: this.line.value });
    write(this.said, done ? "Applied." : this.hooks.refused());
    attribute(this.said, "data-wrong", String(!done));
  }
};
var LATER2 = 400;
var LONGEST2 = 60;
function chooser(label, name, act2) {
  const box = element("select", { class: `clwork-${name}`, onchange: () => act2(box.value) });
  const note = element("div", { class: "sheet-note" });
  const root = element("div", { class: "sheet-part" }, element("label", { class: "sheet-label" }, element("span", { text: label }), box), note);
  const show = (options, choice2, words, off) => {
    offer(box, options.map(({ value: value2, label: text }) => [value2, text]), choice2);
    box.disabled = off;
    write(note, words);
  };
  return { root, box, show };
}
var Entry = class {
  constructor(name, { title, help, placeholder }, send) {
    const tag = name === "text" ? "textarea" : "input";
    this.box = element(tag, { class: `entry-${name}`, placeholder, "aria-label": title, title: help || title, rows: name === "text" ? 5 : null, "data-lm-suppress-shortcuts": true });
    this.root = element("label", { class: "sheet-label entry" }, element("span", { text: title }), this.box);
    this.sent = "";
    const out = () => {
      clearTimeout(this.timer);
      if (this.box.value !== this.sent) send({ [name]: this.sent = this.box.value });
    };
    this.box.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(out, LATER2);
    });
    this.box.addEventListener("change", out);
  }
  show(value2, off) {
    if (value2 !== null && value2 !== void 0 && document.activeElement !== this.box && this.box.value !== value2) this.box.value = this.sent = value2;
    this.box.disabled = off;
  }
};
var Upload = class {
  constructor({ title, accept }, send) {
    this.box = element("input", { type: "file", accept, "aria-label": title });
    this.name = element("span", { class: "sheet-note" });
    this.root = element("label", { class: "sheet-label entry" }, element("span", { text: title }), this.box, this.name);
    this.box.addEventListener("change", async () => {
      const [file] = this.box.files;
      if (file) send({ file: [file.name, { buffer: 0 }] }, [await file.arrayBuffer()]);
    });
  }
  show(name, off) {
    write(this.name, name || "");
    this.box.disabled = off;
  }
};
var SetUp = class {
  constructor(about, hooks) {
    this.about = about;
    this.encoder = chooser("encoder", "encoder", (choice2) => hooks.act("encoder", { choice: choice2 }));
    this.corpus = chooser("corpus", "corpus", (choice2) => hooks.act("corpus", { choice: choice2 }));
    this.preset = chooser("settings", "preset", (choice2) => hooks.act("preset", { choice: choice2 }));
    this.reset = element("button", { class: "clwork-reset small", type: "button", text: "Reset", title: "every setting back to its default", onclick: () => hooks.act("reset") });
    this.preset.root.firstChild.append(this.reset);
    const inputs = about.inputs ?? {};
    this.entries = {};
    for (const which of ["encoder", "corpus"]) {
      this.entries[which] = Object.fromEntries(Object.entries(inputs[which] ?? {}).map(([name, told2]) => {
        const send = (what, buffers) => hooks.act(which, what, buffers);
        const entry = name === "file" ? new Upload(told2, send) : new Entry(name, told2, send);
        this[which].root.append(entry.root);
        return [name, entry];
      }));
    }
    this.credit = element("div", { class: "sheet-note credit" });
    this.root = element("div", { class: "setup-sheet" }, this.encoder.root, this.corpus.root, this.credit, this.preset.root);
  }
  show(settings) {
    const { encoder = {}, corpus = {}, preset = "", frozen } = settings;
    const presets = this.about.presets ?? [];
    this.encoder.show(encoder.options ?? [], encoder.choice, encoder.note ?? "", frozen);
    this.corpus.show(corpus.options ?? [], corpus.choice, corpus.note ?? "", frozen);
    this.preset.show(presets, preset, presets.find(({ value: value2 }) => value2 === preset)?.note ?? "", frozen);
    this.reset.disabled = frozen;
    for (const [which, state] of Object.entries({ encoder, corpus })) {
      for (const [name, entry] of Object.entries(this.entries[which])) {
        entry.root.hidden = !(state.shown ?? []).includes(name);
        entry.show(state[name], frozen);
      }
    }
    write(this.credit, corpus.credit ?? "");
    attribute(this.credit, "title", this.credit.textContent);
  }
  words({ encoder = {}, corpus = {}, preset = "" }) {
    const called = ({ choice: choice2 = "", place = "", options = [] }) => {
      if (choice2 === "elsewhere") return place || "not named yet";
      const label = options.find(({ value: value2 }) => value2 === choice2)?.label ?? choice2;
      return label.length > LONGEST2 ? choice2 : label.split(" (")[0];
    };
    return [called(corpus), called(encoder), preset === "default" ? "" : preset === "your own" ? "own settings" : preset].filter(Boolean).join(" · ");
  }
};
var Compare = class {
  /** `page`: its second run is the one compared with. */
  constructor(page) {
    this.page = page;
    this.note = element("div", { class: "sheet-note", role: "status", text: "Reading the runs …" });
    this.alone = element("button", { class: "clwork-alone small", type: "button", text: "This run alone", onclick: () => this.choose("") });
    this.words = element("input", { class: "compare-search", type: "search", placeholder: "search runs …", "aria-label": "search runs", oninput: () => this.find() });
    this.entries = element("ol", { class: "compare-list" });
    this.root = element("div", { class: "compare-sheet clwork-drawer" }, this.note, this.alone, this.words, this.entries);
    this.mark();
  }
  /** The id of the run that is compared; empty where there is none. */
  get other() {
    return this.page.records[1]?.id ?? "";
  }
  ask() {
    this.page.act("list_runs");
  }
  async choose(id) {
    if (!await this.page.act("compare", { run: id })) write(this.note, this.page.said);
  }
  /** `runs`: [{id, name, differs, status, fork, scores: [[title, value], …]}]; or `working`, or why `refused`. */
  list({ runs, working, refused }) {
    if (working) return;
    write(this.note, refused ?? (runs.length ? "It gets a cloud, curves and a trail of its own, on the same steps." : "There is no other run yet."));
    this.runs = runs ?? [];
    this.entries.replaceChildren(...this.runs.map((run) => this.entry(run)));
    this.find();
    this.mark();
  }
  entry({ id, name, differs, status, fork = "", scores = [] }) {
    const told2 = scores.map(([title, value2]) => `${title} ${value2}`).join(" · ");
    const about = [status, fork, told2].filter(Boolean).join(" · ");
    return element("li", {}, element(
      "button",
      { class: "other", type: "button", "data-id": id, "aria-pressed": "false", title: `${name}
${differs}
${about}`, onclick: () => this.choose(id === this.other ? "" : id) },
      element("span", { class: "other-differs", text: differs || name }),
      element("span", { class: "other-name", text: differs ? name : "" }),
      element("span", { class: "other-about", text: about })
    ));
  }
  find() {
    const words = this.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.entries.childNodes.forEach((entry, place) => {
      const { name, differs, status, fork = "" } = this.runs[place];
      const text = `${name} ${differs} ${status} ${fork}`.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    });
  }
  mark() {
    const { other } = this;
    this.alone.disabled = !other;
    for (const button of this.entries.querySelectorAll(".other")) attribute(button, "aria-pressed", String(button.dataset.id === other));
  }
};
function strengths({ row, pairs }) {
  const there = pairs.filter((pair) => pair.row >= 0 && pair.row !== row);
  const of = (sign) => there.filter(({ pull }) => sign * pull > 0).map((pair) => [pair.row, Math.abs(pair.pull)]);
  return { row, pull: of(1), push: of(-1) };
}
var ForcesPanel = class {
  constructor(choose) {
    this.choose = choose;
    this.root = element("div", { class: "forces-sheet" });
  }
  report(text) {
    this.root.replaceChildren(element("div", { class: "sheet-note", text }));
  }
  show(forces) {
    if (forces.refused) return this.report(forces.refused);
    if (!forces.pairs) return this.report("Working out who pulls and who pushes …");
    const { about = "", loss, measure: measure2 = "", formula = [], pairs } = forces;
    const lines = formula.map((text) => element("div", { class: "forces-formula" }, math(text) ?? text));
    const list = (title, found) => found.length ? [element("h4", { text: measure2 ? `${title} (${measure2} · gradient)` : title }), element("ol", { class: "forces-list" }, ...found.map((pair) => this.pair(pair)))] : [];
    this.root.replaceChildren(
      element("div", { class: "sheet-note", text: [about, Number.isFinite(loss) ? `loss ${measured(loss)}` : ""].filter(Boolean).join("; ") }),
      ...lines,
      ...list("pulls", pairs.filter(({ pull }) => pull > 0)),
      ...list("pushes", pairs.filter(({ pull }) => pull < 0)),
      element("div", { class: "sheet-note", text: measure2 ? `${measure2} of the two, and the length of the part of this sentence's gradient that comes from the pair.` : "" })
    );
  }
  pair({ row, kind, text, score, pull }) {
    const words = [element("span", { class: "force-text", text, title: text }), element("span", { class: "force-number", text: `${measured(score)} · ${measured(Math.abs(pull))}` })];
    return element(
      "li",
      { class: pull > 0 ? "pull" : "push", title: kind },
      row >= 0 ? element("button", { class: "force", type: "button", onclick: () => this.choose(row) }, ...words) : element("span", { class: "force" }, ...words)
    );
  }
};

// src/panel/formula.js
var [LARGE, SMALL] = [18, 13];
var MATH2 = "http://www.w3.org/1998/Math/MathML";
var Formula = class {
  /** `method`: of `about`, fields by name; hooks: light(name or null), focus(name), value(name). */
  constructor(method, fields, hooks) {
    Object.assign(this, { fields, hooks, lit: null, numbers: false });
    this.math = math(method.formula);
    this.scroll = element("div", { class: "formula-math" }, this.math ?? "");
    this.switch = element("button", {
      class: "formula-switch",
      type: "button",
      text: "=",
      "aria-pressed": "false",
      "aria-label": "numbers in place of letters",
      title: "numbers in place of letters",
      onclick: () => this.toggle()
    });
    this.marks = /* @__PURE__ */ new Map();
    for (const node of this.math?.querySelectorAll("[data-field]") ?? []) this.button(node);
    this.switch.hidden = !this.marks.size;
    this.root = element("div", { class: "clwork-formula" }, this.scroll, this.switch);
    if (this.math) onResize(this.root, () => this.fit());
  }
  button(node) {
    const name = node.getAttribute("data-field");
    const { light, focus } = this.hooks;
    const first = !this.marks.has(name);
    if (first) this.marks.set(name, []);
    this.marks.get(name).push({ node, letters: [...node.childNodes] });
    if (first) {
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
    }
    for (const [type, lit] of [["mouseenter", name], ["mouseleave", null], ["focus", name], ["blur", null]]) node.addEventListener(type, () => light(lit));
    node.addEventListener("click", () => focus(name));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      focus(name);
      consume(event);
    });
  }
  /** As large as the room allows; where SMALL is too large still, it scrolls. */
  fit() {
    const { math: formula, scroll } = this;
    if (!formula || !scroll.clientWidth) return;
    const large = parseFloat(getComputedStyle(this.root).getPropertyValue("--large")) || LARGE;
    const share = (size2) => {
      formula.style.fontSize = `${size2}px`;
      const { width: width2, height } = formula.getBoundingClientRect();
      return Math.min(scroll.clientWidth / Math.max(1, width2), scroll.clientHeight / Math.max(1, height));
    };
    let size = large;
    for (let round2 = 0; round2 < 4 && size > SMALL; round2++) {
      const fits = share(size);
      if (fits >= 1) break;
      size = Math.max(SMALL, Math.floor(size * fits * 10) / 10);
    }
    formula.style.fontSize = `${size}px`;
  }
  toggle() {
    this.numbers = !this.numbers;
    attribute(this.switch, "aria-pressed", String(this.numbers));
    this.refresh();
  }
  light(name) {
    if (name === this.lit) return;
    for (const { node } of this.marks.get(this.lit) ?? []) node.removeAttribute("data-lit");
    for (const { node } of this.marks.get(name) ?? []) node.setAttribute("data-lit", "");
    this.lit = name;
  }
  refresh() {
    let changed = false;
    for (const [name, nodes] of this.marks) {
      const value2 = this.hooks.value(name);
      const shown = this.numbers && value2 ? value2 : "";
      for (const { node, letters } of nodes) {
        if (node === nodes[0].node) attribute(node, "aria-label", `${this.fields.get(name).title}, now ${value2}`);
        if ((node.dataset.number ?? "") === shown) continue;
        changed = true;
        node.dataset.number = shown;
        if (!shown) node.replaceChildren(...letters);
        else if (["mi", "mn", "mo", "mtext"].includes(node.localName)) node.textContent = shown;
        else node.replaceChildren(Object.assign(document.createElementNS(MATH2, "mn"), { textContent: shown }));
      }
    }
    if (changed) this.fit();
  }
};

// src/panel/setting_control.js
var EVERY = 125;
var SettingControl = class {
  /** `field`: of `about`; hooks: set(name, text or number) -> promise of an error or "", hot(name, on), help. */
  constructor(field, hooks) {
    Object.assign(this, { field, hooks, state: null, error: "", refused: null, busy: 0, held: false, editing: false, sent: 0 });
    const id = `clwork-${field.name}-${Math.random().toString(36).slice(2, 8)}`;
    const symbol = math(field.symbol);
    const sign = symbol?.textContent ?? "";
    const title = sign && field.title.endsWith(` ${sign}`) ? field.title.slice(0, -sign.length - 1) : field.title;
    this.name = element("label", { class: "knob-name", for: id }, element("span", { class: "knob-title", text: title }), symbol ?? "");
    this.input = this.made(id);
    this.slider = field.slider ? this.sliding() : null;
    this.note = element("div", { class: "knob-note" });
    this.root = element("div", { class: `clwork-knob ${field.kind}`, "data-name": field.name }, this.name, this.input, this.slider ?? "", this.note);
    this.listen();
    hooks.help?.on(this.root, () => [this.field.help, this.note.textContent].filter(Boolean).join(" "), "beside");
  }
  made(id) {
    const { kind, choices, title } = this.field;
    if (kind === "choice") {
      const box2 = element("select", { id, class: "knob-box", onchange: () => this.send(box2.value) });
      box2.append(...choices.map((one2) => element("option", { value: String(one2), text: String(one2) })));
      return box2;
    }
    if (kind === "bool") return element("input", { id, class: "knob-box", type: "checkbox", onchange: () => this.send(this.input.checked ? "yes" : "no") });
    const box = element("input", {
      id,
      class: "knob-box",
      type: "text",
      inputmode: kind === "text" ? "text" : "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": title,
      oninput: () => this.editing = true,
      // what is typed stays until it is taken
      onchange: () => this.typed(),
      onkeydown: (event) => {
        if (event.key === "Enter") this.typed();
        if (event.key === "Escape" && (this.editing || this.error)) {
          this.editing = false;
          this.error = "";
          if (this.state) this.show(this.state);
          event.stopPropagation();
        }
      }
    });
    return box;
  }
  typed() {
    this.editing = false;
    if (this.input.value !== this.state?.text || this.error) this.send(this.input.value);
  }
  sliding() {
    const { min, max, step } = this.field.slider;
    const slider = element("input", { class: "knob-slider", type: "range", min, max, step: step || "any", "aria-label": this.field.title });
    slider.addEventListener("input", () => this.dragged());
    slider.addEventListener("change", () => this.dropped());
    return slider;
  }
  listen() {
    const { hooks, field } = this;
    for (const [type, on] of [["pointerenter", true], ["focusin", true], ["pointerleave", false], ["focusout", false]]) {
      this.root.addEventListener(type, () => hooks.hot?.(field.name, on || this.held || this.root.contains(document.activeElement)));
    }
  }
  get at() {
    const { log } = this.field.slider;
    const value2 = log ? log ** Number(this.slider.value) : Number(this.slider.value);
    const { kind, low, high } = this.field;
    return Math.min(high, Math.max(low, kind === "int" ? Math.round(value2) : Number(value2.toPrecision(3))));
  }
  dragged() {
    this.held = true;
    this.input.value = short(this.at);
    this.filled();
    this.hooks.hot?.(this.field.name, true);
    if (this.timer) return;
    const wait = Math.max(0, EVERY - (performance.now() - this.sent));
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.send(this.at);
    }, wait);
  }
  dropped() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.held = false;
    this.send(this.at);
  }
  /** Send a value; where it is refused, the typed text stays with the error. */
  async send(what) {
    this.sent = performance.now();
    this.busy += 1;
    const before = this.state?.text;
    this.error = await this.hooks.set(this.field.name, what);
    this.busy -= 1;
    this.refused = this.error ? before : null;
    if (this.state) this.show(this.state);
  }
  /** What the kernel holds: {text, idle, off}. What the reader drags or types is not overwritten. */
  show(state) {
    this.state = state;
    if (state.text !== this.refused) this.error = "";
    const { input, slider, root, error } = this;
    if (!this.held && !this.busy && !error) {
      if (this.field.kind === "bool") input.checked = state.text === "yes";
      else if (input.value !== state.text && !this.editing) input.value = state.text;
      if (slider) this.place(Number(state.text));
    }
    input.disabled = state.off;
    if (slider) slider.disabled = state.off;
    attribute(input, "aria-invalid", String(Boolean(error)));
    root.classList.toggle("wrong", Boolean(error));
    root.classList.toggle("idle", Boolean(state.idle));
    root.classList.toggle("off", Boolean(state.off && !state.idle));
    write(this.note, error.replace(`${this.field.title}: `, "") || state.idle || "");
    attribute(this.note, "role", error ? "alert" : "note");
    attribute(this.note, "title", this.note.textContent);
    if (slider) attribute(slider, "aria-valuetext", [input.value, this.field.unit].filter(Boolean).join(" "));
  }
  place(value2) {
    const { log, min, max } = this.field.slider;
    if (!Number.isFinite(value2)) return;
    const at = log ? Math.log(value2) / Math.log(log) : value2;
    if (at < Number(this.slider.min)) this.slider.min = String(at);
    if (at > Number(this.slider.max)) this.slider.max = String(at);
    if (at >= min && at <= max) [this.slider.min, this.slider.max] = [String(min), String(max)];
    this.slider.value = String(at);
    this.filled();
  }
  filled() {
    const { min, max, value: value2 } = this.slider;
    this.slider.style.setProperty("--done", `${100 * (value2 - min) / (max - min || 1)}%`);
  }
  get value() {
    return this.input.value;
  }
  matches(words) {
    const { name, title, help, unit: unit2 } = this.field;
    const text = `${name} ${title} ${help} ${unit2}`.toLowerCase();
    return words.toLowerCase().replaceAll("_", " ").split(/\s+/).every((word) => text.includes(word)) || text.includes(words.toLowerCase());
  }
};

// src/panel/toolbar.js
var AT_WORK = /* @__PURE__ */ new Set(["starting", "waiting", "running", "paused"]);
function nextOf({ status, alive }) {
  if (!alive || !AT_WORK.has(status)) return ["start", "Start"];
  return ["pause", status === "paused" ? "Resume" : "Pause"];
}
var Toolbar = class {
  /** `about`: of the model; hooks: act(command, more), set(name, what), setup(), help. */
  constructor(about, hooks) {
    this.hooks = hooks;
    const { method, steps: length, seed } = about;
    const title = { class: "method-name", text: method.title ?? "" };
    this.method = method.paper?.startsWith("http") ? element("a", { ...title, href: method.paper, target: "_blank", rel: "noopener", title: `${method.title}: its paper` }) : element("span", { ...title, title: method.paper || method.title });
    const button = (name, text, label, act2) => element("button", { class: `clwork-${name}`, type: "button", text, "aria-label": label, onclick: act2 });
    this.start = button("start", "Start", "Start", () => this.press());
    this.step = button("step", "▸❘", "one step", () => this.hooks.act("step"));
    this.stop = button("stop", "■", "stop", () => this.hooks.act("stop"));
    this.speed = this.switched();
    this.fields = [length, seed].filter(Boolean).map((field) => new SettingControl({ ...field, slider: null, symbol: "" }, { set: hooks.set, help: hooks.help }));
    this.bar = element("div", { class: "bar-done" });
    this.left = element("div", { class: "clwork-left" });
    this.progress = element("div", { class: "clwork-progress", role: "progressbar", "aria-label": "progress of the run", "aria-valuemin": 0 }, element("div", { class: "bar" }, this.bar), this.left);
    this.chip = element("button", { class: "clwork-setup", type: "button", "aria-haspopup": "dialog", "aria-expanded": "false", onclick: hooks.setup }, element("span", { class: "chip-text", text: "set-up" }), element("span", { class: "chip-end", "aria-hidden": "true", text: "▾" }));
    this.root = element(
      "div",
      { class: "clwork-control", role: "group", "aria-label": "Control" },
      this.method,
      this.start,
      this.step,
      this.stop,
      this.speed,
      ...this.fields.map(({ root }) => root),
      this.progress,
      this.chip
    );
    hooks.help.on(this.start, () => "Start trains with the settings below. While a run is at work this button pauses it, and lets it go on. (s)");
    hooks.help.on(this.step, () => "One step of training, then wait. It starts a run that waits after its first step, too. (.)");
    hooks.help.on(this.stop, () => "End the run after the step in progress; what it has come to is kept.");
    hooks.help.on(this.chip, () => `What is trained on what: ${this.chip.firstChild.textContent}. Opens to change encoder, corpus and settings as published.`);
  }
  switched() {
    const choose = (choice2) => {
      this.pace(choice2);
      this.hooks.act("speed", { speed: choice2 });
    };
    this.slow = element("button", { type: "button", text: "slow", "aria-pressed": "false", title: "wait between steps, to watch each", onclick: () => choose("slow") });
    this.full = element("button", { type: "button", text: "full", "aria-pressed": "true", title: "as fast as it goes", onclick: () => choose("full") });
    return element("div", { class: "clwork-speed switch", role: "group", "aria-label": "speed of training" }, this.slow, this.full);
  }
  pace(choice2) {
    attribute(this.slow, "aria-pressed", String(choice2 === "slow"));
    attribute(this.full, "aria-pressed", String(choice2 !== "slow"));
  }
  press() {
    this.hooks.act(nextOf(this.runState ?? {})[0]);
  }
  show(runState) {
    this.runState = runState;
    const { status, alive, step, total, left } = runState;
    const [name, word] = nextOf(runState);
    write(this.start, word);
    attribute(this.start, "aria-label", word);
    attribute(this.start, "data-next", name);
    if (runState.speed) this.pace(runState.speed);
    this.start.disabled = status === "elsewhere";
    this.stop.disabled = !alive || !AT_WORK.has(status);
    this.step.disabled = status === "elsewhere" || alive && status !== "paused" && status !== "running";
    const prepares = alive && (status === "starting" || status === "waiting");
    attribute(this.progress, "data-busy", String(prepares));
    const part = total && step ? Math.min(1, step / total) : 0;
    this.bar.style.transform = `scaleX(${prepares ? 1 : part})`;
    const ran = alive || step > 0 && status !== "ready";
    const words = ran ? [`${steps(step)} of ${steps(total)}`, left].filter(Boolean).join(" · ") : `${steps(total)} steps`;
    write(this.left, words);
    attribute(this.left, "title", words);
    attribute(this.progress, "aria-valuemax", String(total || 1));
    attribute(this.progress, "aria-valuenow", String(step || 0));
    attribute(this.progress, "aria-valuetext", ran ? `step ${words}` : words);
  }
  flash() {
    const now = performance.now();
    if (now - (this.flashd ?? 0) < 500) return;
    this.flashd = now;
    this.bar.animate?.([{ opacity: 1 }, { opacity: 0.6 }, { opacity: 1 }], { duration: 400 });
  }
  set(settings, words) {
    for (const field of this.fields) if (settings.controls?.[field.field.name]) field.show(settings.controls[field.field.name]);
    write(this.chip.firstChild, words);
  }
};
var LONG = 3e4;
function lost(folder, alive) {
  const gone = "The kernel that this page belonged to was restarted or shut down. Nothing here moves any more: what is shown is how it stood.";
  if (!folder) return `${gone} Run the cell again for a new one.`;
  const name = JSON.stringify(folder);
  const further = alive ? ` It had not ended: clwork.resume(${name}) goes on with it.` : "";
  return `${gone} Its run is kept: lab.panel(run=clwork.open_run(${name})) shows it.${further}`;
}
function silent(since, step) {
  return `No word from the kernel since ${new Date(since).toLocaleTimeString()}: it is busy, or gone. What is shown is how it stood at step ${steps(step)}.`;
}
function unanswered(since) {
  return ` Clicks have waited since ${new Date(since).toLocaleTimeString()}: the kernel runs another cell, or has lost this page. If no cell is running, reload the page or run this cell again.`;
}
var isTrouble = (since) => Date.now() - since > LONG;
var StatusLine = class {
  constructor(help) {
    this.sign = element("span", { class: "state-sign", "aria-hidden": "true" });
    this.text = element("span", { class: "state-text" });
    this.more = element("button", { class: "state-more", type: "button", text: "more", "aria-expanded": "false", hidden: true, onclick: () => this.open(!this.opened) });
    this.root = element("div", { class: "clwork-state" }, this.sign, this.text, this.more);
    this.polite = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.alert = element("div", { class: "unseen", role: "alert" });
    this.root.append(this.polite, this.alert);
    onResize(this.root, () => this.measure());
  }
  get opened() {
    return this.root.hasAttribute("data-open");
  }
  /** Show the whole text over what lies below, or one line of it. */
  open(whole2) {
    this.root.toggleAttribute("data-open", whole2);
    attribute(this.more, "aria-expanded", String(whole2));
    write(this.more, whole2 ? "less" : "more");
  }
  measure() {
    if (this.opened) return;
    const { text } = this;
    this.more.hidden = true;
    this.more.hidden = text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight + 1;
  }
  show(text, trouble) {
    if (this.text.textContent !== text) {
      this.open(false);
      write(this.text, text);
      this.measure();
    }
    write(this.sign, trouble ? "⚠" : "");
    attribute(this.root, "data-trouble", String(Boolean(trouble)));
    if (trouble) write(this.alert, text);
    else if (this.alert.textContent) write(this.alert, "");
  }
  /** For readers of the screen: starts, pauses, ends, and each quarter of the run; no row and no probe. */
  speak({ status, step, total, sentence }) {
    const quarter = total ? Math.floor(4 * step / total) : 0;
    const key = `${status} ${status === "running" ? quarter : ""}`;
    if (key === this.key) return;
    const first = this.key === void 0;
    this.key = key;
    if (first) return;
    write(this.polite, status === "running" && quarter > 0 ? `step ${steps(step)} of ${steps(total)}` : sentence);
  }
};

// src/panel/verdict.js
var SIGNS = { good: "✓", early: "…", bad: "⚠" };
var NONE = "No verdict yet: it needs a tenth of the run";
var [WIDE, HIGH] = [48, 16];
var Verdict = class {
  constructor(help) {
    this.sign = element("span", { class: "verdict-sign", "aria-hidden": "true" });
    this.head = element("span", { class: "verdict-head", role: "status" });
    this.line = drawn("path", { class: "verdict-line" });
    this.arrow = drawn("path", { class: "verdict-arrow" });
    this.trend = drawn("svg", { class: "verdict-trend", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": "trend" }, this.line, this.arrow);
    this.text = element("div", { class: "verdict-text" });
    this.signals = element("div", { class: "verdict-signals" });
    this.root = element(
      "div",
      { class: "clwork-verdict", tabindex: 0, "aria-label": "verdict" },
      element("div", { class: "verdict-top" }, this.sign, this.head),
      this.text,
      element("div", { class: "verdict-last" }, this.trend, this.signals)
    );
    help.on(this.root, () => this.whole ?? "");
  }
  /** `verdict`: {step, sign, headline, text, signals} or null; `words`: the trend; `series`: what it is drawn of. */
  show(verdict, words, series, numbers = null) {
    const sign = verdict?.sign ?? "none";
    attribute(this.root, "data-sign", sign);
    write(this.sign, SIGNS[sign] ?? "");
    write(this.head, verdict?.headline ?? "");
    write(this.text, verdict ? verdict.text : NONE);
    const told2 = verdict?.signals.map(([label, value2]) => `${label} ${value2}`).join(" · ") ?? "";
    write(this.signals, told2);
    const values = numbers?.values.map(([label, value2]) => `${label} ${value2}`).join(" · ");
    this.whole = verdict ? [`${verdict.headline} at step ${verdict.step}`, verdict.text, told2, words, values, numbers?.about].filter(Boolean).join("\n") : "";
    this.draw(series, words);
  }
  draw({ values }, words) {
    const shown = values.length > 1 ? "inline" : "none";
    for (const part of [this.line, this.arrow]) attribute(part, "display", shown);
    attribute(this.trend, "aria-label", words ? `trend: ${words}` : "trend");
    if (values.length < 2) return;
    const few = values.filter((_, i) => i % Math.ceil(values.length / 40) === 0 || i === values.length - 1);
    const [low, high] = [Math.min(...few), Math.max(...few)];
    const at = few.map((value2, i) => [2 + i * (WIDE - 10) / (few.length - 1), HIGH - 3 - (value2 - low) / Math.max(high - low, 0.05) * (HIGH - 6)]);
    attribute(this.line, "d", at.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join(""));
    const [[x0, y0], [x1, y1]] = at.slice(-2);
    const turn = Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI;
    attribute(this.arrow, "d", "M-3 -3.5L4 0L-3 3.5");
    attribute(this.arrow, "transform", `translate(${x1.toFixed(1)},${y1.toFixed(1)}) rotate(${turn.toFixed(0)})`);
  }
};

// src/panel/controls.js
var STARTING = { status: "starting", alive: true, step: 0, left: "" };
var READY = "Press Start to train; most knobs may be moved while it trains.";
var Controls = class {
  constructor(page, help) {
    Object.assign(this, { page, help, hot: null, refusal: "" });
    const { about } = page;
    const set = async (setting, value2) => {
      const before = page.settings?.controls[setting]?.text;
      const done = await page.act("set", { setting, value: value2 });
      if (done) page.steered(setting, before);
      return done ? "" : this.refusal;
    };
    const fields = new Map((about.fields ?? []).map((field) => [field.name, field]));
    this.knobs = new Map([...fields].map(([name, field]) => [name, new SettingControl(field, { set, help, hot: (one2, on) => this.light(on ? one2 : null) })]));
    this.toolbar = new Toolbar(about, { set, help, act: (name, more) => this.act(name, more), setup: () => this.sheet.toggle("setup", "Set-up", this.setup.root, this.setup.corpus.box) });
    this.statusLine = new StatusLine(help);
    this.formula = new Formula(about.method ?? {}, fields, {
      light: (name) => this.light(name),
      focus: (name) => this.knobs.get(name)?.input.focus(),
      value: (name) => this.knobs.get(name)?.value ?? ""
    });
    this.verdict = new Verdict(help);
    this.setup = new SetUp(about, { act: (...given) => page.act(...given) });
    const main = (about.fields ?? []).filter((field) => field.main).map(({ name }) => this.knobs.get(name));
    const rest = [...this.knobs.values()].filter((knob) => !main.includes(knob));
    this.drawer = new Drawer(rest, {
      act: (...given) => page.act(...given),
      refused: () => this.refusal,
      main: (words) => main.filter((knob) => knob.matches(words)).map(({ field }) => field.title)
    });
    this.all = element("button", { class: "clwork-all", type: "button", text: "All settings", title: `${rest.length} more, with a search; all as a text`, "aria-expanded": "false", "aria-haspopup": "dialog", onclick: () => this.openAll() });
    this.others = element("button", { class: "clwork-compare", type: "button", text: "Compare", title: "another run beside this one", "aria-expanded": "false", "aria-haspopup": "dialog", onclick: () => this.openCompare() });
    this.compare = new Compare(page);
    this.knobbed = element("div", { class: "knobs", role: "group", "aria-label": "Controls" }, ...main.map(({ root }) => root));
    this.left = element("div", { class: "left" }, this.knobbed, element("div", { class: "sheets" }, this.all, this.others), this.verdict.root);
    this.sheet = new Dialog({ all: this.all, compare: this.others, setup: this.toolbar.chip });
    this.forced = new ForcesPanel((row) => page.choose(page.shared.ofRow[0][row]));
    this.owned();
  }
  owned() {
    const { page } = this;
    this.ownField = element("input", {
      class: "clwork-own",
      type: "text",
      maxlength: 500,
      placeholder: "Type a sentence …",
      "aria-label": "a sentence of your own, to see where it lies; Enter takes it, an empty one takes the last away",
      onkeydown: (event) => event.key === "Enter" && this.write()
    });
    const half = (kind, text) => element("button", { type: "button", text, "aria-pressed": "false", onclick: () => page.kind(kind) });
    this.halves = { pca: half("pca", "PCA"), umap: half("umap", "UMAP") };
    this.kinds = element("div", { class: "switch kinds", role: "group", "aria-label": "picture of the sentences" }, ...Object.values(this.halves));
    this.help.on(this.kinds, () => "PCA: the two main axes, the same ones all the time. UMAP: who is near whom, made of all probes so far; it takes a while.");
    this.help.on(this.ownField, () => "Your own sentence as a dot among the others, three at most. Enter takes it; Enter in the empty field takes the last one away.");
  }
  write() {
    const text = this.ownField.value.trim();
    const texts = this.page.own.map((one2) => one2.text);
    this.page.act("typed", { texts: text ? [...texts.filter((one2) => one2 !== text), text] : texts.slice(0, -1) });
    this.ownField.value = "";
  }
  openAll(focus = null) {
    this.sheet.toggle("all", "All settings", this.drawer.root, focus ?? this.drawer.search);
  }
  openCompare() {
    this.sheet.toggle("compare", "Compare with", this.compare.root);
    if (this.sheet.name === "compare") this.compare.ask();
  }
  light(name) {
    if (name === this.hot) return;
    this.knobs.get(this.hot)?.root.removeAttribute("data-lit");
    this.knobs.get(name)?.root.setAttribute("data-lit", "");
    this.hot = name;
    this.formula.light(name);
    this.formula.refresh();
  }
  begin() {
    this.verdict.show(null, "", { values: [] });
  }
  take(news, found) {
    const { page } = this;
    if (news.state) this.showState(news.state);
    if (news.settings) this.showSettings(news.settings);
    if (news.comparable) this.compare.list(news.comparable);
    if (found.replaced || news.state) this.compare.mark();
    const [record] = page.records;
    if (found.rows || news.measurements) {
      const cosines = record.history.series("mean_cosine");
      this.verdict.show(record.verdict, record.trend(Infinity), cosines.values.length ? cosines : record.history.series("uniformity"), page.measurements);
    }
  }
  showState(runState) {
    if (runState.step !== this.step && runState.alive) this.toolbar.flash();
    if (runState.status !== this.status) this.page.said = "";
    if (runState.status !== this.status && this.sheet.name === "compare") this.compare.ask();
    Object.assign(this, { step: runState.step, status: runState.status });
    this.toolbar.show(this.starting ? { ...runState, ...STARTING } : runState);
    this.statusLine.speak(runState);
  }
  showSettings(settings) {
    for (const [name, knob] of this.knobs) if (settings.controls?.[name]) knob.show(settings.controls[name]);
    this.setup.show(settings);
    this.drawer.show(settings);
    this.toolbar.set(settings, this.setup.words(settings));
    this.formula.refresh();
  }
  get errors() {
    return [...this.knobs.values(), ...this.toolbar.fields].map((knob) => knob.error).filter(Boolean);
  }
  pending(name) {
    this.refusal = "";
    if (name !== "start" && name !== "step") return;
    if (name === "step" && this.page.runState?.alive) return;
    this.starting = true;
    this.toolbar.show({ ...this.page.runState, ...STARTING });
    this.statusLine.show("Starting …", false);
  }
  /** Send a command of the toolbar; a run does not start while a text is wrong. */
  act(name, more) {
    const { page, errors } = this;
    const starts = name === "start" || name === "step" && !page.runState?.alive;
    if (!starts || !errors.length) return page.act(name, more);
    page.refuse(`It did not start. ${errors.join(" ")}`, name);
    return Promise.resolve(false);
  }
  settled(name) {
    if (name !== "start" && name !== "step") return;
    this.starting = false;
    if (this.page.runState) this.toolbar.show(this.page.runState);
  }
  refuse(why, name) {
    this.refusal = why;
    if (name === "forces") this.forced.report(why);
  }
  /** The state's line: silence first, then what was refused, then what the kernel says. */
  report(silence, trouble) {
    const { page } = this;
    const { runState } = page;
    if (silence) return this.statusLine.show(silence, trouble);
    if (page.said) return this.statusLine.show(page.said, true);
    if (this.starting) return void 0;
    const opening = page.records[0].recorded && runState?.status === "ready" && !runState.trouble;
    const text = opening ? `This trains sentence vectors with ${page.about.method?.title ?? "a method"}. What you see is a recorded run; press Start for your own.` : runState?.sentence ?? READY;
    return this.statusLine.show(text, Boolean(runState?.trouble));
  }
  forces(forces) {
    const { page } = this;
    page.forces = forces?.pairs ? strengths(forces) : null;
    if (!forces) {
      if (this.sheet.name === "forces") this.sheet.close();
      return;
    }
    this.forced.show(forces, page.records[0].texts);
    if (forces.pairs && this.sheet.name !== "forces") this.openForces();
  }
  openForces() {
    const held = document.activeElement;
    this.sheet.toggle("forces", "What pulls, what pushes", this.forced.root);
    held?.focus?.({ preventScroll: true });
  }
  drawn() {
    const { page } = this;
    const state = page.umapState;
    for (const [kind, half] of Object.entries(this.halves)) attribute(half, "aria-pressed", String(page.view.kind === kind));
    write(this.halves.umap, state === "asked" ? "UMAP …" : "UMAP");
    this.halves.umap.disabled = state === "asked";
  }
  keys() {
    return {
      s: () => this.toolbar.press(),
      ".": () => this.toolbar.step.disabled || this.act("step"),
      "/": () => this.sheet.name === "all" ? this.drawer.search.focus() : this.openAll(),
      t: () => this.ownField.focus()
    };
  }
  /** Shut what is open; whether there was something. */
  escape() {
    const { sheet, statusLine } = this;
    if (!sheet.name && statusLine.opened) {
      statusLine.open(false);
      return true;
    }
    if (!sheet.name) return false;
    if (sheet.name === "forces") this.page.choose(-1);
    sheet.close();
    return true;
  }
};

// src/shared/palette.js
var OUTLINES = {
  circle: "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
  square: "M-.88 -.88H.88V.88H-.88Z",
  diamond: "M0 -1.2L1.2 0L0 1.2L-1.2 0Z",
  cross: "M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "triangle-up": "M0 -1.2L1.15 .8H-1.15Z",
  x: "M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",
  star: "M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z"
};
var LIGHT = [
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
  "#B5123F"
];
var DARK = [
  "#4DA3FF",
  "#FFB52E",
  "#2BD4A0",
  "#FF7A33",
  "#F29AC8",
  "#96D8FF",
  "#AB8DF0",
  "#C79C6A",
  "#DFE4EA",
  "#CFDC4D",
  "#FF6B88"
];
var SYMBOLS = ["circle", "square", "diamond", "cross", "triangle-up", "x", "star"];
var DISTINCT = LIGHT.length;
var colour = (group, dark) => group < 0 ? dark ? "#6b7480" : "#a4abb3" : (dark ? DARK : LIGHT)[group % DISTINCT];
var outline = (group) => OUTLINES[group < 0 ? "circle" : SYMBOLS[group % SYMBOLS.length]];

// src/panel/reading.js
var marker = (group, dark, r = 5) => drawn("svg", { class: "marker", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, drawn("path", { d: outline(group), transform: `scale(${r})`, fill: colour(group, dark) }));
var Reading = class {
  /** `whole`: lists of all that is near, each a button; else one line of the nearest then, and one of the nearest now. */
  constructor(choose, whole2) {
    this.choose = choose;
    this.sign = element("span", { class: "line-sign" });
    this.group = element("span", { class: "line-group" });
    this.text = element("span", { class: "line-text" });
    this.line = element("div", { class: "line" }, this.sign, this.group, this.text);
    this.lists = element("div", { class: whole2 ? "lists" : "lists brief" });
    this.root = element("div", { class: whole2 ? "clwork-reading whole" : "clwork-reading" }, this.line, this.lists);
    this.spoken = element("div", { class: "unseen", "aria-live": "polite" });
    this.root.append(this.spoken);
  }
  report(read, dark) {
    const key = `${read.text} ${read.group} ${read.name} ${dark}`;
    if (this.said === key) return;
    this.said = key;
    this.sign.replaceChildren(...read.group === void 0 ? [] : [marker(read.group, dark)]);
    write(this.group, read.name ?? "");
    write(this.text, read.text);
    this.line.title = read.text;
  }
  /** Read a dot out to readers of the screen: the keys have gone there. */
  speak(text) {
    write(this.spoken, text);
  }
  /** `columns`: [{title, ink, items: [{sentence, text, group, fresh}]}]; without any, `hint` takes their room. */
  list(columns, dark, hint) {
    const key = JSON.stringify([columns, dark, hint]);
    if (key === this.shown) return;
    this.shown = key;
    const held = this.lists.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const make = this.lists.classList.contains("brief") ? this.briefly : this.column;
    this.lists.replaceChildren(columns.length ? "" : element("p", { class: "hint", text: hint }), ...columns.map((column, number4) => make.call(this, column, number4, dark)));
    if (held) this.lists.querySelector(`[data-key="${held}"]`)?.focus();
  }
  column({ title, ink, items }, number4, dark) {
    const entries = items.map(
      (item, place) => element(
        "li",
        {},
        element(
          "button",
          { class: "near", type: "button", "data-key": `${number4}-${place}`, title: item.text, onclick: () => this.choose(item.sentence) },
          marker(item.group, dark),
          element("span", { class: "near-text", text: item.text }),
          item.fresh ? element("span", { class: "fresh", text: "new" }) : ""
        )
      )
    );
    const head = element("div", { class: "list-title", style: ink ? `color: ${ink}` : null, text: title });
    return element("div", { class: "list" }, head, element("ol", {}, ...entries));
  }
  /** All in a line: "then …" or "now …", or of two runs "A …" and "B …". */
  briefly({ title, name, when, ink, items }) {
    const texts = items.slice(0, 3).map(({ text }) => text);
    return element(
      "div",
      { class: `near-line ${when}`, title: `${title}:
${texts.join("\n")}` },
      element("span", { class: "near-when", style: ink ? `color: ${ink}` : null, text: name }),
      ...texts.map((text) => element("span", { class: "near-word", text }))
    );
  }
};

// src/panel/player_parts.js
var choice = (label, options, change) => {
  const box = element("select", { "aria-label": label, title: label, onchange: () => change(box.value) });
  offer(box, options);
  return box;
};
function colourings(records) {
  const own = records.some((record) => record.own);
  const topics = records.some((record) => record.labels?.some((label) => label));
  return [...own ? [["own", "your labels"]] : [], ...topics ? [["topic", "topic"]] : [], ["cluster", "cluster"], ["words", "your words"]];
}
var Sidebar = class {
  /** `hooks`: colour(by), words(text), axes(x, y), kind(kind), find(text), next(); `legend`: the groups. */
  constructor(legend, hooks) {
    this.colour = choice("colour the dots by", [], (by) => {
      this.words.hidden = by !== "words";
      hooks.colour(by);
      if (by === "words") this.words.focus();
    });
    this.words = element("input", {
      class: "words",
      type: "text",
      placeholder: "music, war, river",
      "aria-label": "your words, parted by commas",
      hidden: true,
      oninput: () => hooks.words(this.words.value)
    });
    const axes2 = () => hooks.axes(Number(this.x.value), Number(this.y.value));
    this.kind = choice("what the picture shows", [["pca", "PCA"]], hooks.kind);
    this.x = choice("axis to the right", [], axes2);
    this.y = choice("axis upwards", [], axes2);
    this.search = element("input", {
      class: "find",
      type: "search",
      placeholder: "find a sentence …",
      "aria-label": "find a sentence; Enter chooses the next that fits",
      oninput: () => hooks.find(this.search.value),
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        hooks.next();
      }
    });
    const field = (text, ...parts) => element("div", { class: "field" }, element("span", { text }), ...parts);
    this.root = element("div", { class: "dots" }, field("colour", this.colour), this.words, field("view", this.kind), element("div", { class: "field pair" }, this.x, this.y), this.search, legend.root);
  }
  offer(records) {
    const [record] = records;
    offer(this.colour, colourings(records));
    const axes2 = Array.from({ length: record.axes }, (_, axis) => [String(axis), record.shares[axis] === void 0 ? `axis ${axis + 1}` : `axis ${axis + 1} · ${percent(record.shares[axis])}`]);
    offer(this.x, axes2);
    offer(this.y, axes2);
  }
  /** `umap`: "there", "asked", "possible" or "missing". */
  show(view2, umap) {
    const words = { there: "UMAP, aligned", asked: "UMAP is being made …", possible: "UMAP (Python makes it)", missing: "UMAP: ask with umap=True" };
    offer(this.kind, [["pca", "PCA, one basis"], ["umap", words[umap], umap === "missing" || umap === "asked"]]);
    this.kind.value = view2.kind;
    this.x.value = String(view2.x);
    this.y.value = String(view2.y);
    this.x.parentElement.hidden = view2.kind === "umap";
    attribute(this.root, "data-kind", view2.kind);
  }
};
var Legend = class {
  /** `hooks`: toggle(group), only(group), all(), lift(). */
  constructor(hooks) {
    this.hooks = hooks;
    this.list = element("div", { class: "legend-list", role: "group", "aria-label": "groups shown" });
    this.all = element("button", { class: "small", type: "button", text: "Show all", onclick: hooks.all });
    this.lift = element("button", { class: "small", type: "button", text: "Lift selection", title: "let go of the chosen sentences (Esc)", onclick: hooks.lift });
    this.root = element("div", { class: "legend" }, this.list, element("div", { class: "legend-foot" }, this.all, this.lift));
  }
  show(groups, hidden, dark, chosen) {
    const key = JSON.stringify([groups, dark]);
    if (key !== this.key) {
      this.key = key;
      this.buttons = groups.map(
        ({ group, name, count: count2 }) => element(
          "button",
          {
            class: "group",
            type: "button",
            title: `${name}: ${counted(count2, "sentence")}. Click to hide or show, double-click for this one alone.`,
            onclick: () => this.hooks.toggle(group),
            ondblclick: () => this.hooks.only(group)
          },
          marker(group, dark),
          element("span", { class: "group-name", text: name }),
          element("span", { class: "group-count", text: String(count2) })
        )
      );
      this.list.replaceChildren(...this.buttons);
    }
    groups.forEach(({ group }, i) => attribute(this.buttons[i], "aria-pressed", String(!hidden.has(group))));
    this.lift.disabled = !chosen;
    this.all.disabled = hidden.size === 0;
  }
};
function standing(record) {
  const how = record.status === "shipped" || !record.status ? "recorded" : record.status;
  const last = record.steps.at(-1) ?? 0;
  return record.alive ? `${how}, step ${steps(Math.max(last, record.history.last))} of ${steps(record.total)}` : `${how}, ${steps(record.total || last)} steps`;
}
var Titles = class {
  constructor(runs) {
    this.lines = runs.map(({ name, ink }) => ({
      title: element("strong", { class: "run-title" }),
      stand: element("span", { class: "run-stand" }),
      key: runs.length > 1 ? element("span", { class: "run-key", style: `background: ${ink}`, text: name }) : ""
    }));
    this.said = element("div", { class: "run-said", role: "status" });
    this.root = element(
      "div",
      { class: "clwork-titles" },
      element("div", { class: "runs" }, ...this.lines.map(({ key, title, stand }) => element("span", { class: "run" }, key, title, stand))),
      this.said
    );
  }
  show(runs) {
    runs.forEach(({ record }, run) => {
      const { title, stand } = this.lines[run];
      const called = record.differs || record.title || record.method || record.name || "";
      const method = called.startsWith(record.title ?? "") ? "" : record.title;
      const seed = record.seed === null || called.includes("seed =") ? "" : `seed ${record.seed}`;
      write(title, called);
      write(stand, record.id ? [method, record.name, seed, standing(record)].filter(Boolean).join(" · ") : "");
      attribute(stand, "title", stand.textContent);
    });
  }
  report(text) {
    write(this.said, text);
  }
};

// src/panel/layout.js
var Layout = class {
  constructor(page) {
    this.page = page;
    this.help = new Tooltip(page.root, "clwork-help", 320);
    this.standing = "answers";
    this.clouds = element("div", { class: "clouds" });
    const { curves, plane, transport, reading } = page.picture;
    const right = element("div", { class: "right" }, curves.root, plane.root);
    if (page.panel) {
      this.knobs = new Controls(page, this.help);
      const { toolbar, statusLine, formula, left, sheet } = this.knobs;
      this.root = element("div", { class: "stage" }, toolbar.root, statusLine.root, formula.root, left, this.clouds, transport.root, reading.root, right, sheet.root);
    } else {
      this.player();
      this.root = element("div", { class: "stage", "data-fits": true }, this.titles.root, this.dots.root, this.clouds, right, transport.root, reading.root);
    }
    this.arrange();
  }
  /** The clouds side by side, as many as there are runs; in a panel the first head has the field, the last one the switch. */
  arrange() {
    const { knobs, page: { picture: { clouds, slots } } } = this;
    const boxes = clouds.map((cloud, run) => {
      const { name, ink } = slots[run];
      const key = slots.length > 1 ? element("span", { class: "run-key", style: `background: ${ink}`, text: name }) : "";
      const head = element("div", { class: "cloud-head" }, key, knobs && !run && knobs.ownField || "", cloud.note, knobs && run === slots.length - 1 && knobs.kinds || "");
      return element("div", { class: "clwork-cloud" }, cloud.root, head, knobs ? "" : cloud.trend);
    });
    this.clouds.replaceChildren(...boxes);
  }
  player() {
    const { page } = this;
    const on = (act2) => (...given) => act2(page.selection, ...given);
    this.legend = new Legend({
      toggle: on((selection, group) => selection.toggle(group)),
      only: on((selection, group) => selection.only(group)),
      all: on((selection) => selection.set({ hidden: /* @__PURE__ */ new Set() })),
      lift: () => page.choose(-1)
    });
    this.dots = new Sidebar(this.legend, {
      colour: on((selection, by) => selection.colour(by)),
      words: on((selection, words) => selection.colour("words", words)),
      axes: (x, y) => page.turn({ ...page.view, x, y }),
      kind: (kind) => page.kind(kind),
      find: on((selection, text) => selection.set({ query: text.trim().toLowerCase() })),
      next: on((selection) => selection.next())
    });
    this.titles = new Titles(page.picture.slots);
  }
  begin() {
    const { page } = this;
    this.arrange();
    this.dots?.offer(page.records);
    if (this.dots) this.dots.colour.value = page.selection.by;
    this.knobs?.begin();
  }
  take(news, found) {
    this.knobs?.take(news, found);
    this.titles?.show(this.page.picture.shown());
    this.report();
  }
  drawn(runs) {
    const { page } = this;
    this.dots?.show(page.view, page.umapState);
    this.knobs?.drawn(runs);
    const { selection, dark } = page;
    this.legend?.show(selection.groups.groups, selection.hidden, dark, selection.chosen.length > 0);
  }
  stand(state, since) {
    Object.assign(this, { standing: state, since });
    attribute(this.page.root, "data-line", state);
    clearTimeout(this.later);
    if (state === "silent") this.later = setTimeout(() => this.report(), 31e3);
    this.report();
  }
  silence() {
    const { page } = this;
    const [record] = page.records;
    const alive = page.runState ? page.runState.alive : record.alive;
    if (this.standing === "gone") return [lost(record.recorded || !record.id ? "" : record.id, alive), true];
    if (this.standing === "unanswered" && page.runState) return [`${page.runState.sentence}${unanswered(this.since)}`, Boolean(page.runState.trouble)];
    if (this.standing === "silent" && (alive || isTrouble(this.since))) return [silent(this.since, Math.max(page.runState?.step ?? 0, record.last)), isTrouble(this.since)];
    return ["", false];
  }
  report() {
    const { page } = this;
    const [text, trouble] = this.silence();
    if (this.knobs) this.knobs.report(text, trouble);
    else if (this.titles) this.titles.report(text || page.said || (page.records[0].id ? "" : "Waiting for the run's first probe …"));
  }
  escape() {
    const { page } = this;
    if (this.knobs?.escape()) return;
    else if (page.selection.pinned !== null) page.selection.pin(page.selection.pinned);
    else if (page.selection.chosen.length || page.forces) page.choose(-1);
    else if (page.now === false) page.toNow();
  }
};

// src/shared/cloud.js
var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function penOf(canvas, width2, height) {
  const ratio = globalThis.devicePixelRatio || 1;
  const size = [Math.round(width2 * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width2, height);
  return pen;
}
function placement([left, right, low, high], width2, height, { side, top = side, bottom = side }, stretch = 1) {
  const wide = (width2 - 2 * side) / Math.max(right - left, 1e-6);
  const tall = (height - top - bottom) / Math.max(high - low, 1e-6);
  const [across, up] = [Math.min(wide, stretch * tall), Math.min(tall, stretch * wide)];
  const [x0, y0] = [width2 / 2 - across * (left + right) / 2, (top + height - bottom) / 2 + up * (low + high) / 2];
  return Object.assign((x, y) => [x0 + across * x, y0 - up * y], { unit: across });
}
function nearestDot(dots, x, y, reach = Infinity) {
  let [best, least] = [-1, reach ** 2];
  for (const [row, [px, py]] of dots) {
    const gap = (px - x) ** 2 + (py - y) ** 2;
    if (gap < least) [best, least] = [row, gap];
  }
  return best;
}
function nextDot(dots, [x, y], { key }) {
  if (!ARROWS[key]) return null;
  const [dx, dy] = ARROWS[key];
  let [best, least] = [-1, Infinity];
  for (const [row, [px, py]] of dots) {
    const along = (px - x) * dx + (py - y) * dy;
    const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (along > 0.01 && across <= 2 * along && along + 2 * across < least) [best, least] = [row, along + 2 * across];
  }
  return best;
}

// src/panel/painter.js
var RADIUS = 4;
var LONGEST3 = 32;
var STRONGEST = 8;
var Painter = class {
  constructor(cloud) {
    this.cloud = cloud;
    this.pen = cloud.canvas.getContext("2d");
    this.sprites = /* @__PURE__ */ new Map();
    this.sides = /* @__PURE__ */ new Map();
  }
  paint(place) {
    const { cloud } = this;
    const { canvas, width: width2, height, scene: scene2 } = cloud;
    penOf(canvas, width2, height);
    this.dense = globalThis.devicePixelRatio || 1;
    const count2 = cloud.at.length / 2;
    this.tails(place, scene2, count2);
    this.ways(place, scene2);
    this.links(scene2);
    this.dots(scene2, count2);
    this.marks(scene2);
    if (scene2.forces) this.forces(scene2.forces, scene2.inks);
    this.ownDots(scene2);
    this.leaders(scene2);
    this.labels(scene2);
    if (scene2.measured && count2) this.bar(scene2);
  }
  at(row) {
    return [this.cloud.at[2 * row], this.cloud.at[2 * row + 1]];
  }
  line(from, to) {
    this.pen.beginPath();
    this.pen.moveTo(...from);
    this.pen.lineTo(...to);
    this.pen.stroke();
  }
  /** Where a dot comes from: a short line behind it while time passes. */
  tails(place, scene2, count2) {
    if (!scene2.before) return;
    const { pen } = this;
    pen.lineWidth = 1.5;
    pen.globalAlpha = scene2.faded ? 0.15 : 0.35;
    const byGroup = /* @__PURE__ */ new Map();
    for (let row = 0; row < count2; row++) {
      if (scene2.hidden(row) || scene2.faint(row)) continue;
      const group = scene2.group(row);
      if (!byGroup.has(group)) byGroup.set(group, new Path2D());
      byGroup.get(group).moveTo(...place(scene2.before[2 * row], scene2.before[2 * row + 1]));
      byGroup.get(group).lineTo(...this.at(row));
    }
    for (const [group, path] of byGroup) {
      pen.strokeStyle = colour(group, scene2.dark);
      pen.stroke(path);
    }
    pen.globalAlpha = 1;
  }
  /** The way of each chosen sentence through time, fainter the longer ago; its start is a hollow dot. */
  ways(place, scene2) {
    const { pen } = this;
    pen.lineJoin = pen.lineCap = "round";
    for (const [row, way] of scene2.tracks) {
      const points = [...way.map(([x, y]) => place(x, y)), this.at(row)];
      pen.strokeStyle = colour(scene2.group(row), scene2.dark);
      pen.lineWidth = 2.5;
      for (let i = 1; i < points.length; i++) {
        pen.globalAlpha = 0.25 + 0.65 * i / points.length;
        this.line(points[i - 1], points[i]);
      }
      pen.globalAlpha = 1;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(...points[0], 4, 0, 2 * Math.PI);
      pen.stroke();
    }
  }
  links(scene2) {
    const row = scene2.chosen.at(-1);
    if (row === void 0 || scene2.forces) return;
    this.pen.strokeStyle = scene2.inks.ink;
    this.pen.globalAlpha = 0.55;
    this.pen.lineWidth = 1;
    for (const other of scene2.near) this.line(this.at(row), this.at(other));
    this.pen.globalAlpha = 1;
  }
  alpha(scene2, row) {
    if (scene2.faint(row)) return 0.2;
    return scene2.faded ? 0.4 : 0.92;
  }
  dots(scene2, count2) {
    const { pen, cloud } = this;
    const above = new Set([...scene2.near, ...scene2.chosen].filter((row) => !scene2.hidden(row)));
    const dot = (row, size, alpha) => {
      const sprite = this.sprite(scene2.group(row), size, scene2);
      const half = sprite.width / this.dense / 2;
      pen.globalAlpha = alpha;
      pen.drawImage(sprite, cloud.at[2 * row] - half, cloud.at[2 * row + 1] - half, 2 * half, 2 * half);
    };
    for (const others of [true, false]) {
      for (let row = 0; row < count2; row++) {
        if (scene2.group(row) < 0 === others && !scene2.hidden(row)) dot(row, RADIUS, this.alpha(scene2, row));
      }
    }
    for (const row of above) dot(row, RADIUS + 1.5, 1);
    if (scene2.hover >= 0 && !scene2.hidden(scene2.hover)) dot(scene2.hover, 7, 1);
    pen.globalAlpha = 1;
  }
  /** A group's marker as a small picture, with a rim that keeps neighbours apart. */
  sprite(group, size, { dark, inks }) {
    const key = `${group} ${size} ${dark} ${this.dense}`;
    if (!this.sprites.has(key)) {
      const half = Math.ceil(1.4 * size + 2);
      const made = document.createElement("canvas");
      made.width = made.height = Math.round(2 * half * this.dense);
      const pen = made.getContext("2d");
      pen.setTransform(this.dense * size, 0, 0, this.dense * size, half * this.dense, half * this.dense);
      const path = new Path2D(outline(group));
      pen.lineWidth = 1.5 / size;
      pen.strokeStyle = inks.ground;
      pen.fillStyle = colour(group, dark);
      pen.stroke(path);
      pen.fill(path);
      this.sprites.set(key, made);
    }
    return this.sprites.get(key);
  }
  /** Rings: thick around the chosen, thin around its nearest now, dashed around its nearest then. */
  marks(scene2) {
    const { pen } = this;
    const ring = (row, size, width2, ink, dash = []) => {
      if (row < 0 || scene2.hidden(row)) return;
      pen.strokeStyle = ink;
      pen.lineWidth = width2;
      pen.setLineDash(dash);
      pen.beginPath();
      pen.arc(...this.at(row), size, 0, 2 * Math.PI);
      pen.stroke();
      pen.setLineDash([]);
    };
    scene2.then.forEach((row) => ring(row, RADIUS + 5, 1.2, scene2.inks.ink, [3, 3]));
    scene2.near.forEach((row) => ring(row, RADIUS + 3, 1.2, scene2.inks.ink));
    scene2.chosen.forEach((row) => ring(row, 8, 2.5, scene2.inks.accent));
    ring(scene2.hover, 9, 2, scene2.inks.ink);
  }
  forces({ row, pull, push }, inks) {
    const { pen } = this;
    const strongest = (list) => [...list].sort((a, b) => b[1] - a[1]).slice(0, STRONGEST);
    const most = Math.max(1e-12, ...[...pull, ...push].map(([, strength]) => strength));
    const draw = (list, ink, dash, toward) => {
      pen.strokeStyle = pen.fillStyle = ink;
      pen.setLineDash(dash);
      for (const [other, strength] of strongest(list)) {
        pen.lineWidth = 1 + 3 * strength / most;
        this.line(this.at(row), this.at(other));
        pen.setLineDash([]);
        if (toward) this.arrow(this.at(other), this.at(row));
        else this.arrow(this.at(row), this.at(other));
        pen.setLineDash(dash);
      }
      pen.setLineDash([]);
    };
    draw(push, inks.ink, [5, 4], false);
    draw(pull, inks.accent, [], true);
  }
  arrow([x0, y0], [x1, y1]) {
    const [x, y] = [x0 + 0.6 * (x1 - x0), y0 + 0.6 * (y1 - y0)];
    const turn = Math.atan2(y1 - y0, x1 - x0);
    this.pen.save();
    this.pen.translate(x, y);
    this.pen.rotate(turn);
    this.pen.fill(new Path2D("M6 0L-4 4.5V-4.5Z"));
    this.pen.restore();
  }
  ownDots({ own, inks }) {
    const { pen, cloud } = this;
    own.forEach((_, place) => {
      pen.beginPath();
      pen.arc(...cloud.own[place], 8, 0, 2 * Math.PI);
      pen.fillStyle = inks.ground;
      pen.fill();
      pen.lineWidth = 3;
      pen.strokeStyle = inks.accent;
      pen.stroke();
      pen.beginPath();
      pen.arc(...cloud.own[place], 3, 0, 2 * Math.PI);
      pen.fillStyle = inks.accent;
      pen.fill();
    });
  }
  leaders({ inks }) {
    this.pen.strokeStyle = inks.soft;
    this.pen.lineWidth = 1;
    for (const { from, to } of this.cloud.topics.leaders()) this.line(from, to);
  }
  /** Words next to own and chosen sentences, on the side where they cover fewest dots. */
  labels(scene2) {
    const { pen, cloud } = this;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const rows = scene2.chosen.filter((row) => !scene2.hidden(row));
    const all = [
      ...rows.map((row) => ({ key: `row ${row}`, text: scene2.text(row), at: this.at(row) })),
      ...scene2.own.map(({ text }, place) => ({ key: `own ${text}`, text, at: cloud.own[place] }))
    ];
    for (const { key, text, at } of all) {
      const words = cut(text, LONGEST3);
      const wide = pen.measureText(words).width + 8;
      const side = this.side(key, at, wide);
      const [x, y] = corner(side, at, wide, cloud);
      pen.globalAlpha = 0.85;
      pen.fillStyle = scene2.inks.ground;
      pen.fillRect(x, y, wide, 18);
      pen.globalAlpha = 1;
      pen.fillStyle = scene2.inks.ink;
      pen.fillText(words, x + 4, y + 9.5);
    }
  }
  /** The side of a label; it stays as long as it covers hardly more than the best one. */
  side(key, at, wide) {
    const { cloud } = this;
    const covered = (side2) => {
      const [x, y] = corner(side2, at, wide, cloud);
      let count2 = 0;
      for (let i = 0; i < cloud.at.length; i += 2) {
        count2 += cloud.at[i] > x && cloud.at[i] < x + wide && cloud.at[i + 1] > y && cloud.at[i + 1] < y + 18;
      }
      for (const { at: [left, top], wide: long, out } of cloud.topics.shown) {
        if (!out && left < x + wide && x < left + long && top < y + 18 && y < top + 20) count2 += 1e3;
      }
      return count2;
    };
    const counts = [0, 1, 2, 3].map(covered);
    const held = this.sides.get(key);
    const best = counts.indexOf(Math.min(...counts));
    const side = held !== void 0 && counts[held] <= counts[best] + 2 ? held : best;
    this.sides.set(key, side);
    return side;
  }
  bar({ inks }) {
    const { pen, cloud } = this;
    const length = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((size) => size * cloud.unit >= 40) ?? 1;
    const [x, y] = [12.5, cloud.height - 12.5];
    pen.strokeStyle = pen.fillStyle = inks.soft;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, y - 4);
    pen.lineTo(x, y);
    pen.lineTo(x + length * cloud.unit, y);
    pen.lineTo(x + length * cloud.unit, y - 4);
    pen.stroke();
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "alphabetic";
    pen.fillText(String(length), x + 4, y - 4);
  }
};
function corner(side, [x, y], wide, { width: width2, height }) {
  const [left, top] = [[x + 13, y - 9], [x - 13 - wide, y - 9], [x - wide / 2, y - 31], [x - wide / 2, y + 13]][side];
  return [Math.max(2, Math.min(width2 - wide - 2, left)), Math.max(44, Math.min(height - 20, top))];
}

// src/panel/cloud.js
var REACH = 14;
var MARGIN = { side: 16, top: 48, bottom: 16 };
var Cloud = class {
  /** `hooks`: hover(row or -1), choose(row, more), key(event) -> whether it was used, light(group or null), pin(group), resized(). */
  constructor(hooks) {
    this.canvas = element("canvas", { class: "cloud-canvas", tabindex: 0, role: "img" });
    this.topics = new Topics(hooks);
    this.root = element("div", { class: "cloud-frame" }, this.canvas, this.topics.root);
    this.hooks = hooks;
    this.at = new Float32Array(0);
    this.own = [];
    this.scene = null;
    this.painter = new Painter(this);
    this.width = this.height = 0;
    this.listen();
    onResize(this.root, (width2, height) => {
      Object.assign(this, { width: width2, height });
      hooks.resized();
    });
  }
  listen() {
    const { canvas, hooks } = this;
    canvas.addEventListener("pointermove", (event) => hooks.hover(this.under(event)));
    canvas.addEventListener("pointerleave", () => hooks.hover(-1));
    canvas.addEventListener("click", (event) => hooks.choose(this.under(event), event.shiftKey || event.ctrlKey || event.metaKey));
    canvas.addEventListener("keydown", (event) => {
      if (hooks.key(event)) consume(event);
    });
  }
  under({ offsetX, offsetY }) {
    return nearestDot(this.dots(), offsetX, offsetY, REACH);
  }
  *dots() {
    for (let row = 0; row < this.at.length / 2; row++) if (!this.scene?.hidden(row)) yield [row, [this.at[2 * row], this.at[2 * row + 1]]];
  }
  /** The dot that a key leads to from `row`, at first the one in the middle; null for a key that is no arrow. */
  next(row, event) {
    const from = row < 0 ? [this.width / 2, this.height / 2] : [this.at[2 * row], this.at[2 * row + 1]];
    const next = nextDot(this.dots(), from, event);
    if (next === null) return null;
    return row < 0 ? nearestDot(this.dots(), ...from) : next < 0 ? row : next;
  }
  /** `scene`: see scene.js. */
  draw(scene2) {
    this.scene = scene2;
    if (this.width < 20 || this.height < 20) return;
    const place = placement(scene2.box, this.width, this.height, MARGIN);
    this.unit = place.unit;
    if (this.at.length !== scene2.xy.length) this.at = new Float32Array(scene2.xy.length);
    for (let i = 0; i < scene2.xy.length; i += 2) this.at.set(place(scene2.xy[i], scene2.xy[i + 1]), i);
    this.own = scene2.own.map(({ x, y }) => place(x, y));
    this.topics.lay(this);
    this.painter.paint(place);
    attribute(this.canvas, "aria-label", scene2.label);
  }
};
var MOST = 12;
var HIGH2 = 20;
var PLACES = [[0, 0], [0, -12], [0, 12], [0, -24], [0, 24], [-24, 0], [24, 0], [-20, -18], [20, -18], [-20, 18], [20, 18]];
var LONGEST4 = 22;
var ENOUGH = 2e3;
var measure = document.createElement("canvas").getContext("2d");
function width(text) {
  measure.font = "600 14px system-ui, sans-serif";
  return measure.measureText(text).width + 24;
}
var median = (values) => {
  values.sort((a, b) => a - b);
  return values[values.length >> 1];
};
var Topics = class {
  constructor(hooks) {
    this.hooks = hooks;
    this.root = element("div", { class: "topics", role: "group", "aria-label": "topics" });
    this.root.addEventListener("keydown", (event) => this.walk(event));
    this.shown = [];
    this.key = "";
  }
  make({ names, dark }) {
    const key = JSON.stringify([names, dark]);
    if (key === this.key) return false;
    this.key = key;
    const largest = [...names].filter(({ group }) => group >= 0).sort((a, b) => b.count - a.count).slice(0, MOST);
    this.shown = largest.map(({ group, name }, place) => {
      const text = cut(name, LONGEST4);
      const { light, pin } = this.hooks;
      const button = element("button", {
        class: "topic",
        type: "button",
        title: name,
        tabindex: place ? -1 : 0,
        "aria-pressed": "false",
        onpointerenter: () => light(group),
        onpointerleave: () => light(null),
        onfocus: () => light(group),
        onblur: () => light(null),
        onclick: () => pin(group)
      }, marker(group, dark), element("span", { text }));
      return { group, button, wide: width(text), middle: [0, 0], moved: [0, 0], out: true };
    });
    this.root.replaceChildren(...this.shown.map(({ button }) => button));
    return true;
  }
  lay(cloud) {
    const { scene: scene2 } = cloud;
    const made = this.make(scene2);
    this.middles(cloud);
    if (made || scene2.still) this.part(cloud);
    for (const one2 of this.shown) {
      const { button, middle, moved, wide, out, group } = one2;
      one2.at = [clamp(middle[0] + moved[0] - wide / 2, 4, cloud.width - wide - 4), clamp(middle[1] + moved[1] - HIGH2 / 2, 44, cloud.height - HIGH2 - 4)];
      button.style.transform = `translate(${one2.at[0].toFixed(1)}px,${one2.at[1].toFixed(1)}px)`;
      attribute(button, "data-out", String(out && scene2.lit !== group));
      attribute(button, "aria-pressed", String(scene2.pinned === group));
      attribute(button, "data-dim", String(scene2.lit !== null && scene2.lit !== group));
    }
  }
  middles({ at, scene: scene2 }) {
    const [xs, ys] = [/* @__PURE__ */ new Map(), /* @__PURE__ */ new Map()];
    for (const { group } of this.shown) {
      xs.set(group, []);
      ys.set(group, []);
    }
    const every = Math.ceil(at.length / 2 / ENOUGH);
    for (let row = 0; row < at.length / 2; row += every) {
      const group = scene2.group(row);
      if (!xs.has(group) || scene2.hidden(row)) continue;
      xs.get(group).push(at[2 * row]);
      ys.get(group).push(at[2 * row + 1]);
    }
    for (const one2 of this.shown) {
      one2.there = xs.get(one2.group).length > 0;
      if (one2.there) one2.middle = [median(xs.get(one2.group)), median(ys.get(one2.group))];
    }
  }
  /** Give each name the first of its places that no other one has. */
  part(cloud) {
    const taken = [];
    for (const one2 of this.shown) {
      const boxAt = ([dx, dy]) => {
        const x = clamp(one2.middle[0] + dx - one2.wide / 2, 4, cloud.width - one2.wide - 4);
        const y = clamp(one2.middle[1] + dy - HIGH2 / 2, 44, cloud.height - HIGH2 - 4);
        return [x, y, x + one2.wide, y + HIGH2];
      };
      const free = PLACES.find((place) => !taken.some((box) => cover(box, boxAt(place))));
      one2.out = !one2.there || !free;
      one2.moved = free ?? [0, 0];
      if (!one2.out) taken.push(boxAt(one2.moved));
    }
  }
  /** Names that were moved, each with where its topic's middle is. */
  leaders() {
    return this.shown.filter(({ out, moved }) => !out && Math.hypot(...moved) > HIGH2 / 2 + 4).map(({ at, wide, middle }) => ({
      from: middle,
      to: [clamp(middle[0], at[0], at[0] + wide), clamp(middle[1], at[1], at[1] + HIGH2)]
    }));
  }
  walk(event) {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const buttons = this.shown.filter(({ out }) => !out).map(({ button }) => button);
    if (!way || !buttons.length) return;
    const next = buttons[(buttons.indexOf(document.activeElement) + way + buttons.length) % buttons.length];
    for (const { button } of this.shown) button.tabIndex = button === next ? 0 : -1;
    next.focus();
    consume(event);
  }
};
var clamp = (value2, low, high) => Math.max(low, Math.min(Math.max(low, high), value2));
var cover = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// node_modules/d3-array/dist/d3-array.mjs
function ascending(a, b) {
  return a == null || b == null ? NaN : a < b ? -1 : a > b ? 1 : a >= b ? 0 : NaN;
}
function descending(a, b) {
  return a == null || b == null ? NaN : b < a ? -1 : b > a ? 1 : b >= a ? 0 : NaN;
}
function bisector(f) {
  let compare1, compare2, delta;
  if (f.length !== 2) {
    compare1 = ascending;
    compare2 = (d, x) => ascending(f(d), x);
    delta = (d, x) => f(d) - x;
  } else {
    compare1 = f === ascending || f === descending ? f : zero;
    compare2 = f;
    delta = f;
  }
  function left(a, x, lo = 0, hi = a.length) {
    if (lo < hi) {
      if (compare1(x, x) !== 0) return hi;
      do {
        const mid = lo + hi >>> 1;
        if (compare2(a[mid], x) < 0) lo = mid + 1;
        else hi = mid;
      } while (lo < hi);
    }
    return lo;
  }
  function right(a, x, lo = 0, hi = a.length) {
    if (lo < hi) {
      if (compare1(x, x) !== 0) return hi;
      do {
        const mid = lo + hi >>> 1;
        if (compare2(a[mid], x) <= 0) lo = mid + 1;
        else hi = mid;
      } while (lo < hi);
    }
    return lo;
  }
  function center(a, x, lo = 0, hi = a.length) {
    const i = left(a, x, lo, hi - 1);
    return i > lo && delta(a[i - 1], x) > -delta(a[i], x) ? i - 1 : i;
  }
  return { left, center, right };
}
function zero() {
  return 0;
}
function number(x) {
  return x === null ? NaN : +x;
}
var ascendingBisect = bisector(ascending);
var bisectRight = ascendingBisect.right;
var bisectLeft = ascendingBisect.left;
var bisectCenter = bisector(number).center;
var blur2 = Blur2(blurf);
var blurImage = Blur2(blurfImage);
function Blur2(blur) {
  return function(data, rx, ry = rx) {
    if (!((rx = +rx) >= 0)) throw new RangeError("invalid rx");
    if (!((ry = +ry) >= 0)) throw new RangeError("invalid ry");
    let { data: values, width: width2, height } = data;
    if (!((width2 = Math.floor(width2)) >= 0)) throw new RangeError("invalid width");
    if (!((height = Math.floor(height !== void 0 ? height : values.length / width2)) >= 0)) throw new RangeError("invalid height");
    if (!width2 || !height || !rx && !ry) return data;
    const blurx = rx && blur(rx);
    const blury = ry && blur(ry);
    const temp = values.slice();
    if (blurx && blury) {
      blurh(blurx, temp, values, width2, height);
      blurh(blurx, values, temp, width2, height);
      blurh(blurx, temp, values, width2, height);
      blurv(blury, values, temp, width2, height);
      blurv(blury, temp, values, width2, height);
      blurv(blury, values, temp, width2, height);
    } else if (blurx) {
      blurh(blurx, values, temp, width2, height);
      blurh(blurx, temp, values, width2, height);
      blurh(blurx, values, temp, width2, height);
    } else if (blury) {
      blurv(blury, values, temp, width2, height);
      blurv(blury, temp, values, width2, height);
      blurv(blury, values, temp, width2, height);
    }
    return data;
  };
}
function blurh(blur, T, S, w, h) {
  for (let y = 0, n = w * h; y < n; ) {
    blur(T, S, y, y += w, 1);
  }
}
function blurv(blur, T, S, w, h) {
  for (let x = 0, n = w * h; x < w; ++x) {
    blur(T, S, x, x + n, w);
  }
}
function blurfImage(radius) {
  const blur = blurf(radius);
  return (T, S, start, stop, step) => {
    start <<= 2, stop <<= 2, step <<= 2;
    blur(T, S, start + 0, stop + 0, step);
    blur(T, S, start + 1, stop + 1, step);
    blur(T, S, start + 2, stop + 2, step);
    blur(T, S, start + 3, stop + 3, step);
  };
}
function blurf(radius) {
  const radius0 = Math.floor(radius);
  if (radius0 === radius) return bluri(radius);
  const t = radius - radius0;
  const w = 2 * radius + 1;
  return (T, S, start, stop, step) => {
    if (!((stop -= step) >= start)) return;
    let sum = radius0 * S[start];
    const s0 = step * radius0;
    const s1 = s0 + step;
    for (let i = start, j = start + s0; i < j; i += step) {
      sum += S[Math.min(stop, i)];
    }
    for (let i = start, j = stop; i <= j; i += step) {
      sum += S[Math.min(stop, i + s0)];
      T[i] = (sum + t * (S[Math.max(start, i - s1)] + S[Math.min(stop, i + s1)])) / w;
      sum -= S[Math.max(start, i - s0)];
    }
  };
}
function bluri(radius) {
  const w = 2 * radius + 1;
  return (T, S, start, stop, step) => {
    if (!((stop -= step) >= start)) return;
    let sum = radius * S[start];
    const s = step * radius;
    for (let i = start, j = start + s; i < j; i += step) {
      sum += S[Math.min(stop, i)];
    }
    for (let i = start, j = stop; i <= j; i += step) {
      sum += S[Math.min(stop, i + s)];
      T[i] = sum / w;
      sum -= S[Math.max(start, i - s)];
    }
  };
}
var array = Array.prototype;
var slice = array.slice;
var e10 = Math.sqrt(50);
var e5 = Math.sqrt(10);
var e2 = Math.sqrt(2);
function tickSpec(start, stop, count2) {
  const step = (stop - start) / Math.max(0, count2), power = Math.floor(Math.log10(step)), error = step / Math.pow(10, power), factor = error >= e10 ? 10 : error >= e5 ? 5 : error >= e2 ? 2 : 1;
  let i1, i2, inc;
  if (power < 0) {
    inc = Math.pow(10, -power) / factor;
    i1 = Math.round(start * inc);
    i2 = Math.round(stop * inc);
    if (i1 / inc < start) ++i1;
    if (i2 / inc > stop) --i2;
    inc = -inc;
  } else {
    inc = Math.pow(10, power) * factor;
    i1 = Math.round(start / inc);
    i2 = Math.round(stop / inc);
    if (i1 * inc < start) ++i1;
    if (i2 * inc > stop) --i2;
  }
  if (i2 < i1 && 0.5 <= count2 && count2 < 2) return tickSpec(start, stop, count2 * 2);
  return [i1, i2, inc];
}
function ticks(start, stop, count2) {
  stop = +stop, start = +start, count2 = +count2;
  if (!(count2 > 0)) return [];
  if (start === stop) return [start];
  const reverse = stop < start, [i1, i2, inc] = reverse ? tickSpec(stop, start, count2) : tickSpec(start, stop, count2);
  if (!(i2 >= i1)) return [];
  const n = i2 - i1 + 1, ticks2 = new Array(n);
  if (reverse) {
    if (inc < 0) for (let i = 0; i < n; ++i) ticks2[i] = (i2 - i) / -inc;
    else for (let i = 0; i < n; ++i) ticks2[i] = (i2 - i) * inc;
  } else {
    if (inc < 0) for (let i = 0; i < n; ++i) ticks2[i] = (i1 + i) / -inc;
    else for (let i = 0; i < n; ++i) ticks2[i] = (i1 + i) * inc;
  }
  return ticks2;
}
function tickIncrement(start, stop, count2) {
  stop = +stop, start = +start, count2 = +count2;
  return tickSpec(start, stop, count2)[2];
}
function tickStep(start, stop, count2) {
  stop = +stop, start = +start, count2 = +count2;
  const reverse = stop < start, inc = reverse ? tickIncrement(stop, start, count2) : tickIncrement(start, stop, count2);
  return (reverse ? -1 : 1) * (inc < 0 ? 1 / -inc : inc);
}
var shuffle = shuffler(Math.random);
function shuffler(random) {
  return function shuffle2(array2, i0 = 0, i1 = array2.length) {
    let m = i1 - (i0 = +i0);
    while (m) {
      const i = random() * m-- | 0, t = array2[m + i0];
      array2[m + i0] = array2[i + i0];
      array2[i + i0] = t;
    }
    return array2;
  };
}

// node_modules/d3-scale/src/init.js
function initRange(domain, range2) {
  switch (arguments.length) {
    case 0:
      break;
    case 1:
      this.range(domain);
      break;
    default:
      this.range(range2).domain(domain);
      break;
  }
  return this;
}

// node_modules/d3-color/dist/d3-color.mjs
function define(constructor, factory, prototype) {
  constructor.prototype = factory.prototype = prototype;
  prototype.constructor = constructor;
}
function extend(parent, definition) {
  var prototype = Object.create(parent.prototype);
  for (var key in definition) prototype[key] = definition[key];
  return prototype;
}
function Color() {
}
var darker = 0.7;
var brighter = 1 / darker;
var reI = "\\s*([+-]?\\d+)\\s*";
var reN = "\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*";
var reP = "\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*";
var reHex = /^#([0-9a-f]{3,8})$/;
var reRgbInteger = new RegExp(`^rgb\\(${reI},${reI},${reI}\\)$`);
var reRgbPercent = new RegExp(`^rgb\\(${reP},${reP},${reP}\\)$`);
var reRgbaInteger = new RegExp(`^rgba\\(${reI},${reI},${reI},${reN}\\)$`);
var reRgbaPercent = new RegExp(`^rgba\\(${reP},${reP},${reP},${reN}\\)$`);
var reHslPercent = new RegExp(`^hsl\\(${reN},${reP},${reP}\\)$`);
var reHslaPercent = new RegExp(`^hsla\\(${reN},${reP},${reP},${reN}\\)$`);
var named = {
  aliceblue: 15792383,
  antiquewhite: 16444375,
  aqua: 65535,
  aquamarine: 8388564,
  azure: 15794175,
  beige: 16119260,
  bisque: 16770244,
  black: 0,
  blanchedalmond: 16772045,
  blue: 255,
  blueviolet: 9055202,
  brown: 10824234,
  burlywood: 14596231,
  cadetblue: 6266528,
  chartreuse: 8388352,
  chocolate: 13789470,
  coral: 16744272,
  cornflowerblue: 6591981,
  cornsilk: 16775388,
  crimson: 14423100,
  cyan: 65535,
  darkblue: 139,
  darkcyan: 35723,
  darkgoldenrod: 12092939,
  darkgray: 11119017,
  darkgreen: 25600,
  darkgrey: 11119017,
  darkkhaki: 12433259,
  darkmagenta: 9109643,
  darkolivegreen: 5597999,
  darkorange: 16747520,
  darkorchid: 10040012,
  darkred: 9109504,
  darksalmon: 15308410,
  darkseagreen: 9419919,
  darkslateblue: 4734347,
  darkslategray: 3100495,
  darkslategrey: 3100495,
  darkturquoise: 52945,
  darkviolet: 9699539,
  deeppink: 16716947,
  deepskyblue: 49151,
  dimgray: 6908265,
  dimgrey: 6908265,
  dodgerblue: 2003199,
  firebrick: 11674146,
  floralwhite: 16775920,
  forestgreen: 2263842,
  fuchsia: 16711935,
  gainsboro: 14474460,
  ghostwhite: 16316671,
  gold: 16766720,
  goldenrod: 14329120,
  gray: 8421504,
  green: 32768,
  greenyellow: 11403055,
  grey: 8421504,
  honeydew: 15794160,
  hotpink: 16738740,
  indianred: 13458524,
  indigo: 4915330,
  ivory: 16777200,
  khaki: 15787660,
  lavender: 15132410,
  lavenderblush: 16773365,
  lawngreen: 8190976,
  lemonchiffon: 16775885,
  lightblue: 11393254,
  lightcoral: 15761536,
  lightcyan: 14745599,
  lightgoldenrodyellow: 16448210,
  lightgray: 13882323,
  lightgreen: 9498256,
  lightgrey: 13882323,
  lightpink: 16758465,
  lightsalmon: 16752762,
  lightseagreen: 2142890,
  lightskyblue: 8900346,
  lightslategray: 7833753,
  lightslategrey: 7833753,
  lightsteelblue: 11584734,
  lightyellow: 16777184,
  lime: 65280,
  limegreen: 3329330,
  linen: 16445670,
  magenta: 16711935,
  maroon: 8388608,
  mediumaquamarine: 6737322,
  mediumblue: 205,
  mediumorchid: 12211667,
  mediumpurple: 9662683,
  mediumseagreen: 3978097,
  mediumslateblue: 8087790,
  mediumspringgreen: 64154,
  mediumturquoise: 4772300,
  mediumvioletred: 13047173,
  midnightblue: 1644912,
  mintcream: 16121850,
  mistyrose: 16770273,
  moccasin: 16770229,
  navajowhite: 16768685,
  navy: 128,
  oldlace: 16643558,
  olive: 8421376,
  olivedrab: 7048739,
  orange: 16753920,
  orangered: 16729344,
  orchid: 14315734,
  palegoldenrod: 15657130,
  palegreen: 10025880,
  paleturquoise: 11529966,
  palevioletred: 14381203,
  papayawhip: 16773077,
  peachpuff: 16767673,
  peru: 13468991,
  pink: 16761035,
  plum: 14524637,
  powderblue: 11591910,
  purple: 8388736,
  rebeccapurple: 6697881,
  red: 16711680,
  rosybrown: 12357519,
  royalblue: 4286945,
  saddlebrown: 9127187,
  salmon: 16416882,
  sandybrown: 16032864,
  seagreen: 3050327,
  seashell: 16774638,
  sienna: 10506797,
  silver: 12632256,
  skyblue: 8900331,
  slateblue: 6970061,
  slategray: 7372944,
  slategrey: 7372944,
  snow: 16775930,
  springgreen: 65407,
  steelblue: 4620980,
  tan: 13808780,
  teal: 32896,
  thistle: 14204888,
  tomato: 16737095,
  turquoise: 4251856,
  violet: 15631086,
  wheat: 16113331,
  white: 16777215,
  whitesmoke: 16119285,
  yellow: 16776960,
  yellowgreen: 10145074
};
define(Color, color, {
  copy(channels) {
    return Object.assign(new this.constructor(), this, channels);
  },
  displayable() {
    return this.rgb().displayable();
  },
  hex: color_formatHex,
  // Deprecated! Use color.formatHex.
  formatHex: color_formatHex,
  formatHex8: color_formatHex8,
  formatHsl: color_formatHsl,
  formatRgb: color_formatRgb,
  toString: color_formatRgb
});
function color_formatHex() {
  return this.rgb().formatHex();
}
function color_formatHex8() {
  return this.rgb().formatHex8();
}
function color_formatHsl() {
  return hslConvert(this).formatHsl();
}
function color_formatRgb() {
  return this.rgb().formatRgb();
}
function color(format2) {
  var m, l;
  format2 = (format2 + "").trim().toLowerCase();
  return (m = reHex.exec(format2)) ? (l = m[1].length, m = parseInt(m[1], 16), l === 6 ? rgbn(m) : l === 3 ? new Rgb(m >> 8 & 15 | m >> 4 & 240, m >> 4 & 15 | m & 240, (m & 15) << 4 | m & 15, 1) : l === 8 ? rgba(m >> 24 & 255, m >> 16 & 255, m >> 8 & 255, (m & 255) / 255) : l === 4 ? rgba(m >> 12 & 15 | m >> 8 & 240, m >> 8 & 15 | m >> 4 & 240, m >> 4 & 15 | m & 240, ((m & 15) << 4 | m & 15) / 255) : null) : (m = reRgbInteger.exec(format2)) ? new Rgb(m[1], m[2], m[3], 1) : (m = reRgbPercent.exec(format2)) ? new Rgb(m[1] * 255 / 100, m[2] * 255 / 100, m[3] * 255 / 100, 1) : (m = reRgbaInteger.exec(format2)) ? rgba(m[1], m[2], m[3], m[4]) : (m = reRgbaPercent.exec(format2)) ? rgba(m[1] * 255 / 100, m[2] * 255 / 100, m[3] * 255 / 100, m[4]) : (m = reHslPercent.exec(format2)) ? hsla(m[1], m[2] / 100, m[3] / 100, 1) : (m = reHslaPercent.exec(format2)) ? hsla(m[1], m[2] / 100, m[3] / 100, m[4]) : named.hasOwnProperty(format2) ? rgbn(named[format2]) : format2 === "transparent" ? new Rgb(NaN, NaN, NaN, 0) : null;
}
function rgbn(n) {
  return new Rgb(n >> 16 & 255, n >> 8 & 255, n & 255, 1);
}
function rgba(r, g, b, a) {
  if (a <= 0) r = g = b = NaN;
  return new Rgb(r, g, b, a);
}
function rgbConvert(o) {
  if (!(o instanceof Color)) o = color(o);
  if (!o) return new Rgb();
  o = o.rgb();
  return new Rgb(o.r, o.g, o.b, o.opacity);
}
function rgb(r, g, b, opacity) {
  return arguments.length === 1 ? rgbConvert(r) : new Rgb(r, g, b, opacity == null ? 1 : opacity);
}
function Rgb(r, g, b, opacity) {
  this.r = +r;
  this.g = +g;
  this.b = +b;
  this.opacity = +opacity;
}
define(Rgb, rgb, extend(Color, {
  brighter(k) {
    k = k == null ? brighter : Math.pow(brighter, k);
    return new Rgb(this.r * k, this.g * k, this.b * k, this.opacity);
  },
  darker(k) {
    k = k == null ? darker : Math.pow(darker, k);
    return new Rgb(this.r * k, this.g * k, this.b * k, this.opacity);
  },
  rgb() {
    return this;
  },
  clamp() {
    return new Rgb(clampi(this.r), clampi(this.g), clampi(this.b), clampa(this.opacity));
  },
  displayable() {
    return -0.5 <= this.r && this.r < 255.5 && (-0.5 <= this.g && this.g < 255.5) && (-0.5 <= this.b && this.b < 255.5) && (0 <= this.opacity && this.opacity <= 1);
  },
  hex: rgb_formatHex,
  // Deprecated! Use color.formatHex.
  formatHex: rgb_formatHex,
  formatHex8: rgb_formatHex8,
  formatRgb: rgb_formatRgb,
  toString: rgb_formatRgb
}));
function rgb_formatHex() {
  return `#${hex(this.r)}${hex(this.g)}${hex(this.b)}`;
}
function rgb_formatHex8() {
  return `#${hex(this.r)}${hex(this.g)}${hex(this.b)}${hex((isNaN(this.opacity) ? 1 : this.opacity) * 255)}`;
}
function rgb_formatRgb() {
  const a = clampa(this.opacity);
  return `${a === 1 ? "rgb(" : "rgba("}${clampi(this.r)}, ${clampi(this.g)}, ${clampi(this.b)}${a === 1 ? ")" : `, ${a})`}`;
}
function clampa(opacity) {
  return isNaN(opacity) ? 1 : Math.max(0, Math.min(1, opacity));
}
function clampi(value2) {
  return Math.max(0, Math.min(255, Math.round(value2) || 0));
}
function hex(value2) {
  value2 = clampi(value2);
  return (value2 < 16 ? "0" : "") + value2.toString(16);
}
function hsla(h, s, l, a) {
  if (a <= 0) h = s = l = NaN;
  else if (l <= 0 || l >= 1) h = s = NaN;
  else if (s <= 0) h = NaN;
  return new Hsl(h, s, l, a);
}
function hslConvert(o) {
  if (o instanceof Hsl) return new Hsl(o.h, o.s, o.l, o.opacity);
  if (!(o instanceof Color)) o = color(o);
  if (!o) return new Hsl();
  if (o instanceof Hsl) return o;
  o = o.rgb();
  var r = o.r / 255, g = o.g / 255, b = o.b / 255, min = Math.min(r, g, b), max = Math.max(r, g, b), h = NaN, s = max - min, l = (max + min) / 2;
  if (s) {
    if (r === max) h = (g - b) / s + (g < b) * 6;
    else if (g === max) h = (b - r) / s + 2;
    else h = (r - g) / s + 4;
    s /= l < 0.5 ? max + min : 2 - max - min;
    h *= 60;
  } else {
    s = l > 0 && l < 1 ? 0 : h;
  }
  return new Hsl(h, s, l, o.opacity);
}
function hsl(h, s, l, opacity) {
  return arguments.length === 1 ? hslConvert(h) : new Hsl(h, s, l, opacity == null ? 1 : opacity);
}
function Hsl(h, s, l, opacity) {
  this.h = +h;
  this.s = +s;
  this.l = +l;
  this.opacity = +opacity;
}
define(Hsl, hsl, extend(Color, {
  brighter(k) {
    k = k == null ? brighter : Math.pow(brighter, k);
    return new Hsl(this.h, this.s, this.l * k, this.opacity);
  },
  darker(k) {
    k = k == null ? darker : Math.pow(darker, k);
    return new Hsl(this.h, this.s, this.l * k, this.opacity);
  },
  rgb() {
    var h = this.h % 360 + (this.h < 0) * 360, s = isNaN(h) || isNaN(this.s) ? 0 : this.s, l = this.l, m2 = l + (l < 0.5 ? l : 1 - l) * s, m1 = 2 * l - m2;
    return new Rgb(
      hsl2rgb(h >= 240 ? h - 240 : h + 120, m1, m2),
      hsl2rgb(h, m1, m2),
      hsl2rgb(h < 120 ? h + 240 : h - 120, m1, m2),
      this.opacity
    );
  },
  clamp() {
    return new Hsl(clamph(this.h), clampt(this.s), clampt(this.l), clampa(this.opacity));
  },
  displayable() {
    return (0 <= this.s && this.s <= 1 || isNaN(this.s)) && (0 <= this.l && this.l <= 1) && (0 <= this.opacity && this.opacity <= 1);
  },
  formatHsl() {
    const a = clampa(this.opacity);
    return `${a === 1 ? "hsl(" : "hsla("}${clamph(this.h)}, ${clampt(this.s) * 100}%, ${clampt(this.l) * 100}%${a === 1 ? ")" : `, ${a})`}`;
  }
}));
function clamph(value2) {
  value2 = (value2 || 0) % 360;
  return value2 < 0 ? value2 + 360 : value2;
}
function clampt(value2) {
  return Math.max(0, Math.min(1, value2 || 0));
}
function hsl2rgb(h, m1, m2) {
  return (h < 60 ? m1 + (m2 - m1) * h / 60 : h < 180 ? m2 : h < 240 ? m1 + (m2 - m1) * (240 - h) / 60 : m1) * 255;
}
var radians = Math.PI / 180;
var degrees = 180 / Math.PI;
var K = 18;
var Xn = 0.96422;
var Yn = 1;
var Zn = 0.82521;
var t0 = 4 / 29;
var t1 = 6 / 29;
var t2 = 3 * t1 * t1;
var t3 = t1 * t1 * t1;
function labConvert(o) {
  if (o instanceof Lab) return new Lab(o.l, o.a, o.b, o.opacity);
  if (o instanceof Hcl) return hcl2lab(o);
  if (!(o instanceof Rgb)) o = rgbConvert(o);
  var r = rgb2lrgb(o.r), g = rgb2lrgb(o.g), b = rgb2lrgb(o.b), y = xyz2lab((0.2225045 * r + 0.7168786 * g + 0.0606169 * b) / Yn), x, z;
  if (r === g && g === b) x = z = y;
  else {
    x = xyz2lab((0.4360747 * r + 0.3850649 * g + 0.1430804 * b) / Xn);
    z = xyz2lab((0.0139322 * r + 0.0971045 * g + 0.7141733 * b) / Zn);
  }
  return new Lab(116 * y - 16, 500 * (x - y), 200 * (y - z), o.opacity);
}
function lab(l, a, b, opacity) {
  return arguments.length === 1 ? labConvert(l) : new Lab(l, a, b, opacity == null ? 1 : opacity);
}
function Lab(l, a, b, opacity) {
  this.l = +l;
  this.a = +a;
  this.b = +b;
  this.opacity = +opacity;
}
define(Lab, lab, extend(Color, {
  brighter(k) {
    return new Lab(this.l + K * (k == null ? 1 : k), this.a, this.b, this.opacity);
  },
  darker(k) {
    return new Lab(this.l - K * (k == null ? 1 : k), this.a, this.b, this.opacity);
  },
  rgb() {
    var y = (this.l + 16) / 116, x = isNaN(this.a) ? y : y + this.a / 500, z = isNaN(this.b) ? y : y - this.b / 200;
    x = Xn * lab2xyz(x);
    y = Yn * lab2xyz(y);
    z = Zn * lab2xyz(z);
    return new Rgb(
      lrgb2rgb(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
      lrgb2rgb(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
      lrgb2rgb(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
      this.opacity
    );
  }
}));
function xyz2lab(t) {
  return t > t3 ? Math.pow(t, 1 / 3) : t / t2 + t0;
}
function lab2xyz(t) {
  return t > t1 ? t * t * t : t2 * (t - t0);
}
function lrgb2rgb(x) {
  return 255 * (x <= 31308e-7 ? 12.92 * x : 1.055 * Math.pow(x, 1 / 2.4) - 0.055);
}
function rgb2lrgb(x) {
  return (x /= 255) <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4);
}
function hclConvert(o) {
  if (o instanceof Hcl) return new Hcl(o.h, o.c, o.l, o.opacity);
  if (!(o instanceof Lab)) o = labConvert(o);
  if (o.a === 0 && o.b === 0) return new Hcl(NaN, 0 < o.l && o.l < 100 ? 0 : NaN, o.l, o.opacity);
  var h = Math.atan2(o.b, o.a) * degrees;
  return new Hcl(h < 0 ? h + 360 : h, Math.sqrt(o.a * o.a + o.b * o.b), o.l, o.opacity);
}
function hcl(h, c, l, opacity) {
  return arguments.length === 1 ? hclConvert(h) : new Hcl(h, c, l, opacity == null ? 1 : opacity);
}
function Hcl(h, c, l, opacity) {
  this.h = +h;
  this.c = +c;
  this.l = +l;
  this.opacity = +opacity;
}
function hcl2lab(o) {
  if (isNaN(o.h)) return new Lab(o.l, 0, 0, o.opacity);
  var h = o.h * radians;
  return new Lab(o.l, Math.cos(h) * o.c, Math.sin(h) * o.c, o.opacity);
}
define(Hcl, hcl, extend(Color, {
  brighter(k) {
    return new Hcl(this.h, this.c, this.l + K * (k == null ? 1 : k), this.opacity);
  },
  darker(k) {
    return new Hcl(this.h, this.c, this.l - K * (k == null ? 1 : k), this.opacity);
  },
  rgb() {
    return hcl2lab(this).rgb();
  }
}));
var A = -0.14861;
var B = 1.78277;
var C = -0.29227;
var D = -0.90649;
var E = 1.97294;
var ED = E * D;
var EB = E * B;
var BC_DA = B * C - D * A;
function cubehelixConvert(o) {
  if (o instanceof Cubehelix) return new Cubehelix(o.h, o.s, o.l, o.opacity);
  if (!(o instanceof Rgb)) o = rgbConvert(o);
  var r = o.r / 255, g = o.g / 255, b = o.b / 255, l = (BC_DA * b + ED * r - EB * g) / (BC_DA + ED - EB), bl = b - l, k = (E * (g - l) - C * bl) / D, s = Math.sqrt(k * k + bl * bl) / (E * l * (1 - l)), h = s ? Math.atan2(k, bl) * degrees - 120 : NaN;
  return new Cubehelix(h < 0 ? h + 360 : h, s, l, o.opacity);
}
function cubehelix(h, s, l, opacity) {
  return arguments.length === 1 ? cubehelixConvert(h) : new Cubehelix(h, s, l, opacity == null ? 1 : opacity);
}
function Cubehelix(h, s, l, opacity) {
  this.h = +h;
  this.s = +s;
  this.l = +l;
  this.opacity = +opacity;
}
define(Cubehelix, cubehelix, extend(Color, {
  brighter(k) {
    k = k == null ? brighter : Math.pow(brighter, k);
    return new Cubehelix(this.h, this.s, this.l * k, this.opacity);
  },
  darker(k) {
    k = k == null ? darker : Math.pow(darker, k);
    return new Cubehelix(this.h, this.s, this.l * k, this.opacity);
  },
  rgb() {
    var h = isNaN(this.h) ? 0 : (this.h + 120) * radians, l = +this.l, a = isNaN(this.s) ? 0 : this.s * l * (1 - l), cosh2 = Math.cos(h), sinh2 = Math.sin(h);
    return new Rgb(
      255 * (l + a * (A * cosh2 + B * sinh2)),
      255 * (l + a * (C * cosh2 + D * sinh2)),
      255 * (l + a * (E * cosh2)),
      this.opacity
    );
  }
}));

// node_modules/d3-interpolate/dist/d3-interpolate.mjs
function basis(t12, v0, v1, v2, v3) {
  var t22 = t12 * t12, t32 = t22 * t12;
  return ((1 - 3 * t12 + 3 * t22 - t32) * v0 + (4 - 6 * t22 + 3 * t32) * v1 + (1 + 3 * t12 + 3 * t22 - 3 * t32) * v2 + t32 * v3) / 6;
}
function basis$1(values) {
  var n = values.length - 1;
  return function(t) {
    var i = t <= 0 ? t = 0 : t >= 1 ? (t = 1, n - 1) : Math.floor(t * n), v1 = values[i], v2 = values[i + 1], v0 = i > 0 ? values[i - 1] : 2 * v1 - v2, v3 = i < n - 1 ? values[i + 2] : 2 * v2 - v1;
    return basis((t - i / n) * n, v0, v1, v2, v3);
  };
}
function basisClosed(values) {
  var n = values.length;
  return function(t) {
    var i = Math.floor(((t %= 1) < 0 ? ++t : t) * n), v0 = values[(i + n - 1) % n], v1 = values[i % n], v2 = values[(i + 1) % n], v3 = values[(i + 2) % n];
    return basis((t - i / n) * n, v0, v1, v2, v3);
  };
}
var constant = (x) => () => x;
function linear(a, d) {
  return function(t) {
    return a + t * d;
  };
}
function exponential(a, b, y) {
  return a = Math.pow(a, y), b = Math.pow(b, y) - a, y = 1 / y, function(t) {
    return Math.pow(a + t * b, y);
  };
}
function hue$1(a, b) {
  var d = b - a;
  return d ? linear(a, d > 180 || d < -180 ? d - 360 * Math.round(d / 360) : d) : constant(isNaN(a) ? b : a);
}
function gamma(y) {
  return (y = +y) === 1 ? nogamma : function(a, b) {
    return b - a ? exponential(a, b, y) : constant(isNaN(a) ? b : a);
  };
}
function nogamma(a, b) {
  var d = b - a;
  return d ? linear(a, d) : constant(isNaN(a) ? b : a);
}
var rgb2 = (function rgbGamma(y) {
  var color2 = gamma(y);
  function rgb3(start, end) {
    var r = color2((start = rgb(start)).r, (end = rgb(end)).r), g = color2(start.g, end.g), b = color2(start.b, end.b), opacity = nogamma(start.opacity, end.opacity);
    return function(t) {
      start.r = r(t);
      start.g = g(t);
      start.b = b(t);
      start.opacity = opacity(t);
      return start + "";
    };
  }
  rgb3.gamma = rgbGamma;
  return rgb3;
})(1);
function rgbSpline(spline) {
  return function(colors) {
    var n = colors.length, r = new Array(n), g = new Array(n), b = new Array(n), i, color2;
    for (i = 0; i < n; ++i) {
      color2 = rgb(colors[i]);
      r[i] = color2.r || 0;
      g[i] = color2.g || 0;
      b[i] = color2.b || 0;
    }
    r = spline(r);
    g = spline(g);
    b = spline(b);
    color2.opacity = 1;
    return function(t) {
      color2.r = r(t);
      color2.g = g(t);
      color2.b = b(t);
      return color2 + "";
    };
  };
}
var rgbBasis = rgbSpline(basis$1);
var rgbBasisClosed = rgbSpline(basisClosed);
function numberArray(a, b) {
  if (!b) b = [];
  var n = a ? Math.min(b.length, a.length) : 0, c = b.slice(), i;
  return function(t) {
    for (i = 0; i < n; ++i) c[i] = a[i] * (1 - t) + b[i] * t;
    return c;
  };
}
function isNumberArray(x) {
  return ArrayBuffer.isView(x) && !(x instanceof DataView);
}
function genericArray(a, b) {
  var nb = b ? b.length : 0, na = a ? Math.min(nb, a.length) : 0, x = new Array(na), c = new Array(nb), i;
  for (i = 0; i < na; ++i) x[i] = value(a[i], b[i]);
  for (; i < nb; ++i) c[i] = b[i];
  return function(t) {
    for (i = 0; i < na; ++i) c[i] = x[i](t);
    return c;
  };
}
function date(a, b) {
  var d = /* @__PURE__ */ new Date();
  return a = +a, b = +b, function(t) {
    return d.setTime(a * (1 - t) + b * t), d;
  };
}
function number2(a, b) {
  return a = +a, b = +b, function(t) {
    return a * (1 - t) + b * t;
  };
}
function object(a, b) {
  var i = {}, c = {}, k;
  if (a === null || typeof a !== "object") a = {};
  if (b === null || typeof b !== "object") b = {};
  for (k in b) {
    if (k in a) {
      i[k] = value(a[k], b[k]);
    } else {
      c[k] = b[k];
    }
  }
  return function(t) {
    for (k in i) c[k] = i[k](t);
    return c;
  };
}
var reA = /[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g;
var reB = new RegExp(reA.source, "g");
function zero2(b) {
  return function() {
    return b;
  };
}
function one(b) {
  return function(t) {
    return b(t) + "";
  };
}
function string(a, b) {
  var bi = reA.lastIndex = reB.lastIndex = 0, am, bm, bs, i = -1, s = [], q = [];
  a = a + "", b = b + "";
  while ((am = reA.exec(a)) && (bm = reB.exec(b))) {
    if ((bs = bm.index) > bi) {
      bs = b.slice(bi, bs);
      if (s[i]) s[i] += bs;
      else s[++i] = bs;
    }
    if ((am = am[0]) === (bm = bm[0])) {
      if (s[i]) s[i] += bm;
      else s[++i] = bm;
    } else {
      s[++i] = null;
      q.push({ i, x: number2(am, bm) });
    }
    bi = reB.lastIndex;
  }
  if (bi < b.length) {
    bs = b.slice(bi);
    if (s[i]) s[i] += bs;
    else s[++i] = bs;
  }
  return s.length < 2 ? q[0] ? one(q[0].x) : zero2(b) : (b = q.length, function(t) {
    for (var i2 = 0, o; i2 < b; ++i2) s[(o = q[i2]).i] = o.x(t);
    return s.join("");
  });
}
function value(a, b) {
  var t = typeof b, c;
  return b == null || t === "boolean" ? constant(b) : (t === "number" ? number2 : t === "string" ? (c = color(b)) ? (b = c, rgb2) : string : b instanceof color ? rgb2 : b instanceof Date ? date : isNumberArray(b) ? numberArray : Array.isArray(b) ? genericArray : typeof b.valueOf !== "function" && typeof b.toString !== "function" || isNaN(b) ? object : number2)(a, b);
}
function round(a, b) {
  return a = +a, b = +b, function(t) {
    return Math.round(a * (1 - t) + b * t);
  };
}
var degrees2 = 180 / Math.PI;
var identity = {
  translateX: 0,
  translateY: 0,
  rotate: 0,
  skewX: 0,
  scaleX: 1,
  scaleY: 1
};
function decompose(a, b, c, d, e, f) {
  var scaleX, scaleY, skewX;
  if (scaleX = Math.sqrt(a * a + b * b)) a /= scaleX, b /= scaleX;
  if (skewX = a * c + b * d) c -= a * skewX, d -= b * skewX;
  if (scaleY = Math.sqrt(c * c + d * d)) c /= scaleY, d /= scaleY, skewX /= scaleY;
  if (a * d < b * c) a = -a, b = -b, skewX = -skewX, scaleX = -scaleX;
  return {
    translateX: e,
    translateY: f,
    rotate: Math.atan2(b, a) * degrees2,
    skewX: Math.atan(skewX) * degrees2,
    scaleX,
    scaleY
  };
}
var svgNode;
function parseCss(value2) {
  const m = new (typeof DOMMatrix === "function" ? DOMMatrix : WebKitCSSMatrix)(value2 + "");
  return m.isIdentity ? identity : decompose(m.a, m.b, m.c, m.d, m.e, m.f);
}
function parseSvg(value2) {
  if (value2 == null) return identity;
  if (!svgNode) svgNode = document.createElementNS("http://www.w3.org/2000/svg", "g");
  svgNode.setAttribute("transform", value2);
  if (!(value2 = svgNode.transform.baseVal.consolidate())) return identity;
  value2 = value2.matrix;
  return decompose(value2.a, value2.b, value2.c, value2.d, value2.e, value2.f);
}
function interpolateTransform(parse, pxComma, pxParen, degParen) {
  function pop(s) {
    return s.length ? s.pop() + " " : "";
  }
  function translate(xa, ya, xb, yb, s, q) {
    if (xa !== xb || ya !== yb) {
      var i = s.push("translate(", null, pxComma, null, pxParen);
      q.push({ i: i - 4, x: number2(xa, xb) }, { i: i - 2, x: number2(ya, yb) });
    } else if (xb || yb) {
      s.push("translate(" + xb + pxComma + yb + pxParen);
    }
  }
  function rotate(a, b, s, q) {
    if (a !== b) {
      if (a - b > 180) b += 360;
      else if (b - a > 180) a += 360;
      q.push({ i: s.push(pop(s) + "rotate(", null, degParen) - 2, x: number2(a, b) });
    } else if (b) {
      s.push(pop(s) + "rotate(" + b + degParen);
    }
  }
  function skewX(a, b, s, q) {
    if (a !== b) {
      q.push({ i: s.push(pop(s) + "skewX(", null, degParen) - 2, x: number2(a, b) });
    } else if (b) {
      s.push(pop(s) + "skewX(" + b + degParen);
    }
  }
  function scale(xa, ya, xb, yb, s, q) {
    if (xa !== xb || ya !== yb) {
      var i = s.push(pop(s) + "scale(", null, ",", null, ")");
      q.push({ i: i - 4, x: number2(xa, xb) }, { i: i - 2, x: number2(ya, yb) });
    } else if (xb !== 1 || yb !== 1) {
      s.push(pop(s) + "scale(" + xb + "," + yb + ")");
    }
  }
  return function(a, b) {
    var s = [], q = [];
    a = parse(a), b = parse(b);
    translate(a.translateX, a.translateY, b.translateX, b.translateY, s, q);
    rotate(a.rotate, b.rotate, s, q);
    skewX(a.skewX, b.skewX, s, q);
    scale(a.scaleX, a.scaleY, b.scaleX, b.scaleY, s, q);
    a = b = null;
    return function(t) {
      var i = -1, n = q.length, o;
      while (++i < n) s[(o = q[i]).i] = o.x(t);
      return s.join("");
    };
  };
}
var interpolateTransformCss = interpolateTransform(parseCss, "px, ", "px)", "deg)");
var interpolateTransformSvg = interpolateTransform(parseSvg, ", ", ")", ")");
var epsilon2 = 1e-12;
function cosh(x) {
  return ((x = Math.exp(x)) + 1 / x) / 2;
}
function sinh(x) {
  return ((x = Math.exp(x)) - 1 / x) / 2;
}
function tanh(x) {
  return ((x = Math.exp(2 * x)) - 1) / (x + 1);
}
var zoom = (function zoomRho(rho, rho2, rho4) {
  function zoom2(p0, p1) {
    var ux0 = p0[0], uy0 = p0[1], w0 = p0[2], ux1 = p1[0], uy1 = p1[1], w1 = p1[2], dx = ux1 - ux0, dy = uy1 - uy0, d2 = dx * dx + dy * dy, i, S;
    if (d2 < epsilon2) {
      S = Math.log(w1 / w0) / rho;
      i = function(t) {
        return [
          ux0 + t * dx,
          uy0 + t * dy,
          w0 * Math.exp(rho * t * S)
        ];
      };
    } else {
      var d1 = Math.sqrt(d2), b0 = (w1 * w1 - w0 * w0 + rho4 * d2) / (2 * w0 * rho2 * d1), b1 = (w1 * w1 - w0 * w0 - rho4 * d2) / (2 * w1 * rho2 * d1), r0 = Math.log(Math.sqrt(b0 * b0 + 1) - b0), r1 = Math.log(Math.sqrt(b1 * b1 + 1) - b1);
      S = (r1 - r0) / rho;
      i = function(t) {
        var s = t * S, coshr0 = cosh(r0), u = w0 / (rho2 * d1) * (coshr0 * tanh(rho * s + r0) - sinh(r0));
        return [
          ux0 + u * dx,
          uy0 + u * dy,
          w0 * coshr0 / cosh(rho * s + r0)
        ];
      };
    }
    i.duration = Math.abs(S) * 1e3 * rho / Math.SQRT2;
    return i;
  }
  zoom2.rho = function(_) {
    var _1 = Math.max(1e-3, +_), _2 = _1 * _1, _4 = _2 * _2;
    return zoomRho(_1, _2, _4);
  };
  return zoom2;
})(Math.SQRT2, 2, 4);
function hsl2(hue) {
  return function(start, end) {
    var h = hue((start = hsl(start)).h, (end = hsl(end)).h), s = nogamma(start.s, end.s), l = nogamma(start.l, end.l), opacity = nogamma(start.opacity, end.opacity);
    return function(t) {
      start.h = h(t);
      start.s = s(t);
      start.l = l(t);
      start.opacity = opacity(t);
      return start + "";
    };
  };
}
var hsl_default = hsl2(hue$1);
var hslLong = hsl2(nogamma);
function hcl2(hue) {
  return function(start, end) {
    var h = hue((start = hcl(start)).h, (end = hcl(end)).h), c = nogamma(start.c, end.c), l = nogamma(start.l, end.l), opacity = nogamma(start.opacity, end.opacity);
    return function(t) {
      start.h = h(t);
      start.c = c(t);
      start.l = l(t);
      start.opacity = opacity(t);
      return start + "";
    };
  };
}
var hcl_default = hcl2(hue$1);
var hclLong = hcl2(nogamma);
function cubehelix2(hue) {
  return (function cubehelixGamma(y) {
    y = +y;
    function cubehelix3(start, end) {
      var h = hue((start = cubehelix(start)).h, (end = cubehelix(end)).h), s = nogamma(start.s, end.s), l = nogamma(start.l, end.l), opacity = nogamma(start.opacity, end.opacity);
      return function(t) {
        start.h = h(t);
        start.s = s(t);
        start.l = l(Math.pow(t, y));
        start.opacity = opacity(t);
        return start + "";
      };
    }
    cubehelix3.gamma = cubehelixGamma;
    return cubehelix3;
  })(1);
}
var cubehelix_default = cubehelix2(hue$1);
var cubehelixLong = cubehelix2(nogamma);

// node_modules/d3-scale/src/constant.js
function constants(x) {
  return function() {
    return x;
  };
}

// node_modules/d3-scale/src/number.js
function number3(x) {
  return +x;
}

// node_modules/d3-scale/src/continuous.js
var unit = [0, 1];
function identity2(x) {
  return x;
}
function normalize(a, b) {
  return (b -= a = +a) ? function(x) {
    return (x - a) / b;
  } : constants(isNaN(b) ? NaN : 0.5);
}
function clamper(a, b) {
  var t;
  if (a > b) t = a, a = b, b = t;
  return function(x) {
    return Math.max(a, Math.min(b, x));
  };
}
function bimap(domain, range2, interpolate) {
  var d0 = domain[0], d1 = domain[1], r0 = range2[0], r1 = range2[1];
  if (d1 < d0) d0 = normalize(d1, d0), r0 = interpolate(r1, r0);
  else d0 = normalize(d0, d1), r0 = interpolate(r0, r1);
  return function(x) {
    return r0(d0(x));
  };
}
function polymap(domain, range2, interpolate) {
  var j = Math.min(domain.length, range2.length) - 1, d = new Array(j), r = new Array(j), i = -1;
  if (domain[j] < domain[0]) {
    domain = domain.slice().reverse();
    range2 = range2.slice().reverse();
  }
  while (++i < j) {
    d[i] = normalize(domain[i], domain[i + 1]);
    r[i] = interpolate(range2[i], range2[i + 1]);
  }
  return function(x) {
    var i2 = bisectRight(domain, x, 1, j) - 1;
    return r[i2](d[i2](x));
  };
}
function copy2(source, target) {
  return target.domain(source.domain()).range(source.range()).interpolate(source.interpolate()).clamp(source.clamp()).unknown(source.unknown());
}
function transformer() {
  var domain = unit, range2 = unit, interpolate = value, transform, untransform, unknown, clamp2 = identity2, piecewise, output, input;
  function rescale() {
    var n = Math.min(domain.length, range2.length);
    if (clamp2 !== identity2) clamp2 = clamper(domain[0], domain[n - 1]);
    piecewise = n > 2 ? polymap : bimap;
    output = input = null;
    return scale;
  }
  function scale(x) {
    return x == null || isNaN(x = +x) ? unknown : (output || (output = piecewise(domain.map(transform), range2, interpolate)))(transform(clamp2(x)));
  }
  scale.invert = function(y) {
    return clamp2(untransform((input || (input = piecewise(range2, domain.map(transform), number2)))(y)));
  };
  scale.domain = function(_) {
    return arguments.length ? (domain = Array.from(_, number3), rescale()) : domain.slice();
  };
  scale.range = function(_) {
    return arguments.length ? (range2 = Array.from(_), rescale()) : range2.slice();
  };
  scale.rangeRound = function(_) {
    return range2 = Array.from(_), interpolate = round, rescale();
  };
  scale.clamp = function(_) {
    return arguments.length ? (clamp2 = _ ? true : identity2, rescale()) : clamp2 !== identity2;
  };
  scale.interpolate = function(_) {
    return arguments.length ? (interpolate = _, rescale()) : interpolate;
  };
  scale.unknown = function(_) {
    return arguments.length ? (unknown = _, scale) : unknown;
  };
  return function(t, u) {
    transform = t, untransform = u;
    return rescale();
  };
}
function continuous() {
  return transformer()(identity2, identity2);
}

// node_modules/d3-scale/src/tickFormat.js
function tickFormat(start, stop, count2, specifier) {
  var step = tickStep(start, stop, count2), precision;
  specifier = formatSpecifier(specifier == null ? ",f" : specifier);
  switch (specifier.type) {
    case "s": {
      var value2 = Math.max(Math.abs(start), Math.abs(stop));
      if (specifier.precision == null && !isNaN(precision = precisionPrefix_default(step, value2))) specifier.precision = precision;
      return formatPrefix(specifier, value2);
    }
    case "":
    case "e":
    case "g":
    case "p":
    case "r": {
      if (specifier.precision == null && !isNaN(precision = precisionRound_default(step, Math.max(Math.abs(start), Math.abs(stop))))) specifier.precision = precision - (specifier.type === "e");
      break;
    }
    case "f":
    case "%": {
      if (specifier.precision == null && !isNaN(precision = precisionFixed_default(step))) specifier.precision = precision - (specifier.type === "%") * 2;
      break;
    }
  }
  return format(specifier);
}

// node_modules/d3-scale/src/linear.js
function linearish(scale) {
  var domain = scale.domain;
  scale.ticks = function(count2) {
    var d = domain();
    return ticks(d[0], d[d.length - 1], count2 == null ? 10 : count2);
  };
  scale.tickFormat = function(count2, specifier) {
    var d = domain();
    return tickFormat(d[0], d[d.length - 1], count2 == null ? 10 : count2, specifier);
  };
  scale.nice = function(count2) {
    if (count2 == null) count2 = 10;
    var d = domain();
    var i0 = 0;
    var i1 = d.length - 1;
    var start = d[i0];
    var stop = d[i1];
    var prestep;
    var step;
    var maxIter = 10;
    if (stop < start) {
      step = start, start = stop, stop = step;
      step = i0, i0 = i1, i1 = step;
    }
    while (maxIter-- > 0) {
      step = tickIncrement(start, stop, count2);
      if (step === prestep) {
        d[i0] = start;
        d[i1] = stop;
        return domain(d);
      } else if (step > 0) {
        start = Math.floor(start / step) * step;
        stop = Math.ceil(stop / step) * step;
      } else if (step < 0) {
        start = Math.ceil(start * step) / step;
        stop = Math.floor(stop * step) / step;
      } else {
        break;
      }
      prestep = step;
    }
    return scale;
  };
  return scale;
}
function linear2() {
  var scale = continuous();
  scale.copy = function() {
    return copy2(scale, linear2());
  };
  initRange.apply(scale, arguments);
  return linearish(scale);
}

// src/shared/chart.js
/*! d3-scale, d3-format, d3-array, d3-interpolate, d3-color. Copyright 2010-2023 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
*/
var SAME = 0.5;
var SLACK = 2;
function ticksOf(scale, count2) {
  const [low, high] = scale.domain();
  if (!(high > low)) return [{ value: low, label: format(".4~g")(low) }];
  while (count2 < 12 && scale.ticks(count2).length < 2) count2 *= 2;
  const label = scale.tickFormat(count2);
  return scale.ticks(count2).map((value2) => ({ value: value2, label: label(value2) }));
}
var Chart = class {
  /** `margin`: {left, right, top, bottom} in pixels; `x` and `y`: the ends of the axes. */
  constructor(width2, height, margin, x, y) {
    Object.assign(this, { width: width2, height, left: margin.left, right: width2 - margin.right, top: margin.top, bottom: height - margin.bottom });
    this.x = linear2(x, [this.left, this.right]);
    this.y = linear2(y, [this.bottom, this.top]);
  }
  /** Pixels of a value on the y axis; beyond the axis they lie at its end. */
  level(value2) {
    return Math.max(this.top - SLACK, Math.min(this.bottom + SLACK, this.y(value2)));
  }
  horizontal(value2, name) {
    return drawn("line", { class: name, x1: this.left, x2: this.right, y1: this.y(value2), y2: this.y(value2) });
  }
  label(x, y, anchor, text, name = "tick") {
    return drawn("text", { class: name, x, y, "text-anchor": anchor, text });
  }
  yAxis(count2) {
    return ticksOf(this.y, count2).flatMap(({ value: value2, label }) => [
      this.horizontal(value2, value2 === 0 ? "rule zero" : "rule"),
      this.label(this.left - 5, Math.max(10, this.y(value2) + 4), "end", label)
    ]);
  }
  /** Labels of integer steps below the axis: about `count`, every second one where these are more than `most`. */
  xAxis(count2, most = Infinity) {
    const anchor = (x) => x > this.width - 24 ? "end" : "middle";
    const steps2 = ticksOf(this.x, count2).map(({ value: value2 }) => value2);
    const shown = steps2.filter((value2, i) => Number.isInteger(value2) && (steps2.length <= most || i % 2 === 0));
    return shown.map((value2) => this.label(this.x(value2), this.height - 3, anchor(this.x(value2)), value2.toLocaleString("en")));
  }
  /** The path of a line up to the end of the x axis. */
  path(steps2, values) {
    const points = [];
    let last = -Infinity;
    for (let i = 0; i < steps2.length; i++) {
      const x = this.x(steps2[i]);
      if (x > this.right + SAME) break;
      if (x - last < SAME && i < steps2.length - 1) continue;
      points.push(`${x.toFixed(1)},${this.level(values[i]).toFixed(1)}`);
      last = x;
    }
    return points.length ? `M${points.join("L")}` : "";
  }
  line(steps2, values, attributes) {
    return drawn("path", { d: this.path(steps2, values), ...attributes });
  }
  band(steps2, low, high, attributes) {
    const at = (values) => Array.from(values, (value2, i) => `${this.x(steps2[i]).toFixed(1)},${this.level(value2).toFixed(1)}`);
    return drawn("path", { d: `M${[...at(high), ...at(low).reverse()].join("L")}Z`, ...attributes });
  }
};

// src/panel/runs.js
function between(steps2, step) {
  const last = steps2.length - 1;
  if (last < 1 || step <= steps2[0]) return { low: 0, part: 0 };
  if (step >= steps2[last]) return { low: last, part: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (steps2[middle] <= step) low = middle;
    else high = middle;
  }
  return { low, part: (step - steps2[low]) / (steps2[high] - steps2[low]) };
}
var Timeline = class {
  constructor(records) {
    this.records = records;
    this.refresh();
  }
  refresh() {
    const steps2 = this.records.flatMap((record) => record.steps);
    this.steps = [...new Set(steps2)].sort((a, b) => a - b);
  }
  get last() {
    return Math.max(0, this.steps.length - 1);
  }
  step(t) {
    const low = Math.min(this.last, Math.max(0, Math.floor(t)));
    if (low === this.last) return this.steps[low] ?? 0;
    return this.steps[low] + (t - low) * (this.steps[low + 1] - this.steps[low]);
  }
  t(step) {
    const { low, part } = between(this.steps, step);
    return low + part;
  }
};
var EMPTY = { steps: [], values: [] };
var History = class {
  constructor() {
    this.clear();
  }
  clear() {
    this.upto = 0;
    this.last = -1;
    this.all = /* @__PURE__ */ new Map();
    this.events = [];
  }
  /** Take a part: rows of 32-bit floats, the step first, NaN where nothing was measured. False where it does not follow. */
  take({ from, upto, columns, values, events = [] }) {
    if (from === 0) this.clear();
    else if (from !== this.upto) return false;
    const data = floats32(values);
    const width2 = 1 + columns.length;
    const series = columns.map((name) => this.writable(name));
    for (let at = 0; at < data.length; at += width2) {
      this.last = Math.max(this.last, data[at]);
      series.forEach((one2, place) => {
        const value2 = data[at + 1 + place];
        if (Number.isNaN(value2)) return;
        one2.steps.push(data[at]);
        one2.values.push(value2);
      });
    }
    this.events.push(...events.map(([step, words]) => ({ step, words })));
    this.upto = upto;
    return true;
  }
  writable(name) {
    if (!this.all.has(name)) this.all.set(name, { steps: [], values: [] });
    return this.all.get(name);
  }
  series(column) {
    return this.all.get(column) ?? EMPTY;
  }
  has(column) {
    return this.series(column).steps.length > 0;
  }
  /** The value of a column at a step: the last one measured by then, or null. */
  value(column, step) {
    const { steps: steps2, values } = this.series(column);
    if (!steps2.length || step < steps2[0]) return null;
    return values[between(steps2, step).low];
  }
  /** Uniformity and alignment wherever both were measured: the way through the plane. */
  trail() {
    const u = this.series("uniformity");
    const a = new Map(this.series("alignment").steps.map((step, i) => [step, this.series("alignment").values[i]]));
    const both = u.steps.flatMap((step, i) => a.has(step) ? [[step, u.values[i], a.get(step)]] : []);
    return { steps: both.map(([step]) => step), points: both.map(([, uniformity, alignment]) => [uniformity, alignment]) };
  }
};
var HEAD = ["name", "method", "title", "differs", "labels", "own", "settings", "seed", "credit", "changes"];
var ALIVE = /* @__PURE__ */ new Set(["waiting", "running", "paused"]);
var RunRecord = class {
  constructor(id, head = {}) {
    for (const name of HEAD) this[name] = head[name] ?? null;
    this.id = id;
    this.head = { name: this.name, title: this.title, settings: this.settings };
    this.texts = head.texts ?? [];
    this.size = this.texts.length;
    this.axes = head.axes ?? 0;
    this.shares = head.share ?? [];
    this.total = head.total_steps ?? 0;
    this.levels = head.levels ?? {};
    this.scale = (head.span ?? 1) / STEPS;
    this.probes = [];
    this.steps = [];
    this.history = new History();
    this.reload = false;
    this.verdict = null;
    this.expected = [];
    this.umap = null;
    this.kept = /* @__PURE__ */ new Map();
    this.boxes = /* @__PURE__ */ new Map();
  }
  /** Take what is new; what is known already is passed over. True where a probe came. */
  take({ probes = [], rows, verdict, status, umap }) {
    const last = this.steps.at(-1) ?? -1;
    const fresh = probes.filter((probe) => probe.step > last);
    this.probes.push(...fresh);
    this.steps.push(...fresh.map((probe) => probe.step));
    if (rows && this.history.take(rows) && rows.from === 0) this.reload = false;
    if (rows?.events?.length) this.expected = [];
    this.expected = this.expected.filter((event) => event.step > this.history.last - 2);
    if (verdict) this.verdict = verdict;
    if (status) this.status = status;
    if (umap) this.lay(umap);
    return fresh.length > 0;
  }
  lay({ steps: steps2, looks, span }) {
    this.umap = { steps: steps2, probes: looks, scale: span / STEPS };
    for (const key of this.kept.keys()) if (key.startsWith("umap")) this.kept.delete(key);
    this.boxes.delete("umap 0 1");
  }
  /** A control was moved, and the run has taken it: it is marked at once, at the step that comes next. */
  expect(words) {
    this.expected = [{ step: this.history.last + 1, words }];
  }
  known(columns) {
    const { probes, history, verdict } = this;
    return { id: this.id, probe: probes.at(-1)?.step ?? -1, row: this.reload ? 0 : history.upto, verdict: verdict?.step ?? -1, columns };
  }
  get alive() {
    return ALIVE.has(this.status);
  }
  get recorded() {
    return this.id.startsWith("recorded:");
  }
  get last() {
    return Math.max(this.history.last, this.steps.at(-1) ?? 0);
  }
  once(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }
  unpacked(probe) {
    return this.once(`at ${probe}`, () => floats(this.probes[probe].at, this.scale));
  }
  /** Probes of a kind: their steps, coordinates, and how many numbers are a row. */
  plane(kind) {
    if (kind !== "umap") return { steps: this.steps, width: this.axes, of: (probe) => this.unpacked(probe) };
    const { steps: steps2, probes, scale } = this.umap;
    return { steps: steps2, width: 2, of: (probe) => this.once(`umap ${probe}`, () => floats(probes[probe], scale)) };
  }
  /** x, y of all rows at a step, between two probes on the straight way; `view` is {kind, x, y}. */
  places(step, view2, out = new Float32Array(2 * this.size)) {
    const { steps: steps2, width: width2, of } = this.plane(view2.kind);
    if (!steps2.length) return out;
    const { low, part } = between(steps2, step);
    const a = of(low);
    const b = part ? of(low + 1) : a;
    const [x, y] = axes(view2);
    for (let row = 0, at = 0; row < this.size; row++, at += width2) {
      out[2 * row] = a[at + x] + part * (b[at + x] - a[at + x]);
      out[2 * row + 1] = a[at + y] + part * (b[at + y] - a[at + y]);
    }
    return out;
  }
  /** The way of one row up to a step: x, y at every probe before it. */
  track(row, step, view2) {
    const { steps: steps2, width: width2, of } = this.plane(view2.kind);
    const [x, y] = axes(view2);
    const way = [];
    for (let probe = 0; probe < steps2.length && steps2[probe] <= step; probe++) {
      const all = of(probe);
      way.push([all[row * width2 + x], all[row * width2 + y]]);
    }
    return way;
  }
  /** [left, right, bottom, top] of all rows over all probes: the frame stays, so what moves on screen has moved. */
  bounds(view2) {
    const { steps: steps2, width: width2, of } = this.plane(view2.kind);
    const [x, y] = axes(view2);
    const key = `${view2.kind} ${x} ${y}`;
    const known = this.boxes.get(key) ?? { upto: 0, box: [Infinity, -Infinity, Infinity, -Infinity] };
    const { box } = known;
    for (; known.upto < steps2.length; known.upto++) {
      const all = of(known.upto);
      for (let at = 0; at < all.length; at += width2) {
        box[0] = Math.min(box[0], all[at + x]);
        box[1] = Math.max(box[1], all[at + x]);
        box[2] = Math.min(box[2], all[at + y]);
        box[3] = Math.max(box[3], all[at + y]);
      }
    }
    this.boxes.set(key, known);
    return box;
  }
  trend(step) {
    return this.probes[this.probeAt(step)]?.trend ?? "";
  }
  probeAt(step) {
    return between(this.steps, step).low;
  }
  near(probe, row) {
    if (!this.probes[probe]) return [];
    const all = this.once(`near ${probe}`, () => whole(this.probes[probe].near));
    const count2 = all.length / this.size;
    return [...all.subarray(row * count2, (row + 1) * count2)];
  }
  /** The share of a probe's variance, of all dimensions, that two axes hold. */
  share(probe, x, y) {
    if (!this.probes[probe]) return 0;
    const spread = this.once(`spread ${probe}`, () => spreads(this.unpacked(probe), this.axes));
    const held = spread.reduce((sum, one2) => sum + one2, 0);
    const shown = x === y ? spread[x] : spread[x] + spread[y];
    return held > 0 ? shown / held * this.probes[probe].kept : 0;
  }
};
var axes = (view2) => view2.kind === "umap" ? [0, 1] : [view2.x, view2.y];
function spreads(all, width2) {
  const size = all.length / width2;
  return Array.from({ length: width2 }, (_, axis) => {
    let sum = 0;
    let squares = 0;
    for (let at = axis; at < all.length; at += width2) {
      sum += all[at];
      squares += all[at] * all[at];
    }
    return Math.max(0, squares / size - (sum / size) ** 2);
  });
}
function grey({ id, head, history, total }) {
  const record = new RunRecord(id, { ...head, texts: [], axes: 0, total_steps: total });
  record.history = history;
  return record;
}
var Runs = class {
  constructor(count2) {
    this.records = Array.from({ length: count2 }, () => new RunRecord(""));
    this.previous = null;
  }
  /** What the page has, for the kernel; `columns`: those besides the strip's that are asked for. */
  known(columns) {
    return this.records.map((record) => record.known(columns));
  }
  /** Show as many as the kernel does; true where there were more or fewer. */
  arrange(count2) {
    if (!count2 || count2 === this.records.length) return false;
    this.records = Array.from({ length: count2 }, (_, place) => this.records[place] ?? new RunRecord(""));
    return true;
  }
  /** Take the kernel's parts; true of each record that is another one now, or has got a probe. */
  take(parts) {
    const found = { replaced: this.arrange(parts.length), probes: false, rows: false };
    parts.forEach((part, place) => {
      let record = this.records[place];
      if (part.head && (part.id !== record.id || !record.texts.length)) {
        record = this.begin(place, part);
        found.replaced = true;
      }
      if (part.id !== record.id) return;
      if (part.probes?.length && part.rows && part.rows.from > record.history.upto) return;
      found.probes = record.take(part) || found.probes;
      found.rows ||= part.rows?.upto > part.rows?.from || Boolean(part.verdict);
    });
    return found;
  }
  begin(place, { id, head }) {
    const old = this.records[place];
    if (!place && old.id && old.id !== id && old.history.upto) this.previous = grey(old);
    this.records[place] = new RunRecord(id, head);
    return this.records[place];
  }
  /** The run before, as the kernel has it: {id, name, total_steps, rows}. */
  takePrevious({ id, name, total_steps, rows }) {
    if (this.previous?.id === id) return;
    const record = new RunRecord(id, { name, total_steps });
    record.history.take(rows);
    this.previous = record;
  }
};

// src/panel/curves.js
var USUAL = [
  { cell: "loss", columns: [{ name: "loss", title: "loss", better: "", smooth: true }] },
  { cell: "alignment", columns: [{ name: "alignment", title: "alignment", better: "lower", smooth: false }] },
  { cell: "uniformity", columns: [{ name: "uniformity", title: "uniformity", better: "lower", smooth: false }] }
];
var LETTER = 6.2;
var LETTERED = 240;
var MARGIN2 = { left: 40, right: 8, top: 4, bottom: 18 };
var LEAST = { alignment: 0.2, uniformity: 1, validation: 10 };
var clips = 0;
function smoothed(values) {
  const keep = Math.min(0.9, Math.max(0, 1 - 12 / values.length));
  let mean = values[0];
  return values.map((value2, i) => {
    const held = Math.min(keep, i / (i + 1));
    mean = held * mean + (1 - held) * value2;
    return mean;
  });
}
function range(lists2) {
  const all = lists2.flat().sort((a, b) => a - b);
  return all.length ? [all[Math.floor(0.01 * (all.length - 1))], all[Math.ceil(0.99 * (all.length - 1))]] : null;
}
function roundEnd(last, total) {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(last, 1))));
  const end = [1, 2, 5, 10].map((one2) => one2 * power).find((one2) => one2 >= last);
  return Math.max(last, 1, Math.min(end, total || end));
}
var Curve = class {
  /** `cell`: its name; `columns`: [{name, title, better, smooth}]; hooks: go(step), column(name), last: whether it has the steps. */
  constructor({ cell, columns }, hooks, last) {
    Object.assign(this, { cell, columns: [...columns], strip: columns.length, last, hooks, width: 0, height: 0, domain: null, record: null });
    this.column = columns[0];
    this.title = this.titled();
    this.value = element("span", { class: "curve-value" });
    this.was = element("span", { class: "curve-was" });
    this.hint = element("span", { class: "curve-hint" });
    const id = `clwork-clip-${++clips}`;
    this.clip = drawn("rect", { x: MARGIN2.left });
    this.ground = drawn("g");
    this.lines = drawn("g", { "clip-path": `url(#${id})` });
    this.head = drawn("line", { class: "head" });
    this.dots = drawn("g");
    const svg = drawn("svg", { class: "curve-svg" }, drawn("defs", {}, drawn("clipPath", { id }, this.clip)), this.ground, this.lines, this.head, this.dots);
    this.svg = svg;
    this.box = element("div", { class: "curve-box", role: "img", tabindex: 0 }, svg);
    this.root = element(
      "div",
      { class: "clwork-curve", "data-cell": cell },
      element("div", { class: "curve-line" }, this.title, this.value, this.was, this.hint),
      this.box
    );
    this.pointer();
  }
  titled() {
    if (this.columns.length < 2) return element("span", { class: "curve-name", text: this.column?.title ?? this.cell });
    const menu = element("select", { class: "curve-name", "aria-label": "score that is drawn", onchange: () => this.choose(menu.value, true) });
    menu.append(...this.columns.map(({ name, title }) => element("option", { value: name, text: title })));
    return menu;
  }
  choose(name, asked) {
    this.column = this.columns.find((one2) => one2.name === name) ?? this.column;
    this.chosen ||= asked;
    if (this.title.tagName === "SELECT") this.title.value = this.column.name;
    this.domain = null;
    if (asked) this.hooks.column(this.column.name);
  }
  /** Further columns that a run has measured, [[name, title], …]: the menu has them, too. */
  offer(further) {
    if (this.title.tagName !== "SELECT") return;
    const fresh = further.filter(([name]) => !this.columns.some((one2) => one2.name === name));
    this.columns.push(...fresh.map(([name, title]) => ({ name, title, better: "", smooth: false })));
    this.title.append(...fresh.map(([name, title]) => element("option", { value: name, text: title })));
  }
  /** Until the reader chooses: the first column of which there is something. */
  seek(records) {
    if (this.chosen || records.some(({ history }) => history.has(this.column.name))) return;
    const found = this.columns.slice(0, this.strip).find(({ name }) => records.some(({ history }) => history.has(name)));
    if (found) this.choose(found.name, false);
  }
  pointer() {
    const { svg } = this;
    const move = (event) => {
      const at = event.clientX - svg.getBoundingClientRect().left;
      if (this.chart) this.hooks.go(Math.max(0, Math.min(this.end, this.chart.x.invert(at))));
    };
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      move(event);
    });
    svg.addEventListener("pointermove", (event) => event.buttons && move(event));
  }
  /** Everything but the current step. `runs`: [{record, ink, dash}]; `previous`: a record or null; `end`: the last step of the axis. */
  lay({ runs, previous, bands }, end) {
    const { width: width2, height } = this;
    if (!width2 || !height || !this.columns.length) return;
    this.seek([...runs.map(({ record }) => record), ...previous ? [previous] : []]);
    const { name, smooth, better } = this.column;
    const drawnOf = ({ values }) => smooth && values.length ? smoothed(values) : values;
    this.end = end;
    this.series = runs.map(({ record }) => record.history.series(name));
    this.before = previous?.history.series(name) ?? null;
    const lines = this.series.map(drawnOf);
    const old = this.before ? drawnOf(this.before) : [];
    const levels = Object.entries(runs[0]?.record.levels[name] ?? {}).filter(([, level]) => Number.isFinite(level) || Array.isArray(level));
    this.widen(runs[0]?.record, [...lines, old], levels);
    const empty = ![...lines, old].some((list) => list.length);
    const chart = new Chart(width2, height, MARGIN2, [0, end], this.domain);
    this.chart = chart;
    this.foot = chart.bottom + 2;
    const room = Math.max(2, Math.floor((width2 - MARGIN2.left) / (LETTER * 7)));
    attribute(this.svg, "viewBox", `0 0 ${width2} ${height}`);
    this.ground.replaceChildren(
      ...this.banded(bands[name]),
      ...empty ? [] : chart.yAxis(Math.max(2, Math.floor(this.foot / 28))),
      drawn("line", { class: "axis-line", x1: chart.left, x2: chart.right, y1: this.foot, y2: this.foot }),
      ...this.last ? chart.xAxis(room, room) : [],
      ...levels.flatMap((level) => this.level(level)),
      ...runs.flatMap(({ record }) => this.happened(record)),
      ...old.length ? [chart.line(this.before.steps, old, { class: "was-line" })] : []
    );
    this.lines.replaceChildren(...runs.flatMap(({ ink, dash }, run) => [
      ...smooth ? [chart.line(this.series[run].steps, this.series[run].values, { class: "raw", stroke: ink })] : [],
      chart.line(this.series[run].steps, lines[run], { class: "line", stroke: ink, "stroke-dasharray": dash })
    ]));
    this.dots.replaceChildren(...runs.map(({ ink }) => drawn("circle", { class: "head-dot", r: 4, fill: ink })));
    for (const [mark, value2] of [["y1", 0], ["y2", this.foot]]) attribute(this.head, mark, String(value2));
    attribute(this.clip, "height", String(height));
    write(this.hint, empty ? "not measured yet" : better ? `${better} is better` : smooth ? "thick: running mean" : "");
  }
  /** The ends of the values' axis: they only move apart, as long as the run is the same. */
  widen(record, lists2, levels) {
    const found = range(lists2) ?? (levels.length ? [0, 0] : [0, 1]);
    const most = levels.flatMap(([, level]) => level);
    let [low, high] = [Math.min(found[0], ...most), Math.max(found[1], ...most)];
    if (levels.length && this.cell === "loss") low = Math.min(0, low);
    const least = (this.columns.indexOf(this.column) < this.strip ? LEAST[this.cell] : null) ?? Math.max(0.1, 0.1 * Math.abs(high));
    const pad = Math.max(0.06 * (high - low), (least - (high - low)) / 2);
    [low, high] = [low === 0 ? 0 : low - pad, high + pad];
    if (this.domain && this.record === record) [low, high] = [Math.min(low, this.domain[0]), Math.max(high, this.domain[1])];
    [this.domain, this.record] = [[low, high], record];
  }
  /** The range of other runs; it does not widen the axis. */
  banded(band) {
    if (!band) return [];
    const inside = (_, i) => band.steps[i] <= this.end || band.steps[i - 1] < this.end;
    const [at, low, high] = [band.steps, band.low, band.high].map((list) => [...list].filter(inside));
    return [this.chart.band(at.map((step) => Math.min(step, this.end)), low, high, { class: "band" })];
  }
  level([name, level]) {
    const { chart } = this;
    const [low, high] = Array.isArray(level) ? level : [level, level];
    const y = chart.y(high);
    const mark = low === high ? chart.horizontal(high, "level") : chart.band([0, this.end], [low, low], [high, high], { class: "band" });
    return [mark, chart.label(chart.right - 2, y > 18 ? y - 4 : y + 12, "end", name, "level-name")];
  }
  /** What happened on the way: a mark on the axis, and of the newest its words in the loss. */
  happened(record) {
    const events = [...record.history.events, ...record.expected];
    const newest = events.at(-1);
    return events.map((event) => drawn(
      "g",
      { class: "event" },
      drawn("title", { text: `step ${steps(event.step)}: ${event.words}` }),
      drawn("rect", { x: this.chart.x(event.step) - 1, width: 2, y: this.foot, height: 8 }),
      event === newest && this.cell === "loss" ? this.worded(event) : ""
    ));
  }
  worded({ step, words }) {
    const most = Math.max(8, Math.floor(this.width / LETTER) - 2);
    const text = words.length > most ? `${words.slice(0, most - 1)}…` : words;
    const x = Math.max(2, Math.min(this.chart.x(step) + 4, this.width - LETTER * text.length));
    return drawn("text", { x, y: this.height - 3, text });
  }
  /** The values now, each in its run's colour; the letters stand where there is room. */
  showValues(runs, words) {
    const { value: value2 } = this;
    while (value2.childElementCount > words.length) value2.lastChild.remove();
    words.forEach((word, run) => {
      const part = value2.children[run] ?? value2.appendChild(element("span"));
      part.style.color = runs[run].ink;
      write(part, word);
    });
  }
  /** The height of the current value itself, not of its running mean. */
  heightOf(run, step) {
    const { steps: at, values } = this.series[run];
    if (!values.length || step < at[0]) return null;
    const { low, part } = between(at, step);
    return this.chart.level(values[low] + part * ((values[low + 1] ?? values[low]) - values[low]));
  }
  show(runs, step, live) {
    if (!this.chart) return;
    const { name, better } = this.column;
    const at = this.chart.x(Math.min(step, this.end));
    attribute(this.head, "transform", `translate(${at.toFixed(1)},0)`);
    attribute(this.clip, "width", (live ? Math.max(0, at - MARGIN2.left) : this.width).toFixed(1));
    const words = runs.map(({ record, name: letter }, run) => {
      const value2 = record.history.value(name, step);
      const x = Math.min(step, this.series[run].steps.at(-1) ?? 0);
      const high = this.heightOf(run, x);
      const dot = this.dots.children[run];
      attribute(dot, "display", high === null || value2 === null ? "none" : "inline");
      if (high !== null) attribute(dot, "transform", `translate(${this.chart.x(Math.min(x, this.end)).toFixed(1)},${high.toFixed(1)})`);
      return runs.length > 1 ? `${letter} ${measured(value2)}` : measured(value2);
    });
    this.showValues(runs, this.width < LETTERED ? words.map((word) => word.replace(/^[AB] /, "")) : words);
    write(this.was, this.before?.steps.length ? measured(this.before.values[between(this.before.steps, step).low]) : "");
    attribute(this.box, "aria-label", `${this.column.title} ${words.join(", ")} at step ${Math.round(step)}${better ? `; ${better} is better` : ""}`);
  }
};
var Curves = class {
  /** `cells`: of clwork/lab/panel/run_page.py; hooks: go(step), column(name), resized(). */
  constructor(cells, hooks) {
    const shown = cells?.length ? cells : USUAL;
    this.hooks = hooks;
    this.curves = shown.map((cell, i) => new Curve(cell, hooks, i === shown.length - 1));
    this.root = element("div", { class: "curves" }, ...this.curves.map((curve) => curve.root));
    for (const curve of this.curves) {
      onResize(curve.box, (width2, height) => {
        Object.assign(curve, { width: width2, height });
        hooks.resized();
      });
    }
  }
  /** Leave out cells of several columns of which nothing was measured; the last one that is shown has the steps. */
  leave(records) {
    const there = ({ columns }) => columns.length < 2 || columns.some(({ name }) => records.some(({ history }) => history.has(name)));
    const shown = this.curves.filter(there);
    for (const curve of this.curves) {
      curve.root.hidden = !shown.includes(curve);
      curve.last = curve === shown.at(-1);
    }
    this.root.parentElement?.style.setProperty("--curves", String(shown.length));
  }
  offer(further) {
    this.curves.at(-1).offer(further);
  }
  /** `bands`: {column: {steps, low, high}}, where other runs have gone. */
  lay(runs, previous, bands = {}) {
    const alive = runs.some(({ record }) => record.alive);
    const last = Math.max(1, ...runs.map(({ record }) => record.last));
    const total = Math.max(0, ...runs.map(({ record }) => record.total));
    const end = alive ? roundEnd(last, total) : last;
    for (const curve of this.curves) curve.lay({ runs, previous, bands }, end);
  }
  show(runs, step, live) {
    for (const curve of this.curves) curve.show(runs, step, live);
  }
};

// src/panel/plane.js
var WHOLE = { u: [-4.15, 0.15], a: [0, 2] };
var LANDMARKS = { collapsed: [0, 0], random: [-4, 2] };
var LEAST2 = { u: 0.5, a: 0.2 };
var AROUND = 0.12;
var EDGE = { left: 50, right: 84, top: 6, bottom: 28 };
var INSET = { width: 72, height: 40 };
var Plane = class {
  constructor(hooks) {
    this.svg = drawn("svg", { class: "plane-svg", role: "img" });
    this.box = element("div", { class: "plane-box" }, this.svg);
    this.root = element(
      "div",
      { class: "clwork-plane" },
      element("div", { class: "curve-line" }, element("span", { class: "curve-name", text: "alignment–uniformity" }), element("span", { class: "curve-hint", text: "better ↙" })),
      this.box
    );
    [this.width, this.height] = [0, 0];
    onResize(this.box, (width2, height) => {
      Object.assign(this, { width: width2, height });
      hooks.resized();
    });
  }
  /** Everything but the heads; `landmarks`: {name: [uniformity, alignment]} besides those that need no run. */
  lay(runs, previous, landmarks = {}) {
    if (this.width < 60 || this.height < 50) return;
    this.trails = runs.map(({ record }) => record.history.trail());
    const past = previous?.history.trail() ?? { points: [] };
    this.zoom(runs[0]?.record, [...this.trails, past].flatMap(({ points }) => points));
    const right = this.width - EDGE.right;
    const bottom = this.height - EDGE.bottom;
    this.x = linear2(this.domain.u, [EDGE.left, right]);
    this.y = linear2(this.domain.a, [bottom, EDGE.top]);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const marks = this.marksOf(landmarks);
    this.ways = runs.map(({ ink, dash }, run) => this.way(this.trails[run].points, ink, dash));
    this.svg.replaceChildren(
      ...this.grid(right, bottom),
      ...marks,
      ...past.points.length ? [drawn("path", { class: "was-line", d: this.path(past.points) })] : [],
      ...this.ways.flatMap(({ all, line: line2, start, now }) => [all, line2, start, now]),
      this.inset([...this.trails, past].map(({ points }) => points))
    );
  }
  /** Around all points; the frame only grows, as long as the run is the same. */
  zoom(record, points) {
    const found = points.length ? points : [[-2, 1]];
    const around = (place, least, floor) => {
      const values = found.map((point) => point[place]);
      let [low, high] = [Math.min(...values), Math.max(...values)];
      const pad = Math.max(AROUND * (high - low), (least - (high - low)) / 2);
      [low, high] = [low - pad, high + pad];
      return low < floor ? [floor, Math.max(high, floor + least)] : [low, high];
    };
    let [u, a] = [around(0, LEAST2.u, -Infinity), around(1, LEAST2.a, -0.02)];
    if (this.record === record && this.domain) {
      u = [Math.min(u[0], this.domain.u[0]), Math.max(u[1], this.domain.u[1])];
      a = [Math.min(a[0], this.domain.a[0]), Math.max(a[1], this.domain.a[1])];
    }
    [this.domain, this.record] = [{ u, a }, points.length ? record : null];
  }
  place([u, a]) {
    return [this.x(u), this.y(a)];
  }
  grid(right, bottom) {
    const [us, as] = [this.x.ticks(Math.max(2, Math.floor((right - EDGE.left) / 60))), this.y.ticks(3)];
    const [uWords, aWords] = [this.x.tickFormat(us.length), this.y.tickFormat(as.length)];
    return [
      ...us.flatMap((u) => [
        drawn("line", { class: "rule", x1: this.x(u), x2: this.x(u), y1: EDGE.top, y2: bottom }),
        drawn("text", { class: "tick", x: this.x(u), y: bottom + 12, "text-anchor": "middle", text: uWords(u) })
      ]),
      ...as.flatMap((a) => [
        drawn("line", { class: "rule", x1: EDGE.left, x2: right, y1: this.y(a), y2: this.y(a) }),
        drawn("text", { class: "tick", x: EDGE.left - 5, y: this.y(a) + 4, "text-anchor": "end", text: aWords(a) })
      ]),
      drawn("text", { class: "axis", x: right, y: this.height - 3, "text-anchor": "end", text: "uniformity" }),
      drawn("text", { class: "axis", x: 4, y: EDGE.top + 2, "text-anchor": "end", transform: `rotate(-90 10 ${EDGE.top})`, text: "alignment" })
    ];
  }
  /** Crosses with names on leader lines in a column at the right; of one out of sight an arrow that points there. */
  marksOf(landmarks) {
    const right = this.width - EDGE.right;
    const bottom = this.height - EDGE.bottom;
    const all = Object.entries({ ...LANDMARKS, ...landmarks }).map(([name, point]) => ({ name, at: this.place(point) }));
    const most = this.height - INSET.height - 8 - 13 * (all.length - 1);
    let free = EDGE.top + 10;
    return all.sort((a, b) => a.at[1] - b.at[1]).flatMap(({ name, at: [x, y] }, i) => {
      const seen = x >= EDGE.left && x <= right && y >= EDGE.top && y <= bottom;
      const high = Math.max(free, Math.min(y + 4, most + 13 * i));
      free = high + 13;
      const turn = Math.atan2(y - high, x - right) * 180 / Math.PI;
      return [
        drawn("text", { class: "landmark-name", x: right + 16, y: high, text: name }),
        ...seen ? [
          drawn("path", { class: "landmark", d: `M${x - 4},${y - 4}L${x + 4},${y + 4}M${x + 4},${y - 4}L${x - 4},${y + 4}` }),
          drawn("line", { class: "leader", x1: x, y1: y, x2: right + 14, y2: high - 4 })
        ] : [drawn("path", { class: "landmark-arrow", d: "M-4 -3.5L4 0L-4 3.5Z", transform: `translate(${right + 8},${high - 4}) rotate(${turn.toFixed(0)})` })]
      ];
    });
  }
  way(points, ink, dash) {
    const [x, y] = points.length ? this.place(points[0]) : [0, 0];
    const shown = points.length ? "inline" : "none";
    return {
      all: drawn("path", { class: "trail-all", d: this.path(points), stroke: ink }),
      line: drawn("path", { class: "trail", stroke: ink, "stroke-dasharray": dash }),
      start: drawn("circle", { class: "trail-start", cx: x, cy: y, r: 4, stroke: ink, display: shown }),
      now: drawn("circle", { class: "trail-now", r: 6, fill: ink, display: shown })
    };
  }
  path(points) {
    return points.map((point, i) => (i ? "L" : "M") + this.place(point).map((at) => at.toFixed(1)).join(",")).join("");
  }
  /** The whole plane, with a frame of what is zoomed to. */
  inset(trails) {
    const [left, top] = [this.width - INSET.width - 4, this.height - INSET.height - 2];
    const x = linear2(WHOLE.u, [left + 1, left + INSET.width - 1]).clamp(true);
    const y = linear2(WHOLE.a, [top + INSET.height - 1, top + 1]).clamp(true);
    const line2 = (list) => list.map(([u2, a2], i) => `${i ? "L" : "M"}${x(u2).toFixed(1)},${y(a2).toFixed(1)}`).join("");
    const { u, a } = this.domain;
    return drawn(
      "g",
      { class: "inset", "aria-hidden": "true" },
      drawn("rect", { class: "inset-ground", x: left, y: top, width: INSET.width, height: INSET.height }),
      ...trails.map((list) => drawn("path", { class: "inset-way", d: line2(list) })),
      drawn("rect", { class: "inset-frame", x: x(u[0]), y: y(a[1]), width: Math.max(3, x(u[1]) - x(u[0])), height: Math.max(3, y(a[0]) - y(a[1])) })
    );
  }
  show(runs, step) {
    if (!this.x || !this.ways) return;
    const words = runs.map(({ name }, run) => {
      const { steps: steps2, points } = this.trails[run];
      if (!points.length) return `${runs.length > 1 ? name : "this run"} was not measured`;
      const { low, part } = between(steps2, step);
      const next = points[low + 1] ?? points[low];
      const now = points[low].map((value2, k) => value2 + part * (next[k] - value2));
      attribute(this.ways[run].line, "d", this.path([...points.slice(0, low + 1), now]));
      const [x, y] = this.place(now);
      attribute(this.ways[run].now, "transform", `translate(${x.toFixed(1)},${y.toFixed(1)})`);
      return `${runs.length > 1 ? `${name}: ` : ""}alignment ${measured(now[1])}, uniformity ${measured(now[0])}`;
    });
    attribute(this.svg, "aria-label", `alignment–uniformity plane at step ${Math.round(step)}: ${words.join("; ")}; lower is better for both`);
  }
};

// src/panel/transport.js
var WHOLE2 = 14;
var LEAST3 = 0.16;
var STEP = 300;
var PACES = [["slow motion", 0.2], ["normal", 1], ["fast", 3]];
var eased = (part) => 1 - (1 - Math.min(1, part)) ** 3;
var Clock = class {
  /** Moves `t` between 0 and `last()`; calls `show(t)` on every frame that changed it, and `rest()` when it stops. */
  constructor(last, show, rest) {
    Object.assign(this, { last, show, rest, t: 0, playing: false, pace: 1, goal: null });
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }
  /** Play from here, or where it ends from the start; the whole in some seconds, where that is asked for. */
  play(seconds = null) {
    if (seconds && this.still.matches) return this.jump(this.last());
    if (this.t >= this.last()) this.t = 0;
    this.whole = seconds;
    this.playing = true;
    this.goal = null;
    return this.run();
  }
  pause() {
    this.playing = false;
    this.rest();
  }
  /** Glide to a moment; where the reader wants no motion, be there at once. */
  glide(t) {
    this.playing = false;
    const goal = Math.max(0, Math.min(this.last(), t));
    if (this.still.matches || document.hidden) return this.jump(goal);
    this.goal = { from: this.t, to: goal, began: performance.now() };
    this.run();
  }
  jump(t) {
    this.playing = false;
    this.goal = null;
    this.t = Math.max(0, Math.min(this.last(), t));
    this.show(this.t);
    this.rest();
  }
  get part() {
    return this.goal ? eased((performance.now() - this.goal.began) / STEP) : 1;
  }
  /** The moment that the reader has asked for: where a glide will end. */
  get aim() {
    return this.goal ? this.goal.to : this.t;
  }
  run() {
    if (this.frame) return;
    this.then = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }
  tick(now) {
    this.frame = 0;
    const passed = Math.min(0.1, (now - this.then) / 1e3);
    this.then = now;
    if (this.goal) {
      const part = Math.min(1, (now - this.goal.began) / STEP);
      this.t = this.goal.from + (this.goal.to - this.goal.from) * eased(part);
      if (part === 1) this.goal = null;
    } else if (this.playing) {
      const each = this.whole ? this.whole / Math.max(1, this.last()) : Math.max(LEAST3, Math.min(1, WHOLE2 / Math.max(1, this.last())));
      this.t = Math.min(this.last(), this.t + passed * this.pace / each);
      if (this.t >= this.last()) this.playing = false;
    }
    const going = this.goal || this.playing;
    this.show(this.t);
    if (going) this.frame = requestAnimationFrame((next) => this.tick(next));
    else this.rest();
  }
  close() {
    cancelAnimationFrame(this.frame);
  }
};
var Transport = class {
  /** `hooks`: moved() after the reader has moved time, live() to go back to the newest probe; in a panel fork(), to go on from here. */
  constructor(clock, hooks) {
    Object.assign(this, { clock, hooks });
    const button = (text, label, act2) => element("button", { class: "key", type: "button", text, "aria-label": label, title: label, onclick: act2 });
    this.play = button("▶", "play", () => this.toggle());
    this.back = button("◂", "one probe back", () => this.step(-1));
    this.on = button("▸", "one probe forward", () => this.step(1));
    this.slider = element("input", {
      class: "time",
      type: "range",
      min: 0,
      step: "any",
      "aria-label": "time",
      oninput: () => this.go(Number(this.slider.value))
    });
    this.marks = element("div", { class: "time-marks", "aria-hidden": "true" });
    this.pace = element(
      "select",
      { class: "pace", "aria-label": "speed of playing", onchange: () => clock.pace = Number(this.pace.value) },
      ...PACES.map(([text, value2]) => element("option", { value: value2, text, selected: value2 === 1 }))
    );
    this.words = element("output", { class: "told" });
    this.live = element("button", { class: "live", type: "button", text: "live", title: "follow the run: show its newest probe (End)", onclick: hooks.live });
    this.fork = element("button", { class: "clwork-fork", type: "button", text: "fork", disabled: true, title: "a new run from the last step that was kept up to here, with the knobs as they are now", onclick: hooks.fork });
    this.root = element(
      "div",
      { class: "clwork-transport", role: "group", "aria-label": "time" },
      this.play,
      this.back,
      this.on,
      element("div", { class: "time-box" }, this.slider, this.marks),
      this.words,
      this.pace,
      hooks.fork ? this.fork : "",
      this.live
    );
  }
  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
    this.hooks.moved();
  }
  go(t) {
    this.clock.jump(t);
    this.hooks.moved();
  }
  step(way, count2 = 1) {
    const t = this.clock.aim;
    this.clock.glide(way > 0 ? Math.floor(t + count2 + 1e-6) : Math.ceil(t - count2 - 1e-6));
    this.hooks.moved();
  }
  /** `live`: null where no run is active, else whether its newest probe is followed. */
  show(t, last, words, live) {
    const { playing } = this.clock;
    write(this.play, playing ? "❚❚" : "▶");
    attribute(this.play, "aria-label", playing ? "pause" : "play");
    attribute(this.play, "title", `${playing ? "pause" : "play"} (space)`);
    this.slider.max = String(last);
    this.slider.value = String(t);
    this.slider.style.setProperty("--done", `${last ? 100 * t / last : 100}%`);
    attribute(this.slider, "aria-valuetext", words);
    this.back.disabled = this.clock.aim <= 0;
    this.on.disabled = this.clock.aim >= last;
    attribute(this.live, "data-live", String(live));
    attribute(this.live, "aria-pressed", String(live === true));
    this.live.disabled = live === null;
  }
  mark(moments, last) {
    const key = `${moments} ${last}`;
    if (key === this.marked) return;
    this.marked = key;
    this.marks.replaceChildren(...moments.map((t) => element("i", { style: `left: ${last ? 100 * t / last : 0}%` })));
  }
};

// src/panel/picture.js
var IDLE = "Point at a dot to read its sentence";
function told(runs, step, last) {
  const values = runs.map(({ record, name }) => {
    const loss = record.history.value("loss", step);
    return loss === null ? "" : `, ${runs.length > 1 ? `${name} ` : ""}loss ${measured(loss)}`;
  });
  return `step ${Math.round(step)} of ${last}${values.join("")}`;
}
function frame(records, view2) {
  const all = records.filter((record) => record.probes.length).map((record) => record.bounds(view2));
  return all.length ? [0, 1, 2, 3].map((side) => Math[side % 2 ? "max" : "min"](...all.map((box) => box[side]))) : [-1, 1, -1, 1];
}
function scene(record, run, selection, moment) {
  const { step, start, view: view2, box, words, own, inks, dark, still } = moment;
  const forces = run ? null : moment.forces;
  const { hidden, chosen, hover, groups, shared, lit, pinned } = selection;
  const [rowOf, ofRow] = [shared.rowOf[run], shared.ofRow[run]];
  const there = record.probes.length > 0;
  const rows = there ? chosen.map((sentence) => rowOf[sentence]).filter((row2) => row2 >= 0) : [];
  const row = rows.at(-1) ?? -1;
  const near = row < 0 ? [] : record.near(record.probeAt(step), row);
  const group = (one2) => groups.of[ofRow[one2]];
  const involved = forces && /* @__PURE__ */ new Set([forces.row, ...forces.pull.map(([other]) => other), ...forces.push.map(([other]) => other)]);
  return {
    xy: there ? record.places(step, view2) : new Float32Array(0),
    before: there && start !== null ? record.places(start, view2) : null,
    box,
    measured: view2.kind === "pca",
    group,
    hidden: (one2) => hidden.has(group(one2)),
    faint: (one2) => involved ? !involved.has(one2) : selection.faint(ofRow[one2]),
    faded: record.recorded && !run,
    hover: hover < 0 || !there ? -1 : rowOf[hover],
    chosen: rows,
    near,
    then: row < 0 ? [] : record.near(0, row).filter((one2) => !near.includes(one2)),
    tracks: rows.map((one2) => [one2, record.track(one2, step, view2)]),
    own,
    forces,
    text: (one2) => record.texts[one2],
    names: groups.groups.filter((one2) => !hidden.has(one2.group)),
    lit,
    pinned,
    still,
    dark,
    inks,
    label: `cloud of ${counted(record.size, "sentence")}${record.title ? `, ${record.title}` : ""}, ${words}. Arrow keys go from dot to dot, Enter chooses one.`
  };
}
function holds(record, step, view2, brief) {
  if (!record.probes.length) return "";
  if (view2.kind === "umap") {
    const last = record.umap.steps.at(-1);
    return `UMAP of the ${record.axes} axes: who is near whom, not how far${step > last ? `; it ends at step ${steps(last)}` : ""}`;
  }
  const part = percent(record.share(record.probeAt(step), view2.x, view2.y));
  if (brief) return `${part} of the variance`;
  return `axes ${view2.x + 1} and ${view2.y + 1}: ${part} of the variance`;
}
function line(selection, idle = IDLE) {
  const { hover, chosen, query, groups, shared: { texts } } = selection;
  const sentence = hover >= 0 ? hover : chosen.at(-1) ?? -1;
  if (sentence >= 0) {
    const group = groups.of[sentence];
    const name = groups.groups.find((one2) => one2.group === group)?.name ?? "";
    return { text: texts[sentence], group, name, sentence };
  }
  if (!query) return { text: idle };
  const count2 = texts.filter((_, one2) => selection.fits(one2)).length;
  return { text: `${count2} of ${counted(texts.length, "sentence")} ${count2 === 1 ? "holds" : "hold"} “${query}”. Enter chooses one after the other.` };
}
function lists(runs, { groups, shared }, sentence, step, whole2) {
  if (sentence < 0) return [];
  const alone = runs.length === 1;
  return runs.flatMap(({ record, name, ink }, run) => {
    const row = shared.rowOf[run][sentence];
    if (!record.probes.length) return [];
    const prefix = alone ? "nearest" : name;
    if (row < 0) return [{ title: `${name}: not among its sentences`, ink, name, when: "now", items: [] }];
    const first = record.near(0, row);
    const now = record.probeAt(step);
    const last = record.probes.length - 1;
    const column = (title, probe, when) => ({
      title,
      when,
      name: alone ? when : name,
      ink: alone ? null : ink,
      items: record.near(probe, row).map((one2) => {
        const other = shared.ofRow[run][one2];
        return { sentence: other, text: record.texts[one2], group: groups.of[other], fresh: probe > 0 && !first.includes(one2) };
      })
    });
    const columns = [column(`${prefix} at step ${steps(record.steps[0])}`, 0, "then"), column(`${prefix} now, step ${steps(record.steps[now])}`, now, "now")];
    if (alone && whole2) columns.push(column(`${record.alive ? "latest" : "at the end"}, step ${steps(record.steps[last])}`, last, "end"));
    return columns;
  });
}
var TAIL = 0.8;
var GROWS = 80;
var HINTS = {
  player: "Click a dot: its way through time is drawn, and its nearest sentences stand here, then and now.",
  panel: "click it to see what pulls and what pushes"
};
var Picture = class {
  constructor(page) {
    this.page = page;
    this.stale = true;
    this.frame = null;
    this.head = 0;
    this.clouds = [];
    this.arrange();
    const resized = () => {
      this.stale = true;
      page.paint();
    };
    this.curves = new Curves(page.about.curves, {
      go: (step) => {
        page.clock.jump(page.time.t(step));
        page.moved();
      },
      column: (name) => {
        page.column(name);
        resized();
      },
      resized
    });
    this.plane = new Plane({ resized });
    this.reading = new Reading((sentence) => page.choose(sentence), !page.panel);
    const fork = page.panel && page.live ? () => page.act("fork", { step: Math.round(page.step) }) : null;
    this.transport = new Transport(page.clock, { moved: () => page.moved(), live: () => page.toNow(), fork });
  }
  arrange() {
    this.slots = this.page.records.map((_, run) => ({ name: "AB"[run], ink: `var(--run-${run})`, dash: run ? "6 3" : null }));
    this.clouds.splice(this.slots.length);
    for (let run = this.clouds.length; run < this.slots.length; run++) {
      const [note, trend] = ["note", "trend"].map((name) => element("div", { class: `cloud-${name}` }));
      this.clouds.push(Object.assign(this.cloud(run), { note, trend }));
    }
  }
  cloud(run) {
    const { page } = this;
    const sentence = (row) => row < 0 ? -1 : page.shared.ofRow[run][row] ?? -1;
    const cloud = new Cloud({
      hover: (row) => page.selection.point(sentence(row)),
      choose: (row, more) => page.choose(sentence(row), more),
      key: (event) => this.walk(event, run),
      light: (group) => page.selection.light(group),
      pin: (group) => page.selection.pin(group),
      resized: () => page.paint()
    });
    return cloud;
  }
  /** Arrow keys go from dot to dot, Enter chooses: a cloud needs no mouse. */
  walk(event, run) {
    const { page, clouds: { [run]: cloud } } = this;
    const { selection, shared } = page;
    if (event.key === "Enter" && selection.hover >= 0) {
      page.choose(selection.hover, event.shiftKey);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const next = cloud.next(selection.hover < 0 ? -1 : shared.rowOf[run][selection.hover], event);
    if (next === null) return false;
    if (next < 0) return true;
    selection.point(shared.ofRow[run][next]);
    const read = line(selection);
    this.reading.speak([read.name, read.text, this.nearest(read.sentence)].filter(Boolean).join(". "));
    return true;
  }
  nearest(sentence) {
    const { page } = this;
    const [, now] = lists(this.shown().slice(0, 1), page.selection, sentence, page.step);
    return now?.items.length ? `nearest: ${now.items[0].text}` : "";
  }
  shown() {
    const { records, panel } = this.page;
    return this.slots.map((slot, run) => ({ ...slot, record: records[run], ink: panel && !run && records[run].recorded ? "var(--was)" : slot.ink }));
  }
  draw() {
    const { page } = this;
    const { selection, time, clock, step } = page;
    const runs = this.shown();
    const words = told(runs, step, time.steps.at(-1) ?? 0);
    if (this.stale) this.lay(runs);
    const more = this.grow();
    this.drawClouds(step, words);
    this.curves.show(runs, this.head, page.now === true);
    this.plane.show(runs, this.head);
    this.transport.show(clock.t, time.last, words, page.now);
    this.transport.fork.disabled = page.records[0].recorded || !page.records[0].id || page.now === true;
    write(this.transport.words, page.panel ? `step ${steps(page.now ? this.head : step)}` : `step ${steps(step)} of ${steps(time.steps.at(-1) ?? 0)}`);
    this.read(runs, step);
    page.layout.drawn(runs, step);
    if (more) page.paint();
  }
  lay(runs) {
    const { page } = this;
    this.stale = false;
    const previous = runs.length > 1 ? null : page.runs.previous;
    if (!page.panel) this.curves.leave(page.records);
    this.curves.lay(runs, previous, page.bands?.columns);
    const [first] = runs[0].record.history.trail().points;
    const recorded = page.records[0].recorded ? null : previous?.recorded ? previous.history.trail().points.at(-1) : null;
    this.plane.lay(runs, previous, { ...first ? { untrained: first } : {}, ...recorded ? { recorded } : {} });
    const records = page.records;
    const moments = records.flatMap((record) => record.history.events.map((event) => page.time.t(event.step)));
    this.transport.mark(moments, page.time.last);
  }
  grow() {
    const { page } = this;
    const { clock, time } = page;
    const newest = Math.max(...page.records.map((record) => record.last));
    const atEnd = clock.t >= time.last && !clock.goal;
    const goal = page.now === true || atEnd ? Math.max(newest, page.step) : page.step;
    const now = performance.now();
    const passed = Math.min(100, now - (this.grown ?? 0));
    this.grown = now;
    const still = clock.still.matches || page.now !== true || document.hidden || goal < this.head;
    this.head = still || Math.abs(goal - this.head) < 0.02 ? goal : goal + (this.head - goal) * Math.exp(-passed / GROWS);
    return this.head !== goal;
  }
  begin() {
    this.arrange();
    this.stale = true;
  }
  /** The frame of all probes; where a new probe makes it larger, it grows while the dots glide there. */
  box() {
    const { page } = this;
    const goal = frame(page.records, page.view);
    if (!this.frame || !page.clock.goal) this.frame = [...goal];
    else {
      const { began } = page.clock.goal;
      if (this.began !== began) [this.began, this.from] = [began, [...this.frame]];
      this.frame = goal.map((side, i) => this.from[i] + (side - this.from[i]) * page.clock.part);
    }
    return this.frame;
  }
  drawClouds(step, words) {
    const { page } = this;
    const { view: view2, dark, inks, selection, clock, forces } = page;
    const moving = clock.playing || clock.goal;
    const moment = {
      step,
      view: view2,
      words,
      dark,
      inks,
      forces,
      still: !moving,
      box: this.box(),
      start: moving && !page.panel ? page.time.step(Math.max(0, clock.t - TAIL)) : null
    };
    this.clouds.forEach((cloud, run) => {
      const record = page.records[run];
      const seen = scene(record, run, selection, { ...moment, own: run ? [] : page.ownPlaces() });
      cloud.draw(seen);
      write(cloud.note, this.note(record, step, run));
      attribute(cloud.note, "title", cloud.note.textContent);
      write(cloud.trend, page.panel ? "" : record.trend(step));
    });
  }
  note(record, step, run) {
    const { page } = this;
    if (page.panel && record.recorded && !run) return "recorded run: press Start for your own";
    const text = holds(record, step, page.view, this.slots.length > 1);
    const beside = page.panel && this.slots.length > 1;
    const name = beside && run ? `${record.recorded ? "recorded run" : record.name} · ` : "";
    const changed = page.panel && record.changes && beside === run > 0 ? `${record.changes} · ` : "";
    return name + changed + text + (run && page.apart ? " · axes of its own" : "");
  }
  read(runs, step) {
    const { page } = this;
    const { selection, dark } = page;
    const idle = page.panel ? `Point at a dot to read its sentence; ${HINTS.panel}.` : "Point at a dot to read it.";
    const read = line(selection, idle);
    this.reading.report(read, dark);
    const sentence = page.panel ? read.sentence ?? -1 : selection.chosen.at(-1) ?? -1;
    const all = lists(runs, selection, sentence, step, !page.panel);
    const columns = page.panel && runs.length > 1 ? all.filter(({ when }) => when === "now") : all;
    this.reading.list(columns, dark, page.said && !page.panel ? page.said : page.panel || selection.query ? "" : HINTS.player);
  }
};

// src/panel/selection.js
var OTHER = "other";
var CLUSTERS = 8;
function together(records) {
  const numbers = /* @__PURE__ */ new Map();
  const texts = [];
  const ofRow = records.map((record) => {
    const seen = /* @__PURE__ */ new Map();
    return record.texts.map((text) => {
      const count2 = seen.get(text) ?? 0;
      seen.set(text, count2 + 1);
      const key = `${count2}
${text}`;
      if (!numbers.has(key)) {
        numbers.set(key, texts.length);
        texts.push(text);
      }
      return numbers.get(key);
    });
  });
  const rowOf = ofRow.map((numbers_) => {
    const rows = new Int32Array(texts.length).fill(-1);
    numbers_.forEach((sentence, row) => rows[sentence] = row);
    return rows;
  });
  return { texts, ofRow, rowOf };
}
function differ(records, { texts, rowOf }) {
  const [one2, two] = records;
  if (one2.axes !== two.axes || !one2.probes.length || !two.probes.length) return true;
  const [a, b] = records.map((record) => record.unpacked(0));
  return texts.some((_, sentence) => {
    const [i, j] = [rowOf[0][sentence], rowOf[1][sentence]];
    return i >= 0 && j >= 0 && [0, 1].some((axis) => axis < one2.axes && Math.abs(a[i * one2.axes + axis] - b[j * one2.axes + axis]) > 0.01);
  });
}
function byName(names) {
  const counts = /* @__PURE__ */ new Map();
  for (const name of names) if (name !== null && name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, DISTINCT);
  const kept = frequent.map(([name]) => name).sort((a, b) => a < b ? -1 : 1);
  const place = new Map(kept.map((name, group) => [name, group]));
  return finished(kept, Int16Array.from(names, (name) => place.get(name) ?? -1));
}
function finished(names, of) {
  const counts = new Array(names.length).fill(0);
  let others = 0;
  for (const group of of) group < 0 ? others++ : counts[group]++;
  const groups = names.map((name, group) => ({ group, name, count: counts[group] }));
  if (others) groups.push({ group: -1, name: names.length ? OTHER : "sentences", count: others });
  return { groups, of };
}
function labelled(records, shared, field) {
  const names = new Array(shared.texts.length).fill(null);
  records.forEach(
    (record, run) => record[field]?.forEach((label, row) => {
      names[shared.ofRow[run][row]] ??= label;
    })
  );
  return byName(names);
}
function worded(texts, words) {
  const asked = [...new Set(words.split(",").map((word) => word.trim()).filter(Boolean))].slice(0, DISTINCT);
  const low = asked.map((word) => word.toLowerCase());
  return finished(asked, Int16Array.from(texts, (text) => low.findIndex((word) => text.toLowerCase().includes(word))));
}
function kmeans(data, width2, k, rounds = 40) {
  const size = data.length / width2;
  const gap = (row, centre) => {
    let sum = 0;
    for (let i = 0; i < width2; i++) sum += (data[row * width2 + i] - centre[i]) ** 2;
    return sum;
  };
  const rowAt = (row) => data.slice(row * width2, (row + 1) * width2);
  const far = (centres2) => {
    let best = 0;
    let most = -1;
    for (let row = 0; row < size; row++) {
      const least = Math.min(...centres2.map((centre) => gap(row, centre)));
      if (least > most) [best, most] = [row, least];
    }
    return best;
  };
  const centres = [rowAt(far([new Float32Array(width2)]))];
  while (centres.length < Math.min(k, size)) centres.push(rowAt(far(centres)));
  const of = new Int16Array(size).fill(-1);
  for (let round2 = 0; round2 < rounds; round2++) {
    let moved = false;
    for (let row = 0; row < size; row++) {
      let best = 0;
      for (let c = 1; c < centres.length; c++) if (gap(row, centres[c]) < gap(row, centres[best])) best = c;
      moved ||= best !== of[row];
      of[row] = best;
    }
    if (!moved) break;
    centres.forEach((centre, c) => {
      const mean = new Float32Array(width2);
      let count2 = 0;
      for (let row = 0; row < size; row++) {
        if (of[row] !== c) continue;
        count2++;
        for (let i = 0; i < width2; i++) mean[i] += data[row * width2 + i];
      }
      if (count2) centre.set(mean.map((sum) => sum / count2));
    });
  }
  return of;
}
var wordsOf = (text) => new Set(text.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
function typical(bags, of, cluster) {
  const [inside, all] = [/* @__PURE__ */ new Map(), /* @__PURE__ */ new Map()];
  let size = 0;
  bags.forEach((bag, sentence) => {
    const own = of[sentence] === cluster;
    size += own;
    for (const word of bag) {
      all.set(word, (all.get(word) ?? 0) + 1);
      if (own) inside.set(word, (inside.get(word) ?? 0) + 1);
    }
  });
  const rest = Math.max(1, bags.length - size);
  const worth = ([word, count2]) => count2 * Math.log(count2 / size / ((all.get(word) - count2 + 0.5) / rest));
  return [...inside].filter(([, count2]) => count2 > 1).sort((a, b) => worth(b) - worth(a)).slice(0, 2).map(([word]) => word);
}
function clustered(records, shared) {
  const [record] = records;
  if (!record.probes.length) return finished([], new Int16Array(shared.texts.length).fill(-1));
  const found = kmeans(record.unpacked(record.probes.length - 1), record.axes, CLUSTERS);
  const of = Int16Array.from(shared.rowOf[0], (row) => row < 0 ? -1 : found[row]);
  const bags = shared.texts.map(wordsOf);
  const count2 = Math.max(...found) + 1;
  const names = Array.from({ length: count2 }, (_, c) => [`${c + 1}`, typical(bags, of, c).join(", ")].filter(Boolean).join(" · "));
  return finished(names, of);
}
function grouped(by, records, shared, words = "") {
  if (by === "cluster") return clustered(records, shared);
  if (by === "words") return worded(shared.texts, words);
  return labelled(records, shared, by === "own" ? "own" : "labels");
}
var Selection = class {
  /** `shared`: the sentences of all records; `by`: what colours them at first; `changed()` is called after each change. */
  constructor(records, shared, by, changed) {
    Object.assign(this, { records, shared, changed, by, words: "", hidden: /* @__PURE__ */ new Set(), hover: -1, query: "", hot: null, pinned: null });
    this.groups = grouped(by, records, shared);
    this.chosen = [];
  }
  get lit() {
    return this.hot ?? this.pinned;
  }
  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }
  light(group) {
    if (group !== this.hot) this.set({ hot: group });
  }
  pin(group) {
    this.set({ pinned: this.pinned === group ? null : group });
  }
  colour(by, words = this.words) {
    this.set({ by, words, hidden: /* @__PURE__ */ new Set(), hot: null, pinned: null, groups: grouped(by, this.records, this.shared, words) });
  }
  toggle(group) {
    if (!this.hidden.delete(group)) this.hidden.add(group);
    this.changed();
  }
  only(group) {
    this.set({ hidden: new Set(this.groups.groups.map((one2) => one2.group).filter((one2) => one2 !== group)) });
  }
  point(sentence) {
    if (sentence !== this.hover) this.set({ hover: sentence });
  }
  /** Choose a sentence (with `more` next to those chosen, or clear it); -1 clears all. */
  choose(sentence, more = false) {
    const { chosen } = this;
    if (sentence < 0) this.chosen = more ? chosen : [];
    else if (!more) this.chosen = [sentence];
    else this.chosen = chosen.includes(sentence) ? chosen.filter((one2) => one2 !== sentence) : [...chosen, sentence];
    this.changed();
  }
  /** The sentence that came by most neighbours of its own group: something to show before anything is chosen. */
  example() {
    const [record] = this.records;
    const { of } = this.groups;
    const ofRow = this.shared.ofRow[0];
    const alike = (probe, row) => record.near(probe, row).filter((one2) => of[ofRow[one2]] >= 0 && of[ofRow[one2]] === of[ofRow[row]]).length;
    const last = record.probes.length - 1;
    const gains = record.texts.map((_, row) => alike(last, row) - alike(0, row));
    return gains.length ? [ofRow[gains.indexOf(Math.max(...gains))]] : [];
  }
  next() {
    const fits = this.shared.texts.flatMap((_, sentence) => this.fits(sentence) ? [sentence] : []);
    const now = this.chosen.at(-1) ?? -1;
    if (this.query && fits.length) this.choose(fits.find((one2) => one2 > now) ?? fits[0]);
  }
  fits(sentence) {
    return !this.query || this.shared.texts[sentence].toLowerCase().includes(this.query);
  }
  /** Whether a sentence is not what is looked at: of another topic than the one that is lit, or without the words. */
  faint(sentence) {
    return this.lit !== null && this.groups.of[sentence] !== this.lit || !this.fits(sentence);
  }
};

// src/panel/page.js
function onKeys(target, page) {
  const hear = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName = "", type } = event.target;
    const ranges = tagName === "INPUT" && type === "range" && !event.target.classList.contains("time");
    const writes = tagName === "INPUT" && type !== "range" && type !== "checkbox" || tagName === "SELECT" || tagName === "TEXTAREA";
    if (event.key === "Escape") page.layout.escape();
    else if (writes) return;
    else if (!act(event, page, tagName === "BUTTON" || event.target.getAttribute?.("role") === "button", ranges)) return;
    consume(event);
  };
  target.addEventListener("keydown", hear);
  return () => target.removeEventListener("keydown", hear);
}
function act(event, page, button, ranges) {
  const { transport } = page.picture;
  const many = event.shiftKey ? 10 : 1;
  const moves = {
    ArrowRight: () => transport.step(1, many),
    ArrowLeft: () => transport.step(-1, many),
    Home: () => {
      page.clock.glide(0);
      page.moved();
    },
    End: () => page.toNow()
  };
  const keys = { " ": button ? null : () => transport.toggle(), ...ranges ? {} : moves, ...page.panel ? page.layout.knobs.keys() : {} };
  const found = keys[event.key];
  if (!found) return false;
  found();
  return true;
}
var INKS = ["ground", "ink", "soft", "accent", "was", "trouble"];
var Page = class {
  /** A page without a kernel has all in its state; a live one has `about` and `height`, and the channel to `model` brings the rest. */
  constructor(el, { about, runs = [], page = false, height = null }, model = null) {
    this.about = about;
    this.panel = about.mode === "panel";
    this.height = height;
    this.live = model !== null;
    this.runs = new Runs(Math.max(1, runs.length, about.runs ?? 1));
    this.view = { kind: "pca", x: 0, y: 1 };
    this.following = this.live;
    this.own = [];
    this.said = "";
    this.clock = new Clock(() => this.time.last, () => this.paint(), () => this.paint());
    this.order(false);
    this.root = element("section", { class: `clwork-look clwork-instrument ${this.panel ? "panel" : "player"}`, "aria-label": `${about.method?.title ?? "a run"}, training and its pictures` });
    if (height) this.root.style.setProperty("--height", `${height}px`);
    el.append(this.root);
    this.picture = new Picture(this);
    this.layout = new Layout(this);
    this.root.append(this.layout.root, this.layout.help.box);
    this.root.instrument = this;
    this.stopKeys = onKeys(page ? document : this.root, this);
    this.stopTheme = followTheme(this.root, (dark) => this.paper(dark));
    if (runs.length) this.take({ runs });
    if (!model) return;
    this.channel = new Channel(model, {
      known: () => ({ ...this.versions, runs: this.runs.known(this.columns), previous: this.runs.previous?.id ?? "" }),
      take: (news) => this.take(news),
      lively: () => this.lively,
      refused: (why, name) => this.refuse(why, name),
      standing: (state, since) => this.layout.stand(state, since)
    });
  }
  /** Columns that the page asks for besides the strip's: the mean cosine is what the trend is drawn of. */
  get columns() {
    return this.panel ? ["mean_cosine", ...this.further ? [this.further] : []] : [];
  }
  /** The reader chose a column to draw: one that is not of the strip comes with the whole history reload. */
  column(name) {
    if (this.further === name || !this.measurements?.columns.some(([one2]) => one2 === name)) return;
    this.further = name;
    for (const record of this.records) record.reload = true;
    this.channel?.ask();
  }
  get lively() {
    return Boolean(this.runState?.alive) || this.records.some((record) => record.alive) || ["umap", "forces"].some((name) => this[name]?.working);
  }
  take(news) {
    this.versions = { ...this.versions };
    for (const [name, part] of Object.entries(news)) if (part?.version !== void 0) this.versions[name] = part.version;
    const step = this.step;
    const found = this.runs.take(news.runs ?? []);
    if (news.previous) this.runs.takePrevious(news.previous);
    for (const name of ["settings", "bands", "forces", "measurements"]) if (news[name]) this[name] = news[name];
    if (news.state) this.runState = news.state;
    if (news.typed) this.own = news.typed.sentences ?? [];
    if (news.umap) this.lay(news.umap);
    if (news.measurements) this.picture.curves.offer(news.measurements.columns);
    if (news.said) this.said = news.said;
    if (found.replaced) this.order(true);
    else if (found.probes) this.grow(step);
    if (news.forces) this.layout.knobs?.forces(news.forces);
    this.layout.take(news, found);
    if (found.replaced || found.probes || found.rows || news.previous || news.bands) this.picture.stale = true;
    this.paint();
  }
  /** Other records: time, groups and choices are theirs. */
  order(drawn2) {
    const records = this.records;
    const held = this.selection;
    this.shared = together(records);
    this.apart = records.length > 1 && differ(records, this.shared);
    const by = held?.shared.texts.length && colourings(records).some(([name]) => name === held.by) ? held.by : colourings(records)[0][0];
    this.selection = new Selection(records, this.shared, by, () => this.paint());
    if (held?.words) this.selection.colour(by, held.words);
    if (held && held.shared.texts.join("\n") === this.shared.texts.join("\n")) Object.assign(this.selection, { chosen: held.chosen, pinned: held.pinned });
    else if (!this.panel && this.shared.texts.length) this.selection.chosen = this.selection.example();
    this.time = new Timeline(records);
    this.forces = null;
    if (this.umapState !== "there" || !this.live) this.view = { ...this.view, kind: this.umapState === "there" ? "umap" : "pca" };
    this.view.y = Math.min(1, Math.max(0, (records[0].axes || 2) - 1));
    const end = records.some((record) => record.alive) || this.panel && !records[0].recorded;
    this.clock.jump(end ? this.time.last : 0);
    this.following = this.live && end;
    if (!drawn2) return;
    this.picture.begin();
    this.layout.begin();
    if (this.panel && records[0].recorded) this.clock.play(4);
  }
  /** New probes: the time continues, and a reader at the end follows. */
  grow(step) {
    const follow = this.following && !this.clock.playing;
    this.time.refresh();
    this.clock.t = this.time.t(step);
    if (follow) this.clock.glide(this.time.last);
  }
  get records() {
    return this.runs.records;
  }
  act(name, more = {}, buffers = []) {
    if (!this.channel) return Promise.resolve(false);
    this.said = "";
    this.layout.knobs?.pending(name);
    const done = this.channel.command(name, more, buffers);
    done.then(() => {
      this.layout.knobs?.settled(name);
      this.layout.report();
    });
    return done;
  }
  /** A control has another value: of an active run it is marked on the curves, before a row reports it. */
  steered(name, before) {
    const [record] = this.records;
    const field = this.about.fields?.find((one2) => one2.name === name);
    const now = this.settings?.controls[name];
    if (!record.alive || record.recorded || !field?.hot || !now || now.wrong || now.text === before) return;
    record.expect(`${name.replaceAll("_", " ")} → ${now.text}`);
    this.picture.stale = true;
    this.paint();
  }
  refuse(why, name) {
    if (name !== "set") this.said = why;
    this.layout.knobs?.refuse(why, name);
    this.layout.report();
    this.paint();
  }
  turn(view2) {
    this.view = view2;
    this.picture.frame = null;
    this.paint();
  }
  get umapState() {
    if (this.records.every((record) => record.umap)) return "there";
    return this.live ? this.umap?.working ? "asked" : "possible" : "missing";
  }
  /** UMAP came, is being made, or cannot be had. */
  lay(umap) {
    const wanted = this.umap?.working;
    this.umap = umap;
    if (umap.refused) return this.refuse(umap.refused, "umap");
    const layouts = umap.layouts ?? (umap.looks ? [umap] : []);
    layouts.forEach((layout, place) => this.records[place]?.lay(layout));
    if (wanted && this.umapState === "there") this.turn({ ...this.view, kind: "umap" });
  }
  kind(kind) {
    if (kind === "umap" && this.umapState !== "there") {
      this.umap = { working: true };
      this.act("umap").then((done) => {
        if (!done) this.umap = null;
        this.paint();
      });
      return this.paint();
    }
    return this.turn({ ...this.view, kind });
  }
  choose(sentence, more) {
    this.selection.choose(sentence, more);
    if (!this.panel) return;
    const row = sentence < 0 ? -1 : this.shared.rowOf[0][sentence];
    this.forces = null;
    this.layout.knobs?.forces(null);
    if (row >= 0 && !more && !this.records[0].recorded) this.act("forces", { row });
  }
  /** After the reader has moved time: a reader who looks back stays there, the run continues. */
  moved() {
    this.following = this.live && !this.clock.playing && this.clock.aim >= this.time.last;
    this.paint();
  }
  toNow() {
    this.following = this.live;
    this.clock.glide(this.time.last);
  }
  get step() {
    return this.time.step(this.clock.t);
  }
  /** Whether the newest of an active run is shown; null where none is active. */
  get now() {
    return this.records.some((record) => record.alive) ? this.following : null;
  }
  /** Own sentences whose place is known, on the axes that are shown. */
  ownPlaces() {
    if (this.view.kind !== "pca" || this.records[0].recorded) return [];
    const { scale } = this.records[0];
    return this.own.flatMap(({ text, at }) => {
      const places = at && view(at).byteLength ? floats(at, scale) : [];
      return places.length > Math.max(this.view.x, this.view.y) ? [{ text, x: places[this.view.x], y: places[this.view.y] }] : [];
    });
  }
  /** Where a run's dots are now: x, y of row after row. For a reader's console, and for tests. */
  positions(run = 0) {
    return [...this.records[run].places(this.step, this.view)];
  }
  paper(dark) {
    const style = getComputedStyle(this.root);
    this.dark = dark;
    this.inks = Object.fromEntries(INKS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.paint();
  }
  paint() {
    if (this.asked || !this.layout) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.picture.draw();
    });
  }
  close() {
    this.channel?.close();
    this.clock.close();
    cancelAnimationFrame(this.asked);
    this.stopTheme();
    this.stopKeys();
    clearTimeout(this.layout.later);
    this.root.remove();
  }
};

// src/shared/look.css
var look_default = '/* Colours, type and what all pages share; their roots have the class clwork-look. */\n.clwork-look {\n  --ground: #ffffff; --raised: #f5f7f9; --ink: #1d232b; --soft: #59636f; --accent: #0b62c4; --on-accent: #ffffff; --was: #656e7a;\n  --trouble: #a84300; --edge: #7f8994; --rule: #dde2e8; --tint: #e8f1fc; --band: #eceff2; --tint-trouble: #fff1e6;\n  --small: 12px; --normal: 14px; --large: 18px; --line-small: 16px; --line: 20px; --line-large: 24px; --control: 32px;\n  container-type: inline-size; position: relative; box-sizing: border-box; color: var(--ink); background: var(--ground); color-scheme: light;\n  font: 400 var(--normal)/var(--line) system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums;\n}\n.clwork-look[data-theme="dark"] {\n  --ground: #14181d; --raised: #1c2229; --ink: #e9edf1; --soft: #a3adb8; --accent: #6cb2ff; --on-accent: #14181d; --was: #8d97a3;\n  --trouble: #ffab62; --edge: #6f7a87; --rule: #313944; --tint: #16304d; --band: #232a32; --tint-trouble: #3a2615;\n  color-scheme: dark;\n}\n.clwork-look *, .clwork-look *::before { box-sizing: border-box; }\n.clwork-look [hidden] { display: none !important; }\n.clwork-look .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n';

// src/panel/panel.css
var panel_default = '/* A panel: control, state and formula above, knobs at the left, the cloud in the middle, curves and plane at the right. */\n.clwork-instrument.panel { --height: clamp(584px, calc(100vh - 136px), 1080px); min-height: 584px; }\n.clwork-instrument.panel .stage {\n  position: relative; display: grid; height: var(--height); min-height: 584px; padding: 8px; column-gap: 8px; row-gap: 0;\n  grid-template-columns: clamp(192px, 23.5cqw - 4px, 256px) minmax(0, 1fr) clamp(192px, 23.5cqw - 4px, 256px);\n  grid-template-rows: 32px 24px 72px 8px minmax(0, 1fr) 8px 32px 8px 40px;\n  grid-template-areas: "control control control" "state state right" "formula formula right" ". . right" "left cloud right" "left . right" "left transport right" "left . right" "left reading right";\n}\n.clwork-instrument.panel .clwork-control { grid-area: control; display: flex; align-items: center; gap: 8px; min-width: 0; }\n.clwork-instrument .method-name { flex: none; width: 104px; font-size: var(--large); font-weight: 600; line-height: 32px; color: var(--ink); text-decoration: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-instrument a.method-name:hover { text-decoration: underline; }\n.clwork-instrument .clwork-control > button { height: var(--control); flex: none; }\n.clwork-instrument .clwork-start { width: 96px; font-weight: 600; }\n.clwork-instrument button.clwork-start, .clwork-instrument button.clwork-start:hover:not(:disabled) { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }\n.clwork-instrument button.clwork-start:active:not(:disabled) { background: color-mix(in srgb, var(--accent) 80%, var(--ground)); }\n.clwork-instrument :is(.clwork-step, .clwork-stop) { width: 32px; padding: 0; line-height: 1; }\n.clwork-instrument .clwork-speed { flex: none; width: 104px; }\n.clwork-instrument .clwork-progress { flex: 1; min-width: 104px; display: flex; flex-direction: column; justify-content: center; gap: 2px; }\n.clwork-instrument .bar { height: 8px; border-radius: 4px; background: var(--band); overflow: hidden; border: 1px solid var(--rule); }\n.clwork-instrument .bar-done { height: 100%; background: var(--accent); transform-origin: left; transform: scaleX(0); transition: transform 300ms ease-out; }\n.clwork-instrument .clwork-progress[data-busy="true"] .bar-done { background: repeating-linear-gradient(100deg, var(--accent) 0 12px, var(--tint) 12px 24px); animation: clwork-stripes 800ms linear infinite; transition: none; }\n@keyframes clwork-stripes { from { background-position: 0 0; } to { background-position: 24.37px 0; } }\n.clwork-instrument .clwork-left { font-size: var(--small); line-height: var(--line-small); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .clwork-setup { width: clamp(160px, 22.3cqw, 320px); display: flex; align-items: center; gap: 8px; border-radius: 16px; padding: 0 12px; }\n.clwork-instrument .chip-text { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-align: left; }\n\n.clwork-instrument .clwork-state { grid-area: state; display: flex; align-items: center; gap: 8px; min-width: 0; height: 24px; position: relative; }\n.clwork-instrument .state-text { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-instrument button.state-more { flex: none; height: 20px; padding: 0 8px; border-radius: 4px; font-size: var(--small); line-height: 18px; color: var(--soft); }\n.clwork-instrument .clwork-state[data-open] { position: relative; z-index: 15; height: auto; min-height: 24px; align-self: start; align-items: start; padding: 4px 8px; border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); }\n.clwork-instrument .clwork-state[data-open] .state-text { display: block; white-space: normal; overflow: visible; overflow-wrap: anywhere; flex: 1; }\n.clwork-instrument .state-sign:empty { display: none; }\n.clwork-instrument .clwork-state[data-trouble="true"] { color: var(--trouble); }\n\n.clwork-instrument .clwork-formula { grid-area: formula; display: flex; gap: 8px; align-items: center; padding: 0 8px; border-radius: 8px; background: var(--raised); min-width: 0; }\n.clwork-instrument .formula-math { flex: 1; min-width: 0; height: 100%; overflow: auto hidden; scrollbar-width: none; display: flex; align-items: center; }\n.clwork-instrument .formula-math math { display: inline-block math; display: block math; width: max-content; flex: none; margin: 0; font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", math; }\n.clwork-instrument .formula-switch { flex: none; width: 32px; height: 32px; padding: 0; }\n.clwork-instrument .formula-switch[aria-pressed="true"] { background: var(--tint); color: var(--accent); }\n.clwork-instrument math [data-field] { cursor: pointer; border-radius: 4px; }\n.clwork-instrument math [data-number]:not([data-number=""]) { color: var(--accent); }\n.clwork-instrument math [data-lit], .clwork-instrument .clwork-knob[data-lit] .knob-name { background: var(--tint); color: var(--accent); border-radius: 4px; }\n\n.clwork-instrument .left { grid-area: left; display: grid; grid-template-rows: auto 8px 32px 8px minmax(88px, 1fr); min-height: 0; min-width: 0; }\n.clwork-instrument .left > .knobs { grid-row: 1; }\n.clwork-instrument .left > .sheets { grid-row: 3; display: flex; gap: 8px; }\n.clwork-instrument .sheets > button { height: var(--control); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .clwork-all { flex: 1; min-width: 0; }\n.clwork-instrument .left > .clwork-verdict { grid-row: 5; }\n.clwork-instrument .clwork-knob { display: grid; grid-template: 20px 16px 12px / minmax(0, 1fr) auto; height: 48px; min-width: 0; }\n.clwork-instrument .knob-name { justify-self: start; max-width: 100%; display: flex; gap: 4px; align-items: baseline; line-height: 20px; white-space: nowrap; overflow: hidden; min-width: 0; }\n.clwork-instrument .knob-title { overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .clwork-knob input.knob-box[type="text"] { width: 72px; height: 20px; padding: 0 4px; text-align: right; border-color: transparent; background: none; }\n.clwork-instrument .clwork-knob input.knob-box[type="text"]:is(:hover, :focus) { border-color: var(--edge); background: var(--raised); }\n.clwork-instrument .clwork-knob.text input.knob-box[type="text"] { width: 120px; }\n.clwork-instrument .clwork-knob.choice select.knob-box { grid-row: 1 / 3; grid-column: 2; height: 32px; max-width: 132px; }\n.clwork-instrument .clwork-knob.bool .knob-box { justify-self: end; width: 16px; height: 16px; accent-color: var(--accent); }\n.clwork-instrument .clwork-knob .knob-slider { grid-area: 2 / 1 / 3 / 3; height: 16px; }\n.clwork-instrument .knob-note { grid-area: 3 / 1 / 4 / 3; font-size: var(--small); line-height: 12px; height: 14px; color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .clwork-knob.idle > :not(.knob-note) { opacity: 0.55; }\n.clwork-instrument .clwork-knob :disabled { opacity: 1; }\n.clwork-instrument .clwork-knob.off > :is(.knob-slider, .knob-box) { opacity: 0.55; }\n.clwork-instrument .clwork-knob.wrong input.knob-box[type="text"] { border: 2px solid var(--trouble); background: var(--tint-trouble); }\n.clwork-instrument .clwork-knob.wrong .knob-note { color: var(--trouble); }\n.clwork-instrument .clwork-knob.wrong .knob-note::before { content: "⚠ "; }\n\n.clwork-instrument .clwork-control .clwork-knob { position: relative; flex: none; width: 96px; height: 32px; display: block; }\n.clwork-instrument .clwork-control .clwork-knob[data-name="seed"] { width: 80px; }\n.clwork-instrument .clwork-control .knob-name { position: absolute; left: 8px; top: 0; line-height: 32px; color: var(--soft); pointer-events: none; }\n.clwork-instrument .clwork-control .clwork-knob input.knob-box[type="text"] { width: 100%; height: 32px; text-align: right; padding: 0 8px 0 44px; border: 1px solid var(--edge); background: var(--raised); }\n.clwork-instrument .clwork-control .knob-note { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }\n.clwork-instrument .clwork-verdict { border: 1px solid var(--edge); border-left: 4px solid var(--was); border-radius: 8px; background: var(--raised); padding: 4px 8px; overflow: hidden; display: flex; flex-direction: column; min-height: 0; justify-content: center; }\n.clwork-instrument .clwork-verdict[data-sign="good"] { border-left-color: var(--accent); }\n.clwork-instrument .clwork-verdict[data-sign="bad"] { border-left-color: var(--trouble); }\n.clwork-instrument .clwork-verdict[data-sign="none"] { color: var(--soft); }\n.clwork-instrument .clwork-verdict[data-sign="none"] :is(.verdict-top, .verdict-last) { display: none; }\n.clwork-instrument .verdict-top { display: flex; gap: 8px; height: 24px; line-height: 24px; font-size: var(--large); white-space: nowrap; }\n.clwork-instrument .verdict-head { overflow: hidden; text-overflow: ellipsis; font-weight: 600; }\n.clwork-instrument [data-sign="good"] .verdict-sign { color: var(--accent); }\n.clwork-instrument [data-sign="bad"] .verdict-sign { color: var(--trouble); }\n.clwork-instrument .verdict-text { max-height: calc(2 * var(--line)); overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; }\n.clwork-instrument .verdict-last { display: flex; gap: 8px; height: 16px; align-items: center; font-size: var(--small); line-height: 16px; color: var(--soft); }\n.clwork-instrument .verdict-signals { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-instrument .verdict-trend { flex: none; width: 48px; height: 16px; }\n.clwork-instrument .verdict-line, .clwork-instrument .verdict-arrow { fill: none; stroke: var(--ink); stroke-width: 1.5; }\n\n.clwork-instrument.panel .clouds { grid-area: cloud; }\n.clwork-instrument .clwork-cloud:not(:only-child) input.clwork-own[type="text"] { width: 120px; flex-shrink: 1; }\n.clwork-instrument input.clwork-own[type="text"] { width: 208px; }\n.clwork-instrument .kinds { width: 112px; }\n.clwork-instrument.panel .right { grid-area: right; padding-top: 8px; grid-template-rows: repeat(4, minmax(96px, 1fr)) 8px minmax(120px, 1.6fr); }\n.clwork-instrument.panel .clwork-plane { grid-row: 6; }\n.clwork-instrument.panel .clwork-transport { grid-area: transport; }\n.clwork-instrument.panel .told { width: 72px; }\n.clwork-instrument.panel .pace { display: none; }\n.clwork-instrument.panel .clwork-reading { grid-area: reading; height: 40px; overflow: hidden; }\n.clwork-instrument .lists.brief { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; height: 20px; line-height: 20px; font-size: var(--small); }\n.clwork-instrument .near-line { display: flex; gap: 8px; min-width: 0; white-space: nowrap; overflow: hidden; }\n.clwork-instrument .near-line.then { color: var(--was); }\n.clwork-instrument .near-when { font-weight: 600; flex: none; }\n.clwork-instrument .near-word { overflow: hidden; text-overflow: ellipsis; flex: 0 1 auto; min-width: 24px; }\n.clwork-instrument .near-word:nth-child(n + 3) { display: none; }\n\n.clwork-instrument .clwork-sheet { position: absolute; z-index: 20; top: 48px; right: 8px; bottom: 8px; width: 280px; background: var(--raised); border: 1px solid var(--edge); border-radius: 8px; box-shadow: 0 8px 24px rgb(0 0 0 / 20%); display: flex; flex-direction: column; }\n.clwork-instrument .sheet-head { flex: none; display: flex; align-items: center; justify-content: space-between; padding: 4px 4px 4px 8px; }\n.clwork-instrument .sheet-shut { width: 32px; height: 32px; padding: 0; }\n.clwork-instrument .sheet-body { flex: 1; min-height: 0; overflow: auto; padding: 4px 8px 8px; }\n.clwork-instrument :is(.clwork-drawer, .setup-sheet, .forces-sheet) { display: flex; flex-direction: column; gap: 8px; }\n.clwork-instrument .clwork-sheet :is(select, input[type="text"], input[type="search"], textarea) { background: var(--ground); }\n.clwork-instrument .sheet-note { font-size: var(--small); line-height: var(--line-small); color: var(--soft); overflow-wrap: anywhere; }\n.clwork-instrument .sheet-note:empty { display: none; }\n.clwork-instrument .sheet-note[data-wrong="true"] { color: var(--trouble); }\n.clwork-instrument .sheet-note[data-wrong="true"]:not(:empty)::before { content: "⚠ "; }\n.clwork-instrument .sheet-label { display: flex; align-items: center; gap: 8px; }\n.clwork-instrument .sheet-label > span:first-child { flex: none; min-width: 64px; }\n.clwork-instrument .sheet-label > :is(select, input) { flex: 1; min-width: 0; }\n.clwork-instrument .sheet-label.short > input { width: 56px; flex: none; }\n.clwork-instrument .sheet-label.entry { flex-direction: column; align-items: stretch; gap: 0; font-size: var(--small); }\n.clwork-instrument .sheet-label.entry > input { flex: none; }\n.clwork-instrument .sheet-part { display: flex; flex-direction: column; gap: 4px; }\n.clwork-instrument .sheet-row { display: flex; gap: 8px; align-items: center; }\n.clwork-instrument .small { height: 32px; flex: none; }\n.clwork-instrument .clwork-drawer .knob-note { height: 14px; }\n.clwork-instrument .compare-list { list-style: none; font-weight: 400; }\n.clwork-instrument .other { display: grid; grid-template-columns: minmax(0, 1fr) auto; width: 100%; padding: 4px 8px; margin-bottom: 4px; text-align: left; font-size: var(--small); line-height: var(--line-small); background: var(--ground); }\n.clwork-instrument .other > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-instrument .other-differs { font-weight: 600; }\n.clwork-instrument .other-about { grid-column: 1 / -1; color: var(--soft); }\n.clwork-instrument .other[aria-pressed="true"] { background: var(--tint); border-color: var(--run-1); box-shadow: inset 4px 0 0 var(--run-1); }\n.clwork-instrument .forces-formula { overflow: auto hidden; }\n.clwork-instrument .forces-list { list-style: none; font-weight: 400; }\n.clwork-instrument .force { display: flex; gap: 8px; width: 100%; padding: 2px 4px; border: 0; background: none; font-size: var(--small); line-height: var(--line-small); text-align: left; }\n.clwork-instrument .force-text { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-instrument .force-number { flex: none; }\n.clwork-instrument .pull .force { border-left: 3px solid var(--accent); border-radius: 0; }\n.clwork-instrument .push .force { border-left: 3px dashed var(--ink); border-radius: 0; }\n\n@container clwork (min-width: 1400px) {\n  .clwork-instrument.panel .stage { grid-template-columns: 280px minmax(0, 1fr) minmax(320px, 24cqw); grid-template-rows: 32px 24px 96px 8px minmax(0, 1fr) 8px 32px 8px 64px; }\n  .clwork-instrument .clwork-knob { grid-template-rows: 24px 16px 16px; height: 56px; }\n  .clwork-instrument.panel .clwork-reading { height: 64px; }\n  .clwork-instrument .verdict-text { max-height: none; -webkit-line-clamp: 12; line-clamp: 12; }\n  .clwork-instrument .clwork-verdict { justify-content: flex-start; }\n  .clwork-instrument .near-word:nth-child(n + 3) { display: inline; }\n  .clwork-instrument .clwork-control .clwork-knob { width: 112px; }\n  .clwork-instrument .clwork-sheet { width: max(320px, 24cqw); }\n}\n@container clwork (max-width: 999px) {\n  .clwork-instrument .clwork-setup { width: 160px; }\n  .clwork-instrument .clwork-speed { width: 96px; }\n  .clwork-instrument .method-name { width: 88px; }\n  .clwork-instrument .clwork-start { width: 88px; }\n  .clwork-instrument input.clwork-own[type="text"] { width: 160px; }\n}\n@container clwork (max-width: 839px) {\n  .clwork-instrument.panel { --height: auto; }\n  .clwork-instrument.panel .stage {\n    grid-template-columns: 200px minmax(0, 1fr);\n    grid-template-rows: 72px 40px 72px 8px 360px 8px 32px 8px 40px 8px auto;\n    grid-template-areas: "control control" "state state" "formula formula" ". ." "left cloud" "left ." "left transport" "left ." "left reading" ". ." "right right";\n  }\n  .clwork-instrument .clwork-knob input.knob-box[type="text"] { width: 56px; }\n  .clwork-instrument.panel .clwork-control { flex-wrap: wrap; }\n  .clwork-instrument .clwork-progress { order: 1; flex: 1 0 calc(100% - 304px); }\n  .clwork-instrument .clwork-control > .clwork-setup { order: 2; flex: 1 1 160px; }\n  .clwork-instrument .clwork-control .clwork-knob { order: 3; }\n  .clwork-instrument .clwork-speed { order: 4; }\n  .clwork-instrument .clwork-state { height: 40px; }\n  .clwork-instrument .state-text { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; }\n  .clwork-instrument.panel .right { grid-template: 112px 8px 200px / repeat(4, minmax(0, 1fr)); gap: 0 8px; }\n  .clwork-instrument.panel .clwork-plane { grid-row: 3; grid-column: 1 / -1; }\n  .clwork-instrument .clwork-curve .curve-hint { display: none; }\n  .clwork-instrument .clwork-sheet { top: 120px; bottom: auto; height: 480px; }\n}\n@container clwork (max-width: 559px) {\n  .clwork-instrument .stage { --control: 40px; }\n  .clwork-instrument.panel .stage {\n    grid-template-columns: minmax(0, 1fr); grid-template-rows: none; grid-auto-rows: auto; row-gap: 8px;\n    grid-template-areas: "control" "state" "verdict" "cloud" "transport" "reading" "formula" "knobs" "all" "right";\n  }\n  .clwork-instrument .left { display: contents; }\n  .clwork-instrument .left > .knobs { grid-area: knobs; }\n  .clwork-instrument .left > .sheets { grid-area: all; }\n  .clwork-instrument .left > .clwork-verdict { grid-area: verdict; height: 104px; }\n  .clwork-instrument .clwork-knob { height: 56px; grid-template-rows: 24px 20px 12px; }\n  .clwork-instrument.panel .clouds { height: min(100cqw, 400px); }\n  .clwork-instrument.panel .clwork-formula { height: 72px; }\n  .clwork-instrument .clwork-control .clwork-knob, .clwork-instrument .clwork-control .clwork-knob input.knob-box[type="text"] { height: 40px; }\n  .clwork-instrument .clwork-control .clwork-knob { flex: 1 1 96px; }\n  .clwork-instrument .clwork-control .knob-name { line-height: 40px; }\n  .clwork-instrument .clwork-control :is(.clwork-step, .clwork-stop) { width: 40px; }\n  .clwork-instrument .clwork-progress { flex: 1 1 100%; height: 40px; }\n  .clwork-instrument .clwork-control > .clwork-setup { flex: 1 1 100%; border-radius: 20px; }\n  .clwork-instrument .clwork-speed { flex: 1 1 96px; }\n  .clwork-instrument.panel .clwork-reading { height: 64px; }\n  .clwork-instrument .lists.brief { grid-template-columns: 1fr; gap: 0; height: 40px; }\n  .clwork-instrument input.clwork-own[type="text"] { width: 0; flex: 1 1 100px; }\n  .clwork-instrument.panel .cloud-note { display: none; }\n  .clwork-instrument.panel .told { width: auto; }\n  .clwork-instrument.panel .right { display: block; padding: 0; }\n  .clwork-instrument .clwork-curve { height: 112px; }\n  .clwork-instrument .clwork-plane { height: 240px; }\n  .clwork-instrument .clwork-curve .curve-hint { display: inline; }\n  .clwork-instrument .clwork-sheet { left: 8px; right: 8px; width: auto; top: 176px; height: 560px; }\n  .clwork-instrument .cloud-head { height: 40px; }\n}\n';

// src/panel/player.css
var player_default = '/* A player: titles above, dots at the left, clouds, curves and plane at the right, time and reading below. */\n.clwork-instrument.player { --height: 100vh; min-height: 480px; }\n.clwork-instrument.player .stage {\n  --fits: no; /* in a frame it is as high as that, or, where narrow, as its content */\n  display: grid; gap: 8px; padding: 8px; height: var(--height); min-height: 480px;\n  grid-template: "titles titles titles" 24px "dots clouds right" minmax(0, 1fr) "transport transport transport" 32px "reading reading reading" auto / clamp(144px, 15cqw, 200px) minmax(0, 1fr) clamp(240px, 28cqw, 480px);\n}\n.clwork-instrument .clwork-titles { grid-area: titles; display: flex; gap: 8px; min-width: 0; white-space: nowrap; overflow: hidden; }\n.clwork-instrument .runs { display: flex; gap: 16px; min-width: 0; flex: 0 1 auto; }\n.clwork-instrument .run { display: flex; align-items: baseline; gap: 8px; min-width: 0; }\n.clwork-instrument .run-title { font-size: var(--large); line-height: 24px; overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .run-stand { color: var(--soft); overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .run-said { margin-left: auto; color: var(--soft); overflow: hidden; text-overflow: ellipsis; line-height: 24px; }\n.clwork-instrument .dots { grid-area: dots; display: flex; flex-direction: column; gap: 4px; min-height: 0; min-width: 0; }\n.clwork-instrument .dots .field { display: flex; align-items: center; gap: 4px; color: var(--soft); font-size: var(--small); }\n.clwork-instrument .dots .field > span { flex: none; width: 40px; }\n.clwork-instrument .dots .field select { flex: 1 1 0; width: 0; color: var(--ink); padding: 0 4px; }\n.clwork-instrument .dots > input { flex: none; width: 100%; }\n.clwork-instrument .legend { flex: 1; display: flex; flex-direction: column; gap: 8px; min-height: 0; }\n.clwork-instrument .legend-list { display: flex; flex-direction: column; overflow: auto; min-height: 0; }\n.clwork-instrument .group { flex: none; display: flex; align-items: center; gap: 4px; width: 100%; height: 24px; padding: 0 4px; border: 0; border-radius: 4px; background: none; text-align: left; font-size: var(--small); }\n.clwork-instrument .group:focus-visible { outline-offset: -2px; }\n.clwork-instrument .group-name { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-instrument .group-count { color: var(--soft); }\n.clwork-instrument .group[aria-pressed="false"] { opacity: 0.5; }\n.clwork-instrument .group[aria-pressed="false"] .group-name { text-decoration: line-through; }\n.clwork-instrument .legend-foot { flex: none; display: flex; flex-direction: column; gap: 4px; }\n.clwork-instrument.player .small { height: 24px; font-size: var(--small); }\n.clwork-instrument .clouds { grid-area: clouds; display: flex; gap: 8px; min-width: 0; min-height: 0; }\n.clwork-instrument .clouds > .clwork-cloud { flex: 1; }\n.clwork-instrument.player .cloud-head { left: 8px; }\n.clwork-instrument.player .cloud-note { text-align: left; }\n.clwork-instrument.player .cloud-trend { position: absolute; left: 8px; right: 8px; top: 32px; pointer-events: none; }\n.clwork-instrument.player .right { grid-area: right; grid-template-rows: repeat(var(--curves, 3), minmax(40px, 1fr)) minmax(96px, 1.4fr); gap: 4px; }\n.clwork-instrument.player .clwork-transport { grid-area: transport; }\n.clwork-instrument.player .told { min-width: 12em; }\n.clwork-instrument.player .pace { flex: none; }\n.clwork-instrument.player .live:disabled { display: none; }\n.clwork-instrument.player .clwork-reading { grid-area: reading; padding-top: 4px; border-top: 1px solid var(--rule); }\n.clwork-instrument .lists:not(.brief) { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 16px; height: 120px; overflow: hidden; }\n.clwork-instrument .list { min-width: 0; }\n.clwork-instrument .list-title { font-weight: 600; font-size: var(--small); line-height: 20px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .list ol { list-style: none; font-weight: 400; }\n.clwork-instrument .near { display: flex; align-items: center; gap: 4px; width: 100%; height: 20px; padding: 0 2px; border: 0; border-radius: 4px; background: none; text-align: left; font-size: var(--small); }\n.clwork-instrument .near:focus-visible { outline-offset: -2px; }\n.clwork-instrument .near-text { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-instrument .fresh { flex: none; margin-left: auto; padding: 0 4px; border-radius: 8px; font-size: var(--small); color: var(--accent); border: 1px solid var(--accent); line-height: 14px; }\n\n@container clwork (max-width: 759px) {\n  .clwork-instrument.player { --height: auto !important; }\n  .clwork-instrument.player .stage { --fits: yes; height: auto; grid-template: "titles" auto "clouds" min(90cqw, 460px) "transport" auto "dots" auto "reading" auto "right" auto / minmax(0, 1fr); }\n  .clwork-instrument.player .right { grid-template-rows: repeat(var(--curves, 3), 132px) 240px; }\n  .clwork-instrument .clwork-titles { white-space: normal; flex-wrap: wrap; }\n  .clwork-instrument .runs { flex-direction: column; gap: 0; }\n  .clwork-instrument .run { flex-wrap: wrap; column-gap: 8px; row-gap: 0; }\n  .clwork-instrument .run-title { flex: none; max-width: 100%; }\n  .clwork-instrument .legend-list { flex-direction: row; flex-wrap: wrap; }\n  .clwork-instrument .group { width: auto; }\n  .clwork-instrument .legend-foot { flex-direction: row; }\n  .clwork-instrument.player .clwork-transport { flex-wrap: wrap; height: auto; }\n  .clwork-instrument.player .time-box { flex: 1 0 100%; order: -1; }\n  .clwork-instrument.player .told { min-width: 0; flex: 1; }\n  .clwork-instrument .lists:not(.brief) { grid-auto-flow: row; height: auto; min-height: 120px; }\n}\n';

// src/panel/style.css
var style_default = '/* The parts that panel and player share; colours and type are in ../shared/look.css. */\n.clwork-instrument { --run-0: #0b62c4; --run-1: #b04a00; container: clwork / inline-size; }\n.clwork-instrument[data-theme="dark"] { --run-0: #6cb2ff; --run-1: #ffab62; }\n.clwork-instrument :is(h3, h4, ol, p) { margin: 0; padding: 0; font-size: inherit; font-weight: 600; }\n.clwork-instrument :is(button, select, input, textarea) { font: inherit; color: inherit; margin: 0; letter-spacing: inherit; }\n.clwork-instrument :is(button, select, input, textarea, a, canvas, [tabindex]):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }\n.clwork-instrument button { border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); padding: 0 8px; cursor: pointer; }\n.clwork-instrument button:hover:not(:disabled) { background: var(--tint); }\n.clwork-instrument :is(button, select, input, textarea):disabled { opacity: 0.55; cursor: default; }\n.clwork-instrument :is(select, textarea, input:is([type="text"], [type="search"])) { height: var(--control); padding: 0 8px; border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); min-width: 0; }\n.clwork-instrument textarea { height: auto; padding: 4px 8px; resize: vertical; width: 100%; }\n.clwork-instrument ::placeholder { color: var(--soft); opacity: 1; }\n.clwork-instrument .switch { display: flex; height: var(--control); }\n.clwork-instrument .switch button { flex: 1; min-width: 0; border-radius: 0; color: var(--soft); }\n.clwork-instrument .switch button:first-child { border-radius: 8px 0 0 8px; border-right: 0; }\n.clwork-instrument .switch button:last-child { border-radius: 0 8px 8px 0; }\n.clwork-instrument .switch button[aria-pressed="true"] { background: var(--tint); color: var(--accent); }\n\n.clwork-instrument .clwork-cloud { position: relative; min-width: 0; min-height: 0; border: 1px solid var(--rule); border-radius: 8px; overflow: hidden; background: var(--ground); }\n.clwork-instrument .cloud-frame, .clwork-instrument .cloud-canvas { position: absolute; inset: 0; width: 100%; height: 100%; }\n.clwork-instrument .cloud-canvas { cursor: crosshair; touch-action: pan-y; }\n.clwork-instrument .cloud-canvas:focus-visible { outline-offset: -3px; border-radius: 8px; }\n.clwork-instrument .cloud-head { position: absolute; inset: 4px 4px auto; height: 32px; display: flex; gap: 8px; align-items: center; pointer-events: none; }\n.clwork-instrument .cloud-head > :is(input, .switch) { pointer-events: auto; flex: none; }\n.clwork-instrument :is(.cloud-note, .cloud-trend) { color: var(--soft); font-size: var(--small); line-height: var(--line-small); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .cloud-note { flex: 1; min-width: 0; text-align: center; }\n.clwork-instrument .topics { position: absolute; inset: 0; pointer-events: none; overflow: hidden; }\n.clwork-instrument .topic { position: absolute; left: 0; top: 0; height: 20px; padding: 0 4px 0 0; border: 0; border-radius: 4px; background: none; display: flex; align-items: center; gap: 2px; pointer-events: auto; font-weight: 600; line-height: 20px; white-space: nowrap; will-change: transform; text-shadow: 0 0 3px var(--ground), 0 0 3px var(--ground), 1px 1px 2px var(--ground), -1px -1px 2px var(--ground); }\n.clwork-instrument button.topic:hover:not(:disabled) { background: var(--tint); }\n.clwork-instrument .topic[aria-pressed="true"] { background: var(--tint); color: var(--accent); text-shadow: none; }\n.clwork-instrument .topic[data-out="true"] { visibility: hidden; }\n.clwork-instrument .topic[data-dim="true"] { opacity: 0.35; }\n.clwork-instrument .topic:focus-visible { outline-offset: -2px; }\n.clwork-instrument .marker { flex: none; width: 16px; height: 16px; display: block; }\n.clwork-instrument .run-key { flex: none; min-width: 20px; padding: 0 4px; border-radius: 4px; color: var(--ground); font-weight: 600; font-size: var(--small); line-height: 16px; text-align: center; }\n\n.clwork-instrument .right { display: grid; min-width: 0; min-height: 0; }\n.clwork-instrument .curves { display: contents; }\n.clwork-instrument :is(.clwork-curve, .clwork-plane) { display: flex; flex-direction: column; min-width: 0; min-height: 0; }\n.clwork-instrument .curve-line { flex: none; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; height: 16px; font-size: var(--small); line-height: 16px; white-space: nowrap; overflow: hidden; }\n.clwork-instrument .curve-name { font-weight: 600; flex: none; }\n.clwork-instrument select.curve-name { height: 16px; padding: 0; border: 0; border-radius: 4px; background: var(--ground); color: var(--ink); font-size: var(--small); line-height: 16px; max-width: calc(100% - 96px); flex: 0 1 auto; text-overflow: ellipsis; cursor: pointer; }\n.clwork-instrument select.curve-name:focus-visible { outline-offset: -2px; }\n.clwork-instrument .curve-value { font-weight: 600; color: var(--accent); flex: none; display: flex; gap: 8px; }\n.clwork-instrument .curve-was { color: var(--was); flex: none; }\n.clwork-instrument .curve-hint { color: var(--soft); margin-left: auto; flex: none; } /* where it has no room it goes to a line that is not seen */\n.clwork-instrument :is(.curve-box, .plane-box) { position: relative; flex: 1; min-height: 0; }\n.clwork-instrument .curve-box:focus-visible { outline-offset: -2px; border-radius: 4px; }\n.clwork-instrument :is(.curve-svg, .plane-svg) { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }\n.clwork-instrument .curve-svg { cursor: ew-resize; touch-action: pan-y; }\n.clwork-instrument .rule { stroke: var(--rule); }\n.clwork-instrument .axis-line { stroke: var(--edge); }\n.clwork-instrument svg text { font-size: var(--small); fill: var(--soft); }\n.clwork-instrument .level { stroke: var(--edge); stroke-dasharray: 4 4; }\n.clwork-instrument .band { fill: var(--band); }\n.clwork-instrument .level-name { paint-order: stroke; stroke: var(--ground); stroke-width: 3; }\n.clwork-instrument path.line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n.clwork-instrument path.raw { fill: none; stroke-width: 1; opacity: 0.3; }\n.clwork-instrument .was-line { fill: none; stroke: var(--was); stroke-width: 1.5; opacity: 0.8; }\n.clwork-instrument .head { stroke: var(--ink); opacity: 0.45; }\n.clwork-instrument .head-dot { stroke: var(--ground); stroke-width: 1.5; }\n.clwork-instrument .event rect { fill: var(--accent); }\n.clwork-instrument .landmark { fill: none; stroke: var(--soft); stroke-width: 2; }\n.clwork-instrument .landmark-arrow { fill: var(--soft); }\n.clwork-instrument .leader { stroke: var(--edge); opacity: 0.6; }\n.clwork-instrument .landmark-name { paint-order: stroke; stroke: var(--ground); stroke-width: 3; }\n.clwork-instrument .trail-all { fill: none; stroke-width: 1.5; opacity: 0.25; }\n.clwork-instrument .trail { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }\n.clwork-instrument .trail-start { fill: var(--ground); stroke-width: 2; }\n.clwork-instrument .trail-now { stroke: var(--ground); stroke-width: 2; }\n.clwork-instrument .inset-ground { fill: var(--raised); stroke: var(--edge); }\n.clwork-instrument .inset-way { fill: none; stroke: var(--was); }\n.clwork-instrument .inset-frame { fill: none; stroke: var(--accent); stroke-width: 1.5; }\n\n.clwork-instrument .clwork-transport { display: flex; align-items: center; gap: 8px; min-width: 0; height: var(--control); }\n.clwork-instrument .key { flex: none; width: 32px; height: var(--control); padding: 0; line-height: 1; }\n.clwork-instrument .time-box { position: relative; flex: 1; min-width: 48px; height: var(--control); }\n.clwork-instrument input[type="range"] { -webkit-appearance: none; appearance: none; background: none; padding: 0; margin: 0; cursor: pointer; width: 100%; }\n.clwork-instrument .time { position: absolute; inset: 0; height: 100%; }\n.clwork-instrument input[type="range"]::-webkit-slider-runnable-track { height: 4px; border-radius: 2px; background: linear-gradient(to right, var(--accent) var(--done, 0%), var(--edge) var(--done, 0%)); }\n.clwork-instrument input[type="range"]::-moz-range-track { height: 4px; border-radius: 2px; background: var(--edge); }\n.clwork-instrument input[type="range"]::-moz-range-progress { height: 4px; border-radius: 2px; background: var(--accent); }\n.clwork-instrument input[type="range"]::-webkit-slider-thumb { -webkit-appearance: none; width: 16px; height: 16px; margin-top: -6px; border-radius: 50%; background: var(--accent); border: 2px solid var(--ground); box-shadow: 0 0 0 1px var(--accent); }\n.clwork-instrument input[type="range"]::-moz-range-thumb { width: 12px; height: 12px; border-radius: 50%; background: var(--accent); border: 2px solid var(--ground); box-shadow: 0 0 0 1px var(--accent); }\n.clwork-instrument .time-marks { position: absolute; left: 8px; right: 8px; bottom: 4px; height: 6px; pointer-events: none; }\n.clwork-instrument .time-marks i { position: absolute; width: 2px; margin-left: -1px; height: 6px; background: var(--accent); }\n.clwork-instrument .told { flex: none; font-size: var(--small); text-align: right; white-space: nowrap; }\n.clwork-instrument :is(.live, .clwork-fork) { flex: none; width: 56px; height: var(--control); color: var(--soft); }\n.clwork-instrument .live[data-live="true"] { background: var(--tint); color: var(--accent); }\n.clwork-instrument .live[data-live="false"] { border: 2px solid var(--accent); color: var(--accent); }\n\n.clwork-instrument .clwork-reading { min-width: 0; position: relative; }\n.clwork-instrument .line { display: flex; gap: 8px; height: 20px; align-items: center; white-space: nowrap; overflow: hidden; }\n.clwork-instrument .line-sign { display: inline-flex; flex: none; }\n.clwork-instrument .line-group { flex: none; color: var(--soft); }\n.clwork-instrument :is(.line-group, .line-sign):empty { display: none; }\n.clwork-instrument .line-text { overflow: hidden; text-overflow: ellipsis; }\n.clwork-instrument .hint { font-weight: 400; color: var(--soft); }\n\n.clwork-instrument .clwork-help { position: absolute; z-index: 30; left: 0; top: 0; max-width: 320px; padding: 8px; border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); color: var(--ink); font-size: var(--small); line-height: var(--line-small); white-space: pre-line; }\n\n@container clwork (min-width: 1400px) {\n  .clwork-instrument .stage { --small: 13px; --normal: 15px; --large: 20px; --line: 24px; font-size: 15px; line-height: 24px; }\n}\n@media (prefers-reduced-motion: reduce) {\n  .clwork-instrument * { animation: none !important; transition: none !important; }\n}\n@media (forced-colors: active) {\n  .clwork-instrument :is(button, select, input, textarea):focus-visible { outline-color: CanvasText; }\n}\n';

// src/panel/index.js
function render({ model, el }) {
  const style = element("style", { text: look_default + style_default + panel_default + player_default });
  el.append(style);
  const live = Boolean(model.get("own_id"));
  const page = new Page(el, {
    about: model.get("about") ?? {},
    runs: live ? [] : model.get("runs") ?? [],
    page: Boolean(model.get("page")),
    height: model.get("height") || null
  }, live ? model : null);
  return () => {
    page.close();
    style.remove();
  };
}
var index_default = { render };
export {
  index_default as default
};
