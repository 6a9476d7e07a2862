// Bundles each widget, js/src/<widget>/index.js, into one ES module without white space, clwork/lab/modules/<widget>.js.
//
//   npm ci && node build.mjs     all widgets (`make bundle` does both)
//   node build.mjs --watch       again after each change of a source (npm run watch)
//
// In addition to JavaScript, a source may import
//   ./formula.tex    LaTeX, converted here by KaTeX to a string of MathML
//   ./style.css      a string without white space
//   ./font.woff2     a data: address
//   ./x.js?script    a script for a worker, compressed
// The first line of a module has hashes of its sources and its body; tests/lab/test_modules.py recomputes them.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import katex from "katex";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const OUT = path.join(HERE, "..", "clwork", "lab", "modules");

/** All files under a folder, as paths from js/ with slashes. */
function files(folder) {
  return fs
    .readdirSync(path.join(HERE, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(HERE, path.join(parentPath, name)))
    .map((name) => name.split(path.sep).join("/"));
}

// The page that trains contains jax-js, whose licence asks for its text in each copy.
const LICENSE = fs.readFileSync(path.join(HERE, "node_modules/@jax-js/jax/LICENSE"), "utf8");

// Folders besides src/shared that a widget imports; tests/lab/test_modules.py has them, too.
const USES = { front: ["page_training", "panel"] };

// The colours of dark pages, which Python reads, too.
const COLOURS = "../clwork/views/dark.json";

/** SHA-256 over names and contents of a widget's sources: its folders, src/shared, colours, the lock file, this file. */
function hashOfSources(widget) {
  const folders = [widget, ...(USES[widget] ?? []), "shared"];
  const names = folders.flatMap((folder) => files(`src/${folder}`));
  const hash = createHash("sha256");
  for (const name of [...names, COLOURS, "package-lock.json", "build.mjs"].sort()) {
    hash
      .update(`${name}\0`)
      .update(fs.readFileSync(path.join(HERE, name)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** `import formula from "./x.tex"` gives MathML. `\text{name}` marks a number that the page fills in. */
const typeset = {
  name: "typeset",
  setup(build) {
    build.onLoad({ filter: /\.tex$/ }, (args) => ({
      loader: "text",
      contents: katex
        .renderToString(fs.readFileSync(args.path, "utf8"), { output: "mathml", displayMode: true })
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
      const source = fs.readFileSync(args.path, "utf8");
      const made = await esbuild.transform(source, { loader: "css", minifyWhitespace: true });
      return { loader: "text", contents: made.code };
    });
  },
};

/** `import source from "./worker.js?script"` gives a script with all that it imports, as gzip in base64. */
const script = {
  name: "script",
  setup(build) {
    build.onResolve({ filter: /\.js\?script$/ }, (args) => ({
      path: path.join(args.resolveDir, args.path.replace("?script", "")),
      namespace: "script",
    }));
    build.onLoad({ filter: /.*/, namespace: "script" }, async (args) => {
      const made = await esbuild.build({
        entryPoints: [args.path],
        bundle: true,
        format: "iife",
        target: "es2022",
        minify: true,
        charset: "utf8",
        legalComments: "inline",
        write: false,
      });
      const packed = gzipSync(made.outputFiles[0].contents, { level: 9 });
      return { loader: "text", contents: packed.toString("base64") };
    });
  },
};

/** Write the module of a widget. */
async function bundle(widget) {
  const made = await esbuild.build({
    entryPoints: [`src/${widget}/index.js`],
    absWorkingDir: HERE,
    bundle: true,
    format: "esm",
    target: "es2022",
    minifyWhitespace: true,
    minifySyntax: true,
    // with all that it contains, this one is large
    minifyIdentifiers: widget === "front",
    charset: "utf8",
    legalComments: "inline",
    banner: { js: widget === "front" ? `/*! @jax-js/jax\n${LICENSE}*/` : "" },
    loader: { ".woff2": "dataurl" },
    plugins: [typeset, stylesheet, script],
    write: false,
    logLevel: "warning",
  });
  const body = made.outputFiles[0].text;
  const hash = createHash("sha256").update(body).digest("hex");
  const first = `// Made by js/build.mjs (make bundle); edit js/src/${widget} instead. sources ${hashOfSources(widget)} body ${hash}\n`;
  fs.mkdirSync(OUT, { recursive: true });
  fs.writeFileSync(path.join(OUT, `${widget}.js`), first + body);
  console.log(`${widget}.js  ${Math.round((first + body).length / 1024)} kB`);
}

/** Bundle each folder that has an index.js. */
async function build() {
  for (const widget of fs.readdirSync(path.join(HERE, "src")))
    if (fs.existsSync(path.join(HERE, "src", widget, "index.js"))) await bundle(widget);
}

await build();
if (process.argv.includes("--watch")) {
  let timer;
  fs.watch(path.join(HERE, "src"), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => build().catch((error) => console.error(error.message)), 100);
  });
}
