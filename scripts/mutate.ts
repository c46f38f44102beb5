// Changes the sources at random, one place at a time, and runs the tests that should notice: a mutation test.
//
//   npm run mutate -- [--mutants 100] [--seed 1] [--package conformant,workbench,cli]
//
// It works on a copy of the files that git tracks, in the system's folder for temporary files. For each mutant it runs the tests of the same
// folder, then those that import the changed file, then those of its package with the command built from the mutant, until one fails. It
// prints one line per mutant and ends with the number killed; survivors are listed with the change.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";
import { random } from "../packages/conformant/src/math/random.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** What a mutant's tests may take; a mutant that makes them hang counts as killed. */
const PATIENCE_MS = 1_800_000;
/** A test that is slow because the machine is busy does not notice a mutant. */
const TEST_TIMEOUT = "--testTimeout=900000";

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly start: number;
  readonly end: number;
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

const survivors: Mutant[] = [];
const count = Number(values.mutants);
for (let m = 1; m <= count; m++) {
  const mutant = places[draw.integer(places.length)];
  const noticed = failureOf(mutant);
  if (noticed === undefined) survivors.push(mutant);
  const outcome = noticed === undefined ? "SURVIVED" : "killed  ";
  console.log(
    `${String(m).padStart(4)}  ${outcome}  ${described(mutant)}${noticed ? `  by ${noticed}` : ""}`,
  );
}
console.log(`${count - survivors.length} of ${count} mutants killed (seed ${values.seed})`);
for (const mutant of survivors) console.log(`survived: ${described(mutant)}`);

function described({ file, line, from, to }: Mutant): string {
  return `${file}:${line}  ${from} → ${to}`;
}

/** What failed with the mutant in place: a test, the build or the time limit; undefined if nothing did. */
function failureOf({ file, start, end, to }: Mutant): string | undefined {
  const path = join(folder, file);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, source.slice(0, start) + to + source.slice(end));
  try {
    const [, packageName, , folderName] = file.split("/");
    const tests = `packages/${packageName}/test`;
    const near = existsSync(join(folder, tests, folderName)) ? `${tests}/${folderName}` : tests;
    const build = (): string | undefined => failure("node", ["scripts/setup.mjs"]);
    const run = (...paths: string[]): string | undefined =>
      failure("npx", ["vitest", "run", ...paths, "--bail=1", TEST_TIMEOUT]);
    const related = (): string | undefined =>
      failure("npx", ["vitest", "related", file, "--run", "--bail=1", TEST_TIMEOUT]);
    if (packageName === "cli") return related() ?? build() ?? run(near) ?? run(tests);
    return run(near) ?? related() ?? build() ?? run(tests, "packages/cli/test/commands");
  } finally {
    writeFileSync(path, source);
  }
}

function failure(command: string, words: readonly string[]): string | undefined {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", SHORTEST_FIRST: "1" },
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
  const add = (node: ts.Node, to: string): void => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, from: node.getText(source), to, start, end: node.getEnd() });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS.get(node.operatorToken.getText(source));
      const texts = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      if (other && !texts) add(node.operatorToken, other);
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
