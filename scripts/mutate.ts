// Changes the sources at random, one place at a time, and runs the tests that should notice: a mutation test.
//
//   npm run mutate -- [--mutants 100] [--seed 1] [--package conformant,workbench,cli] [--only 3,17]
//
// It works on a copy of the files that git tracks, in the system's folder for temporary files. First it marks the chosen places and runs the
// tests of the packages once, to learn which test files reach which place. Then it makes one mutant after the other, and runs the files that
// reach it, the quickest first, until one fails. It prints one line per mutant and ends with the number killed; survivors are listed with
// the change and the number of test files that reach it.

import { spawnSync } from "node:child_process";
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
/** What a mutant's tests may take; a mutant that makes them hang counts as killed. */
const PATIENCE_MS = 600_000;
/** Seconds of the tests that run together; a mutant that has survived all groups counts as a survivor, though a test left out may notice it. */
const GROUP_SECONDS = [15, 100];
/** The folders whose tests run. */
const TESTS = ["conformant", "workbench", "cli"].map((name) => `packages/${name}/test`);
/** A test that is slow because the machine is busy does not notice a mutant. */
const TEST_TIMEOUT = "--testTimeout=900000";

/** Tells a test file's name to what runs in it and in the commands that it starts. */
const SETUP = `import { relative } from "node:path";
import { beforeAll, expect } from "vitest";
const told = () => {
  const name = encodeURIComponent(relative(process.cwd(), expect.getState().testPath));
  process.env.REACHED_FILE = process.env.REACHED + "/" + name;
};
told();
beforeAll(told);
`;

/** What notes that a place was reached, once per process and test file. */
const NOTE = `(globalThis as any).noteReached ??= (place: number, url: string) => {
  const file = (globalThis as any).process?.env?.REACHED_FILE;
  if (!file) return;
  const line = place + (/[/](dist|_built)[/]/.test(url) ? " built" : " source");
  const seen = ((globalThis as any).placesReached ??= new Set());
  if (seen.has(file + line)) return;
  seen.add(file + line);
  (globalThis as any).process.getBuiltinModule("node:fs").appendFileSync(file, line + "\\n");
};`.replaceAll("\n", " ");

interface Mutant {
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

const OPERATORS = new Map<string, string>([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["+", "-"],
  ["-", "+"],
  ["*", "/"],
  ["/", "*"],
  ["===", "!=="],
  ["!==", "==="],
  ["&&", "||"],
  ["||", "&&"],
  ["+=", "-="],
  ["-=", "+="],
]);

const { values } = parseArgs({
  options: {
    mutants: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    package: { type: "string", default: "conformant,workbench,cli" },
  },
});
const draw = random(Number(values.seed));
const files = git(["ls-files", ...values.package.split(",").map((name) => `packages/${name}/src`)]).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".d.ts") && !file.endsWith("simd-binary.ts"),
);
const places = files.flatMap((file) => placesIn(file, readFileSync(join(root, file), "utf8")));
const parent = mkdtempSync(join(tmpdir(), "conformant-mutants-"));
const folder = join(parent, "repository");
process.on("exit", () => rmSync(parent, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
copyRepository();

const count = Number(values.mutants);
const mutants = Array.from({ length: count }, () => places[draw.integer(places.length)]);
const { reached, seconds } = reachingTests(mutants);
const only = values.only?.split(",").map(Number);
const survivors: string[] = [];
mutants.forEach((mutant, m) => {
  if (only && !only.includes(m + 1)) return;
  const noticed = failureOf(mutant, reached[m]);
  const line = `${String(m + 1).padStart(4)}  ${described(mutant)}`;
  if (noticed === undefined) survivors.push(`${line}  (${reached[m].size} test files reach it)`);
  console.log(`${noticed === undefined ? "SURVIVED" : "killed  "}${line}${noticed ? `  by ${noticed}` : ""}`);
});
const tried = only?.length ?? count;
console.log(`${tried - survivors.length} of ${tried} mutants killed (seed ${values.seed})`);
for (const line of survivors) console.log(`survived: ${line}`);

function described({ file, line, from, to }: Mutant): string {
  return `${file}:${line}  ${from} → ${to}`;
}

/** What failed with the mutant in place: a test, the build or the time limit; undefined if nothing did. */
function failureOf(
  { file, start, end, to }: Mutant,
  tests: ReadonlyMap<string, boolean>,
): string | undefined {
  const path = join(folder, file);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, source.slice(0, start) + to + source.slice(end));
  let isBuilt = false;
  try {
    // Tests of the same folder name first, and the quickest first.
    const isFar = (test: string): boolean => test.split("/").at(-2) !== file.split("/").at(-2);
    let left = [...tests.keys()].sort(
      (a, b) => Number(isFar(a)) - Number(isFar(b)) || duration(a) - duration(b),
    );
    for (const limit of GROUP_SECONDS) {
      let sum = 0;
      const group = left.filter((test) => {
        const fits = sum + duration(test) <= limit;
        if (fits) sum += duration(test);
        return fits;
      });
      left = left.filter((test) => !group.includes(test));
      if (group.length === 0) continue;
      if (!isBuilt && group.some((test) => tests.get(test))) {
        isBuilt = true;
        const failed = failure("node", ["scripts/setup.mjs"]);
        if (failed) return failed;
      }
      const failed = failure("npx", ["vitest", "run", ...group, "--bail=1", TEST_TIMEOUT]);
      if (failed) return failed;
    }
    return undefined;
  } finally {
    writeFileSync(path, source);
    if (isBuilt) failure("node", ["scripts/setup.mjs"]); // no other mutant meets a build of this one
  }
}

function duration(test: string): number {
  return seconds.get(test) ?? 0;
}

/** For each mutant the test files that reach its place, and whether they do so in a built package; and the seconds that each test file takes. */
function reachingTests(chosen: readonly Mutant[]): {
  reached: Map<string, boolean>[];
  seconds: ReadonlyMap<string, number>;
} {
  const originals = new Map<string, string>();
  for (const file of new Set(chosen.map((mutant) => mutant.file))) {
    const source = readFileSync(join(folder, file), "utf8");
    originals.set(file, source);
    writeFileSync(join(folder, file), marked(source, file, chosen));
  }
  const reports = join(parent, "reports");
  mkdirSync(join(reports, "reached"), { recursive: true });
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
    failure("node", ["scripts/setup.mjs"]) ??
    failure(
      "npx",
      ["vitest", "run", ...TESTS, TEST_TIMEOUT, "--reporter=json", "--outputFile", join(reports, "all.json")],
      {
        REACHED: join(reports, "reached"),
      },
    );
  if (failed && !existsSync(join(reports, "all.json")))
    throw new Error(`the unchanged sources fail: ${failed}`);
  for (const [file, source] of originals) writeFileSync(join(folder, file), source);
  writeFileSync(config, settings);
  const reached = chosen.map(() => new Map<string, boolean>());
  for (const name of readdirSync(join(reports, "reached")))
    for (const line of readFileSync(join(reports, "reached", name), "utf8")
      .trim()
      .split("\n")) {
      const [place, where] = line.split(" ");
      const test = decodeURIComponent(name);
      const tests = reached[Number(place)];
      tests.set(test, where === "built" && tests.get(test) !== false);
    }
  const { testResults } = JSON.parse(readFileSync(join(reports, "all.json"), "utf8"));
  const seconds = new Map<string, number>();
  for (const { name, status, startTime, endTime } of testResults) {
    const test = relative(folder, name);
    if (status === "passed") {
      seconds.set(test, (endTime - startTime) / 1000);
      continue;
    }
    console.log(`left out, as it fails without a mutant: ${test}`);
    for (const tests of reached) tests.delete(test);
  }
  // What a module computes when it is loaded counts for the first file of a worker only: all files of the package may depend on it.
  chosen.forEach(({ file, isTopLevel }, m) => {
    const [, name] = file.split("/");
    if (!isTopLevel) return;
    for (const test of seconds.keys())
      if (test.startsWith(`packages/${name}/`) && !reached[m].has(test)) reached[m].set(test, false);
  });
  return { reached, seconds };
}

/** A source whose chosen places note that they were reached. */
function marked(source: string, file: string, chosen: readonly Mutant[]): string {
  const marks = chosen.flatMap(({ expression, ...mutant }, m) =>
    mutant.file === file
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

function failure(
  command: string,
  words: readonly string[],
  variables?: Record<string, string>,
): string | undefined {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", SHORTEST_FIRST: "1", ...variables },
    maxBuffer: 1e9,
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  if (status === 0) return undefined;
  if (error) return "the time limit";
  return /FAIL\s+(.*)/.exec(stdout + stderr)?.[1] ?? words.join(" ");
}

/** Operators, conditions and numbers of a file that can be changed so that it still compiles. */
function placesIn(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (node: ts.Node, to: string, whole = node): void => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const expression = { start: whole.getStart(source), end: whole.getEnd() };
    const isTopLevel = ts.findAncestor(node, ts.isFunctionLike) === undefined;
    found.push({
      file,
      line,
      isTopLevel,
      from: node.getText(source),
      to,
      start,
      end: node.getEnd(),
      expression,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isPropertyAssignment(node)) {
      visit(node.initializer);
      return;
    }
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS.get(node.operatorToken.getText(source));
      const texts = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      if (other && !texts) add(node.operatorToken, other, node);
    }
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(source)})`);
    if (ts.isNumericLiteral(node) && Number(node.text) < 1e6) add(node, String(Number(node.text) + 1));
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function copyRepository(): void {
  for (const file of git(["ls-files"])) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  // The data that tests find beside a checkout.
  if (existsSync(join(root, "../shared")))
    symlinkSync(join(root, "../shared"), join(parent, "shared"), "dir");
  if (failure("node", ["scripts/setup.mjs"]) !== undefined)
    throw new Error("the unchanged sources do not build");
}

function git(words: readonly string[]): string[] {
  const { stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 1e8 });
  return stdout.split("\n").filter((line) => line !== "");
}
