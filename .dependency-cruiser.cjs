// The direction of imports: docs/architecture.md draws the picture, this file enforces it.

// The layers of the library, from the bottom up. A folder imports its own layer's earlier folders and all layers below.
const layers = [
  "errors",
  "options",
  "cache",
  "progress",
  "math",
  "schema",
  "kernels",
  "threads",
  "gaussian",
  "distribution",
  "predictors",
  "additive",
  "trees",
  "model",
  "logistic-regression",
  "boosting",
  "conform",
  "mixture",
  "incomplete-training",
  "questions",
  "explanation",
  "shapley",
  "acquisition",
  "calibration",
  "entries",
];
// The one exception: the Gaussian implements the interfaces of a factor, and these say what a distribution holds.
const upward = { gaussian: ["distribution"] };
const mayImport = Object.fromEntries(
  layers.map((layer, i) => [layer, [...layers.slice(0, i), ...(upward[layer] ?? [])]]),
);

const library = "^packages/conformant/src/";

/** Matches the modules of the named parts of the library: a folder, or a file beside them. */
const parts = (names) => `${library}(${names.join("|")})(/|[.]ts$)`;

// The same for the command. commands/ puts the others together; main.ts and commands/ may import everything.
const cliMayImport = {
  errors: [],
  arguments: ["errors"],
  terminal: ["arguments"],
  output: ["errors"],
  sources: ["errors", "output"],
  reading: ["errors", "sources"],
  columns: ["errors", "arguments", "sources", "reading"],
  server: ["errors", "arguments", "sources"],
  bringing: ["errors", "sources"],
  exporting: ["errors", "output", "server"],
  threads: [],
  fitting: ["errors", "arguments", "terminal", "output", "sources", "reading", "columns"],
  predicting: ["errors", "arguments", "terminal", "output", "sources", "reading", "threads"],
  evaluation: ["errors", "arguments", "terminal", "sources", "reading", "columns", "fitting", "predicting"],
  explaining: ["errors", "arguments", "terminal", "sources", "reading"],
  asking: ["errors", "arguments", "terminal", "sources"],
  inspecting: ["errors", "terminal"],
  report: ["terminal", "evaluation", "inspecting"],
  running: ["errors", "arguments", "terminal", "output", "asking", "commands"],
};

// The same for what the command and the page share. index.ts and entries/ list what they see of it.
const workbenchMayImport = {
  charts: [],
  errors: [],
  reporter: [],
  "watch-work": ["reporter"],
  "portable-math": [],
  words: [],
  rows: [],
  source: ["errors", "words", "counting"],
  counting: ["errors", "words", "source"],
  columns: ["errors", "words", "source", "counting"],
  training: ["errors", "words", "reporter", "rows", "watch-work"],
  formats: [],
  baselines: ["words"],
  bringing: ["errors", "words", "source", "formats"],
  fitting: [
    "errors",
    "words",
    "reporter",
    "rows",
    "watch-work",
    "source",
    "counting",
    "columns",
    "training",
    "bringing",
  ],
  sql: ["source"],
  exporting: ["errors", "words", "source", "columns", "formats", "sql", "program-texts[.]d"],
  evaluation: ["errors", "reporter", "rows", "watch-work", "baselines"],
  judging: [],
  packing: [],
  files: ["errors", "words"],
  memory: ["errors", "words", "source", "counting", "files"],
};

const workbench = "^packages/workbench/src/";
const workbenchParts = (names) => `${workbench}(${names.join("|")})(/|[.]ts$)`;

const cli = "^packages/cli/src/";
const cliParts = (names) => `${cli}(${names.join("|")})(/|[.]ts$)`;

// The same for the page. app.tsx puts the others together, main.tsx starts it.
const pageMayImport = {
  frame: [],
  answers: ["frame"],
  form: ["frame"],
  result: ["answers", "frame"],
  asking: ["answers", "form", "frame"],
  table: ["answers", "asking", "form", "frame", "result"],
  image: ["answers", "form", "frame"],
  charts: [],
  studio: ["charts", "frame", "table"],
};

const page = "^packages/playground/src/";
const pageParts = (names) => `${page}(${names.join("|")})(/|[.](tsx?|css)$)`;

/** Each driver is imported by the files of its own engine only. */
const drivers = {
  "@duckdb": "^packages/cli/src/sources/duckdb/",
  "@clickhouse": "^packages/cli/src/sources/clickhouse/",
  pg: "^packages/cli/src/sources/postgres/",
  "@bufbuild": "^packages/workbench/src/formats/",
  "fast-xml-parser": "^packages/cli/src/(bringing/pmml/|sources/clickhouse/clickhouse-connection[.]ts$)",
  piscina: "^packages/cli/src/server/threads/",
};

const rules = [
  {
    name: "no-cycles",
    comment: "Two modules that need each other are one concept or lack a third",
    from: {},
    to: { circular: true },
  },
  {
    name: "resolvable",
    comment: "An import must lead to a file or an installed package",
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: "library-stands-alone",
    comment: "The library has no dependencies and runs in browsers: no npm package, no Node module",
    from: { path: library },
    to: { pathNot: library },
  },
  {
    name: "library-parts-are-known",
    comment: "A new folder of the library is entered in the table of .dependency-cruiser.cjs",
    from: {},
    to: { path: library, pathNot: parts(["index", ...Object.keys(mayImport)]) },
  },
  {
    name: "library-only-by-name",
    comment: 'Other packages import "conformant", never the files behind it',
    from: { path: "^packages/", pathNot: "^packages/conformant/" },
    to: { path: "^packages/conformant/", dependencyTypes: ["local"] },
  },
  ...Object.entries(mayImport).map(([part, allowed]) => ({
    name: `${part}-imports`,
    comment: `${part} may import ${allowed.join(", ") || "nothing"}`,
    from: { path: parts([part]) },
    to: { path: library, pathNot: parts([part, ...allowed]) },
  })),
  {
    name: "workbench-stands-alone",
    comment:
      "What the command and the page share runs in Node and in browsers: the library, and what writes protocol buffers",
    from: { path: workbench },
    to: { pathNot: `${workbench}|^packages/conformant/|node_modules/@bufbuild/` },
  },
  {
    name: "workbench-parts-are-known",
    comment: "A new folder of the workbench is entered in the table of .dependency-cruiser.cjs",
    from: {},
    to: {
      path: workbench,
      pathNot: workbenchParts([
        "index",
        "entries",
        "program-texts[.]d",
        "platform[.]d",
        ...Object.keys(workbenchMayImport),
      ]),
    },
  },
  {
    name: "workbench-only-by-name",
    comment: 'Other packages import "conformant-workbench", never the files behind it',
    from: { path: "^packages/", pathNot: workbench },
    to: { path: workbench, pathNot: `${workbench}(index|entries/[a-z]+|program-texts[.]d)[.]ts$` },
  },
  ...Object.entries(workbenchMayImport).map(([part, allowed]) => ({
    name: `workbench-${part}-imports`,
    comment: `${part} may import ${allowed.join(", ") || "nothing"}`,
    from: { path: workbenchParts([part]) },
    to: { path: workbench, pathNot: workbenchParts([part, ...allowed]) },
  })),
  {
    name: "cli-parts-are-known",
    comment: "A new folder of the command is entered in the table of .dependency-cruiser.cjs",
    from: {},
    to: { path: cli, pathNot: cliParts(["main", "commands", ...Object.keys(cliMayImport)]) },
  },
  ...Object.entries(cliMayImport).map(([part, allowed]) => ({
    name: `cli-${part}-imports`,
    comment: `${part} may import ${allowed.join(", ") || "nothing"}`,
    from: { path: cliParts([part]) },
    to: { path: cli, pathNot: cliParts([part, ...allowed]) },
  })),
  {
    name: "page-parts-are-known",
    comment: "A new folder of the page is entered in the table of .dependency-cruiser.cjs",
    from: {},
    to: { path: page, pathNot: pageParts(["main", "app", "style", ...Object.keys(pageMayImport)]) },
  },
  ...Object.entries(pageMayImport).map(([part, allowed]) => ({
    name: `page-${part}-imports`,
    comment: `${part} may import ${allowed.join(", ") || "nothing"}`,
    from: { path: pageParts([part]) },
    to: { path: page, pathNot: pageParts([part, ...allowed]) },
  })),
  {
    name: "page-stands-alone",
    comment:
      "The page is built from the library, the workbench, preact and a reader of Parquet, nothing else",
    from: { path: page },
    to: {
      pathNot: `${page}|^packages/(conformant|workbench)/|node_modules/(preact|conformant|hyparquet(-compressors)?)/`,
    },
  },
  ...Object.entries(drivers).map(([driver, files]) => ({
    name: `driver-${driver}`,
    comment: `Only its own source imports ${driver}`,
    from: { path: `${cli}|${workbench}`, pathNot: files },
    to: { path: `node_modules/${driver}/` },
  })),
];

module.exports = {
  forbidden: rules.map((rule) => ({ ...rule, severity: "error" })), // the default is a warning, which passes
  options: {
    exclude: { path: "^packages/[^/]+/test/" },
    doNotFollow: { path: ["node_modules", "/dist/"] },
    tsPreCompilationDeps: true, // type imports count as well
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
