// Bundles each widget, js/src/<widget>/index.js, into one ES module without white space, clwork/lab/modules/<widget>.js.
//
//   npm ci && node build.mjs            all widgets (`make bundle` does both)
//   node build.mjs sphere panel         only these
//   node build.mjs --watch              again after each change of a source (npm run watch)
//
// In addition to JavaScript, a source may import
//   ./formula.tex    LaTeX, converted here by KaTeX to a string of MathML
//   ./style.css      a string without white space
//   ./font.woff2     a data: address
// The first line of a module has hashes of its sources and its body; tests/lab/test_modules.py recomputes them.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import katex from "katex";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const OUT = path.join(HERE, "..", "clwork", "lab", "modules");
const folderOf = (widget) => `src/${widget}`;
const targetOf = (widget) => path.join(OUT, `${widget}.js`);

/** All files under a folder, as paths from js/ with slashes. */
function files(folder) {
  if (!existsSync(path.join(HERE, folder))) return [];
  return readdirSync(path.join(HERE, folder), { recursive: true })
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))
    .filter((name) => statSync(path.join(HERE, name)).isFile());
}

/** SHA-256 over names and contents of a widget's sources: its folder, src/shared, the lock file, this file. */
function sourcesOf(widget) {
  const made = [
    ...files(folderOf(widget)),
    ...files("src/shared"),
    "package-lock.json",
    "build.mjs",
  ].sort();
  const hash = createHash("sha256");
  for (const name of made)
    hash
      .update(`${name}\0`)
      .update(readFileSync(path.join(HERE, name)))
      .update("\0");
  return hash.digest("hex");
}

/** `import formula from "./x.tex"` gives MathML. `\text{name}` marks a number that the page fills in. */
const typeset = {
  name: "typeset",
  setup(build) {
    build.onLoad({ filter: /\.tex$/ }, (args) => ({
      loader: "text",
      contents: katex
        .renderToString(readFileSync(args.path, "utf8"), { output: "mathml", displayMode: true })
        .replace(/^<span class="katex">|<\/span>$/g, "")
        // repeats the formula without its numbers
        .replace(/<annotation\b.*?<\/annotation>/s, ""),
    }));
  },
};

/** `import css from "./style.css"` gives its text, formatted for readers, without white space. */
const stylesheet = {
  name: "stylesheet",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async (args) => {
      const source = readFileSync(args.path, "utf8");
      const made = await esbuild.transform(source, { loader: "css", minifyWhitespace: true });
      return { loader: "text", contents: made.code };
    });
  },
};

async function bundle(widget) {
  const made = await esbuild.build({
    entryPoints: [`${folderOf(widget)}/index.js`],
    absWorkingDir: HERE,
    bundle: true,
    format: "esm",
    target: "es2022",
    minifyWhitespace: true,
    minifySyntax: true,
    charset: "utf8",
    legalComments: "inline",
    loader: { ".woff2": "dataurl" },
    plugins: [typeset, stylesheet],
    write: false,
    logLevel: "warning",
  });
  const body = made.outputFiles[0].text;
  const own = createHash("sha256").update(body).digest("hex");
  const first = `// Made by js/build.mjs (make bundle); edit ${path.posix.join("js", folderOf(widget))} instead. sources ${sourcesOf(widget)} body ${own}\n`;
  mkdirSync(OUT, { recursive: true });
  writeFileSync(targetOf(widget), first + body);
  console.log(`${widget}.js  ${Math.round((first + body).length / 1024)} kB`);
}

const all = readdirSync(path.join(HERE, "src")).filter((name) =>
  existsSync(path.join(HERE, "src", name, "index.js")),
);
const options = process.argv.slice(2);
const chosen = options.filter((name) => name !== "--watch");
for (const name of chosen) {
  if (!all.includes(name)) throw new Error(`no widget ${name}; there are ${all.join(", ")}`);
}
const build = async () => {
  for (const name of chosen.length ? chosen : all) await bundle(name);
};
await build();
if (options.includes("--watch")) {
  let later;
  watch(path.join(HERE, "src"), { recursive: true }, () => {
    clearTimeout(later);
    later = setTimeout(() => build().catch((error) => console.error(error.message)), 100);
  });
}
