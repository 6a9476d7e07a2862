// Made by js/build.mjs (make bundle); edit js/src/explore instead. sources ef2dda1e7446158cd8a6b23b3c9aab45dec8880a9cb5dee1d6cd8d7001521903 body 6ec2b3abdba8b5d935a4eedfb9e89b9cd0f21d79f4ff85ba6a1780e630f13725
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

// src/shared/outlines.js
var OUTLINES = {
  circle: "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
  square: "M-.88 -.88H.88V.88H-.88Z",
  diamond: "M0 -1.2L1.2 0L0 1.2L-1.2 0Z",
  cross: "M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "triangle-up": "M0 -1.2L1.15 .8H-1.15Z",
  x: "M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",
  star: "M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z"
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
var SYMBOLS = ["circle", "square", "diamond", "cross", "triangle-up", "x", "star"];
var DISTINCT = LIGHT.length;
var colour = (group, dark) => group < 0 ? dark ? "#6b7480" : "#a4abb3" : (dark ? DARK : LIGHT)[group % DISTINCT];
var outline = (group) => OUTLINES[group < 0 ? "circle" : SYMBOLS[group % SYMBOLS.length]];

// src/explore/curves.js
var HIGH = 150;
var LEFT = 46;
var RIGHT = 10;
var TOP = 8;
var BELOW = 24;
var clips = 0;
var SPIKES = 0.015;
function range(chosen, others) {
  const pooled = others.flatMap((curve) => curve.mean).sort((a, b) => a - b);
  const most = pooled.slice(Math.floor(SPIKES * pooled.length), Math.ceil((1 - SPIKES) * pooled.length));
  const all = [...most, ...chosen ? [chosen.mean, ...chosen.seeds].flat() : []];
  const low = Math.min(...all), high = Math.max(...all);
  const air = 0.06 * (high - low || 1);
  return [low - air, high + air];
}
var Curves = class {
  constructor(column, arms) {
    this.column = column;
    this.arms = arms;
    this.all = arms.map((arm) => arm.curves[column.name]);
    this.last = Math.max(1, ...this.all.filter(Boolean).map((curve) => curve.steps.at(-1)));
    this.clip = `clwork-explore-${clips += 1}`;
    this.place = element("div", { class: "picture" });
    this.root = element("figure", { class: "chart", "data-column": column.name }, element("figcaption", { text: column.title }), this.place);
  }
  draw(at, dark) {
    const width = this.place.clientWidth;
    if (!width) return;
    [this.low, this.high] = range(this.all[at], this.all.filter((curve, k) => curve && k !== at));
    const x = (step) => LEFT + step / this.last * (width - LEFT - RIGHT);
    const y = (value) => TOP + (this.high - value) / (this.high - this.low) * HIGH;
    const picture = drawn("svg", { width, height: TOP + HIGH + BELOW, role: "img" });
    tell(picture, "aria-label", this.told(at));
    const frame = drawn("rect", { x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: HIGH });
    picture.append(drawn("clipPath", { id: this.clip }, frame));
    this.axes(picture, width, x, y);
    const inside = drawn("g", { "clip-path": `url(#${this.clip})` });
    this.arms.forEach((arm, k) => k !== at && this.all[k] && inside.append(...this.grey(arm, x, y)));
    if (this.all[at]) inside.append(...this.bright(this.arms[at], colour(at, dark), x, y));
    picture.append(inside);
    this.place.replaceChildren(picture);
  }
  axes(picture, width, x, y) {
    for (const { value, words } of marks(this.low, this.high, 4)) {
      picture.append(drawn("line", { class: "rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
      picture.append(drawn("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", text: words }));
    }
    const level = TOP + HIGH + 17;
    for (const [step, anchor] of [[0, "start"], [this.last, "end"]]) {
      picture.append(drawn("text", { class: "tick", x: x(step), y: level, "text-anchor": anchor, text: String(step) }));
    }
    picture.append(drawn("text", { class: "tick", x: (x(0) + x(this.last)) / 2, y: level, "text-anchor": "middle", text: "step" }));
  }
  line(steps, values, x, y) {
    return steps.map((step, i) => `${x(step).toFixed(1)},${y(values[i]).toFixed(1)}`).join(" ");
  }
  band(curve, x, y) {
    const { steps, low, high } = curve;
    return `${this.line(steps, high, x, y)} ${this.line([...steps].reverse(), [...low].reverse(), x, y)}`;
  }
  grey(arm, x, y) {
    const curve = arm.curves[this.column.name];
    const title = () => drawn("title", { text: arm.name });
    const made = [drawn("polyline", { class: "was", points: this.line(curve.steps, curve.mean, x, y) }, title())];
    if (arm.seeds > 1) made.unshift(drawn("polygon", { class: "rest", points: this.band(curve, x, y) }, title()));
    return made;
  }
  bright(arm, shade, x, y) {
    const curve = arm.curves[this.column.name];
    const made = curve.seeds.map((seed) => drawn("polyline", { class: "seed", stroke: shade, points: this.line(curve.steps, seed, x, y) }));
    if (arm.seeds > 1) made.unshift(drawn("polygon", { class: "band", fill: shade, points: this.band(curve, x, y) }));
    return [...made, drawn("polyline", { class: "mean", stroke: shade, points: this.line(curve.steps, curve.mean, x, y) })];
  }
  told(at) {
    const arm = this.arms[at], curve = arm.curves[this.column.name];
    if (!curve) return `${this.column.title}: none of ${arm.name}`;
    return `${this.column.title} of ${arm.name}: mean ${digits(curve.mean[0])} at step ${curve.steps[0]}, ${digits(curve.mean.at(-1))} at step ${curve.steps.at(-1)}`;
  }
};

// src/explore/knobs.js
var Knobs = class {
  /** `now()` is the place of the chosen arm, `choose(at)` takes another. */
  constructor(state, now, choose) {
    Object.assign(this, { arms: state.arms, now, choose });
    this.knobs = state.knobs.map((knob, k) => this.knob(knob, k, state.ordered.includes(knob.name)));
    this.root = element("div", { class: "knobs" }, ...this.knobs.map((one) => one.row));
    this.root.hidden = !this.knobs.length;
  }
  knob(knob, k, ordered) {
    const words = knob.name.replaceAll("_", " ");
    const value = element("output", { class: "knob-value" });
    const about = { "aria-label": words, title: `Goes to a setting with this ${words}.`, "data-knob": knob.name };
    const control = ordered ? element("input", { type: "range", min: 0, max: knob.values.length - 1, step: 1, ...about, oninput: () => this.turn(k, Number(control.value)) }) : element("select", { ...about, onchange: () => this.turn(k, Number(control.value)) }, ...knob.values.map((one, i) => element("option", { value: i, text: one })));
    const row = element("label", { class: "knob" }, element("span", { class: "knob-name", text: words }), control, ordered ? value : "");
    return { row, control, value, values: knob.values };
  }
  /** The setting with this value that shares most of the other parts with the chosen one. */
  turn(k, value) {
    const own = this.arms[this.now()].at;
    const alike = (arm) => arm.at.filter((part, other) => other !== k && part === own[other]).length;
    const fits = this.arms.map((arm, at) => [at, alike(arm)]).filter(([at]) => this.arms[at].at[k] === value);
    this.choose(fits.reduce((best, one) => one[1] > best[1] ? one : best)[0]);
  }
  show(at) {
    this.knobs.forEach(({ control, value, values }, k) => {
      const place = this.arms[at].at[k];
      control.value = String(place);
      write(value, values[place]);
      tell(control, "aria-valuetext", values[place]);
    });
  }
};

// src/explore/scores.js
var HIGH2 = 22;
var EDGE = 8;
var lists = 0;
var Scores = class {
  constructor(state, choose) {
    this.arms = state.arms;
    const own = state.arms.flatMap((arm) => [...arm.scores, ...arm.interval ?? []]);
    this.low = Math.min(...own);
    this.high = Math.max(...own);
    const group = `clwork-arms-${lists += 1}-${Math.random().toString(36).slice(2, 8)}`;
    this.rows = state.arms.map((arm, at) => this.row(arm, at, group, choose));
    this.scale = element("div", { class: "strip", "aria-hidden": "true" });
    this.root = element(
      "fieldset",
      { class: "arms" },
      element("legend", { text: "setting" }),
      element("div", { class: "heading" }, element("span", { text: own.length ? state.score : "no scores are stored" })),
      ...this.rows.map((one) => one.row),
      element("div", { class: "arm scale" }, element("span"), this.scale, element("span"))
    );
  }
  row(arm, at, group, choose) {
    const box = element("input", { type: "radio", name: group, value: at, onchange: () => choose(at) });
    const strip = element("span", { class: "strip", "aria-hidden": "true" });
    const mean = arm.mean === null ? "–" : digits(arm.mean, 4);
    const told = element("span", { class: "mean-score", text: mean, title: arm.says });
    const name = element("span", { class: "arm-name", text: arm.name, title: arm.name });
    const count = element("span", { class: "count", text: arm.seeds === 1 ? "1 seed" : `${arm.seeds} seeds` });
    return { row: element("label", { class: "arm" }, element("span", { class: "who" }, box, name, count), strip, told), box, strip };
  }
  show(at) {
    this.at = at;
    this.rows.forEach(({ row, box }, k) => {
      box.checked = k === at;
      row.classList.toggle("chosen", k === at);
    });
  }
  draw(dark) {
    if (!(this.high >= this.low)) return;
    const width = this.scale.clientWidth;
    const span = this.high - this.low || 1;
    const x = (value) => EDGE + (value - this.low) / span * (width - 2 * EDGE);
    this.rows.forEach(({ strip }, k) => strip.replaceChildren(this.strip(k, width, x, dark)));
    const axis = drawn("svg", { width, height: 16 });
    for (const { value, words } of marks(this.low, this.high, 4)) {
      const anchor = x(value) < 24 ? "start" : x(value) > width - 24 ? "end" : "middle";
      axis.append(drawn("text", { class: "tick", x: x(value), y: 12, "text-anchor": anchor, text: words }));
    }
    this.scale.replaceChildren(axis);
  }
  strip(k, width, x, dark) {
    const arm = this.arms[k], picture = drawn("svg", { width, height: HIGH2 });
    const shade = k === this.at ? colour(k, dark) : "var(--was)";
    for (const { value } of marks(this.low, this.high, 4)) picture.append(drawn("line", { class: "rule", x1: x(value), x2: x(value), y1: 0, y2: HIGH2 }));
    if (arm.interval) {
      const [from, to] = arm.interval.map(x);
      picture.append(drawn("rect", { class: "interval", x: from, y: HIGH2 / 2 - 4, width: Math.max(1, to - from), height: 8, rx: 2, fill: shade }));
    }
    for (const score of arm.scores) picture.append(drawn("circle", { class: "score", cx: x(score), cy: HIGH2 / 2, r: 3.5, stroke: shade }));
    if (arm.mean !== null) picture.append(drawn("line", { class: "middle", x1: x(arm.mean), x2: x(arm.mean), y1: 2, y2: HIGH2 - 2, stroke: shade }));
    return picture;
  }
};

// src/shared/bytes.js
function view(packed) {
  if (packed instanceof DataView) return packed;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}

// src/shared/sixteen_bits.js
var STEPS = 32767;
function floats(packed, scale) {
  const data = view(packed);
  return Float32Array.from({ length: data.byteLength / 2 }, (_, i) => data.getInt16(2 * i, true) * scale);
}

// src/explore/sentences.js
var HIGH3 = 280;
var SIZE = 4.2;
var EDGE2 = 10;
function ends(at) {
  const found = [Infinity, -Infinity, Infinity, -Infinity];
  at.forEach((value, i) => {
    const k = 2 * (i % 2);
    found[k] = Math.min(found[k], value);
    found[k + 1] = Math.max(found[k + 1], value);
  });
  return found;
}
var Sentences = class {
  constructor(state) {
    this.arms = state.arms;
    this.texts = state.texts.map(({ texts, labels }) => {
      const names = labels ? [...new Set(labels.filter((one) => one !== null))].sort() : [];
      return { texts, names, groups: texts.map((_, i) => labels ? names.indexOf(labels[i]) : -1) };
    });
    this.at = state.arms.map((arm) => arm.cloud ? floats(arm.cloud.at, 1 / STEPS) : null);
    this.step = null;
    this.title = element("figcaption");
    this.slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "step of the sentences", oninput: () => this.go(Number(this.slider.value)) });
    this.where = element("output", { class: "knob-value" });
    this.row = element("label", { class: "knob step" }, element("span", { class: "knob-name", text: "step" }), this.slider, this.where);
    this.place = element("div", { class: "picture" });
    this.names = element("ul", { class: "topics" });
    this.note = element("p", { class: "note" });
    this.root = element("figure", { class: "sentences" }, this.title, this.row, element("div", { class: "beside" }, this.place, this.names), this.note);
  }
  show(arm) {
    this.arm = arm;
    const { cloud, name } = this.arms[arm];
    for (const part of [this.row, this.place, this.names]) part.hidden = !cloud;
    if (!cloud) {
      write(this.title, "");
      write(this.note, `Of ${name} no positions of sentences are stored.`);
      return;
    }
    this.look = cloud.steps.includes(this.step) ? cloud.steps.indexOf(this.step) : cloud.steps.length - 1;
    this.row.hidden = cloud.steps.length < 2;
    this.slider.max = cloud.steps.length - 1;
  }
  go(look) {
    this.look = look;
    this.step = this.arms[this.arm].cloud.steps[look];
    this.move();
  }
  draw(dark) {
    const { cloud } = this.arms[this.arm];
    const width = this.place.clientWidth;
    if (!cloud || !width) return;
    const { texts, groups, names } = this.texts[cloud.texts];
    const [left, right, low, high] = ends(this.at[this.arm]);
    this.scale = Math.min((width - 2 * EDGE2) / (right - left || 1), (HIGH3 - 2 * EDGE2) / (high - low || 1));
    this.x = (value) => width / 2 + (value - (left + right) / 2) * this.scale;
    this.y = (value) => HIGH3 / 2 - (value - (low + high) / 2) * this.scale;
    this.dots = texts.map((text, i) => drawn("path", { d: outline(groups[i]), fill: colour(groups[i], dark) }, drawn("title", { text })));
    this.picture = drawn("svg", { width, height: HIGH3, role: "img" }, ...this.dots);
    this.place.replaceChildren(this.picture);
    const sign = (group) => drawn("svg", { width: 12, height: 12, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, drawn("path", { d: outline(group), transform: "scale(5)", fill: colour(group, dark) }));
    this.names.replaceChildren(...names.map((name, group) => element("li", {}, sign(group), ` ${name}`)));
    this.move();
  }
  /** Put the dots where they lie at this look. */
  move() {
    const { cloud, name } = this.arms[this.arm];
    const { texts } = this.texts[cloud.texts];
    const step = cloud.steps[this.look], all = this.at[this.arm], from = 2 * texts.length * this.look;
    const title = `${name}, seed ${cloud.seed}, step ${step}`;
    this.slider.value = this.look;
    write(this.where, String(step));
    tell(this.slider, "aria-valuetext", `step ${step}`);
    write(this.title, title);
    write(this.note, `${texts.length} sentences of the run with seed ${cloud.seed} on the principal axes of its first look; eight of these hold ${Math.round(100 * cloud.kept[this.look])}% of the variance at this step, two of them are drawn.`);
    if (!this.picture) return;
    tell(this.picture, "aria-label", `sentences of ${title}`);
    this.dots.forEach((dot, i) => {
      const x = this.x(all[from + 2 * i]), y = this.y(all[from + 2 * i + 1]);
      tell(dot, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${SIZE})`);
    });
  }
};

// src/explore/explorer.js
var Explorer = class {
  constructor(state) {
    this.state = state;
    this.at = state.start;
    this.dark = false;
    const choose = (at) => this.choose(at);
    this.scores = new Scores(state, choose);
    this.knobs = new Knobs(state, () => this.at, choose);
    this.curves = state.columns.filter(({ name }) => state.arms.some((arm) => arm.curves[name])).map((column) => new Curves(column, state.arms));
    this.sentences = state.arms.some((arm) => arm.cloud) ? new Sentences(state) : null;
    this.says = element("p", { class: "says", role: "status" });
    this.charts = element("div", { class: "charts" }, ...this.curves.map((one) => one.root));
    this.root = element(
      "section",
      { class: "clwork-look clwork-explore", "data-fits": true, "aria-label": `stored runs of ${state.name}` },
      element("p", { class: "claim" }, element("strong", { text: state.claim }), ` Verdict on ${state.name}: ${state.verdict}`),
      this.scores.root,
      this.knobs.root,
      this.says
    );
    if (this.curves.length) this.root.append(this.charts, element("p", { class: "note", text: this.note() }));
    if (this.sentences) this.root.append(this.sentences.root);
    this.sight = new ResizeObserver(() => this.draw());
    this.sight.observe(this.root);
    this.choose(this.at);
  }
  note() {
    const others = this.state.arms.length > 1 ? "; grey: mean and band of the other settings" : "";
    return `Thick: mean of all seeds; thin: each seed; ${this.state.band}${others}.`;
  }
  choose(at) {
    this.at = at;
    const arm = this.state.arms[at];
    tell(this.root, "data-arm", arm.name);
    write(this.says, arm.says);
    this.scores.show(at);
    this.knobs.show(at);
    this.sentences?.show(at);
    this.draw();
  }
  paint(dark) {
    this.dark = dark;
    this.draw();
  }
  draw() {
    if (!this.root.clientWidth) return;
    this.scores.draw(this.dark);
    for (const one of this.curves) one.draw(this.at, this.dark);
    this.sentences?.draw(this.dark);
  }
  close() {
    this.sight.disconnect();
  }
};

// src/explore/style.css
var style_default = '.clwork-explore { max-width: 960px; padding: 12px 16px; border: 1px solid var(--rule); border-radius: 8px; }\n.clwork-explore p, .clwork-explore figure { margin: 0 0 8px; }\n.clwork-explore .claim strong { font-weight: 600; }\n.clwork-explore .claim, .clwork-explore .says { overflow-wrap: anywhere; }\n.clwork-explore .says { min-height: var(--line); }\n.clwork-explore .note, .clwork-explore .heading, .clwork-explore .count, .clwork-explore figcaption { font-size: var(--small); line-height: var(--line-small); color: var(--soft); }\n.clwork-explore figcaption { color: var(--ink); }\n.clwork-explore .arms { border: 0; margin: 0 0 8px; padding: 0; min-width: 0; }\n.clwork-explore legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }\n.clwork-explore .heading { text-align: right; padding: 0 4px; }\n.clwork-explore .arm { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.3fr) 4.5em; gap: 0 12px; align-items: center; min-height: 30px; padding: 2px 4px; border-radius: 4px; cursor: pointer; }\n.clwork-explore .arm.scale { min-height: 16px; padding-block: 0; cursor: auto; }\n.clwork-explore .arm.chosen { background: var(--tint); }\n.clwork-explore .arm:has(input:focus-visible) { outline: 2px solid var(--accent); outline-offset: -2px; }\n.clwork-explore .who { display: flex; align-items: center; gap: 6px; min-width: 0; }\n.clwork-explore .who input { margin: 0; flex: none; accent-color: var(--accent); width: 16px; height: 16px; }\n.clwork-explore .arm-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }\n.clwork-explore .count { flex: none; margin-left: auto; }\n.clwork-explore .mean-score { text-align: right; font-weight: 600; }\n.clwork-explore .strip { min-width: 0; display: block; }\n.clwork-explore svg { display: block; }\n.clwork-explore .score { fill: var(--ground); stroke-width: 1.5; }\n.clwork-explore .chosen .score { fill: var(--tint); }\n.clwork-explore .interval { opacity: 0.3; }\n.clwork-explore .middle { stroke-width: 2; }\n.clwork-explore .knobs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr)); gap: 4px 24px; margin-bottom: 8px; }\n.clwork-explore .knob { display: flex; align-items: center; gap: 8px; min-height: var(--control); }\n.clwork-explore .knob-name { color: var(--soft); flex: none; }\n.clwork-explore .knob-value { min-width: 3.5em; text-align: right; font-weight: 600; }\n.clwork-explore input[type="range"] { flex: 1; min-width: 60px; height: 24px; accent-color: var(--accent); cursor: pointer; }\n.clwork-explore select { flex: 1; min-width: 0; height: var(--control); font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--edge); border-radius: 4px; }\n.clwork-explore :is(input[type="range"], select):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }\n.clwork-explore .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(240px, 100%), 1fr)); gap: 8px 16px; }\n.clwork-explore .picture { min-width: 0; overflow: hidden; }\n.clwork-explore .rule { stroke: var(--rule); }\n.clwork-explore .tick { font-size: 11px; fill: var(--soft); }\n.clwork-explore .rest { fill: var(--was); opacity: 0.14; }\n.clwork-explore .was { fill: none; stroke: var(--was); stroke-width: 1; opacity: 0.75; }\n.clwork-explore .band { opacity: 0.2; }\n.clwork-explore .seed { fill: none; stroke-width: 0.8; opacity: 0.6; }\n.clwork-explore .mean { fill: none; stroke-width: 2.5; }\n.clwork-explore .beside { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 16px; align-items: start; }\n.clwork-explore .topics { list-style: none; margin: 0; padding: 8px 0; font-size: var(--small); line-height: 18px; }\n.clwork-explore .topics li { display: flex; align-items: center; gap: 6px; }\n.clwork-explore .sentences .note { margin: 0; }\n@container (max-width: 520px) {\n  .clwork-explore .arm { grid-template-columns: minmax(0, 1fr) 4.5em; }\n  .clwork-explore .arm .strip { grid-column: 1 / -1; grid-row: 2; }\n  .clwork-explore .arm.scale .strip { grid-row: 1; }\n  .clwork-explore .heading { text-align: left; }\n  .clwork-explore .beside { grid-template-columns: minmax(0, 1fr); }\n  .clwork-explore .topics { display: flex; flex-wrap: wrap; gap: 0 14px; padding: 0; }\n}\n';

// src/explore/index.js
var PARTS = ["name", "claim", "verdict", "columns", "score", "band", "arms", "knobs", "ordered", "texts", "start"];
var render = ({ model, el }) => mount(el, style_default, new Explorer(Object.fromEntries(PARTS.map((part) => [part, model.get(part)]))));
var index_default = { render };
export {
  index_default as default
};
