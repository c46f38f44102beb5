// Prints the structure of the library in numbers: node scripts/count-structure.mjs [--list]
// With --list it names the files reached, the public names and the functions it counts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The function whose files are followed. */
const ENTRY = "conformMixture";

/** Functions with more parameters than this are counted. */
const PARAMETERS = 5;

const source = fileURLToPath(new URL("../packages/conformant/src", import.meta.url));
const index = join(source, "index.ts");
const files = readdirSync(source, { recursive: true })
  .map((name) => join(source, name))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
  .sort();
const parsed = new Map(
  files.map((path) => [
    path,
    ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true),
  ]),
);

/** Types leave no import behind: `import type`, `export type`, and lists of nothing but types. */
function isTypeOnly(statement) {
  if (ts.isExportDeclaration(statement)) {
    const list = statement.exportClause;
    const named = list !== undefined && ts.isNamedExports(list) && list.elements.length > 0;
    return statement.isTypeOnly || (named && list.elements.every((element) => element.isTypeOnly));
  }
  const clause = statement.importClause;
  if (clause === undefined) return false;
  const list = clause.namedBindings;
  const named = list !== undefined && ts.isNamedImports(list) && list.elements.length > 0;
  return (
    clause.isTypeOnly ||
    (clause.name === undefined && named && list.elements.every((element) => element.isTypeOnly))
  );
}

/** The files that a file imports at run time, statically or by `import()`. */
function importsOf(path) {
  const found = [];
  const visit = (node) => {
    const declared = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    if (declared && node.moduleSpecifier !== undefined && !isTypeOnly(node)) found.push(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(parsed.get(path));
  return found
    .filter((specifier) => ts.isStringLiteral(specifier) && specifier.text.startsWith("."))
    .map((specifier) => resolve(dirname(path), specifier.text));
}

/** A file and all that it imports at run time, directly or not. */
function reachedFrom(start) {
  const reached = new Set([start]);
  for (const path of reached) for (const next of importsOf(path)) reached.add(next);
  for (const path of reached) if (!existsSync(path)) throw new Error(`no such file: ${path}`);
  return [...reached].sort();
}

const program = ts.createProgram([index], {
  ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, noEmit: true, types: [] },
  ...{ moduleResolution: ts.ModuleResolutionKind.Bundler, allowImportingTsExtensions: true },
});
const checker = program.getTypeChecker();
const exported = checker
  .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(index)))
  .map((symbol) => ({
    name: symbol.name,
    target: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
const values = exported.filter(({ target }) => target.flags & ts.SymbolFlags.Value);
const types = exported.filter(({ target }) => !(target.flags & ts.SymbolFlags.Value));
const entry = values.find(({ name }) => name === ENTRY)?.target.declarations?.[0].getSourceFile().fileName;
if (entry === undefined) throw new Error(`the library exports no ${ENTRY}`);

/** Functions, methods and constructors with a body, or arrow functions, that have too many parameters. */
function longSignatures(path) {
  const file = parsed.get(path);
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined && node.parameters.length > PARAMETERS) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const name = node.name?.getText() ?? node.parent.name?.getText() ?? "(without a name)";
      found.push(`${relative(source, path)}:${line + 1} ${name}, ${node.parameters.length} parameters`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const foldersOf = (paths) => new Set(paths.map(dirname)).size;
const lines = files.reduce((sum, path) => sum + readFileSync(path, "utf8").split("\n").length - 1, 0);
const reached = reachedFrom(resolve(entry));
const long = files.flatMap(longSignatures);

const list = process.argv.includes("--list");
const print = (text, items) => {
  console.log(text);
  if (list) for (const item of items) console.log(`  ${item}`);
};
print(`${files.length} files in ${foldersOf(files)} folders, ${lines} lines`, []);
print(
  `${reached.length} files in ${foldersOf(reached)} folders reached from ${ENTRY} at run time (${relative(source, entry)})`,
  reached.map((path) => relative(source, path)),
);
print(
  `${exported.length} public names of the root: ${values.length} values, ${types.length} types`,
  [...values, ...types].map(({ name }) => name),
);
print(`${long.length} functions with more than ${PARAMETERS} parameters`, long);
