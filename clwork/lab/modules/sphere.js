// Made by js/build.mjs (make bundle); edit js/src/sphere instead. sources 623f95b55b6092265cac28b5eb213f5fc1f0472c601aa25aaa5b5ff8f2a22a75 body c3c9951356b78819f2ffa25169d94cd74c680cf8e94581fd74b977d3f7e286a6
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
  const hex2 = /^#([0-9a-f]{6})/i.exec(colour)?.[1];
  const parts = hex2 ? hex2.match(/../g).map((two) => parseInt(two, 16)) : (colour.match(/[\d.]+/g) ?? []).map(Number);
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
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
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
function shuffler(random2) {
  return function shuffle2(array2, i0 = 0, i1 = array2.length) {
    let m = i1 - (i0 = +i0);
    while (m) {
      const i = random2() * m-- | 0, t = array2[m + i0];
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
function ticksOf(scale, count2) {
  const [low, high] = scale.domain();
  if (!(high > low)) return [{ value: low, label: format(".4~g")(low) }];
  while (count2 < 12 && scale.ticks(count2).length < 2) count2 *= 2;
  const label = scale.tickFormat(count2);
  return scale.ticks(count2).map((value2) => ({ value: value2, label: label(value2) }));
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
  yAxis(count2) {
    return ticksOf(this.y, count2).flatMap(({ value: value2, label }) => [
      this.horizontal(value2, value2 === 0 ? "rule zero" : "rule"),
      this.label(this.left - 5, Math.max(10, this.y(value2) + 4), "end", label)
    ]);
  }
  /** Labels of integer steps below the axis: about `count`, every second one where these are more than `most`. */
  xAxis(count2, most = Infinity) {
    const anchor = (x) => x > this.width - 24 ? "end" : "middle";
    const steps = ticksOf(this.x, count2).map(({ value: value2 }) => value2);
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

// src/shared/text.js
function counted(count2, noun) {
  return `${count2} ${noun}${Number(count2) === 1 ? "" : "s"}`;
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
function unitRows(rows, D2) {
  const unit3 = new Float64Array(rows.length), lengths = new Float64Array(rows.length / D2);
  for (let i = 0; i < lengths.length; i++) {
    let sum = 0;
    for (let d = 0; d < D2; d++) sum += rows[i * D2 + d] ** 2;
    lengths[i] = Math.max(Math.sqrt(sum), 1e-12);
    for (let d = 0; d < D2; d++) unit3[i * D2 + d] = rows[i * D2 + d] / lengths[i];
  }
  return { unit: unit3, lengths };
}
function throughUnit(gradient, { unit: unit3, lengths }, D2) {
  for (let i = 0; i < lengths.length; i++) {
    let along = 0;
    for (let d = 0; d < D2; d++) along += gradient[i * D2 + d] * unit3[i * D2 + d];
    for (let d = 0; d < D2; d++) {
      gradient[i * D2 + d] = (gradient[i * D2 + d] - along * unit3[i * D2 + d]) / lengths[i];
    }
  }
  return gradient;
}
function cosines(a, b, D2) {
  const A2 = a.length / D2, B2 = b.length / D2, all = new Float64Array(A2 * B2);
  for (let i = 0; i < A2; i++) {
    for (let j = 0; j < B2; j++) {
      let sum = 0;
      for (let d = 0; d < D2; d++) sum += a[i * D2 + d] * b[j * D2 + d];
      all[i * B2 + j] = sum;
    }
  }
  return all;
}
var add = (rows, i, factor, from, j, D2) => {
  for (let d = 0; d < D2; d++) rows[i * D2 + d] += factor * from[j * D2 + d];
};
function result(pull, push, pulls, pushes, more = {}) {
  return { loss: pull + push, pull, push, pulls, pushes, ...more };
}
function infoNCE(z1, z2, D2, { temperature, pull = 1, push = 1, allowed = null }) {
  const one2 = unitRows(z1, D2), two = unitRows(z2, D2), B2 = one2.lengths.length;
  const s = cosines(one2.unit, two.unit, D2), softmax = new Float64Array(B2 * B2), sums = new Float64Array(B2);
  const zeros = () => new Float64Array(B2 * D2), pulls = [zeros(), zeros()], pushes = [zeros(), zeros()];
  let pulling = 0, pushing = 0;
  for (let i = 0; i < B2; i++) {
    let most = s[i * B2 + i], sum = 0;
    for (let j = 0; j < B2; j++) if (!allowed || allowed[i * B2 + j]) most = Math.max(most, s[i * B2 + j]);
    for (let j = 0; j < B2; j++) {
      if (i !== j && allowed && !allowed[i * B2 + j]) continue;
      sum += softmax[i * B2 + j] = Math.exp((s[i * B2 + j] - most) / temperature);
    }
    sums[i] = most / temperature + Math.log(sum);
    pulling += pull * -s[i * B2 + i] / temperature / B2;
    pushing += push * sums[i] / B2;
    const by = pull / temperature / B2;
    add(pulls[0], i, -by, two.unit, i, D2);
    add(pulls[1], i, -by, one2.unit, i, D2);
    for (let j = 0; j < B2; j++) {
      const share = softmax[i * B2 + j] /= sum, weight = push * share / temperature / B2;
      if (share === 0) continue;
      for (let d = 0, a = i * D2, b = j * D2; d < D2; d++, a++, b++) {
        pushes[0][a] += weight * two.unit[b];
        pushes[1][b] += weight * one2.unit[a];
      }
    }
  }
  for (const [pair, rows] of [[0, one2], [1, two]]) {
    throughUnit(pulls[pair], rows, D2);
    throughUnit(pushes[pair], rows, D2);
  }
  return result(pulling, pushing, pulls, pushes, { cosines: s, softmax, sums });
}
function uniformityOf(rows, D2, allowed, t, factor, gradient) {
  const B2 = rows.lengths.length, weights = new Float64Array(B2 * B2), u = rows.unit;
  let sum = 0, count2 = 0;
  for (let i = 0; i < B2; i++) {
    for (let j = 0; j < B2; j++) {
      if (i === j || allowed && !allowed[i * B2 + j]) continue;
      let square = 0;
      for (let d = 0; d < D2; d++) square += (u[i * D2 + d] - u[j * D2 + d]) ** 2;
      sum += weights[i * B2 + j] = Math.exp(-t * square);
      count2++;
    }
  }
  if (count2 === 0) return { value: 0, weights };
  for (let i = 0; i < B2; i++) {
    for (let j = 0; j < B2; j++) {
      const share = weights[i * B2 + j] /= sum;
      if (share === 0) continue;
      for (let d = 0; d < D2; d++) {
        const slope = -2 * t * factor * share * (u[i * D2 + d] - u[j * D2 + d]);
        gradient[i * D2 + d] += slope;
        gradient[j * D2 + d] -= slope;
      }
    }
  }
  return { value: Math.log(sum / count2), weights };
}
function alignmentUniformity(z1, z2, D2, { pull = 1, push = 1, allowed = null, t = 2 }) {
  const one2 = unitRows(z1, D2), two = unitRows(z2, D2), B2 = one2.lengths.length;
  const zeros = () => new Float64Array(B2 * D2), pulls = [zeros(), zeros()], pushes = [zeros(), zeros()];
  let apart2 = 0;
  for (let i = 0; i < B2 * D2; i++) {
    const gap = one2.unit[i] - two.unit[i];
    apart2 += gap ** 2 / B2;
    pulls[0][i] = 2 * pull * gap / B2;
    pulls[1][i] = -pulls[0][i];
  }
  const first = uniformityOf(one2, D2, allowed, t, push / 2, pushes[0]);
  const second = uniformityOf(two, D2, allowed, t, push / 2, pushes[1]);
  for (const [pair, rows] of [[0, one2], [1, two]]) {
    throughUnit(pulls[pair], rows, D2);
    throughUnit(pushes[pair], rows, D2);
  }
  const s = cosines(one2.unit, two.unit, D2), even2 = (first.value + second.value) / 2;
  return result(pull * apart2, push * even2, pulls, pushes, {
    cosines: s,
    softmax: first.weights,
    alignment: apart2,
    uniformity: even2
  });
}
function withoutNegatives(z1, z2, D2, { predictor, stopGradient = true, pull = 1 }) {
  const rows = [unitRows(z1, D2), unitRows(z2, D2)], B2 = rows[0].lengths.length;
  const zeros = () => new Float64Array(B2 * D2), pulls = [zeros(), zeros()], pushes = [zeros(), zeros()];
  const agreement = new Float64Array(B2);
  let loss = 0;
  for (const [own, other] of [[0, 1], [1, 0]]) {
    const u = rows[own].unit, v = rows[other].unit, p = new Float64Array(B2 * D2);
    for (let i = 0; i < B2; i++) {
      for (let d = 0; d < D2; d++) for (let e = 0; e < D2; e++) p[i * D2 + d] += predictor[d * D2 + e] * u[i * D2 + e];
    }
    const predicted = unitRows(p, D2), byP = zeros(), factor = -pull / 2 / B2;
    for (let i = 0; i < B2 * D2; i++) {
      loss += factor * predicted.unit[i] * v[i];
      agreement[Math.floor(i / D2)] += predicted.unit[i] * v[i] / 2;
      byP[i] = factor * v[i];
      if (!stopGradient) pulls[other][i] += factor * predicted.unit[i];
    }
    throughUnit(byP, predicted, D2);
    for (let i = 0; i < B2; i++) {
      for (let d = 0; d < D2; d++) {
        for (let e = 0; e < D2; e++) pulls[own][i * D2 + e] += predictor[d * D2 + e] * byP[i * D2 + d];
      }
    }
  }
  throughUnit(pulls[0], rows[0], D2);
  throughUnit(pulls[1], rows[1], D2);
  return result(loss, 0, pulls, pushes, { cosines: cosines(rows[0].unit, rows[1].unit, D2), softmax: null, agreement });
}
function directPredictor(u, D2, extra = 0.1) {
  const moment = secondMoment(u, D2), { values, vectors } = eigen(moment, D2), P = new Float64Array(D2 * D2);
  const most = Math.max(...values, 1e-12);
  for (let k = 0; k < D2; k++) {
    const root = Math.sqrt(Math.max(values[k], 0) / most) + extra;
    for (let d = 0; d < D2; d++) for (let e = 0; e < D2; e++) P[d * D2 + e] += root * vectors[d * D2 + k] * vectors[e * D2 + k];
  }
  return P;
}
function secondMoment(u, D2) {
  const N = u.length / D2, moment = new Float64Array(D2 * D2);
  for (let i = 0; i < N; i++) {
    for (let d = 0; d < D2; d++) for (let e = 0; e < D2; e++) moment[d * D2 + e] += u[i * D2 + d] * u[i * D2 + e] / N;
  }
  return moment;
}
function eigen(matrix, D2) {
  const a = Float64Array.from(matrix), v = new Float64Array(D2 * D2);
  for (let d = 0; d < D2; d++) v[d * D2 + d] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    for (let p = 0; p < D2; p++) {
      for (let q = p + 1; q < D2; q++) {
        if (Math.abs(a[p * D2 + q]) < 1e-15) continue;
        const angle = 0.5 * Math.atan2(2 * a[p * D2 + q], a[q * D2 + q] - a[p * D2 + p]);
        const c = Math.cos(angle), s = Math.sin(angle);
        for (let k = 0; k < D2; k++) {
          [a[k * D2 + p], a[k * D2 + q]] = [c * a[k * D2 + p] - s * a[k * D2 + q], s * a[k * D2 + p] + c * a[k * D2 + q]];
        }
        for (let k = 0; k < D2; k++) {
          [a[p * D2 + k], a[q * D2 + k]] = [c * a[p * D2 + k] - s * a[q * D2 + k], s * a[p * D2 + k] + c * a[q * D2 + k]];
          [v[k * D2 + p], v[k * D2 + q]] = [c * v[k * D2 + p] - s * v[k * D2 + q], s * v[k * D2 + p] + c * v[k * D2 + q]];
        }
      }
    }
  }
  return { values: Array.from({ length: D2 }, (_, d) => a[d * D2 + d]), vectors: v };
}

// src/shared/cloud.js
function penOf(canvas, width, height) {
  const ratio = globalThis.devicePixelRatio || 1;
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

// src/sphere/scene.js
var dot = (a, b) => a.reduce((sum, value2, d) => sum + value2 * b[d], 0);
var scaled = (a, factor) => a.map((value2) => value2 * factor);
var plus = (a, b, factor = 1) => a.map((value2, d) => value2 + factor * b[d]);
var unit2 = (a) => scaled(a, 1 / Math.max(Math.hypot(...a), 1e-12));
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
    const p = plus(scaled(from, 1 - k / 16), to, k / 16), [x, y] = scene.place(scene.D === 2 ? p : unit2(p));
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
    arrow(scene, from, unit2(along), LONGEST * (1 - Math.exp(-EXAGGERATED * length / LONGEST)), colour, wide, lift);
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
var TRAIL = 14;
function colours(count2, dark) {
  return Array.from({ length: count2 }, (_, k) => {
    const hue = count2 <= 12 ? (25 + 360 * k / count2) % 360 : (25 + 137.508 * k) % 360;
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
  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    penOf(this.canvas, width, height);
    Object.assign(this, { width, height });
    const room = Math.min(width, height) / 2;
    this.radius = Math.max(20, this.D === 2 ? room * 0.72 : room - 14);
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
    if (this.D === 2) return unit2([a, b]);
    const length = Math.hypot(a, b);
    if (length > 1) [a, b] = [a / length, b / length];
    const c = Math.sqrt(Math.max(0, 1 - a * a - b * b)), [right, up, out] = this.axes();
    return unit2(plus(plus(scaled(right, a), up, b), out, c));
  }
  clear() {
    this.trails = [];
  }
  /** Draw a world with its points at `x` (between two steps while it plays). */
  draw(world, x, { trails = true } = {}) {
    this.D = world.D;
    this.view = this.axes();
    this.fit();
    const row2 = (i) => Array.from(x.subarray(i * world.D, (i + 1) * world.D));
    this.rows = Array.from({ length: world.N }, (_, i) => row2(i));
    this.palette = colours(world.colours, this.dark);
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
      const cell = Math.floor((Math.atan2(this.rows[i][1], this.rows[i][0]) / (2 * Math.PI) + 1) * cells) % cells;
      levels[i] = tops.get(cell) ?? 0;
      tops.set(cell, levels[i] + 1);
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

// src/sphere/show.js
var DEGREES = 180 / Math.PI;
function short(value2) {
  if (!Number.isFinite(value2)) return "–";
  const size = Math.abs(value2);
  if (size >= 1e5) {
    const power = Math.floor(Math.log10(size));
    return `${(value2 / 10 ** power).toFixed(1)}·10${String(power).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`;
  }
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.095 || size === 0 ? 2 : size >= 95e-5 ? 3 : 5;
  return value2.toFixed(digits).replace("-", "−").replace(/^−(0\.?0*)$/, "$1");
}
var degrees3 = (angle) => `${Math.round(angle * DEGREES)}°`;
function spread(world, eigenvalues) {
  const { D: D2, N, x } = world, mean = new Float64Array(D2);
  for (let i = 0; i < N; i++) for (let d = 0; d < D2; d++) mean[d] += x[i * D2 + d] / N;
  const length = Math.hypot(...mean);
  let farthest = 0;
  for (let i = 0; i < N; i++) {
    let cosine = 0;
    for (let d = 0; d < D2; d++) cosine += x[i * D2 + d] * mean[d] / Math.max(length, 1e-12);
    farthest = Math.max(farthest, Math.acos(Math.min(1, Math.max(-1, cosine))));
  }
  return { length, farthest, axis: Math.max(...eigenvalues) };
}
function apart(same, other) {
  if (same === null) return `Strangers are ${degrees3(other)} apart; each point's only partner is its own noisy copy.`;
  if (other === null) return `Partners are ${degrees3(same)} apart; there are no strangers.`;
  return `Partners are ${degrees3(same)} apart, strangers ${degrees3(other)}.`;
}
function happening(world, { length, farthest, axis }) {
  const { same, other } = world.angles(), s = world.settings;
  const state = (kind, text) => ({ kind, text: `${apart(same, other)} ${text}` });
  if (farthest < 0.14 && world.N > 2) {
    const why = s.objective === "no-stop-gradient" ? "Agreeing is cheapest where all say the same, and nothing holds the target still." : s.push === 0 ? "Nothing pushes." : "";
    return state("collapsed", `Collapsed: all points lie within ${degrees3(farthest)} of one direction. ${why}`.trim());
  }
  if (axis > 0.97 && farthest > Math.PI / 2 && world.colours > 2) {
    return state("collapsed", "Collapsed to an axis: all points lie on one line through the centre.");
  }
  const crowded = length > 0.8 ? "All points crowd into a cone, whatever they mean." : null;
  if (same === null || other === null) {
    return state("on the way", crowded ?? (length < 0.3 ? "The points fill the space." : "The points lean to one side."));
  }
  if (same < 0.35 && other > 1.2) {
    return state("good", length < 0.3 ? "Like lies with like, and the clusters fill the space." : "Like lies with like; the clusters still lean to one side.");
  }
  if (same < 0.35 && same < other / 2 && other < 1) return state("on the way", "Partners have met; meanings are still crowded.");
  if (same > 0.75 * other && length < 0.35) return state("on the way", "Points are spread, and meanings are mixed: a partner is as far as a stranger.");
  if (crowded) return state("on the way", crowded);
  return state("on the way", same < 0.6 * other ? "Like is nearer than unlike: clusters." : "Meanings are still mixed.");
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
function words(lab2) {
  const { world, parts } = lab2, { settings } = world;
  const limits = { batch_size: world.N, negatives: world.batch - 1, chosen: world.N - 1, meanings: world.N };
  for (const one2 of parts.controls) one2.show(settings, limits);
  const { values } = eigen(secondMoment(world.x, world.D), world.D);
  const { kind, text } = happening(world, spread(world, values));
  parts.says.textContent = text;
  parts.says.dataset.kind = kind;
  parts.canvas.setAttribute("aria-label", `${counted(world.N, "point")} on the ${settings.shape}; point ${settings.chosen} is chosen. N and P choose another, Shift with an arrow key moves it, arrow keys turn the sphere, space plays.`);
  lab2.formula(world);
  forces(world, parts, lab2.scene.dark);
  if (!lab2.typing) parts.text.value = lab2.text;
  numbers(lab2);
}
function numbers({ world, parts, record }) {
  parts.count.textContent = `step ${world.step}`;
  parts.curves(record, world.measured, landmarks(world));
}
function even(N, D2) {
  if (D2 === 3) return EVEN[N - 2] ?? Math.log((N * ALL_OVER - 1) / (N - 1));
  let near = 0;
  for (let k = 1; k < N; k++) near += Math.exp(-8 * Math.sin(Math.PI * k / N) ** 2);
  return Math.log(near / (N - 1));
}
function landmarks({ settings: s, now, N, D: D2 }) {
  const marks = { Alignment: { value: 2, name: "at random" }, Uniformity: { value: even(N, D2), name: "even" } };
  const usual = s.objective === "infonce" && s.pull === 1 && s.push === 1;
  const seen = 1 + now.counted / now.anchors.length;
  return usual ? { ...marks, Loss: { value: Math.log(seen), name: "guessing" } } : marks;
}
function forces(world, parts, dark) {
  const { wrong, counted: counted2 } = world.now, { chosen, objective } = world.settings, share = counted2 && world.found.softmax ? `${Math.round(100 * wrong / counted2)} % of all are false` : "";
  parts.who.replaceChildren(`Acting on point ${chosen}`, element("small", { text: share }));
  parts.share.textContent = objective === "infonce" ? "softmax" : "of push";
  const palette = colours(world.colours, dark), most = Math.max(...world.forces.map((force) => force.share), 1e-9);
  parts.forces.replaceChildren(...world.forces.slice(0, SHOWN).map((force) => row(force, world, palette, most)));
}
function row({ point, kind, wrong, cosine, share }, world, palette, most) {
  const role = kind === "pull" ? "partner" : wrong ? "false neg." : "negative";
  const who = point === world.settings.chosen ? "itself" : point;
  return element(
    "tr",
    {},
    element("td", {}, element("span", { class: "dot", style: `background: ${palette[world.meaning[point]]}` }), `${who}, ${role}`),
    element("td", { text: short(cosine) }),
    element("td", { text: share === null ? "–" : `${(100 * share).toFixed(1)} %` }),
    element("td", { class: "bar" }, element("i", { style: `width: ${100 * (share ?? 0) / most}%; background: var(--${kind})` }))
  );
}

// src/sphere/curves.js
var MARGIN = { left: 30, right: 4, top: 5, bottom: 5 };
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
    const value2 = element("output");
    const svg = drawn("svg", { role: "img" });
    parent.append(element("figure", { class: "curve" }, element("figcaption", {}, element("span", { text: sheet.title }), value2), svg, element("small", { text: sheet.help })));
    return { ...sheet, svg, value: value2 };
  });
  return (record, now, landmarks2) => {
    for (const sheet of made) {
      write(sheet.value, sheet.lines.map(({ name }) => short(now[name])).join(" / "));
      attribute(sheet.svg, "aria-label", `${sheet.title}: now ${sheet.value.textContent}`);
      draw(sheet, record, landmarks2[sheet.title]);
    }
  };
}
function ends({ lines, range, zero: zero3 }, rows, landmark) {
  const values = rows.flatMap((row2) => lines.map(({ name }) => row2[name]));
  const low = range ? Math.min(range[0], 1.1 * (landmark?.value ?? 0)) : zero3 ? 0 : Math.min(...values, landmark?.value ?? Infinity);
  const high = range ? range[1] : Math.max(...values, landmark?.value ?? -Infinity);
  return high - low > 1e-9 ? [low, high] : [low - 0.5, high + 0.5];
}
function draw(sheet, { rows, marks }, landmark) {
  const { clientWidth: width, clientHeight: height } = sheet.svg;
  if (!width) return;
  const [low, high] = ends(sheet, rows, landmark);
  const steps = rows.map(({ step }) => step);
  const chart = new Chart(width, height, MARGIN, [0, Math.max(steps.at(-1) ?? 0, 30)], [low, high]);
  const parts = [
    chart.label(chart.left - 4, 10, "end", short(high)),
    chart.label(chart.left - 4, height - 3, "end", short(low)),
    drawn("rect", { class: "frame-line", x: chart.left - 0.5, y: 0.5, width: chart.right - chart.left + 1, height: height - 1 }),
    ...marks.map((step) => drawn("line", { class: "change", x1: chart.x(step), x2: chart.x(step), y1: 0, y2: height }))
  ];
  if (landmark && landmark.value >= low && landmark.value <= high) {
    const y = chart.y(landmark.value);
    parts.push(chart.horizontal(landmark.value, "landmark"), chart.label(chart.right - 3, y < 14 ? y + 11 : y - 3, "end", landmark.name));
  }
  for (const { name, colour } of sheet.lines) {
    const ink = `var(--${colour})`;
    parts.push(chart.line(steps, rows.map((row2) => row2[name]), { class: "line", stroke: ink }));
    if (rows.length) parts.push(drawn("circle", { cx: chart.x(steps.at(-1)), cy: chart.level(rows.at(-1)[name]), r: 2.6, fill: ink }));
  }
  sheet.svg.replaceChildren(...parts);
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
function numbers2(world) {
  const { settings: s, found, now: { row: row2, anchors, allowed } } = world, B2 = anchors.length;
  if (s.objective === "alignment-uniformity") {
    return { pull: s.pull, push: s.push, alignment: found.alignment, uniformity: found.uniformity, loss: found.loss };
  }
  if (s.objective !== "infonce") {
    return { pull: s.pull, agreement: found.agreement[row2], loss: -s.pull * found.agreement[row2] };
  }
  const cosine = found.cosines[row2 * B2 + row2], own = Math.exp(cosine / s.temperature);
  let others = 0;
  for (let j = 0; j < B2; j++) {
    if (j !== row2 && allowed[row2 * B2 + j]) others += Math.exp(found.cosines[row2 * B2 + j] / s.temperature);
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
    const found = numbers2(world);
    for (const { node, name } of places) node.textContent = short(found[name]);
    line.textContent = symbols(world);
    fit();
  };
}

// src/sphere/page.js
var TRACK = 300;
var WHY = {
  "alignment-uniformity": "no effect: there is no softmax",
  "no-negatives": "no effect: there are no negatives",
  "no-stop-gradient": "no effect: there are no negatives"
};
var onTrack = ({ least, most, log }, value2) => Math.round(TRACK * (log ? Math.log(value2 / least) / Math.log(most / least) : (value2 - least) / (most - least)));
var offTrack = ({ least, most, log }, place) => {
  const raw = log ? least * (most / least) ** (place / TRACK) : least + (most - least) * place / TRACK;
  return Number(raw.toPrecision(3));
};
var count = 0;
function control(setting, changed) {
  const { name, title, help, least, most, whole, options } = setting, id = `clwork-sphere-${name}-${++count}`;
  const value2 = element("output"), line = element("small", { text: help, id: `${id}-help` });
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
    { class: `control ${options || typed ? "short" : ""}` },
    element("label", { for: id, text: title }),
    value2,
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
      value2.textContent = told;
      if (!options && !typed) input.setAttribute("aria-valuetext", told);
      const idle = setting.without.includes(settings.objective);
      input.disabled = idle;
      box.classList.toggle("idle", idle);
      line.textContent = idle ? WHY[settings.objective] : help;
    }
  };
}
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
var button = (text, more = {}) => element("button", { type: "button", text, ...more });
function build(root, table, changed) {
  const controls = table.map((setting) => control(setting, changed));
  const boxes = (names) => controls.filter(({ name }) => names(table.find((setting) => setting.name === name))).map(({ box }) => box);
  const parts = {
    controls,
    play: button("Play", { class: "play" }),
    step: button("Step", { title: "one step" }),
    slow: button("Slow", { title: "slow motion: two steps a second" }),
    reset: button("Reset", { title: "back to the very same start" }),
    count: element("span", { class: "count", text: "step 0" }),
    tries: EXPERIMENTS.map(({ title, ask }) => button(title, { title: ask })),
    ask: element("p", { class: "ask" }),
    canvas: element("canvas", { tabindex: 0, role: "application" }),
    says: element("p", { class: "says", role: "status" }),
    math: element("div"),
    symbols: element("small"),
    forces: element("tbody"),
    who: element("div", { class: "who", id: `clwork-sphere-who-${++count}` }),
    share: element("th", { scope: "col" }),
    text: element("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "State as text" }),
    copy: button("Copy"),
    load: button("Load"),
    told: element("small", { text: "copy it, or paste one and load it" })
  };
  parts.slow.setAttribute("aria-pressed", "false");
  const legend = element(
    "div",
    { class: "legend" },
    ...[["--pull", "pull"], ["--push", "push"], ["--text", "net move"]].map(([colour, text]) => {
      const sign = element("i");
      sign.style.borderColor = `var(${colour})`;
      return element("span", {}, sign, text);
    })
  );
  const sheets = element("div", { class: "sheets" });
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
    { class: "frame" },
    element(
      "div",
      { class: "head" },
      element("h2", { text: "The sphere lab" }),
      parts.play,
      parts.step,
      parts.slow,
      parts.reset,
      parts.count,
      element("div", { class: "tries", role: "group", "aria-label": "Experiments" }, element("span", { text: "Try:" }), ...parts.tries)
    ),
    element(
      "div",
      { class: "left", role: "group", "aria-label": "The loss" },
      ...boxes(({ restarts, name }) => !restarts && name !== "chosen")
    ),
    element(
      "div",
      { class: "middle" },
      parts.ask,
      element("div", { class: "stage" }, parts.canvas, legend),
      parts.says,
      element(
        "div",
        { class: "world", role: "group", "aria-label": "The points" },
        ...boxes(({ restarts, name }) => restarts || name === "chosen")
      )
    ),
    element(
      "div",
      { class: "right" },
      element("div", { class: "formula" }, parts.math, parts.symbols),
      sheets,
      parts.who,
      acting
    ),
    element("div", { class: "copy" }, element("label", { text: "State" }), parts.text, parts.copy, parts.load, parts.told)
  ));
  parts.curves = curves(sheets, SHEETS);
  return parts;
}

// src/sphere/text.js
var FIRST_WORD = "sphere1";
var TURN = 2 * Math.PI / 65536;
function packed(x, D2) {
  const N = x.length / D2, bytes = new Uint8Array(N * (D2 - 1) * 2), view = new DataView(bytes.buffer);
  const put = (place, angle) => view.setUint16(place * 2, Math.round(angle / TURN) & 65535, true);
  for (let i = 0; i < N; i++) {
    put(i * (D2 - 1), Math.atan2(x[i * D2 + 1], x[i * D2]));
    if (D2 === 3) put(i * 2 + 1, Math.acos(Math.min(1, Math.max(-1, x[i * D2 + 2]))));
  }
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
function unpacked(text, N, D2) {
  let raw = "";
  try {
    raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    raw = "";
  }
  if (raw.length !== N * (D2 - 1) * 2) throw new Error(`the places in it are not those of ${N} points: copy all of it`);
  const bytes = Uint8Array.from(raw, (letter) => letter.charCodeAt(0)), view = new DataView(bytes.buffer);
  const x = new Float64Array(N * D2), angle = (place) => view.getUint16(place * 2, true) * TURN;
  for (let i = 0; i < N; i++) {
    const around = angle(i * (D2 - 1)), down = D2 === 3 ? angle(i * 2 + 1) : Math.PI / 2;
    x[i * D2] = Math.cos(around) * Math.sin(down);
    x[i * D2 + 1] = Math.sin(around) * Math.sin(down);
    if (D2 === 3) x[i * D2 + 2] = Math.cos(down);
  }
  return x;
}
var plain = (value2) => typeof value2 === "number" ? String(Number(value2.toPrecision(6))) : value2;
function write2(table, { settings, step, from, at }) {
  const D2 = settings.shape === "circle" ? 2 : 3;
  const words2 = table.filter(({ name, default: usual }) => settings[name] !== usual).map(({ name }) => `${name}=${plain(settings[name])}`);
  if (from) words2.push(`from=${packed(from, D2)}`);
  if (step > 0) words2.push(`step=${step}`);
  if (at) words2.push(`at=${packed(at, D2)}`);
  return [FIRST_WORD, ...words2].join(" ");
}
function checked(setting, word) {
  const { name, options, least, most, whole } = setting;
  if (options) {
    if (!Object.hasOwn(options, word)) throw new Error(`${name}=${word} is not one of ${Object.keys(options).join(", ")}`);
    return word;
  }
  const value2 = word.trim() === "" ? NaN : Number(word);
  if (!(value2 >= least && value2 <= most) || whole && !Number.isInteger(value2)) {
    throw new Error(`${name}=${word} is not a ${whole ? "whole " : ""}number from ${least} to ${most}`);
  }
  return value2;
}
function read(table, text) {
  const [first, ...words2] = text.trim().split(/\s+/);
  if (first !== FIRST_WORD) throw new Error(`this does not begin with ${FIRST_WORD}: copy the whole text`);
  const settings = Object.fromEntries(table.map((setting) => [setting.name, setting.default])), more = {};
  for (const word of words2) {
    const cut = word.indexOf("="), name = word.slice(0, cut), value2 = word.slice(cut + 1);
    const setting = table.find((one2) => one2.name === name);
    if (cut > 0 && setting) settings[name] = checked(setting, value2);
    else if (cut > 0 && ["step", "from", "at"].includes(name)) more[name] = value2;
    else throw new Error(`${word.slice(0, 40)} is not known here`);
  }
  const D2 = settings.shape === "circle" ? 2 : 3, places = (name) => more[name] ? unpacked(more[name], settings.points, D2) : null;
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
  const D2 = shape === "circle" ? 2 : 3, draw2 = random(seed, -1), rows = new Float64Array(points * D2);
  for (let i = 0; i < points; i++) {
    for (let d = 0; d < D2; d++) rows[i * D2 + d] = normal(draw2);
    if (start === "cone") rows[i * D2 + D2 - 1] = 2.2 + 0.6 * rows[i * D2 + D2 - 1];
  }
  return unitRows(rows, D2).unit;
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
  get colours() {
    return Math.min(this.settings.meanings, this.N);
  }
  get batch() {
    return Math.min(this.settings.batch_size, this.N);
  }
  get negatives() {
    return Math.min(this.settings.negatives, this.batch - 1);
  }
  /** The batch of the present step: anchors, positives with noise, and who counts as whose negative. */
  draw() {
    const s = this.settings, { D: D2, N } = this, B2 = this.batch, draw2 = random(s.seed, this.step);
    const order = Int32Array.from({ length: N }, (_, i) => i), chosen = Math.min(s.chosen, N - 1);
    for (let i = 0; i < B2; i++) {
      const j = i + Math.floor(draw2() * (N - i));
      [order[i], order[j]] = [order[j], order[i]];
    }
    const anchors = order.slice(0, B2);
    if (!anchors.includes(chosen)) anchors[0] = chosen;
    const partners = anchors.map((a) => {
      const mates = this.mates[a], pick = draw2();
      return mates.length ? mates[Math.floor(pick * mates.length)] : a;
    });
    const z1 = new Float64Array(B2 * D2), z2 = new Float64Array(B2 * D2), spread2 = s.noise / Math.sqrt(D2);
    for (let i = 0; i < B2; i++) {
      for (let d = 0; d < D2; d++) {
        z1[i * D2 + d] = this.x[anchors[i] * D2 + d];
        z2[i * D2 + d] = this.x[partners[i] * D2 + d] + spread2 * normal(draw2);
      }
    }
    const allowed = new Uint8Array(B2 * B2), views = s.objective === "infonce";
    let counted2 = 0, wrong = 0;
    for (let i = 0; i < B2; i++) {
      for (let k = 1; k <= this.negatives; k++) {
        const j = (i + k) % B2, same = this.meaning[anchors[i]] === this.meaning[anchors[j]];
        const kept = draw2() < s.false_negatives;
        if (same && !kept || views && partners[j] === anchors[i]) continue;
        allowed[i * B2 + j] = 1;
        counted2++;
        wrong += same ? 1 : 0;
      }
    }
    return { anchors, partners, z1, z2, allowed, counted: counted2, wrong, row: anchors.indexOf(chosen) };
  }
  evaluate(batch) {
    const s = this.settings, { D: D2 } = this, { z1, z2, allowed } = batch, { pull, push, temperature } = s;
    if (s.objective === "infonce") return infoNCE(z1, z2, D2, { temperature, pull, push, allowed });
    if (s.objective === "alignment-uniformity") {
      return alignmentUniformity(z1, z2, D2, { pull, push, allowed });
    }
    const predictor = directPredictor(this.x, D2), stopGradient = s.objective === "no-negatives";
    return withoutNegatives(z1, z2, D2, { predictor, stopGradient, pull });
  }
  /** Compute what the present batch says, without moving: arrows, formula and curves are read off it. */
  look() {
    this.now = this.draw();
    this.found = this.evaluate(this.now);
    const { D: D2, N } = this, { anchors, partners } = this.now, B2 = anchors.length;
    this.move = new Float64Array(N * D2);
    this.chosenMove = {};
    const lengths = { pull: 0, push: 0 }, chosen = Math.min(this.settings.chosen, N - 1);
    for (const [name, both] of [["pull", this.found.pulls], ["push", this.found.pushes]]) {
      const own = new Float64Array(N * D2);
      for (let i = 0; i < B2; i++) {
        for (let d = 0; d < D2; d++) {
          own[anchors[i] * D2 + d] -= B2 * both[0][i * D2 + d];
          own[partners[i] * D2 + d] -= B2 * both[1][i * D2 + d];
        }
      }
      for (let n = 0; n < N; n++) {
        let square = 0;
        for (let d = 0; d < D2; d++) square += own[n * D2 + d] ** 2;
        lengths[name] += Math.sqrt(square) / N;
      }
      for (let k = 0; k < N * D2; k++) this.move[k] += own[k];
      this.chosenMove[name] = Array.from(own.subarray(chosen * D2, (chosen + 1) * D2));
    }
    this.forces = this.whoActs();
    this.measured = { loss: this.found.loss, ...this.geometry(), pull: lengths.pull, push: lengths.push };
  }
  /** Who pulls and who pushes the chosen point as an anchor: first its partner, then negatives, the strongest first. */
  whoActs() {
    const { anchors, partners, row: row2, allowed } = this.now, B2 = anchors.length, { cosines: cosines2, softmax } = this.found;
    let all = 0;
    for (let j = 0; softmax && j < B2; j++) all += softmax[row2 * B2 + j];
    const share = (j) => softmax && all > 0 ? softmax[row2 * B2 + j] / all : 0;
    const who = (j) => this.settings.objective === "infonce" ? partners[j] : anchors[j];
    const kin = (j) => this.meaning[anchors[j]] === this.meaning[anchors[row2]];
    const byPoint = /* @__PURE__ */ new Map();
    for (let j = 0; softmax && this.settings.push > 0 && j < B2; j++) {
      if (j === row2 || !allowed[row2 * B2 + j]) continue;
      const cosine = cosines2[row2 * B2 + j], known = byPoint.get(who(j));
      if (known) known.share += share(j);
      else byPoint.set(who(j), { point: who(j), kind: "push", wrong: kin(j), cosine, share: share(j) });
    }
    const pushers = [...byPoint.values()].sort((a, b) => b.share - a.share);
    const own = this.settings.objective === "infonce" ? share(row2) : null;
    const partner = { point: partners[row2], kind: "pull", wrong: false, cosine: cosines2[row2 * B2 + row2], share: own };
    return [...this.settings.pull > 0 ? [partner] : [], ...pushers];
  }
  advance() {
    const { D: D2, N, x, move } = this, rate = this.settings.step_size;
    for (let n = 0; n < N; n++) {
      let along = 0, length = 0;
      for (let d = 0; d < D2; d++) along += move[n * D2 + d] * x[n * D2 + d];
      for (let d = 0; d < D2; d++) length += (rate * (move[n * D2 + d] - along * x[n * D2 + d])) ** 2;
      const scale = rate * Math.min(1, FARTHEST / Math.max(Math.sqrt(length), 1e-12));
      for (let d = 0; d < D2; d++) x[n * D2 + d] += scale * (move[n * D2 + d] - along * x[n * D2 + d]);
    }
    this.x = unitRows(x, D2).unit;
    this.step++;
    this.look();
  }
  /** What is measured over all points, free of noise: partners are points of one meaning. */
  geometry() {
    const { D: D2, N, x, meaning } = this;
    let apart2 = 0, pairs2 = 0, near = 0;
    for (let i = 0; i < N; i++) {
      for (let j = i + 1; j < N; j++) {
        let square = 0;
        for (let d = 0, a = i * D2, b = j * D2; d < D2; d++, a++, b++) square += (x[a] - x[b]) ** 2;
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
    const { D: D2, N, x, meaning } = this, sums = [0, 0], counts = [0, 0];
    for (let i = 0; i < N; i++) {
      for (let j = i + 1; j < N; j++) {
        let cosine = 0;
        for (let d = 0; d < D2; d++) cosine += x[i * D2 + d] * x[j * D2 + d];
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
var TURN2 = 0.12;
var SHIFT = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
function pointer(canvas, lab2) {
  let held = null;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const down = (event) => {
    const [x, y] = at(event), point = lab2.scene.find(x, y);
    canvas.setPointerCapture(event.pointerId);
    held = point >= 0 ? { point } : { x, y };
    if (point >= 0) lab2.choose(point);
  };
  const move = (event) => {
    const [x, y] = at(event);
    if (held?.point !== void 0) {
      held.moved = true;
      return void lab2.put(held.point, lab2.scene.direction(x, y));
    }
    if (held && lab2.world.D === 3) {
      lab2.scene.yaw -= (x - held.x) / lab2.scene.radius;
      lab2.scene.pitch = Math.max(-1.5, Math.min(1.5, lab2.scene.pitch + (y - held.y) / lab2.scene.radius));
      lab2.scene.clear();
      held = { x, y };
    } else if (!held) {
      const over = lab2.scene.find(x, y);
      if (over === lab2.scene.hovered) return;
      lab2.scene.hovered = over;
      canvas.title = over < 0 ? "" : `point ${over}, meaning ${lab2.world.meaning[over]}`;
      canvas.style.cursor = over < 0 ? "grab" : "pointer";
    }
    lab2.redraw();
  };
  const up = () => held = null;
  const keys = (event) => {
    const { world, scene } = lab2, { chosen } = world.settings, way = SHIFT[event.key];
    if (way && event.shiftKey) {
      const p = Array.from(world.x.subarray(chosen * world.D, (chosen + 1) * world.D));
      const [right, up2] = world.D === 3 ? scene.axes() : [[p[1], -p[0]], [-p[1], p[0]]];
      const next = p.map((value2, d) => value2 + TURN2 * (way[0] * right[d] + way[1] * up2[d]));
      const length = Math.hypot(...next);
      lab2.put(chosen, next.map((value2) => value2 / length));
    } else if (way) {
      scene.yaw -= TURN2 * way[0];
      scene.pitch = Math.max(-1.5, Math.min(1.5, scene.pitch + TURN2 * way[1]));
      scene.clear();
      lab2.redraw();
    } else if (event.key === "n") lab2.choose((chosen + 1) % world.N);
    else if (event.key === "p") lab2.choose((chosen + world.N - 1) % world.N);
    else if (event.key === " ") lab2.run(lab2.mode ? null : "play");
    else return;
    event.preventDefault();
  };
  const ways = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, keydown: keys };
  for (const [what, call] of Object.entries(ways)) canvas.addEventListener(what, call);
}
var PACE = { play: 30, slow: 2 };
var CALM = 0.25;
var FIRST = "Press Play. Each point is a sentence, each colour a meaning. Drag a point, or drag beside it to turn.";
var Lab2 = class {
  constructor(root, model) {
    this.root = root;
    this.table = model.get("table");
    this.parts = build(root, this.table, (name, value2) => this.set(name, value2));
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
    const { play, step, slow, reset, tries, text, copy: copy2, load } = this.parts;
    play.addEventListener("click", () => this.run(this.mode ? null : "play"));
    slow.addEventListener("click", () => this.run(this.mode === "slow" ? null : "slow"));
    step.addEventListener("click", () => (this.run(null), this.advance()));
    reset.addEventListener("click", () => (this.run(null), this.reset()));
    tries.forEach((button2, k) => button2.addEventListener("click", () => this.experiment(EXPERIMENTS[k])));
    copy2.addEventListener("click", () => this.copy());
    load.addEventListener("click", () => this.tryLoad(text.value));
    text.addEventListener("keydown", (event) => event.key === "Enter" && this.tryLoad(text.value));
    text.addEventListener("input", () => this.typing = true);
    pointer(this.parts.canvas, this);
    for (const part of [this.parts.canvas, this.parts.math]) onResize(part, () => this.show());
  }
  stop() {
    cancelAnimationFrame(this.frame);
  }
  /** What the text tells, with an error thrown where it tells nothing. */
  load(text) {
    const { settings, step, from, at } = read(this.table, text);
    settings.chosen = Math.min(settings.chosen, settings.points - 1);
    this.world = new World(settings, from);
    if (at) this.world.x = at;
    this.world.step = step;
    this.moved = at !== null;
    this.world.look();
    const [x, y] = this.world.x.subarray(this.world.D * settings.chosen);
    if (this.world.D === 3) this.scene.yaw = Math.atan2(y, x) - 0.5;
    this.begin();
  }
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
  set(name, value2) {
    const { world } = this, { restarts } = this.table.find((setting) => setting.name === name);
    if (restarts) {
      const given = name === "seed" || name === "start" ? null : world.given;
      const settings = { ...world.settings, [name]: value2 };
      settings.chosen = Math.min(settings.chosen, settings.points - 1);
      this.world = new World(settings, given);
      this.moved = false;
      return void this.begin();
    }
    world.settings[name] = name === "chosen" ? Math.min(value2, world.N - 1) : value2;
    if (name !== "chosen") this.record.mark(world.step);
    world.look();
    this.show();
  }
  choose(point) {
    this.set("chosen", point);
  }
  put(point, direction) {
    this.world.x = Float64Array.from(this.world.x);
    direction.forEach((value2, d) => this.world.x[point * this.world.D + d] = value2);
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
    return write2(this.table, { settings, step, from: given, at: step > 0 || this.moved ? x : null });
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
    this.report(done ? "copied" : "press Ctrl+C to copy what is marked");
  }
  tryLoad(text) {
    this.run(null);
    try {
      this.load(text);
      this.report("loaded");
    } catch (error) {
      this.report(error.message, true);
    }
  }
  report(text, wrong = false) {
    const { told } = this.parts;
    told.textContent = text;
    if (wrong) told.setAttribute("role", "alert");
    else told.removeAttribute("role");
  }
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
  advance() {
    this.before = this.world.x;
    this.world.advance();
    this.record.add(this.world.step, this.world.measured);
    this.moved = true;
    if (!this.mode) this.show();
  }
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
  between() {
    const { world, before, part } = this, to = world.x;
    if (!this.mode || part >= 1 || before.length !== to.length) return to;
    return unitRows(to.map((value2, k) => before[k] + part * (value2 - before[k])), world.D).unit;
  }
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
    } else numbers(this);
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
.clwork-sphere .curve svg { display: block; width: 100%; flex: 1 1 0; min-height: 44px; height: 0; }
.clwork-sphere .curve text { font-size: 10px; fill: var(--muted); }
.clwork-sphere .curve .frame-line { fill: none; stroke: var(--line); }
.clwork-sphere .curve .change { stroke: var(--accent); opacity: 0.6; }
.clwork-sphere .curve .landmark { stroke: var(--muted); stroke-dasharray: 3 3; }
.clwork-sphere .curve .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
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
  let lab2 = null;
  const unfollow = followTheme(root, () => {
    lab2?.scene.theme();
    lab2?.show();
  });
  lab2 = new Lab2(root, model);
  root.lab = Object.assign(lab2, { losses: losses_exports, even });
  return () => {
    unfollow();
    lab2.stop();
    root.remove();
    sheet.remove();
  };
}
var index_default = { render };
export {
  index_default as default
};
