// Made by js/build.mjs (make bundle); edit js/src/desk instead. sources d5c93539ee7ad4a34c072905884c702f58f745f0fe42d7b9d309209a264193c2 body 2157ad6ebb93c6c47a70c36c79ebb2d53fd06a3ed485fcbcc34ae62c6ffbd183
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
    model.widget_manager?.get_model?.(model.get("own_id"))?.then((line) => {
      if (this.closed) return;
      this.line = line;
      line.on?.("comm_live_update", this.onLive);
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
    const silent = this.sent && Date.now() - Math.max(this.heard, this.sent) > SILENT;
    const unanswered = this.sent && Date.now() - this.sent > UNANSWERED;
    const state = this.gone ? "gone" : silent ? "silent" : unanswered ? "unanswered" : "answers";
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
function onResize(node, act) {
  const watch = new ResizeObserver(([{ contentRect: { width, height } }]) => node.isConnected && act(Math.round(width), Math.round(height)));
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
  const update = (again) => {
    const dark = said() ?? told ?? Boolean(SYSTEM?.matches);
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
      told = event.data.clworkDark;
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
  return function(value2, width) {
    var i = value2.length, t = [], j = 0, g = grouping[0], length = 0;
    while (i > 0 && g > 0) {
      if (length + g + 1 > width) g = Math.max(1, width - length);
      t.push(value2.substring(i -= g, i + g));
      if ((length += g + 1) > width) break;
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
  var group = locale2.grouping === void 0 || locale2.thousands === void 0 ? identity_default : formatGroup_default(map.call(locale2.grouping, Number), locale2.thousands + ""), currencyPrefix = locale2.currency === void 0 ? "" : locale2.currency[0] + "", currencySuffix = locale2.currency === void 0 ? "" : locale2.currency[1] + "", decimal = locale2.decimal === void 0 ? "." : locale2.decimal + "", numerals = locale2.numerals === void 0 ? identity_default : formatNumerals_default(map.call(locale2.numerals, String)), percent = locale2.percent === void 0 ? "%" : locale2.percent + "", minus = locale2.minus === void 0 ? "−" : locale2.minus + "", nan = locale2.nan === void 0 ? "NaN" : locale2.nan + "";
  function newFormat(specifier) {
    specifier = formatSpecifier(specifier);
    var fill = specifier.fill, align = specifier.align, sign = specifier.sign, symbol = specifier.symbol, zero3 = specifier.zero, width = specifier.width, comma = specifier.comma, precision = specifier.precision, trim = specifier.trim, type = specifier.type;
    if (type === "n") comma = true, type = "g";
    else if (!formatTypes_default[type]) precision === void 0 && (precision = 12), trim = true, type = "g";
    if (zero3 || fill === "0" && align === "=") zero3 = true, fill = "0", align = "=";
    var prefix = symbol === "$" ? currencyPrefix : symbol === "#" && /[boxX]/.test(type) ? "0" + type.toLowerCase() : "", suffix = symbol === "$" ? currencySuffix : /[%p]/.test(type) ? percent : "";
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
      var length = valuePrefix.length + value2.length + valueSuffix.length, padding = length < width ? new Array(width - length + 1).join(fill) : "";
      if (comma && zero3) value2 = group(padding + value2, padding.length ? width - valueSuffix.length : Infinity), padding = "";
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
    let { data: values, width, height } = data;
    if (!((width = Math.floor(width)) >= 0)) throw new RangeError("invalid width");
    if (!((height = Math.floor(height !== void 0 ? height : values.length / width)) >= 0)) throw new RangeError("invalid height");
    if (!width || !height || !rx && !ry) return data;
    const blurx = rx && blur(rx);
    const blury = ry && blur(ry);
    const temp = values.slice();
    if (blurx && blury) {
      blurh(blurx, temp, values, width, height);
      blurh(blurx, values, temp, width, height);
      blurh(blurx, temp, values, width, height);
      blurv(blury, values, temp, width, height);
      blurv(blury, temp, values, width, height);
      blurv(blury, values, temp, width, height);
    } else if (blurx) {
      blurh(blurx, values, temp, width, height);
      blurh(blurx, temp, values, width, height);
      blurh(blurx, values, temp, width, height);
    } else if (blury) {
      blurv(blury, values, temp, width, height);
      blurv(blury, temp, values, width, height);
      blurv(blury, values, temp, width, height);
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
function tickSpec(start, stop, count) {
  const step = (stop - start) / Math.max(0, count), power = Math.floor(Math.log10(step)), error = step / Math.pow(10, power), factor = error >= e10 ? 10 : error >= e5 ? 5 : error >= e2 ? 2 : 1;
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
  if (i2 < i1 && 0.5 <= count && count < 2) return tickSpec(start, stop, count * 2);
  return [i1, i2, inc];
}
function ticks(start, stop, count) {
  stop = +stop, start = +start, count = +count;
  if (!(count > 0)) return [];
  if (start === stop) return [start];
  const reverse = stop < start, [i1, i2, inc] = reverse ? tickSpec(stop, start, count) : tickSpec(start, stop, count);
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
function tickIncrement(start, stop, count) {
  stop = +stop, start = +start, count = +count;
  return tickSpec(start, stop, count)[2];
}
function tickStep(start, stop, count) {
  stop = +stop, start = +start, count = +count;
  const reverse = stop < start, inc = reverse ? tickIncrement(stop, start, count) : tickIncrement(start, stop, count);
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
function initRange(domain, range) {
  switch (arguments.length) {
    case 0:
      break;
    case 1:
      this.range(domain);
      break;
    default:
      this.range(range).domain(domain);
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
function bimap(domain, range, interpolate) {
  var d0 = domain[0], d1 = domain[1], r0 = range[0], r1 = range[1];
  if (d1 < d0) d0 = normalize(d1, d0), r0 = interpolate(r1, r0);
  else d0 = normalize(d0, d1), r0 = interpolate(r0, r1);
  return function(x) {
    return r0(d0(x));
  };
}
function polymap(domain, range, interpolate) {
  var j = Math.min(domain.length, range.length) - 1, d = new Array(j), r = new Array(j), i = -1;
  if (domain[j] < domain[0]) {
    domain = domain.slice().reverse();
    range = range.slice().reverse();
  }
  while (++i < j) {
    d[i] = normalize(domain[i], domain[i + 1]);
    r[i] = interpolate(range[i], range[i + 1]);
  }
  return function(x) {
    var i2 = bisectRight(domain, x, 1, j) - 1;
    return r[i2](d[i2](x));
  };
}
function copy(source, target) {
  return target.domain(source.domain()).range(source.range()).interpolate(source.interpolate()).clamp(source.clamp()).unknown(source.unknown());
}
function transformer() {
  var domain = unit, range = unit, interpolate = value, transform, untransform, unknown, clamp = identity2, piecewise, output, input;
  function rescale() {
    var n = Math.min(domain.length, range.length);
    if (clamp !== identity2) clamp = clamper(domain[0], domain[n - 1]);
    piecewise = n > 2 ? polymap : bimap;
    output = input = null;
    return scale;
  }
  function scale(x) {
    return x == null || isNaN(x = +x) ? unknown : (output || (output = piecewise(domain.map(transform), range, interpolate)))(transform(clamp(x)));
  }
  scale.invert = function(y) {
    return clamp(untransform((input || (input = piecewise(range, domain.map(transform), number2)))(y)));
  };
  scale.domain = function(_) {
    return arguments.length ? (domain = Array.from(_, number3), rescale()) : domain.slice();
  };
  scale.range = function(_) {
    return arguments.length ? (range = Array.from(_), rescale()) : range.slice();
  };
  scale.rangeRound = function(_) {
    return range = Array.from(_), interpolate = round, rescale();
  };
  scale.clamp = function(_) {
    return arguments.length ? (clamp = _ ? true : identity2, rescale()) : clamp !== identity2;
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
function tickFormat(start, stop, count, specifier) {
  var step = tickStep(start, stop, count), precision;
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
  scale.ticks = function(count) {
    var d = domain();
    return ticks(d[0], d[d.length - 1], count == null ? 10 : count);
  };
  scale.tickFormat = function(count, specifier) {
    var d = domain();
    return tickFormat(d[0], d[d.length - 1], count == null ? 10 : count, specifier);
  };
  scale.nice = function(count) {
    if (count == null) count = 10;
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
      step = tickIncrement(start, stop, count);
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
    return copy(scale, linear2());
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
function ticksOf(scale, count) {
  const [low, high] = scale.domain();
  if (!(high > low)) return [{ value: low, label: format(".4~g")(low) }];
  while (count < 12 && scale.ticks(count).length < 2) count *= 2;
  const label = scale.tickFormat(count);
  return scale.ticks(count).map((value2) => ({ value: value2, label: label(value2) }));
}
var Chart = class {
  /** `margin`: {left, right, top, bottom} in pixels; `x` and `y`: the ends of the axes. */
  constructor(width, height, margin, x, y) {
    Object.assign(this, { width, height, left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom });
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
  yAxis(count) {
    return ticksOf(this.y, count).flatMap(({ value: value2, label }) => [
      this.horizontal(value2, value2 === 0 ? "rule zero" : "rule"),
      this.label(this.left - 5, Math.max(10, this.y(value2) + 4), "end", label)
    ]);
  }
  /** Labels of integer steps below the axis: about `count`, every second one where these are more than `most`. */
  xAxis(count, most = Infinity) {
    const anchor = (x) => x > this.width - 24 ? "end" : "middle";
    const steps = ticksOf(this.x, count).map(({ value: value2 }) => value2);
    const shown = steps.filter((value2, i) => Number.isInteger(value2) && (steps.length <= most || i % 2 === 0));
    return shown.map((value2) => this.label(this.x(value2), this.height - 3, anchor(this.x(value2)), value2.toLocaleString("en")));
  }
  /** The path of a line up to the end of the x axis. */
  path(steps, values) {
    const points = [];
    let last = -Infinity;
    for (let i = 0; i < steps.length; i++) {
      const x = this.x(steps[i]);
      if (x > this.right + SAME) break;
      if (x - last < SAME && i < steps.length - 1) continue;
      points.push(`${x.toFixed(1)},${this.level(values[i]).toFixed(1)}`);
      last = x;
    }
    return points.length ? `M${points.join("L")}` : "";
  }
  line(steps, values, attributes) {
    return drawn("path", { d: this.path(steps, values), ...attributes });
  }
  band(steps, low, high, attributes) {
    const at = (values) => Array.from(values, (value2, i) => `${this.x(steps[i]).toFixed(1)},${this.level(value2).toFixed(1)}`);
    return drawn("path", { d: `M${[...at(high), ...at(low).reverse()].join("L")}Z`, ...attributes });
  }
};

// src/shared/palette.js
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
var DISTINCT = LIGHT.length;
var colour = (group, dark) => group < 0 ? dark ? "#6b7480" : "#a4abb3" : (dark ? DARK : LIGHT)[group % DISTINCT];

// src/desk/curves.js
var DASHES = ["", "6 3", "2 3", "8 3 2 3", "12 4"];
var DIGIT = 7;
var BELOW = 18;
var opened = (line) => ({ steps: floats32(line.steps), values: floats32(line.values), spread: line.spread ? floats32(line.spread) : null });
function ends(lines2, upper) {
  const low = [];
  const high = [];
  let last = 1;
  for (const { steps, values, spread } of lines2) {
    if (!values.length) continue;
    last = Math.max(last, steps.at(-1));
    const order = Float32Array.from(values).sort();
    low.push(order[Math.floor(0.02 * (order.length - 1))] - (spread?.at(-1) ?? 0));
    high.push(order[Math.ceil(0.98 * (order.length - 1))] + (spread?.at(-1) ?? 0));
  }
  let [bottom, top] = low.length ? [Math.min(...low), Math.max(...high)] : [0, 1];
  if (upper !== null && upper !== void 0 && low.length) top = Math.max(top, upper);
  const pad = Math.max(0.06 * (top - bottom), 1e-3 * Math.abs(top), 1e-6);
  return { last, low: bottom - pad, high: top + pad };
}
var Picture = class {
  constructor(title) {
    this.name = element("span", { class: "chart-name" });
    this.hint = element("span", { class: "chart-hint" });
    this.svg = drawn("svg", { class: "chart-svg", role: "img", preserveAspectRatio: "none" });
    this.box = element("div", { class: "chart-box" }, this.svg);
    this.root = element("figure", { class: "chart" }, element("figcaption", { class: "chart-title" }, title ?? this.name, this.hint), this.box);
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.point(null));
  }
  /** `lines` are {title, colour, dash, steps, values, spread}; `axes` as of `ends`; `hint` is at the right. */
  draw({ lines: lines2, axes, hint = "", upper = null, label }) {
    const [width, height] = [this.box.clientWidth || 240, this.box.clientHeight || 96];
    const many2 = height > 120 ? 4 : 2;
    const longest = Math.max(...ticksOf(linear2([axes.low, axes.high]), many2).map((tick) => tick.label.length));
    const margin = { left: Math.max(40, 8 + DIGIT * longest), right: 8, top: 4, bottom: BELOW };
    const chart = new Chart(width, height, margin, [0, axes.last], [axes.low, axes.high]);
    Object.assign(this, { lines: lines2, chart, usual: hint });
    write(this.hint, hint);
    attribute(this.svg, "viewBox", `0 0 ${width} ${height}`);
    this.head = drawn("circle", { r: 3.5, class: "head", visibility: "hidden" });
    const limit = upper !== null && lines2.length ? chart.horizontal(upper, "upper") : "";
    this.svg.replaceChildren(...chart.yAxis(many2), ...chart.xAxis(width > 220 ? 4 : 2), limit, ...lines2.flatMap((line) => this.curve(line)), this.head);
    attribute(this.svg, "aria-label", label ?? this.text());
  }
  curve({ steps, values, spread, colour: ink, dash }) {
    const { chart } = this;
    if (values.length === 1) return [drawn("circle", { cx: chart.x(steps[0]), cy: chart.level(values[0]), r: 3, fill: ink })];
    const line = chart.line(steps, values, { class: "line", stroke: ink, "stroke-dasharray": dash || null });
    if (!spread) return [line];
    return [chart.band(steps, values.map((value2, i) => value2 - spread[i]), values.map((value2, i) => value2 + spread[i]), { class: "spread", fill: ink }), line];
  }
  point(event) {
    if (!this.lines?.length) return;
    const { chart } = this;
    let best = null;
    if (event) {
      const box = this.svg.getBoundingClientRect();
      const [px, py] = [event.clientX - box.left, event.clientY - box.top];
      for (const line2 of this.lines) {
        line2.values.forEach((value2, i2) => {
          const far = Math.hypot(2 * (chart.x(line2.steps[i2]) - px), chart.level(value2) - py);
          if (!best || far < best.far) best = { far, line: line2, i: i2 };
        });
      }
    }
    attribute(this.head, "visibility", best ? "visible" : "hidden");
    if (!best) return write(this.hint, this.usual);
    const { line, i } = best;
    for (const [name, value2] of [["cx", chart.x(line.steps[i])], ["cy", chart.level(line.values[i])], ["fill", line.colour]]) attribute(this.head, name, String(value2));
    const spread = line.spread ? ` ± ${line.spread[i].toPrecision(2)}` : "";
    write(this.hint, `${line.title}: ${line.values[i].toPrecision(4)}${spread} at ${line.steps[i]}`);
  }
  text() {
    const ended = this.lines.filter(({ values }) => values.length).map(({ title, values, steps }) => `${title} ${values.at(-1).toPrecision(4)} at step ${steps.at(-1)}`);
    return `${this.name.textContent}: ${ended.join("; ") || "nothing measured"}`;
  }
};
var Curves = class {
  constructor(act) {
    this.act = act;
    Object.assign(this, { order: [], groups: [], lines: /* @__PURE__ */ new Map(), names: [], charts: [], dark: false });
    this.legend = element("div", { class: "legend" });
    this.box = element("div", { class: "charts" });
    this.root = element("div", { class: "curves" }, this.legend, this.box);
    onResize(this.box, () => this.draw());
  }
  take(news) {
    for (const group of news.groups) {
      if (!group.lines) continue;
      const lines2 = Object.entries(group.lines).map(([name, parts]) => [name, parts.map(opened)]);
      this.lines.set(group.key, Object.fromEntries(lines2));
    }
    Object.assign(this, { order: news.order, names: news.names, groups: news.groups, small: news.small, more: news.more });
    this.lines = new Map(news.groups.map(({ key }) => [key, this.lines.get(key) ?? {}]));
    this.build();
  }
  colours() {
    if (this.small) return /* @__PURE__ */ new Map();
    return new Map(this.groups.flatMap(({ runs }, i) => runs.map((id) => [id, colour(i, this.dark)])));
  }
  titled(group) {
    return group.seeds > 1 ? `${group.title} (${group.seeds} seeds)` : group.title;
  }
  build() {
    this.box.classList.toggle("small", Boolean(this.small));
    const focused = this.root.contains(document.activeElement) ? document.activeElement.textContent : null;
    if (this.small) {
      this.charts = this.groups.map((group) => {
        const title = element("button", { type: "button", class: "plain chart-name", text: group.title, title: `${this.titled(group)}: draw it alone`, onclick: () => this.act.alone(group.runs) });
        return new Picture(title);
      });
    } else {
      this.charts = this.names.map(({ label }) => {
        const chart = new Picture();
        write(chart.name, label);
        attribute(chart.name, "title", label);
        return chart;
      });
    }
    this.box.replaceChildren(...this.charts.map((chart) => chart.root));
    this.showLegend();
    this.draw();
    if (focused) [...this.root.querySelectorAll("button")].find((made) => made.textContent === focused)?.focus();
  }
  showLegend() {
    if (this.small) {
      const more = this.more ? `, of ${this.groups.length + this.more} recipes the first ${this.groups.length}` : "";
      return this.legend.replaceChildren(element("span", { class: "soft", text: `${this.names[0].label}${this.names[0].hint && ` (${this.names[0].hint})`}${more}` }));
    }
    if (!this.groups.length) return this.legend.replaceChildren(element("span", { class: "soft", text: "No run is chosen: tick one in the table." }));
    this.legend.replaceChildren(
      ...this.groups.map((group, i) => {
        const line = drawn("line", { x1: 1, x2: 23, y1: 4, y2: 4, stroke: colour(i, this.dark), "stroke-width": 3, "stroke-dasharray": DASHES[i % DASHES.length] || null });
        const key = drawn("svg", { class: "key", viewBox: "0 0 24 8", "aria-hidden": "true" }, line);
        return element("button", { type: "button", class: "plain", title: "Draw it alone", onclick: () => this.act.alone(group.runs) }, key, this.titled(group));
      })
    );
  }
  themed(dark) {
    this.dark = dark;
    if (this.groups.length) this.build();
  }
  draw() {
    if (!this.root.isConnected || !this.box.clientWidth) return;
    const of = (group, name) => this.lines.get(group.key)?.[name] ?? [];
    const styled = (group, i, name) => of(group, name).map((line) => ({ ...line, title: this.titled(group), colour: this.small ? "var(--accent)" : colour(i, this.dark), dash: this.small ? "" : DASHES[i % DASHES.length] }));
    if (this.small) {
      const [{ name, upper }] = this.names;
      const axes = ends(this.groups.flatMap((group) => of(group, name)), upper);
      this.groups.forEach((group, i) => {
        const lines2 = styled(group, i, name);
        const last = lines2[0]?.values.at(-1);
        const spread = lines2[0]?.spread ? ` ± ${lines2[0].spread.at(-1).toPrecision(2)}` : "";
        const label = `${this.titled(group)}: ${this.names[0].label} ${last === void 0 ? "not measured" : `${last.toPrecision(4)}${spread}`}`;
        this.charts[i].draw({ lines: lines2, axes, upper, hint: last === void 0 ? "" : last.toPrecision(3), label });
      });
      return;
    }
    this.names.forEach(({ name, upper, hint }, place) => {
      const lines2 = this.groups.flatMap((group, i) => styled(group, i, name));
      this.charts[place].draw({ lines: lines2, axes: ends(lines2, upper), upper, hint });
    });
  }
};

// src/shared/text.js
function counted(count, noun) {
  return `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
}

// src/desk/details.js
var NAMED = 5;
var button = (text, onclick, more = {}) => element("button", { type: "button", text, onclick, ...more });
function lines(row) {
  const folder = JSON.stringify(row.folder);
  return [
    ["Open it in a panel", `lab.panel(run=${folder})`],
    ["Watch it again, step by step", `lab.player(${folder})`],
    ["What pulls and what pushes", `lab.forces(${folder})`],
    ["Its encoder", `clwork.open_run(${folder}).encoder`],
    ["Its best encoder", `clwork.open_run(${folder}).as_run().best_encoder()`]
  ];
}
var Details = class {
  /** `act` has command(name, more), shut(), remove(ids), report(sentence). */
  constructor(act) {
    this.act = act;
    this.root = element("section", { class: "details", tabindex: -1, hidden: true });
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.act.shut();
    });
  }
  shut() {
    this.key = null;
    this.root.hidden = true;
    this.root.replaceChildren();
  }
  open(key, label, ...parts) {
    const typed = this.key?.split("|")[0] === key.split("|")[0] ? this.root.querySelector("input")?.value ?? null : null;
    this.key = key;
    const close = button("✕", () => this.act.shut(), { "aria-label": "Close", class: "close" });
    this.root.setAttribute("aria-label", label);
    this.root.replaceChildren(close, element("h3", { text: label, title: label }), ...parts);
    if (typed !== null && this.root.querySelector("input")) this.root.querySelector("input").value = typed;
    this.root.hidden = false;
  }
  /** Give a part the focus; on a narrow page the details lie below the table, out of sight. */
  seen(part) {
    part.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }
  showRun(row, differs) {
    const key = `run ${row.id}|${JSON.stringify([row.state, row.step, row.size, differs])}`;
    if (key === this.key) return;
    const { command } = this.act;
    const fresh = this.key?.split("|")[0] !== `run ${row.id}`;
    const name = element("input", { type: "text", class: "clwork-name", "aria-label": "another name", placeholder: "another name", disabled: row.active });
    const rename = () => command("rename", { run: row.id, new: name.value }).then((done) => done && this.act.shut());
    name.addEventListener("keydown", (event) => event.key === "Enter" && rename());
    const facts = [["state", row.state], ["step", `${row.step} of ${row.total}`], ["method", row.method], ["seed", row.seed], ["on disk", row.size], row.fork && ["fork", row.fork], ...differs, ["folder", row.folder]];
    const list = element("dl", {}, ...facts.filter(Boolean).flatMap(([term, text]) => [element("dt", { text: term }), element("dd", { text: String(text) })]));
    const acts = element(
      "div",
      { class: "acts" },
      button("Continue", () => command("resume", { run: row.id }), { class: "clwork-continue", title: "Resume from its last checkpoint, in the background.", disabled: row.active || row.status === "finished" }),
      button("Save page", () => command("report", { run: row.id }), { class: "clwork-report", title: "Write it as one HTML file: player, curves, settings, seeds." }),
      button("Delete …", () => this.act.remove([row.id]), { class: "clwork-delete", title: "Shows what that frees, and asks for confirmation.", disabled: row.active }),
      name,
      button("Rename", rename, { class: "clwork-rename", title: "Give it, and its folder, that name.", disabled: row.active })
    );
    const codes = element("div", { class: "codes" }, ...lines(row).flatMap(([word, code]) => [
      element("span", { class: "soft", text: word }),
      element("code", { text: code, title: code }),
      button("Copy", () => this.copied(code), { "aria-label": `Copy: ${word}` })
    ]));
    this.open(key, row.label, row.active ? element("p", { class: "soft", text: "It is being trained: it can be neither renamed nor deleted." }) : "", acts, list, element("h4", { text: "In a cell" }), codes);
    if (fresh) this.seen(this.root);
  }
  async copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.act.report("Copied.");
    } catch {
      this.act.report("This page may not write to the clipboard: select the line and copy it.");
    }
  }
  /** Ask whether runs are to be deleted: how many, and what is lost. */
  confirm(rows) {
    const free = rows.filter((row) => !row.active);
    if (!free.length) return void this.act.command("delete", { names: rows.map((row) => row.id) });
    const names = free.slice(0, NAMED).map((row) => row.label).join(", ") + (free.length > NAMED ? ` and ${free.length - NAMED} more` : "");
    const [steps, bytes] = ["step", "bytes"].map((part) => free.reduce((sum, row) => sum + row[part], 0));
    const stay = free.length < rows.length ? ` ${counted(rows.length - free.length, "run")} in training will stay.` : "";
    const text = `Delete ${free.length > 1 ? `${counted(free.length, "run")}: ` : ""}${names} for good? That frees ${(bytes / 1e6).toPrecision(3)} MB on disk. Lost: settings, records and checkpoints of ${counted(steps, "step")}, and their encoders.${stay}`;
    const keep = button("Keep", () => this.act.shut(), { class: "clwork-keep" });
    const remove = () => {
      this.act.shut();
      this.act.command("delete", { names: free.map((row) => row.id) });
    };
    const sure = button("Delete", remove, { class: "clwork-sure danger", title: "For good: nothing brings it back." });
    this.open(`ask|${text}`, "Delete for good?", element("p", { role: "alert", text }), element("div", { class: "acts" }, sure, keep));
    this.seen(keep);
  }
  showText({ text, form }, forms) {
    const key = `text|${form}${text}`;
    if (this.key === key) return;
    const choice = element("select", { class: "clwork-form", "aria-label": "form", onchange: () => this.act.command("copy", { form: choice.value }) }, ...forms.map((name) => element("option", { value: name, text: name })));
    choice.value = form;
    const area = element("textarea", { class: "clwork-copied", readonly: true, rows: 12, "aria-label": "the table as text", "data-lm-suppress-shortcuts": true });
    area.value = text;
    this.open(key, "The table as text", element("div", { class: "acts" }, choice, button("Copy", () => this.copied(text))), area);
    this.seen(area);
    area.select();
  }
};

// src/desk/runs.js
function general(value2, digits = 4) {
  if (!Number.isFinite(value2)) return "";
  if (value2 === 0) return "0";
  const exponent = Number(value2.toExponential(digits - 1).split("e")[1]);
  if (exponent < -4 || exponent >= digits) {
    const [mantissa, power] = value2.toExponential(digits - 1).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return `${short}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  }
  const text = value2.toFixed(digits - 1 - exponent);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
var keyOf = (value2) => Array.isArray(value2) ? value2[0] : value2 ?? null;
var shortText = (value2) => Array.isArray(value2) ? value2[1].replace(/^(-?)0\./, "$1.") : value2 ?? "";
var Runs = class {
  constructor() {
    Object.assign(this, { version: 0, names: {}, columns: {}, rows: /* @__PURE__ */ new Map(), order: [] });
  }
  take(news) {
    Object.assign(this.names, news.names);
    Object.assign(this.columns, news.columns);
    for (const row of news.rows) this.rows.set(row.id, { ...row, searched: this.searched(row) });
    this.order = news.order.map((id) => this.rows.get(id)).filter(Boolean);
    this.rows = new Map(this.order.map((row) => [row.id, row]));
    this.version = news.version;
  }
  /** The text that the filter searches: name, method, state and settings (name=value). */
  searched(row) {
    const settings = Object.entries(row.settings).map(([name, value2]) => `${name}=${Array.isArray(value2) ? value2[1] : value2}`);
    return [row.label, row.method, row.status, row.fork, ...settings].join("\n").toLowerCase();
  }
  /** The settings in which these runs differ, of those that more than one of them has. */
  differing(rows) {
    return Object.keys(this.names).filter((name) => {
      const keys = rows.map((row) => keyOf(row.settings[name])).filter((key) => key !== null);
      return this.names[name].column && new Set(keys).size > 1;
    });
  }
  /** The columns of a table of these runs: settings that differ, state, measurements; each {name, label, text(row), key(row), number, differs}. */
  tableColumns(rows) {
    const columns = /* @__PURE__ */ new Map();
    const add = (column) => columns.has(column.name) || columns.set(column.name, column);
    for (const name of this.differing(rows)) {
      const value2 = (row) => row.settings[name];
      const text = (row) => Array.isArray(value2(row)) && !Number.isInteger(value2(row)[0]) ? general(value2(row)[0]) : String((Array.isArray(value2(row)) ? value2(row)[1] : value2(row)) ?? "");
      const number4 = rows.every((row) => value2(row) === void 0 || Array.isArray(value2(row)));
      add({ name, label: this.names[name].label, differs: true, number: number4, text, key: (row) => keyOf(value2(row)) });
    }
    const plain = (name, more = {}) => add({ name, label: name, text: (row) => String(row[name]), key: (row) => row[name], ...more });
    plain("status", { text: (row) => row.state });
    const measured = Object.entries(this.columns).sort((a, b) => Number(b[1].score) - Number(a[1].score));
    for (const [name, about] of measured) {
      if (!rows.some((row) => name in row.last)) continue;
      const text = (row) => name in row.last ? general(about.scale * row.last[name]) : "";
      add({ name, label: about.label, number: true, text, key: (row) => row.last[name] ?? null });
    }
    plain("step", { number: true, text: (row) => `${row.step} of ${row.total}` });
    plain("method");
    plain("seed", { number: true });
    plain("size", { number: true, key: (row) => row.bytes });
    if (rows.some((row) => row.fork)) plain("fork");
    return [...columns.values()];
  }
};
var FAMILY = "family";
function matching(runs, view2) {
  const words = view2.text.toLowerCase().split(/\s+/).filter(Boolean);
  const only = view2.only && new Set(view2.only);
  return runs.order.filter(
    (row) => (!view2.method || row.method === view2.method) && (!view2.status || row.status === view2.status) && (!only || only.has(row.id)) && words.every((word) => row.searched.includes(word))
  );
}
var missing = (key) => key === null || key === void 0 || Number.isNaN(key);
function arranged(rows, columns, view2) {
  if (view2.order === FAMILY) return tree(rows);
  const key = view2.order === "run" ? (row) => row.label : columns.find((column) => column.name === view2.order)?.key;
  const flat = (row) => ({ row, depth: 0 });
  if (!key) return rows.map(flat);
  const known = rows.filter((row) => !missing(key(row)));
  const texts = known.some((row) => typeof key(row) === "string");
  const by = texts ? (row) => String(key(row)) : key;
  const sign = view2.descending ? -1 : 1;
  known.sort((a, b) => by(a) < by(b) ? -sign : by(a) > by(b) ? sign : 0);
  return [...known, ...rows.filter((row) => missing(key(row)))].map(flat);
}
function tree(rows) {
  const places = /* @__PURE__ */ new Map();
  rows.forEach((row, i) => places.has(row.name) || places.set(row.name, i));
  const parents = rows.map((row, i) => {
    const parent = row.parent ? places.get(row.parent[0]) : void 0;
    return parent === i ? void 0 : parent;
  });
  const lines2 = [];
  const seen = /* @__PURE__ */ new Set();
  const visit = (place, depth) => {
    if (seen.has(place)) return;
    seen.add(place);
    lines2.push({ row: rows[place], depth });
    parents.forEach((parent, child) => parent === place && visit(child, depth + 1));
  };
  parents.forEach((parent, place) => parent === void 0 && visit(place, 0));
  rows.forEach((_, place) => visit(place, 0));
  return lines2;
}

// src/desk/grid.js
var MOST = 40;
var Grid = class {
  constructor(act) {
    this.act = act;
    Object.assign(this, { cells: [], at: [0, 0], rows: [], runs: null, wanted: {} });
    const choose = (part, value2) => {
      this.wanted[part] = value2;
      this.draw();
    };
    const menu = (label, part) => element("select", { "aria-label": label, onchange: ({ target }) => choose(part, target.value) });
    this.menus = { x: menu("setting of the columns", "x"), y: menu("setting of the rows", "y"), value: menu("value of the cells", "value") };
    const labelled = (word, select) => element("label", {}, element("span", { class: "soft", text: word }), select);
    this.tools = element("div", { class: "grid-tools" }, labelled("across", this.menus.x), labelled("down", this.menus.y), labelled("shows", this.menus.value));
    this.table = element("table", { class: "heat", role: "grid", tabindex: 0, "data-lm-suppress-shortcuts": true });
    this.table.addEventListener("keydown", (event) => this.press(event));
    this.sentence = element("p", { class: "cell-text", role: "status", "aria-live": "polite" });
    this.root = element("div", { class: "grid" }, this.tools, element("div", { class: "heat-box" }, this.table), this.sentence);
  }
  show(runs, rows) {
    Object.assign(this, { runs, rows });
    if (this.root.isConnected && !this.root.hidden) this.draw();
  }
  axis(name) {
    const values = new Map(this.rows.map((row) => row.settings[name]).filter((value2) => keyOf(value2) !== null).map((value2) => [keyOf(value2), value2]));
    const numeric = [...values.keys()].every((key) => typeof key === "number");
    const keys = [...values.keys()].sort(numeric ? (a, b) => a - b : void 0);
    return keys.map((key) => values.get(key));
  }
  menu(select, options, wanted, other) {
    const chosen = options.some(([name]) => name === wanted) ? wanted : options.find(([name]) => name !== other)?.[0] ?? "";
    offer(select, options, chosen);
    return chosen;
  }
  draw() {
    const { runs, rows } = this;
    const names = runs.differing(rows).filter((name) => name !== "seed");
    const numeric = (name) => rows.every((row) => [null, void 0].includes(row.settings[name]) || Array.isArray(row.settings[name]));
    names.sort((a, b) => Number(numeric(b)) - Number(numeric(a)));
    const settings = names.map((name) => [name, runs.names[name].label]);
    const scores = Object.entries(runs.columns).filter(([name]) => rows.some((row) => name in row.last));
    scores.sort((a, b) => Number(b[1].score) - Number(a[1].score));
    this.root.classList.toggle("none", !settings.length || !scores.length);
    if (!settings.length || !scores.length) {
      this.table.replaceChildren();
      return write(this.sentence, "These runs differ in no setting: a grid needs one or two that vary.");
    }
    const x = this.menu(this.menus.x, settings, this.wanted.x);
    const y = this.menu(this.menus.y, [...settings.filter(([name]) => name !== x), ["", "nothing"]], this.wanted.y, x);
    const value2 = this.menu(this.menus.value, scores.map(([name, about]) => [name, about.label]), this.wanted.value);
    const [across, down] = [this.axis(x), y === "" ? [null] : this.axis(y)];
    if (across.length > MOST || down.length > MOST) {
      this.table.replaceChildren();
      return write(this.sentence, `A setting has ${Math.max(across.length, down.length)} values; filter the table until at most ${MOST} are left.`);
    }
    this.about = { x, y: y || null, value: value2, ...runs.columns[value2] };
    this.cells = down.map((low) => across.map((high) => this.cell(high, low)));
    this.fill(across, down);
  }
  cell(across, down) {
    const { about } = this;
    const is = (row, name, wanted) => keyOf(row.settings[name]) === keyOf(wanted);
    const members = this.rows.filter((row) => is(row, about.x, across) && (about.y === null || is(row, about.y, down)));
    const measured = members.filter((row) => about.value in row.last);
    const values = measured.map((row) => about.scale * row.last[about.value]);
    const mean = values.reduce((sum, value2) => sum + value2, 0) / values.length;
    const spread = values.length > 1 ? Math.sqrt(values.reduce((sum, value2) => sum + (value2 - mean) ** 2, 0) / (values.length - 1)) : null;
    return { across, down, members, mean: values.length ? mean : null, spread, measured: values.length, seeds: new Set(measured.map((row) => row.seed)).size };
  }
  fill(across, down) {
    const { runs, about } = this;
    const means = this.cells.flat().map((cell) => cell.mean).filter((mean) => mean !== null);
    const [low, high] = [Math.min(...means), Math.max(...means)];
    const best = about.better === "lower" ? low : about.better === "higher" ? high : null;
    const head = element("tr", {}, element("td", { class: "corner", text: `${about.y === null ? "" : `${runs.names[about.y].sign} ↓ `}${runs.names[about.x].sign} →` }), ...across.map((value2) => element("th", { scope: "col", text: shortText(value2) })));
    this.parts = [];
    const lines2 = this.cells.map((cells, i) => {
      const made = cells.map((cell, j) => {
        const part = cell.mean === null ? 0 : high > low ? (cell.mean - low) / (high - low) : 0.5;
        const strong = about.better === "lower" ? 1 - part : part;
        const style = cell.mean === null ? null : `--part: ${strong.toFixed(2)}`;
        const marks = [cell.mean === null && "empty", best !== null && high > low && cell.mean === best && "best"];
        const seen = cell.mean === null ? "·" : cell.mean.toPrecision(3).replace("-", "−");
        return element("td", { role: "gridcell", id: `${this.key}-${i}-${j}`, class: marks.filter(Boolean).join(" ") || null, style, text: seen, title: this.text(cell), onclick: () => this.go(i, j) });
      });
      this.parts.push(made);
      return element("tr", {}, element("th", { scope: "row", text: shortText(down[i]) }), ...made);
    });
    this.table.replaceChildren(head, ...lines2);
    attribute(this.table, "aria-label", `${about.label}: ${runs.names[about.x].label}${about.y === null ? "" : ` by ${runs.names[about.y].label}`}; arrow keys move`);
    this.go(Math.min(this.at[0], down.length - 1), Math.min(this.at[1], across.length - 1));
  }
  key = `clwork-heat-${Math.random().toString(36).slice(2, 8)}`;
  text(cell) {
    const { runs, about } = this;
    const value2 = (name, of) => `${runs.names[name].sign} = ${shortText(of)}`;
    const where = [value2(about.x, cell.across), about.y === null ? "" : value2(about.y, cell.down)].filter(Boolean).join(", ");
    if (cell.mean === null) return `${where}: ${cell.members.length ? `${counted(cell.members.length, "run").replace(/^1 /, "one ")}, not measured` : "no run"}`;
    const spread = cell.spread === null ? "" : ` ± ${cell.spread.toPrecision(2)}`;
    const others = runs.differing(cell.members).filter((name) => name !== "seed").map((name) => runs.names[name].label);
    const mixed = others.length ? `; they differ in ${others.join(", ")} too` : "";
    const over = cell.measured > 1 ? `, ${counted(cell.measured, "run")}, ${counted(cell.seeds, "seed")}` : `, one run, seed ${cell.members[0].seed}`;
    return `${where}: ${about.label} ${general(cell.mean)}${spread}${over}${mixed}`;
  }
  go(i, j) {
    this.at = [Math.max(0, Math.min(this.parts.length - 1, i)), Math.max(0, Math.min(this.parts[0].length - 1, j))];
    const [row, column] = this.at;
    this.parts.flat().forEach((part) => part.classList.remove("active"));
    this.parts[row][column].classList.add("active");
    if (this.table === document.activeElement) this.parts[row][column].scrollIntoView({ block: "nearest", inline: "nearest" });
    attribute(this.table, "aria-activedescendant", this.parts[row][column].id);
    write(this.sentence, `${this.text(this.cells[row][column])}${this.cells[row][column].members.length ? ". Enter draws them alone." : ""}`);
  }
  press(event) {
    const [i, j] = this.at;
    const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], Home: [0, -MOST], End: [0, MOST] };
    if (!this.parts?.length) return;
    if (event.key in moves) this.go(i + moves[event.key][0], j + moves[event.key][1]);
    else if (event.key === "Enter") this.act.alone(this.cells[i][j].members.map((row) => row.id));
    else return;
    consume(event);
  }
};

// src/desk/table.js
var HIGH = 24;
var SPARE = 8;
var WIDEST = 22;
var ARROWS = { ascending: " ▲", descending: " ▼", none: "" };
var DEEPEST = 6;
var tables = 0;
var Table = class {
  /** `act` has sort(name), open(id), draw(ids, on), remove(). */
  constructor(act) {
    this.act = act;
    this.id = `clwork-runs-${tables += 1}`;
    Object.assign(this, { lines: [], columns: [], active: 0, anchor: null, drawn: () => true, one: null, colours: /* @__PURE__ */ new Map() });
    this.cols = element("colgroup");
    this.head = element("tr");
    this.body = element("tbody");
    const about = { class: "rows", role: "grid", tabindex: 0, "data-lm-suppress-shortcuts": true, "aria-multiselectable": "true" };
    this.table = element("table", about, element("caption", { text: "The settings in which the runs differ, and how each ended" }), this.cols, element("thead", {}, this.head), this.body);
    this.root = element("div", { class: "scroll clwork-runs" }, this.table);
    this.root.addEventListener("scroll", () => this.slide(), { passive: true });
    this.table.addEventListener("keydown", (event) => this.press(event));
    onResize(this.root, () => this.slide(true));
  }
  /** Show `lines` {row, depth}, `columns`, the `view`, which runs are drawn, and their colours by id. */
  show({ lines: lines2, columns, view: view2, drawn: drawn2, colours }) {
    const active = this.lines[this.active]?.row.id;
    Object.assign(this, { lines: lines2, columns, drawn: drawn2, colours, one: view2.one });
    const there = lines2.findIndex((line) => line.row.id === active);
    this.active = there >= 0 ? there : Math.min(this.active, Math.max(0, lines2.length - 1));
    this.showHead(view2);
    attribute(this.table, "aria-rowcount", String(lines2.length + 1));
    this.slide(true);
  }
  showHead(view2) {
    const signed = [{ name: "run", label: "run" }, ...this.columns];
    const state = (name) => name !== view2.order ? "none" : view2.descending ? "descending" : "ascending";
    const key = JSON.stringify([signed.map(({ name, label, differs }) => [name, label, differs, state(name)]), this.widths()]);
    if (key === this.headKey) return;
    this.headKey = key;
    const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    this.cols.replaceChildren(element("col", { style: "width: 32px" }), ...this.widths().map((width) => element("col", { style: `width: calc(${width}ch + 16px)` })));
    const cells = signed.map(({ name, label, differs, number: number4 }) => {
      const sort = element("button", { type: "button", class: "plain", "data-name": name, text: label + ARROWS[state(name)], onclick: () => this.act.sort(name) });
      return element("th", { scope: "col", "aria-sort": state(name), class: [differs && "differs", number4 && "number"].filter(Boolean).join(" ") || null }, sort);
    });
    this.head.replaceChildren(element("th", { scope: "col", class: "tick" }, element("span", { class: "unseen", text: "draw" })), ...cells);
    if (focused !== null) [...this.head.querySelectorAll("button")].find((made) => made.dataset.name === focused)?.focus();
  }
  widths() {
    const longest = (texts, label) => Math.min(WIDEST, texts.reduce((most, text) => Math.max(most, text.length), Math.min(14, label.length) + 2));
    const names = this.lines.map(({ row, depth }) => " ".repeat(3 * Math.min(depth, DEEPEST)) + row.label + (depth ? " from 000" : ""));
    return [longest(names, "run"), ...this.columns.map((column) => longest(this.lines.map(({ row }) => column.text(row)), column.label))];
  }
  slide(force = false) {
    const top = Math.max(0, Math.floor(this.root.scrollTop / HIGH) - SPARE);
    const end = Math.min(this.lines.length, Math.ceil((this.root.scrollTop + this.root.clientHeight) / HIGH) + SPARE);
    if (!force && top === this.top && end === this.end) return;
    Object.assign(this, { top, end });
    const gap = (count) => element("tr", { class: "gap", "aria-hidden": "true", style: `height: ${count * HIGH}px` });
    this.body.replaceChildren(gap(top), ...this.lines.slice(top, end).map((line, i) => this.line(line, top + i)), gap(this.lines.length - end));
    this.mark();
  }
  line({ row, depth }, place) {
    const drawn2 = this.drawn(row);
    const tick = element("input", { type: "checkbox", tabindex: -1, "aria-label": `draw ${row.id}`, onchange: () => this.act.draw([row.id], tick.checked) });
    tick.checked = drawn2;
    const colour2 = this.colours.get(row.id);
    const name = element("button", { type: "button", class: "plain name", tabindex: -1, text: (depth ? "↳ " : "") + row.label, onclick: () => this.go(place, true) });
    const title = element("th", { scope: "row", title: row.label, style: `padding-left: ${4 + 12 * Math.min(depth, DEEPEST)}px` }, name);
    if (depth && row.parent) title.append(element("span", { class: "fork-step", text: ` at ${row.parent[1]}` }));
    const cells = this.columns.map((column) => {
      const text = column.text(row);
      return element("td", { text, class: column.number ? "number" : null, title: text.length > WIDEST - 2 ? text : null });
    });
    const mark = element("td", { class: "tick", style: colour2 ? `box-shadow: inset 4px 0 ${colour2}` : null }, tick);
    const about = { id: `${this.id}-${place}`, "aria-rowindex": String(place + 2), class: drawn2 ? null : "left-out", "aria-selected": String(row.id === this.one) };
    const made = element("tr", about, mark, title, ...cells);
    made.addEventListener("pointerdown", () => this.go(place));
    return made;
  }
  mark() {
    for (const made of this.body.children) made.classList.toggle("active", made.id === `${this.id}-${this.active}`);
    attribute(this.table, "aria-activedescendant", this.lines.length ? `${this.id}-${this.active}` : "");
  }
  go(place, open = false) {
    this.active = Math.max(0, Math.min(this.lines.length - 1, place));
    const head = this.table.tHead.offsetHeight + (this.table.caption?.offsetHeight ?? 0);
    const top = this.active * HIGH;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + HIGH + head > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = top + HIGH + head - this.root.clientHeight;
    this.slide();
    this.mark();
    if (open) this.act.open(this.lines[this.active].row.id);
  }
  press(event) {
    if (event.target !== this.table || !this.lines.length) return;
    const page = Math.max(1, Math.floor(this.root.clientHeight / HIGH) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.lines.length, End: this.lines.length };
    const row = this.lines[this.active].row;
    if (event.key in moves) {
      const on = this.drawn(row);
      const from = this.active;
      this.go(from + moves[event.key]);
      if (event.shiftKey) {
        const [low, high] = [Math.min(from, this.active), Math.max(from, this.active)];
        this.act.draw(this.lines.slice(low, high + 1).map((line) => line.row.id), on);
      }
    } else if (event.key === " ") this.act.draw([row.id], !this.drawn(row));
    else if (event.key === "Enter") this.act.open(row.id);
    else if (event.key === "Delete") this.act.remove();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) this.act.draw(this.lines.map((line) => line.row.id), true);
    else return;
    consume(event);
  }
};

// src/desk/toolbar.js
var many = (count) => count.toLocaleString("en");
var Toolbar = class {
  /** `act` has set(changes), all(on), compare(), remove(), text(), refresh(). */
  constructor(act) {
    const button2 = (text, onclick, name, title) => element("button", { type: "button", text, onclick, class: name, title });
    const about = "Words that must all occur in a run's name, method, state or settings, such as temperature=0.1.";
    this.text = element("input", { type: "search", class: "clwork-filter", placeholder: "filter: simcse seed=1", "aria-label": `Filter. ${about}`, title: about });
    this.text.addEventListener("input", () => act.set({ text: this.text.value }));
    const menu = (label, part) => element("select", { "aria-label": label, class: `clwork-${part}`, onchange: ({ target }) => act.set({ [part]: target.value }) });
    this.method = menu("method", "method");
    this.status = menu("status", "status");
    this.left = element("span", { class: "soft left", "aria-live": "polite" });
    this.state = element("span", { class: "sentence", role: "status", "aria-live": "polite" });
    this.bar = element("progress", { max: 1, value: 0, hidden: true, "aria-label": "folders read" });
    const refresh = button2("Refresh", () => act.refresh(), "clwork-refresh", "Read the folder again.");
    this.write = button2("As text", () => act.text(), "clwork-copy", "Show the table as text to copy; again hides it.");
    this.root = element("header", { class: "head" }, element("h3", { text: "Runs" }), this.text, this.method, this.status, this.left, this.write, refresh);
    this.line = element("div", { class: "state" }, this.state, this.bar);
    this.tick = element("input", { type: "checkbox", "aria-label": "draw all runs of the table", onchange: () => act.all(this.tick.checked) });
    this.chosen = element("span", { class: "chosen" });
    this.compare = button2("Compare", () => act.compare(), "clwork-compare", "Show the chosen runs alone, with what differs among them; again shows all.");
    this.remove = button2("Delete …", () => act.remove(), "clwork-delete-chosen", "Delete the chosen runs; shows what that frees, and asks for confirmation.");
    this.family = button2("Forks", () => act.set({ order: FAMILY, descending: false }), "clwork-family", "Each run followed by its forks, in the order in which they were started.");
    this.tools = element("div", { class: "tools" }, element("label", { class: "all" }, this.tick, this.chosen), this.compare, this.remove, this.family);
  }
  /** `view`, all `rows`, how many are `shown` and `drawn` of them. */
  show({ view: view2, rows, shown, drawn: drawn2 }) {
    if (this.text !== document.activeElement && this.text.value !== view2.text) this.text.value = view2.text;
    const each = (part) => [...new Set(rows.map((row) => row[part]))].sort().map((name) => [name, name]);
    offer(this.method, [["", "all methods"], ...each("method")], view2.method);
    offer(this.status, [["", "any status"], ...each("status")], view2.status);
    write(this.left, shown < rows.length ? `${many(shown)} of ${many(rows.length)}` : "");
    this.tick.checked = drawn2 === shown && shown > 0;
    this.tick.indeterminate = drawn2 > 0 && drawn2 < shown;
    write(this.chosen, `${many(drawn2)} of ${many(shown)} chosen`);
    attribute(this.compare, "aria-pressed", String(view2.only !== null));
    attribute(this.family, "aria-pressed", String(view2.order === FAMILY));
    for (const [made, on] of [[this.compare, drawn2 > 1 || view2.only !== null], [this.remove, drawn2 > 0]]) made.disabled = !on;
  }
  report(sentence, trouble = false, reading = null) {
    write(this.state, trouble && sentence ? `⚠ ${sentence}` : sentence);
    attribute(this.state, "title", sentence);
    this.line.classList.toggle("trouble", trouble);
    this.bar.hidden = !reading;
    if (reading) [this.bar.max, this.bar.value] = [Math.max(1, reading[1]), reading[0]];
  }
};

// src/shared/look.css
var look_default = '/* Colours, type and what all pages share; their roots have the class clwork-look. */\n.clwork-look {\n  --ground: #ffffff; --raised: #f5f7f9; --ink: #1d232b; --soft: #59636f; --accent: #0b62c4; --on-accent: #ffffff; --was: #656e7a;\n  --trouble: #a84300; --edge: #7f8994; --rule: #dde2e8; --tint: #e8f1fc; --band: #eceff2; --tint-trouble: #fff1e6;\n  --small: 12px; --normal: 14px; --large: 18px; --line-small: 16px; --line: 20px; --line-large: 24px; --control: 32px;\n  container-type: inline-size; position: relative; box-sizing: border-box; color: var(--ink); background: var(--ground); color-scheme: light;\n  font: 400 var(--normal)/var(--line) system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums;\n}\n.clwork-look[data-theme="dark"] {\n  --ground: #14181d; --raised: #1c2229; --ink: #e9edf1; --soft: #a3adb8; --accent: #6cb2ff; --on-accent: #14181d; --was: #8d97a3;\n  --trouble: #ffab62; --edge: #6f7a87; --rule: #313944; --tint: #16304d; --band: #232a32; --tint-trouble: #3a2615;\n  color-scheme: dark;\n}\n.clwork-look *, .clwork-look *::before { box-sizing: border-box; }\n.clwork-look [hidden] { display: none !important; }\n.clwork-look .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n';

// src/desk/style.css
var style_default = '.clwork-desk { --most: 62%; /* of the accent in a cell: text on it keeps a contrast of 4.5 */ width: 100%; }\n.clwork-desk[data-theme="dark"] { --most: 46%; }\n.clwork-desk :is(h3, h4, p, figure, dl, dd) { margin: 0; }\n.clwork-desk .soft { color: var(--soft); font-size: var(--small); line-height: 16px; }\n\n.clwork-desk .body {\n  display: grid; gap: 8px; padding: 8px; height: clamp(520px, calc(100vh - 136px), 1080px);\n  grid-template: "head head" 32px "state state" 24px "left right" minmax(0, 1fr) / minmax(0, 11fr) minmax(0, 10fr);\n}\n.clwork-desk .head { grid-area: head; display: flex; gap: 8px; align-items: center; min-width: 0; }\n.clwork-desk h3 { font-size: var(--large); line-height: 24px; font-weight: 600; color: var(--ink); }\n.clwork-desk .head h3 { margin-right: 8px; }\n.clwork-desk .head input { flex: 0 1 240px; min-width: 0; }\n.clwork-desk .head select { flex: 0 1 auto; min-width: 0; max-width: 160px; }\n.clwork-desk .left { grid-area: left; }\n.clwork-desk .head .left { flex: 1; grid-area: auto; min-width: 56px; white-space: nowrap; }\n.clwork-desk .state { grid-area: state; display: flex; gap: 8px; align-items: center; min-width: 0; line-height: 24px; margin-top: -8px; }\n.clwork-desk .state .sentence { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-desk .state.trouble { color: var(--trouble); }\n.clwork-desk progress { flex: 0 0 160px; height: 8px; accent-color: var(--accent); }\n\n.clwork-desk :is(button, input, select, textarea) { font: inherit; color: inherit; margin: 0; }\n.clwork-desk :is(.head, .tools, .acts, .codes, .grid-tools) :is(button, input[type="search"], input[type="text"], select) {\n  height: 32px; padding: 0 8px; border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); white-space: nowrap;\n}\n.clwork-desk button { cursor: pointer; }\n.clwork-desk :is(.tools, .acts, .head, .codes) button:hover:not(:disabled), .clwork-desk .plain:hover { background: var(--tint); }\n.clwork-desk :is(button, input):disabled { opacity: 0.55; cursor: default; }\n.clwork-desk :is(.tools, .head) button[aria-pressed="true"] { background: var(--tint); color: var(--accent); border-color: var(--accent); }\n.clwork-desk :is(button, input, select, textarea, table, .details):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }\n.clwork-desk :is(table, .details, .scroll):focus-visible { outline-offset: -3px; }\n.clwork-desk .rows:focus-visible { outline: none; }\n.clwork-desk .scroll:has(.rows:focus-visible) { outline: 2px solid var(--accent); outline-offset: -2px; }\n.clwork-desk input[type="checkbox"] { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); vertical-align: middle; }\n.clwork-desk .plain { border: 0; background: none; padding: 0; text-align: inherit; font-weight: 600; border-radius: 4px; }\n\n.clwork-desk :is(.left, .right) { display: flex; flex-direction: column; gap: 8px; min-width: 0; min-height: 0; }\n.clwork-desk .tools { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; min-height: 32px; }\n.clwork-desk .tools label, .clwork-desk .grid-tools label { display: inline-flex; gap: 8px; align-items: center; }\n.clwork-desk .tools .all { flex: 1 1 auto; white-space: nowrap; }\n.clwork-desk .tools .all input { margin: 0 8px; }\n\n.clwork-desk .scroll { flex: 1; min-height: 0; overflow: auto; border: 1px solid var(--rule); border-radius: 8px; scroll-padding: 24px; }\n.clwork-desk .rows { table-layout: fixed; width: max-content; min-width: 100%; border-collapse: separate; border-spacing: 0; font-size: var(--small); line-height: 16px; margin: 0; }\n.clwork-desk .rows caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }\n.clwork-desk .rows tr { height: 24px; background: none; }\n.clwork-desk .rows :is(th, td) { padding: 0 8px; height: 24px; max-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-align: left; border: 0; vertical-align: middle; background: var(--ground); color: var(--ink); }\n.clwork-desk .rows thead th { position: sticky; top: 0; z-index: 1; background: var(--raised); border-bottom: 1px solid var(--rule); font-weight: 600; }\n.clwork-desk .rows thead .differs { color: var(--accent); }\n.clwork-desk .rows .number { text-align: right; }\n.clwork-desk .rows .tick { padding: 0 0 0 10px; }\n.clwork-desk .rows tbody th { position: sticky; left: 0; font-weight: 600; }\n.clwork-desk .rows .fork-step { color: var(--soft); font-weight: 400; }\n.clwork-desk .rows tr:hover :is(th, td), .clwork-desk .rows tr[aria-selected="true"] :is(th, td) { background: var(--tint); }\n.clwork-desk .rows .left-out :is(th, td) { color: var(--was); }\n.clwork-desk .rows tr[aria-selected="true"] .name { color: var(--accent); }\n.clwork-desk .rows:focus-visible .active :is(th, td) { box-shadow: inset 0 2px var(--accent), inset 0 -2px var(--accent); }\n.clwork-desk .rows .gap :is(th, td) { display: none; }\n\n.clwork-desk .right { grid-area: right; position: relative; }\n.clwork-desk .switch { display: inline-flex; }\n.clwork-desk .switch button:first-child { border-radius: 8px 0 0 8px; }\n.clwork-desk .switch button:last-child { border-radius: 0 8px 8px 0; margin-left: -1px; }\n.clwork-desk .options { display: inline-flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; min-width: 0; }\n.clwork-desk .options select { max-width: 200px; }\n.clwork-desk .curves { flex: 1; display: flex; flex-direction: column; gap: 8px; min-height: 0; }\n.clwork-desk .legend { display: flex; flex-wrap: wrap; gap: 0 16px; min-height: 24px; max-height: 72px; overflow: auto; font-size: var(--small); line-height: 24px; }\n.clwork-desk .legend .plain { font-weight: 400; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 0 4px; }\n.clwork-desk .key { display: inline-block; width: 24px; height: 8px; vertical-align: middle; margin-right: 8px; }\n.clwork-desk .charts { flex: 1; min-height: 0; display: grid; gap: 8px; grid-template-columns: repeat(auto-fit, minmax(max(min(100%, 184px), 34%), 1fr)); grid-auto-rows: minmax(120px, 1fr); overflow: auto; }\n.clwork-desk .charts.small { grid-template-columns: repeat(auto-fill, minmax(176px, 1fr)); grid-auto-rows: 128px; }\n.clwork-desk .chart { display: flex; flex-direction: column; min-width: 0; min-height: 0; }\n.clwork-desk .chart-title { display: flex; gap: 8px; justify-content: space-between; font-size: var(--small); line-height: 16px; height: 16px; }\n.clwork-desk .chart-name { font-weight: 600; flex: 0 1 auto; min-width: 40px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink); }\n.clwork-desk .chart-hint { color: var(--soft); flex: 0 0 auto; max-width: 70%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-desk .chart-box { flex: 1; min-height: 0; position: relative; }\n.clwork-desk .small .chart-title { height: 32px; }\n.clwork-desk .small .chart-name { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-height: 16px; align-self: start; }\n.clwork-desk .chart-svg { overflow: visible; position: absolute; inset: 0; width: 100%; height: 100%; display: block; }\n.clwork-desk .rule { stroke: var(--rule); stroke-width: 1; }\n.clwork-desk .upper { stroke: var(--was); stroke-width: 1.5; stroke-dasharray: 5 4; }\n.clwork-desk .chart .tick { fill: var(--soft); font-size: 12px; }\n.clwork-desk .line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n.clwork-desk .spread { opacity: 0.18; stroke: none; }\n\n.clwork-desk .grid { flex: 1; display: flex; flex-direction: column; gap: 8px; min-height: 0; }\n.clwork-desk .grid-tools { display: flex; flex-wrap: wrap; gap: 8px; }\n.clwork-desk .grid.none .grid-tools { visibility: hidden; }\n.clwork-desk .grid-tools select { max-width: 144px; }\n.clwork-desk .heat-box { flex: 1; min-height: 0; overflow: auto; }\n.clwork-desk .heat { border-collapse: separate; border-spacing: 2px; font-size: var(--small); line-height: 16px; width: 100%; margin: 0; }\n.clwork-desk .heat :is(th, td) { padding: 4px; text-align: center; min-width: 40px; height: 32px; border: 0; white-space: nowrap; color: var(--ink); background: none; }\n.clwork-desk .heat th { font-weight: 400; color: var(--soft); }\n.clwork-desk .heat .corner { color: var(--soft); }\n.clwork-desk .heat td[role] { border-radius: 4px; cursor: pointer; background: color-mix(in srgb, var(--accent) calc(6% + var(--part, 0) * var(--most)), var(--ground)); }\n.clwork-desk .heat td.empty { background: var(--raised); color: var(--soft); }\n.clwork-desk .heat td.best { font-weight: 600; text-decoration: underline; text-underline-offset: 3px; }\n.clwork-desk .heat td.active { box-shadow: 0 0 0 2px var(--ground), 0 0 0 4px var(--ink); }\n.clwork-desk .cell-text { min-height: 40px; }\n\n.clwork-desk .details { position: absolute; inset: 0 0 auto 0; max-height: 100%; overflow: auto; padding: 16px; display: flex; flex-direction: column; gap: 16px; background: var(--raised); border: 1px solid var(--rule); border-radius: 8px; box-shadow: 0 8px 24px rgb(0 0 0 / 20%); z-index: 2; }\n.clwork-desk .details > * { flex: none; min-width: 0; }\n.clwork-desk .details h3 { padding-right: 40px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-desk .details h4 { font-size: var(--normal); font-weight: 600; margin-bottom: -8px; }\n.clwork-desk .details .close { position: absolute; right: 8px; top: 8px; width: 32px; height: 32px; border: 0; border-radius: 8px; background: none; }\n.clwork-desk .acts { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }\n.clwork-desk .acts input { flex: 0 1 144px; min-width: 80px; }\n.clwork-desk .details :is(.acts, .codes) :is(button, input, select) { background: var(--ground); }\n.clwork-desk .details .acts .danger { background: var(--ground); border: 2px solid var(--trouble); color: var(--trouble); }\n.clwork-desk dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 16px; font-size: var(--small); line-height: 16px; }\n.clwork-desk dt { color: var(--soft); font-weight: 400; float: none; width: auto; white-space: nowrap; }\n.clwork-desk dd { overflow-wrap: anywhere; width: auto; }\n.clwork-desk .codes { display: grid; grid-template-columns: minmax(0, 1fr) max-content; gap: 0 8px; align-items: center; }\n.clwork-desk .codes .soft { grid-column: 1 / -1; margin-top: 8px; }\n.clwork-desk .codes code { grid-column: 1; font-size: var(--small); line-height: 16px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink); background: none; }\n.clwork-desk .details .codes button { grid-column: 2; height: 24px; padding: 0 8px; font-size: var(--small); line-height: 16px; }\n.clwork-desk textarea { width: 100%; font: 12px/16px ui-monospace, monospace; background: var(--ground); border: 1px solid var(--edge); border-radius: 8px; padding: 8px; white-space: pre; }\n\n@container (max-width: 839px) {\n  .clwork-desk .body { height: auto; grid-template: "head" auto "state" auto "left" auto "right" auto / minmax(0, 1fr); }\n  .clwork-desk .head { flex-wrap: wrap; }\n  .clwork-desk .head input { flex: 1 1 200px; }\n  .clwork-desk .state { margin-top: 0; }\n  .clwork-desk .state .sentence { white-space: normal; }\n  .clwork-desk .scroll { max-height: 336px; min-height: 96px; }\n  .clwork-desk .charts { grid-auto-rows: 144px; overflow: visible; }\n  .clwork-desk .right { min-height: 360px; }\n}\n@container (max-width: 559px) {\n  .clwork-desk :is(.head, .tools, .acts, .grid-tools) :is(button, input[type="search"], input[type="text"], select) { height: 40px; }\n  .clwork-desk .head h3 { flex: 1 0 100%; }\n  .clwork-desk .charts.small { grid-template-columns: repeat(2, minmax(0, 1fr)); }\n}\n@container (min-width: 1400px) {\n  .clwork-desk .body { --small: 13px; --normal: 15px; --large: 20px; font-size: var(--normal); line-height: 24px; }\n}\n@media (prefers-reduced-motion: no-preference) { .clwork-desk .heat td.active { transition: box-shadow 80ms; } }\n';

// src/desk/index.js
var TYPING = 200;
var Desk = class {
  /** `send(name, more)` sends a command to the kernel, a promise of whether it was done; `forms` are those of the text. */
  constructor(send, forms) {
    Object.assign(this, { send, forms, runs: new Runs(), lines: [], rows: [], pending: 0, leftOut: /* @__PURE__ */ new Set(), keys: { view: null, curves: [], copied: 0 } });
    this.view = { text: "", method: "", status: "", only: null, order: FAMILY, descending: false, band: true, one: null, extra: "", others: [] };
    this.pulse = { sentence: "Connecting to the kernel …", reading: null, work: 0, trouble: false };
    this.toolbar = new Toolbar({
      set: (changes) => this.set(changes),
      all: (on) => this.draw(this.lines.map((line) => line.row.id), on),
      compare: () => this.set({ only: this.view.only ? null : this.drawnIds() }),
      remove: () => this.confirm(this.drawnIds()),
      text: () => this.details.key?.startsWith("text") ? this.shut() : this.command("copy", { form: this.forms[0] }),
      refresh: () => this.command("refresh")
    });
    this.table = new Table({
      sort: (name) => this.set(name === this.view.order ? { descending: !this.view.descending } : { order: name }),
      open: (id) => this.open(id),
      draw: (ids, on) => this.draw(ids, on),
      remove: () => this.confirm(this.view.one ? [this.view.one] : this.drawnIds())
    });
    const alone = (ids) => ids.length && this.drawOnly(ids);
    this.curves = new Curves({ alone });
    this.grid = new Grid({ alone });
    this.details = new Details({ command: (name, more) => this.command(name, more), shut: () => this.shut(), remove: (ids) => this.confirm(ids), report: (sentence) => this.report(sentence) });
    this.build();
    this.show();
  }
  build() {
    const half = (text, grid) => element("button", { type: "button", text, class: grid ? "clwork-grid" : "clwork-curves", onclick: () => this.turn(grid) });
    this.halves = [half("Curves", false), half("Grid", true)];
    this.extra = element("select", { class: "clwork-extra-column", "aria-label": "fourth curve", onchange: () => this.set({ extra: this.extra.value }) });
    this.band = element("input", { type: "checkbox", class: "clwork-band", checked: true, onchange: () => this.set({ band: this.band.checked }) });
    this.options = element("span", { class: "options" }, element("label", {}, element("span", { class: "soft", text: "also" }), this.extra), element("label", { title: "Otherwise each run has its own line." }, this.band, "mean ± sd over seeds"));
    const bar = element("div", { class: "tools" }, element("span", { class: "switch", role: "group", "aria-label": "what is drawn" }, ...this.halves), this.options);
    this.right = element("div", { class: "right" }, bar, this.curves.root, this.grid.root, this.details.root);
    const left = element("div", { class: "left" }, this.toolbar.tools, this.table.root);
    this.body = element("div", { class: "body" }, this.toolbar.root, this.toolbar.line, left, this.right);
    this.root = element("section", { class: "clwork-look clwork-desk", "aria-label": "Runs, their table and their curves" }, this.body);
    this.root.addEventListener("keydown", (event) => this.press(event));
    this.turn(false);
  }
  known() {
    return { runs: this.runs.version, ...this.keys };
  }
  get lively() {
    return this.pulse.work > 0 || this.pulse.reading !== null;
  }
  take(news) {
    if (news.pulse && JSON.stringify(news.pulse) !== JSON.stringify(this.pulse)) this.pulsed(news.pulse);
    if (news.runs) this.runs.take(news.runs);
    if (news.view) this.taken(news.view);
    if (news.curves) {
      this.keys.curves = news.curves.order;
      this.curves.take(news.curves);
    }
    if (news.runs || news.view || news.curves) this.show();
    if (news.runs && this.sent !== void 0 && this.sent !== this.arrangement()) this.set({});
    if (news.copied) {
      this.keys.copied = news.copied.version;
      this.details.showText(news.copied, this.forms);
    }
  }
  pulsed(pulse) {
    this.pulse = pulse;
    this.toolbar.report(pulse.sentence, pulse.trouble, pulse.reading);
  }
  /** The view as the kernel has it, unless the reader has changed it since. */
  taken({ key, left_out, ...view2 }) {
    if (this.pending || this.unsent) {
      Object.assign(this.view, { extra: view2.extra, others: view2.others });
      return;
    }
    this.keys.view = key;
    Object.assign(this.view, view2);
    this.leftOut = new Set(left_out);
  }
  /** Send a command; until it is answered, what the kernel reports of the view is older than what is seen. */
  command(name, more = {}) {
    if (name !== "show") this.flush();
    this.pending += 1;
    return this.send(name, more).finally(() => this.pending -= 1);
  }
  report(sentence, trouble = false) {
    this.toolbar.report(sentence, trouble);
  }
  /** Change the view, and send it to the kernel: at once, or after a pause where a filter is being typed. */
  set(changes) {
    Object.assign(this.view, changes);
    this.show();
    clearTimeout(this.typing);
    this.unsent = true;
    if ("text" in changes) this.typing = setTimeout(() => this.flush(), TYPING);
    else this.flush();
  }
  /** The runs of the table in their order, and those that the filter hides, as text. */
  arrangement() {
    const order = this.lines.map((line) => line.row.id);
    const shown = new Set(order);
    return JSON.stringify({ order, hidden: this.runs.order.map((row) => row.id).filter((id) => !shown.has(id)) });
  }
  flush() {
    clearTimeout(this.typing);
    if (!this.unsent) return;
    this.unsent = false;
    this.sent = this.arrangement();
    const { others, ...view2 } = this.view;
    this.command("show", { view: { ...view2, left_out: [...this.leftOut] }, ...JSON.parse(this.sent) });
  }
  draw(ids, on) {
    for (const id of ids) on ? this.leftOut.delete(id) : this.leftOut.add(id);
    this.set({});
  }
  drawOnly(ids) {
    const wanted = new Set(ids);
    this.leftOut = new Set(this.runs.order.map((row) => row.id).filter((id) => !wanted.has(id)));
    this.turn(false);
    this.set({});
  }
  open(id) {
    const one2 = this.view.one === id && this.details.key?.startsWith("run") ? null : id;
    this.details.key = null;
    this.set({ one: one2 });
  }
  confirm(ids) {
    this.details.confirm(ids.map((id) => this.runs.rows.get(id)).filter(Boolean));
  }
  shut() {
    const inside = this.details.root.contains(document.activeElement);
    const wasRun = this.details.key?.startsWith("run");
    this.details.shut();
    if (inside) this.table.table.focus({ preventScroll: true });
    if (wasRun && this.view.one !== null) this.set({ one: null });
    else this.show();
  }
  turn(grid) {
    this.halves.forEach((half, i) => attribute(half, "aria-pressed", String(Boolean(i) === grid)));
    this.grid.root.hidden = !grid;
    this.curves.root.hidden = this.options.hidden = grid;
    if (grid && this.root.isConnected) this.grid.show(this.runs, this.rows);
    else this.curves.draw();
  }
  press(event) {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (event.key === "Escape" && !this.details.root.hidden) this.shut();
    else if (event.key === "/" && !typing) this.toolbar.text.focus();
    else return;
    consume(event);
  }
  drawnIds() {
    return this.lines.map((line) => line.row.id).filter((id) => !this.leftOut.has(id));
  }
  show() {
    const { runs, view: view2 } = this;
    const rows = this.rows = matching(runs, view2);
    const columns = runs.tableColumns(rows);
    this.lines = arranged(rows, columns, view2);
    const drawn2 = rows.filter((row) => !this.leftOut.has(row.id)).length;
    this.toolbar.show({ view: view2, rows: runs.order, shown: rows.length, drawn: drawn2 });
    this.table.show({ lines: this.lines, columns, view: view2, drawn: (row) => !this.leftOut.has(row.id), colours: this.curves.colours() });
    this.grid.show(runs, rows);
    this.showOptions();
    this.showRun(columns);
  }
  showOptions() {
    const offered = [["", "–"], ...this.view.others.map(([label, name]) => [name, label])];
    const key = JSON.stringify(offered);
    if (this.extra.dataset.key !== key) {
      this.extra.replaceChildren(...offered.map(([value2, text]) => element("option", { value: value2, text })));
      this.extra.dataset.key = key;
    }
    if (this.extra.value !== this.view.extra) this.extra.value = this.view.extra;
    if (this.band.checked !== this.view.band) this.band.checked = this.view.band;
  }
  showRun(columns) {
    const row = this.view.one === null ? null : this.runs.rows.get(this.view.one);
    const other = this.details.key && !this.details.key.startsWith("run");
    if (row && !other) this.details.showRun(row, columns.filter((column) => column.differs && !["seed", "method"].includes(column.name)).map((column) => [column.label, column.text(row)]));
    else if (!row && this.details.key?.startsWith("run")) this.details.shut();
  }
  themed(dark) {
    this.curves.themed(dark);
    if (this.lines.length) this.show();
  }
  close() {
    clearTimeout(this.typing);
  }
};
var STANDS = {
  silent: "The kernel is busy: the page shows its last answer.",
  unanswered: "The kernel has not answered for 5 seconds: it runs another cell, and clicks are handled when that ends. If no cell is running, run this cell again.",
  gone: "The kernel is gone: the page shows its last answer. Run the cell again."
};
function render({ model, el }) {
  const style = element("style", { text: look_default + style_default });
  let channel = null;
  const desk = new Desk((name, more) => channel.command(name, more), model.get("about").forms);
  el.append(style, desk.root);
  const unfollow = followTheme(desk.root, (dark) => desk.themed(dark));
  channel = new Channel(model, {
    known: () => desk.known(),
    take: (news) => desk.take(news),
    lively: () => desk.lively,
    refused: (why) => desk.report(why, true),
    standing: (state) => state === "answers" ? desk.pulsed(desk.pulse) : desk.report(STANDS[state], state === "gone")
  });
  return () => {
    channel.close();
    unfollow();
    desk.close();
    desk.root.remove();
    style.remove();
  };
}
var index_default = { render };
export {
  index_default as default
};
