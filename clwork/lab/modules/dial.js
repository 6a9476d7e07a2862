// Made by js/build.mjs (make bundle); edit js/src/dial instead. sources 0d100acfbb387a50a41afdfba7cb7d9507e8e94c844732e36e720e3aa353b377 body 424bfc1ceaf92cbaead005f5875453c7b876941dbba673ff7dc1303714019d9b
// src/shared/dom.js
var SVG = "http://www.w3.org/2000/svg";
function dress(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "text") made.textContent = value;
    else if (value !== null && value !== void 0 && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}
var FOCUSED = /* @__PURE__ */ new Set(["button", "canvas", "input", "select"]);
var OWN_KEYS = { "data-lm-suppress-shortcuts": true };
var element = (name, attributes = {}, ...children) => dress(document.createElement(name), FOCUSED.has(name) ? { ...OWN_KEYS, ...attributes } : attributes, children);
var drawn = (name, attributes = {}, ...children) => dress(document.createElementNS(SVG, name), attributes, children);
function tell(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// src/shared/theme.js
var SYSTEM = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
var WATCHED = ["data-jp-theme-light", "data-jp-theme-name", "class", "data-vscode-theme-kind", "theme"];
var LATER = 400;
function isDark(colour2) {
  const hex = /^#([0-9a-f]{6})/i.exec(colour2)?.[1];
  const parts = hex ? hex.match(/../g).map((two) => parseInt(two, 16)) : (colour2.match(/[\d.]+/g) ?? []).map(Number);
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
  const tell2 = (again) => {
    const dark = said() ?? told ?? Boolean(SYSTEM?.matches);
    const theme = dark ? "dark" : "light";
    const now = `${theme} ${document.body.dataset.jpThemeName ?? ""}`;
    if (now === last && again !== true) return;
    last = now;
    document.documentElement.dataset.clworkTheme = theme;
    if (root) root.dataset.theme = theme;
    show(dark);
    clearTimeout(timer);
    if (again !== true) timer = setTimeout(() => tell2(true), LATER);
  };
  const hear = (event) => {
    if (event.source === window.parent && typeof event.data?.clworkDark === "boolean") {
      told = event.data.clworkDark;
      tell2();
    }
  };
  const forget = onPage(tell2);
  SYSTEM?.addEventListener("change", tell2);
  window.addEventListener("message", hear);
  if (window.parent !== window) window.parent.postMessage("clwork: light or dark?", "*");
  tell2();
  return () => {
    clearTimeout(timer);
    forget();
    SYSTEM?.removeEventListener("change", tell2);
    window.removeEventListener("message", hear);
  };
}

// src/shared/look.css
var look_default = '/* Colours, type and what all pages share: their roots have the class clwork-look. Measures are in docs/design/instrument.md. */\n.clwork-look {\n  --ground: #ffffff; --raised: #f5f7f9; --ink: #1d232b; --soft: #59636f; --accent: #0b62c4; --on-accent: #ffffff; --was: #656e7a;\n  --trouble: #a84300; --edge: #7f8994; --rule: #dde2e8; --tint: #e8f1fc; --band: #eceff2; --tint-trouble: #fff1e6;\n  --small: 12px; --normal: 14px; --large: 18px; --line-small: 16px; --line: 20px; --line-large: 24px; --control: 32px;\n  container-type: inline-size; position: relative; box-sizing: border-box; color: var(--ink); background: var(--ground); color-scheme: light;\n  font: 400 var(--normal)/var(--line) system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums;\n}\n.clwork-look[data-theme="dark"] {\n  --ground: #14181d; --raised: #1c2229; --ink: #e9edf1; --soft: #a3adb8; --accent: #6cb2ff; --on-accent: #14181d; --was: #8d97a3;\n  --trouble: #ffab62; --edge: #6f7a87; --rule: #313944; --tint: #16304d; --band: #232a32; --tint-trouble: #3a2615;\n  color-scheme: dark;\n}\n.clwork-look *, .clwork-look *::before { box-sizing: border-box; }\n.clwork-look [hidden] { display: none !important; }\n.clwork-look .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }\n';

// src/shared/mount.js
function mount(el, css, page) {
  const style = element("style", { text: look_default + css });
  el.append(style, page.root);
  const forget = followTheme(page.root, (dark) => page.paint(dark));
  page.root.page = page;
  return () => {
    forget();
    page.close();
    page.root.remove();
    style.remove();
  };
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
  return function(value, width) {
    var i = value.length, t = [], j = 0, g = grouping[0], length = 0;
    while (i > 0 && g > 0) {
      if (length + g + 1 > width) g = Math.max(1, width - length);
      t.push(value.substring(i -= g, i + g));
      if ((length += g + 1) > width) break;
      g = grouping[j = (j + 1) % grouping.length];
    }
    return t.reverse().join(thousands);
  };
}

// node_modules/d3-format/src/formatNumerals.js
function formatNumerals_default(numerals) {
  return function(value) {
    return value.replace(/[0-9]/g, function(i) {
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
    var fill = specifier.fill, align = specifier.align, sign = specifier.sign, symbol = specifier.symbol, zero2 = specifier.zero, width = specifier.width, comma = specifier.comma, precision = specifier.precision, trim = specifier.trim, type = specifier.type;
    if (type === "n") comma = true, type = "g";
    else if (!formatTypes_default[type]) precision === void 0 && (precision = 12), trim = true, type = "g";
    if (zero2 || fill === "0" && align === "=") zero2 = true, fill = "0", align = "=";
    var prefix = symbol === "$" ? currencyPrefix : symbol === "#" && /[boxX]/.test(type) ? "0" + type.toLowerCase() : "", suffix = symbol === "$" ? currencySuffix : /[%p]/.test(type) ? percent : "";
    var formatType = formatTypes_default[type], maybeSuffix = /[defgprs%]/.test(type);
    precision = precision === void 0 ? 6 : /[gprs]/.test(type) ? Math.max(1, Math.min(21, precision)) : Math.max(0, Math.min(20, precision));
    function format2(value) {
      var valuePrefix = prefix, valueSuffix = suffix, i, n, c;
      if (type === "c") {
        valueSuffix = formatType(value) + valueSuffix;
        value = "";
      } else {
        value = +value;
        var valueNegative = value < 0 || 1 / value < 0;
        value = isNaN(value) ? nan : formatType(Math.abs(value), precision);
        if (trim) value = formatTrim_default(value);
        if (valueNegative && +value === 0 && sign !== "+") valueNegative = false;
        valuePrefix = (valueNegative ? sign === "(" ? sign : minus : sign === "-" || sign === "(" ? "" : sign) + valuePrefix;
        valueSuffix = (type === "s" ? prefixes[8 + prefixExponent / 3] : "") + valueSuffix + (valueNegative && sign === "(" ? ")" : "");
        if (maybeSuffix) {
          i = -1, n = value.length;
          while (++i < n) {
            if (c = value.charCodeAt(i), 48 > c || c > 57) {
              valueSuffix = (c === 46 ? decimal + value.slice(i + 1) : value.slice(i)) + valueSuffix;
              value = value.slice(0, i);
              break;
            }
          }
        }
      }
      if (comma && !zero2) value = group(value, Infinity);
      var length = valuePrefix.length + value.length + valueSuffix.length, padding = length < width ? new Array(width - length + 1).join(fill) : "";
      if (comma && zero2) value = group(padding + value, padding.length ? width - valueSuffix.length : Infinity), padding = "";
      switch (align) {
        case "<":
          value = valuePrefix + value + valueSuffix + padding;
          break;
        case "=":
          value = valuePrefix + padding + value + valueSuffix;
          break;
        case "^":
          value = padding.slice(0, length = padding.length >> 1) + valuePrefix + value + valueSuffix + padding.slice(length);
          break;
        default:
          value = padding + valuePrefix + value + valueSuffix;
          break;
      }
      return numerals(value);
    }
    format2.toString = function() {
      return specifier + "";
    };
    return format2;
  }
  function formatPrefix2(specifier, value) {
    var f = newFormat((specifier = formatSpecifier(specifier), specifier.type = "f", specifier)), e = Math.max(-8, Math.min(8, Math.floor(exponent_default(value) / 3))) * 3, k = Math.pow(10, -e), prefix = prefixes[8 + e / 3];
    return function(value2) {
      return f(k * value2) + prefix;
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

// src/shared/axes.js
function marks(low, high, count = 3) {
  if (!(high > low)) return [{ value: low, words: format(".4~g")(low) }];
  while (count < 12 && ticks(low, high, count).length < 2) count *= 2;
  const text = format(`,.${precisionFixed_default(tickStep(low, high, count))}f`);
  return ticks(low, high, count).map((value) => ({ value, words: text(value) }));
}

// src/shared/digits.js
function digits(value, most = 3) {
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(1) : Number(value.toPrecision(most)).toLocaleString("en");
  return text.replace("-", "−").replace("e+", "e");
}

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

// src/dial/dial.js
var HIGH = 210;
var LOW = 110;
var NARROW = 380;
var LEFT = 52;
var RIGHT = 14;
var TOP = 24;
var BELOW = 30;
var DASHES = ["", "7 4", "2 3", "9 3 2 3"];
function range(rows) {
  const all = rows.flat();
  const low = Math.min(0, ...all), high = Math.max(0, ...all);
  return high > low ? [low, high] : [low, low + 1];
}
var Dial = class {
  constructor(state) {
    this.state = state;
    this.at = state.start;
    this.dark = false;
    this.span = range(state.rows);
    this.root = element("div", { class: "clwork-look clwork-dial", "data-fits": true });
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: state.values.length - 1,
      step: 1,
      value: this.at,
      "aria-label": state.name,
      oninput: () => this.go(Number(this.slider.value))
    });
    this.value = element("output", { class: "value" });
    this.said = element("p", { class: "said", "aria-live": "polite" });
    this.bars = state.names.map((name, number2) => this.bar(name, number2));
    this.curves = element("div", { class: "curves" });
    this.root.append(
      element("div", { class: "head" }, element("span", { class: "name", text: state.name }), this.value),
      this.slider,
      this.said,
      element("div", { class: "body" }, element("div", { class: "bars" }, ...this.bars.map((one) => one.row)), this.curves)
    );
    this.said.hidden = !state.says.length;
    this.sight = new ResizeObserver(() => this.draw());
    this.sight.observe(this.root);
    this.go(this.at);
  }
  bar(name, number2) {
    const fill = element("span", { class: "fill" });
    const value = element("span", { class: "number" });
    const row = element("div", { class: "bar" }, element("span", { class: "what", text: name }), element("span", { class: "track" }, fill), value);
    return { row, fill, value, number: number2 };
  }
  go(at) {
    this.at = at;
    const { values, rows, says } = this.state;
    write(this.value, digits(values[at]));
    tell(this.slider, "aria-valuetext", digits(values[at]));
    if (says.length) write(this.said, says[at]);
    const [low, high] = this.span;
    const share = (number2) => 100 * (number2 - low) / (high - low);
    this.bars.forEach((bar, k) => {
      const [from, to] = [share(Math.min(0, rows[at][k])), share(Math.max(0, rows[at][k]))];
      bar.fill.style.left = `${from}%`;
      bar.fill.style.width = `max(${to - from}%, 2px)`;
      write(bar.value, digits(rows[at][k]));
    });
    this.mark();
  }
  paint(dark) {
    this.dark = dark;
    for (const bar of this.bars) bar.fill.style.background = colour(bar.number, dark);
    this.draw();
  }
  /** Where a value stands, from 0 to 1. */
  place(value) {
    const of = this.state.log ? Math.log : (x) => x;
    const first = of(this.state.values[0]), last = of(this.state.values.at(-1));
    return last > first ? (of(value) - first) / (last - first) : 0.5;
  }
  draw() {
    const narrow = this.root.clientWidth <= NARROW + 140;
    this.curves.hidden = narrow && this.bars.length > 2;
    const width = this.curves.clientWidth;
    if (!width) return;
    const height = narrow ? LOW : HIGH;
    const { name, values, names, rows, unit } = this.state;
    const [low, high] = this.span;
    const x = (value) => LEFT + this.place(value) * (width - LEFT - RIGHT);
    const y = (value) => TOP + (high - value) / (high - low) * height;
    this.x = x;
    const picture = drawn("svg", { width, height: TOP + height + BELOW, role: "img", "aria-label": `${names.join(", ")} over ${name}` });
    for (const { value, words } of marks(low, high, 4)) {
      picture.append(drawn("line", { class: value === 0 ? "zero" : "rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
      picture.append(drawn("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", text: words }));
    }
    for (const [value, anchor] of [[values[0], "start"], [values.at(-1), "end"]]) {
      picture.append(drawn("text", { class: "tick", x: x(value), y: TOP + height + 20, "text-anchor": anchor, text: digits(value) }));
    }
    picture.append(drawn("text", { class: "title x", x: (LEFT + width - RIGHT) / 2, y: TOP + height + 20, "text-anchor": "middle", text: name }));
    if (unit) picture.append(drawn("text", { class: "title y", x: 2, y: 12, text: unit }));
    names.forEach((_, k) => {
      const points = values.map((value, row) => `${x(value).toFixed(1)},${y(rows[row][k]).toFixed(1)}`).join(" ");
      picture.append(drawn("polyline", { class: "curve", points, stroke: colour(k, this.dark), "stroke-dasharray": DASHES[k % DASHES.length] || null }));
    });
    this.here = drawn("line", { class: "here", y1: TOP, y2: TOP + height });
    this.dots = names.map((_, k) => drawn("circle", { class: "dot", r: 4, fill: colour(k, this.dark) }));
    picture.append(this.here, ...this.dots);
    this.y = y;
    this.curves.replaceChildren(picture);
    this.mark();
  }
  mark() {
    if (!this.here) return;
    const at = this.x(this.state.values[this.at]);
    tell(this.here, "x1", String(at));
    tell(this.here, "x2", String(at));
    this.dots.forEach((dot, k) => {
      tell(dot, "cx", String(at));
      tell(dot, "cy", String(this.y(this.state.rows[this.at][k])));
    });
  }
  close() {
    this.sight.disconnect();
  }
};

// src/dial/style.css
var style_default = '.clwork-dial { max-width: 838px; padding: 12px 16px; border: 1px solid var(--rule); border-radius: 8px; }\n.clwork-dial .head { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; font-weight: 600; }\n.clwork-dial .value { font-size: var(--large); color: var(--accent); min-width: 5em; text-align: right; }\n.clwork-dial input[type="range"] { width: 100%; margin: 8px 0; accent-color: var(--accent); height: 24px; cursor: pointer; }\n.clwork-dial input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }\n.clwork-dial .said { margin: 0 0 8px; color: var(--soft); min-height: var(--line); }\n.clwork-dial .body { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 24px; align-items: center; }\n.clwork-dial .bar { display: grid; grid-template-columns: 1fr auto; gap: 0 8px; padding: 4px 0; }\n.clwork-dial .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-dial .track { grid-column: 1 / -1; grid-row: 2; position: relative; height: 10px; background: var(--band); border-radius: 2px; }\n.clwork-dial .number { grid-row: 1; grid-column: 2; }\n.clwork-dial .fill { position: absolute; top: 0; bottom: 0; border-radius: 2px; }\n.clwork-dial svg { display: block; }\n.clwork-dial .rule { stroke: var(--rule); }\n.clwork-dial .zero { stroke: var(--edge); }\n.clwork-dial .tick, .clwork-dial .title { font-size: var(--small); fill: var(--soft); }\n.clwork-dial .curve { fill: none; stroke-width: 2; }\n.clwork-dial .here { stroke: var(--accent); stroke-width: 1.5; }\n.clwork-dial .dot { stroke: var(--ground); stroke-width: 1.5; }\n@container (max-width: 520px) { .clwork-dial .body { grid-template-columns: minmax(0, 1fr); } }\n';

// src/dial/index.js
var PARTS = ["name", "values", "names", "rows", "start", "unit", "says", "log"];
var render = ({ model, el }) => mount(el, style_default, new Dial(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));
var index_default = { render };
export {
  index_default as default
};
