// Changes the sources at random, one place at a time, and runs the tests that should notice: a mutation test.
//
//   npm run mutate -- [--mutants 100] [--seed 1] [--package conformant,workbench,cli] [--only 3,17]
//
// It works on a copy of the files that git tracks, in the system's folder for temporary files. First it marks the chosen places and runs the
// tests of the packages once, to learn which test files reach which place. Then it makes one mutant after the other, and runs the files that
// reach it, the quickest first, until one fails. The mutants, the tests that reach them and the results so far are in
// node_modules/.mutants/SEED.json, with a table in SEED.md: a run that was interrupted continues, and --only tries mutants again, with the present
// sources and tests, without another run of all tests.
//
// The changes are those of PIT (its defaults and "stronger") and of Stryker: comparisons moved by their boundary or negated, conditions made
// constant, logical operators and arithmetic swapped, signs and negations removed, calls and assignments that stand alone removed, returned
// values replaced by 0, "", [], true, false or undefined, booleans swapped, arrays and strings emptied, methods swapped for their opposite or
// removed. Changes that the compiler rejects are not drawn. Left out are
// - numbers that are one larger, which neither tool has by default;
// - the step of a `for` and `while (true)`, which hang;
// - texts of errors, object literals and regular expressions.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";
import { random } from "../packages/conformant/src/math/random.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/**
 * Seconds of processor time, without a mutant, of the tests that run together. A mutant that survives all groups counts as a survivor, though a
 * test left out may notice it.
 */
const GROUP_SECONDS = [10, 60];
/** The folders whose tests run. */
const TESTS = ["conformant", "workbench", "cli"].map((name) => `packages/${name}/test`);
/** What a build makes of the sources. */
const BUILT = ["packages/conformant/dist", "packages/cli/dist", "python/src/conformant/_built"];
/** A test that is slow because the machine is busy does not notice a mutant. */
const TEST_TIMEOUT = "--testTimeout=900000";
const VITEST = ["node_modules/vitest/vitest.mjs", "run"];
/** In one process, so that the first failure ends it and modules are loaded once. */
const ONE_BY_ONE = ["--bail=1", "--maxWorkers=1", "--experimental.fsModuleCache", TEST_TIMEOUT];

/** Tells a test file's name to what runs in it and in the commands that it starts, and notes its processor time. */
const SETUP = `import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
const processorSeconds = () => {
  try {
    // utime, stime, cutime and cstime, in hundredths of a second
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ").slice(11, 15);
    return fields.reduce((sum, field) => sum + Number(field), 0) / 100;
  } catch {
    return process.cpuUsage().user / 1e6;
  }
};
const name = encodeURIComponent(relative(process.cwd(), expect.getState().testPath));
const tell = () => {
  globalThis.reachedFile = process.env.REACHED_FILE = process.env.REACHED + "/" + name;
};
const start = processorSeconds();
tell();
beforeAll(tell);
afterAll(() => writeFileSync(process.env.REACHED + "/../seconds/" + name, String(processorSeconds() - start)));
`;

/** What notes that a place was reached, once per process and test file. */
const NOTE = `(globalThis as any).noteReached ??= (place: number, url: string) => {
  const global = globalThis as any;
  const file = (global.reachedFile ??= global.process?.env?.REACHED_FILE ?? "");
  const last = ((global.placesReached ??= [])[place] ??= {});
  if (file === "" || (last.file === file && last.url === url)) return;
  Object.assign(last, { file, url });
  const line = place + (/[/](dist|_built)[/]/.test(url) ? " built" : " source");
  global.process.getBuiltinModule("node:fs").appendFileSync(file, line + "\\n");
};`.replaceAll("\n", " ");

interface Change {
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is computed when the module is loaded. */
  readonly isTopLevel: boolean;
  /** The expression whose value the change alters. */
  readonly expression: { readonly start: number; readonly end: number };
}

interface Mutant extends Change {
  /** The text before and after the change, which finds it again in a file that was edited since. */
  readonly context: readonly [string, string];
  /** The test files that reach it, and whether they do so only in a built package. */
  readonly reached: Record<string, boolean>;
  /** What noticed it; null if nothing did. */
  noticed?: string | null;
}

interface State {
  readonly mutants: Mutant[];
  /** For each test file its processor time and the SHA-256 of its text. */
  readonly tests: Record<string, { readonly seconds: number; readonly text: string }>;
}

const OPERATORS: Record<string, readonly string[]> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
};
const METHODS: Record<string, string> = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  startsWith: "endsWith",
  endsWith: "startsWith",
  toLowerCase: "toUpperCase",
  toUpperCase: "toLowerCase",
};
const REMOVED_METHODS = ["filter", "sort", "toSorted", "reverse", "slice", "trim", "trimEnd", "trimStart"];
const RETURNED = ["0", '""', "[]", "true", "false", "undefined"];
/** What the compiler says of names and lines that a change leaves without use. */
const UNUSED = [6133, 6138, 6192, 6196, 6198, 6199, 7027];

const { values } = parseArgs({
  options: {
    mutants: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    package: { type: "string", default: "conformant,workbench,cli" },
  },
});
const packages = values.package.split(",");
const stateFile = join(root, `node_modules/.mutants/${values.seed}.json`);
const parent = mkdtempSync(join(tmpdir(), "conformant-mutants-"));
const folder = join(parent, "repository");
process.on("exit", () => rmSync(parent, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
copyRepository();

const state: State = existsSync(stateFile)
  ? JSON.parse(readFileSync(stateFile, "utf8"))
  : withReachingTests(drawChanges(Number(values.mutants)));
save();
const changedTests = git(["ls-files", ...TESTS]).filter(
  (file) => file.endsWith(".test.ts") && !file.endsWith(".slow.test.ts") && !isKnown(file),
);
for (const name of BUILT) cpSync(join(folder, name), join(parent, "clean", name), { recursive: true });
const only = values.only?.split(",").map(Number);
state.mutants.forEach((mutant, m) => {
  if (only ? !only.includes(m + 1) : mutant.noticed !== undefined) return;
  const path = join(folder, mutant.file);
  const source = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (!source.includes(mutant.context.join(mutant.from))) {
    console.log(`${m + 1}: the place was edited since`);
    return;
  }
  mutant.noticed = failureOf(mutant, source) ?? null;
  console.log(row(mutant, m));
  save();
});
const killed = state.mutants.filter(({ noticed }) => noticed).length;
console.log(`${killed} of ${state.mutants.length} mutants killed (seed ${values.seed}): ${stateFile}`);

function row({ file, line, from, to, noticed, reached }: Mutant, m: number): string {
  const change = `${from} → ${to || "nothing"}`.replace(/\s+/g, " ").replaceAll("|", "\\|");
  const result =
    noticed === null ? "**survived**" : noticed === undefined ? "not run" : `killed by ${noticed}`;
  return `| ${m + 1} | ${file.replace(/^packages[/]/, "")}:${line} | \`${change}\` | ${result} | ${Object.keys(reached).length} |`;
}

function save(): void {
  mkdirSync(dirname(stateFile), { recursive: true });
  writeFileSync(stateFile, JSON.stringify(state));
  const head = "| | place | change | result | test files that reach it |\n|---|---|---|---|---|\n";
  writeFileSync(stateFile.replace(".json", ".md"), `${head}${state.mutants.map(row).join("\n")}\n`);
}

/** Whether a test file is as it was when all tests ran. */
function isKnown(test: string): boolean {
  return state.tests[test]?.text === digestOf(test);
}

function digestOf(file: string): string {
  return createHash("sha256")
    .update(readFileSync(join(folder, file)))
    .digest("hex");
}

/** What failed with the mutant in place: a test, the build or the time limit; undefined if nothing did. */
function failureOf({ file, from, to, context, reached }: Mutant, source: string): string | undefined {
  const path = join(folder, file);
  writeFileSync(
    path,
    source.replace(context.join(from), () => context.join(to)),
  );
  let isBuilt = false;
  try {
    // Tests written since first, then those of the same folder name, and the quickest first.
    const rank = (test: string): number =>
      changedTests.includes(test) ? 0 : test.split("/").at(-2) === file.split("/").at(-2) ? 1 : 2;
    let left = [...new Set([...changedTests, ...Object.keys(reached)])]
      .filter((test) => existsSync(join(folder, test)))
      .sort((a, b) => rank(a) - rank(b) || seconds(a) - seconds(b));
    for (const limit of GROUP_SECONDS) {
      let sum = 0;
      const group = left.filter((test) => {
        const fits = sum + seconds(test) <= limit;
        if (fits) sum += seconds(test);
        return fits;
      });
      left = left.filter((test) => !group.includes(test));
      if (group.length === 0) continue;
      if (!isBuilt && group.some((test) => reached[test] || test.startsWith("packages/cli/"))) {
        isBuilt = true;
        for (const name of file.startsWith("packages/conformant/") ? ["conformant", "cli"] : ["cli"])
          if (failure("npm", ["run", "build", "--workspace", `packages/${name}`], 60)) return "the build";
      }
      const failed = failure("node", [...VITEST, ...group, ...ONE_BY_ONE], sum);
      if (failed) return failed;
    }
    return undefined;
  } finally {
    writeFileSync(path, source);
    // No other mutant meets a build of this one.
    for (const name of isBuilt ? BUILT : []) {
      rmSync(join(folder, name), { recursive: true });
      cpSync(join(parent, "clean", name), join(folder, name), { recursive: true });
    }
  }
}

function seconds(test: string): number {
  return state.tests[test]?.seconds ?? 1;
}

/** Runs all tests once with the chosen places marked. */
function withReachingTests(changes: readonly Change[]): State {
  const originals = new Map<string, string>();
  for (const { file } of changes) originals.set(file, readFileSync(join(folder, file), "utf8"));
  const reports = join(parent, "reports");
  for (const name of ["reached", "seconds"]) mkdirSync(join(reports, name), { recursive: true });
  for (const [file, source] of originals) writeFileSync(join(folder, file), marked(source, file, changes));
  writeFileSync(join(folder, "test/reached.ts"), SETUP);
  const config = join(folder, "vitest.config.ts");
  const settings = readFileSync(config, "utf8");
  const setupFiles = 'setupFiles: "test/engine-math.ts"';
  if (!settings.includes(setupFiles)) throw new Error(`vitest.config.ts has no ${setupFiles}`);
  writeFileSync(
    config,
    settings.replace(setupFiles, 'setupFiles: ["test/engine-math.ts", "test/reached.ts"]'),
  );
  const failed =
    failure("node", ["scripts/setup.mjs"], 600) ??
    failure(
      "node",
      [...VITEST, ...TESTS, TEST_TIMEOUT, "--reporter=json", "--outputFile", join(reports, "all.json")],
      1000,
      { REACHED: join(reports, "reached") },
    );
  if (failed && !existsSync(join(reports, "all.json")))
    throw new Error(`the unchanged sources fail: ${failed}`);
  for (const [file, source] of originals) writeFileSync(join(folder, file), source);
  writeFileSync(config, settings);
  if (failure("node", ["scripts/setup.mjs"], 600)) throw new Error("the unchanged sources do not build");

  const tests: Record<string, { seconds: number; text: string }> = {};
  const { testResults } = JSON.parse(readFileSync(join(reports, "all.json"), "utf8"));
  for (const { name, status } of testResults) {
    const test = relative(folder, name);
    const time = join(reports, "seconds", encodeURIComponent(test));
    if (status === "passed" && existsSync(time))
      tests[test] = { seconds: Number(readFileSync(time, "utf8")), text: digestOf(test) };
    else console.log(`left out, as it fails without a mutant: ${test}`);
  }
  const reached = changes.map(() => ({}) as Record<string, boolean>);
  for (const name of readdirSync(join(reports, "reached"))) {
    const test = decodeURIComponent(name);
    for (const line of readFileSync(join(reports, "reached", name), "utf8")
      .trim()
      .split("\n")) {
      const [place, where] = line.split(" ");
      const isBuilt = where === "built" && reached[Number(place)][test] !== false;
      if (tests[test]) reached[Number(place)][test] = isBuilt;
    }
  }
  // What a module computes when it is loaded counts for the first file of a worker only: all files of the package may depend on it.
  changes.forEach(({ file, isTopLevel }, m) => {
    const [, name] = file.split("/");
    if (!isTopLevel) return;
    for (const test of Object.keys(tests))
      if (test.startsWith(`packages/${name}/`)) reached[m][test] ??= false;
  });
  const mutants = changes.map((change, m): Mutant => {
    const source = originals.get(change.file) ?? "";
    const before = source.slice(Math.max(0, change.start - 80), change.start);
    return { ...change, context: [before, source.slice(change.end, change.end + 80)], reached: reached[m] };
  });
  return { mutants, tests };
}

/** A source whose chosen places note that they were reached. */
function marked(source: string, file: string, chosen: readonly Change[]): string {
  const marks = chosen.flatMap(({ expression, ...change }, m) =>
    change.file === file
      ? [
          {
            at: expression.start,
            size: -(expression.end - expression.start),
            text: `((globalThis as any).noteReached(${m}, import.meta.url), `,
          },
          { at: expression.end, size: expression.end - expression.start, text: ")" },
        ]
      : [],
  );
  // Outer places open first and close last; where one ends as another begins, the end comes first.
  marks.sort((a, b) => a.at - b.at || Number(a.text !== ")") - Number(b.text !== ")") || a.size - b.size);
  let text = "";
  let at = 0;
  for (const mark of marks) {
    text += source.slice(at, mark.at) + mark.text;
    at = mark.at;
  }
  text += source.slice(at);
  return text.startsWith("#!") ? text.replace("\n", () => `\n${NOTE} `) : `${NOTE} ${text}`;
}

/** Runs a command that takes some seconds of processor time; a process that takes several times as much is stopped. */
function failure(
  command: string,
  words: readonly string[],
  processorSeconds: number,
  variables?: Record<string, string>,
): string | undefined {
  const limit = Math.round(30 + 5 * processorSeconds);
  // For what waits and never ends; a busy machine takes several times as long as a quiet one.
  const patience = 240 + 10 * processorSeconds;
  const script = `ulimit -t ${limit}; exec timeout -s KILL ${patience} "$0" "$@"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script, command, ...words], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", SHORTEST_FIRST: "1", ...variables },
    maxBuffer: 1e9,
  });
  if (status === 0) return undefined;
  return (
    /FAIL\s+(.*)/.exec(stdout + stderr)?.[1] ??
    (status === 137 || status === null ? "the time limit" : words.join(" "))
  );
}

/** Draws changes that compile, each at most once. */
function drawChanges(count: number): Change[] {
  const draw = random(Number(values.seed));
  const files = git(["ls-files", ...packages.map((name) => `packages/${name}/src`)]).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".d.ts") && !file.endsWith("simd-binary.ts"),
  );
  const all = files.flatMap((file) => changesIn(file, readFileSync(join(folder, file), "utf8")));
  const compilers = new Map(packages.map((name) => [name, compiler(name)]));
  const drawn: Change[] = [];
  while (drawn.length < count && all.length > 0) {
    const [change] = all.splice(draw.integer(all.length), 1);
    if (compilers.get(change.file.split("/")[1])?.(change)) drawn.push(change);
  }
  return drawn;
}

/** Whether a file of a package compiles with a change. */
function compiler(name: string): (change: Change) => boolean {
  const base = join(folder, "packages", name);
  const { config } = ts.readConfigFile(join(base, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, base);
  let changed = { path: "", text: "", version: 0 };
  const service = ts.createLanguageService({
    readFile: ts.sys.readFile,
    fileExists: ts.sys.fileExists,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (path) => (path === changed.path ? String(changed.version) : "0"),
    getScriptSnapshot: (path) => {
      const text = path === changed.path ? changed.text : ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => base,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  return ({ file, start, end, to }) => {
    const path = join(folder, file);
    const source = readFileSync(path, "utf8");
    changed = { path, text: source.slice(0, start) + to + source.slice(end), version: changed.version + 1 };
    return [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)].every(
      ({ code, category }) => category !== ts.DiagnosticCategory.Error || UNUSED.includes(code),
    );
  };
}

/** The changes of a file's places. */
function changesIn(file: string, text: string): Change[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Change[] = [];
  const add = (node: ts.Node, to: string, whole = node): void => {
    const start = node.getStart(source);
    const from = node.getText(source);
    if (from === to) return;
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const expression = { start: whole.getStart(source), end: whole.getEnd() };
    const isTopLevel = ts.findAncestor(node, ts.isFunctionLike) === undefined;
    found.push({ file, line, isTopLevel, from, to, start, end: node.getEnd(), expression });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    // The compiler and the bundler read these texts.
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return;
    if (ts.isNewExpression(node) && /^URL$|Error$/.test(node.expression.getText(source))) return;
    if (ts.isThrowStatement(node)) return;
    if (ts.isAsExpression(node) && ts.isConstTypeReference(node.type)) return;
    if (ts.isPropertyAssignment(node)) {
      visit(node.initializer);
      return;
    }
    if (ts.isForStatement(node)) {
      for (const part of [node.initializer, node.condition, node.statement]) if (part) visit(part);
      if (node.condition) add(node.condition, "false");
      return;
    }
    if (ts.isBinaryExpression(node)) {
      const isText = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      const operator = node.operatorToken.getText(source);
      if (!(isText && operator.startsWith("+")))
        for (const other of OPERATORS[operator] ?? []) add(node.operatorToken, other, node);
    }
    if (ts.isIfStatement(node)) for (const to of ["true", "false"]) add(node.expression, to);
    if (ts.isConditionalExpression(node)) for (const to of ["true", "false"]) add(node.condition, to);
    if (ts.isWhileStatement(node)) add(node.expression, "false");
    if (ts.isPrefixUnaryExpression(node)) {
      const { operand, operator } = node;
      if (operator === ts.SyntaxKind.MinusToken || operator === ts.SyntaxKind.ExclamationToken)
        add(node, operand.getText(source));
    }
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const swapped = node.getText(source).replace(/[+]{2}|--/, (sign) => (sign === "++" ? "--" : "++"));
      add(node, swapped);
    }
    if (ts.isExpressionStatement(node)) {
      const { expression } = node;
      const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
      const isAssignment = ts.isBinaryExpression(inner) && inner.operatorToken.getText(source).endsWith("=");
      if (ts.isCallExpression(inner) || isAssignment) add(expression, "void 0");
    }
    if (ts.isReturnStatement(node) && node.expression) for (const to of RETURNED) add(node.expression, to);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) for (const to of RETURNED) add(node.body, to);
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isAssigned(node)) add(node, "[]");
    if (ts.isStringLiteral(node) && node.text !== "") add(node, '""');
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const other = METHODS[name.text];
      if (other) add(name, other, node);
      if (REMOVED_METHODS.includes(name.text)) add(node, expression.getText(source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether an array is the target of a destructuring assignment. */
function isAssigned(node: ts.ArrayLiteralExpression): boolean {
  const { parent } = node;
  return ts.isBinaryExpression(parent)
    ? parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    : ts.isForOfStatement(parent) && parent.initializer === node;
}

function copyRepository(): void {
  for (const file of git(["ls-files"])) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  // The data that tests find beside a checkout.
  if (existsSync(join(root, "../shared")))
    symlinkSync(join(root, "../shared"), join(parent, "shared"), "dir");
  // What the checkout has installed and built need not be made again.
  spawnSync("cp", ["-R", join(root, "node_modules"), folder]);
  for (const name of [...BUILT, "packages/page/dist"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  if (failure("node", ["scripts/setup.mjs"], 600)) throw new Error("the unchanged sources do not build");
}

function git(words: readonly string[]): string[] {
  const { stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 1e8 });
  return stdout.split("\n").filter((line) => line !== "");
}
