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
  "linear",
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
  version: [],
  output: ["errors"],
  sources: ["errors", "output"],
  options: ["errors", "sources"],
  terminal: ["options"],
  targets: ["errors", "output", "sources"],
  server: ["errors", "options", "sources"],
  process: ["errors", "version", "options", "terminal", "output", "commands"],
  engine: ["errors", "options", "output", "sources", "server", "process", "commands"],
};

// The same for what the command and the page share. index.ts and entries/ list what they see of it.
const workbenchMayImport = {
  "portable-math": [],
  charts: [],
  source: ["columns"], // what a source tells of its columns
  columns: ["source"],
  memory: ["source", "columns"],
  workbook: ["source"],
  import: ["source", "memory", "program-texts[.]d"],
  verdict: ["source"],
  fit: ["source", "columns", "import", "verdict"],
  baselines: ["source"],
  predict: ["source", "columns"],
  evaluate: ["source", "columns", "baselines", "fit", "predict", "verdict", "describe"],
  describe: ["source", "columns", "fit", "verdict"],
  sql: ["source"],
  export: ["source", "columns", "memory", "import", "sql", "program-texts[.]d"],
};

const workbench = "^packages/workbench/src/";
const workbenchParts = (names) => `${workbench}(${names.join("|")})(/|[.]ts$)`;

const cli = "^packages/cli/src/";
const cliParts = (names) => `${cli}(${names.join("|")})(/|[.]ts$)`;

// The same for the page. app.tsx puts the others together, main.tsx starts it.
const pageMayImport = {
  frame: [],
  worker: ["frame", "studio/study"], // what a study is
  model: ["frame", "worker"],
  image: ["frame", "model"],
  studio: ["frame", "worker", "model"],
};

const page = "^packages/page/src/";
const pageParts = (names) => `${page}(${names.join("|")})(/|[.](tsx?|css)$)`;

/** Each driver is imported by the files of its own engine only. */
const drivers = {
  "@duckdb": "^packages/cli/src/sources/duckdb/",
  "@clickhouse": "^packages/cli/src/sources/clickhouse/",
  pg: "^packages/cli/src/sources/postgres/",
  "@bufbuild": "^packages/workbench/src/import/onnx/",
  "fast-xml-parser":
    "^packages/(workbench/src/import/pmml/|cli/src/sources/clickhouse/clickhouse-connection[.]ts$)",
  piscina: "^packages/cli/src/server/query-",
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
      "What the command and the page share runs in Node and in browsers: the library, and what reads and writes protocol buffers and XML",
    from: { path: workbench },
    to: { pathNot: `${workbench}|^packages/conformant/|node_modules/(@bufbuild|fast-xml-parser)/` },
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
    name: "page-without-pmml",
    comment: "The page neither reads PMML nor prints programs, so it must not load them",
    from: { path: page },
    to: { path: `${workbench}(entries/(pmml|programs)[.]ts|import/(pmml|programs)/)` },
  },
  {
    name: "page-stands-alone",
    comment:
      "The page is built from the library, the workbench, preact, idb-keyval and a reader of Parquet, nothing else",
    from: { path: page },
    to: {
      pathNot: `${page}|^packages/(conformant|workbench)/|node_modules/(preact|conformant|idb-keyval|hyparquet(-compressors)?)/`,
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
