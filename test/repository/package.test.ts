import { execFileSync } from "node:child_process";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { readText, root } from "../repository.ts";

const folder = "packages/conformant";

test("the library has no dependencies at run time", () => {
  const manifest = JSON.parse(readText(`${folder}/package.json`)) as Record<string, unknown>;
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
});

test("the built library imports nothing, so a browser loads it as it is", () => {
  expect(ts.preProcessFile(readText(`${folder}/dist/index.js`)).importedFiles).toEqual([]);
});

test("the packed library holds the build, its manifest, README and licence, nothing else", () => {
  // A package's own README and LICENSE are packed without being listed under "files".
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--loglevel=error"], {
    cwd: join(root, folder),
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  expect(files.map(({ path }) => path).sort()).toEqual([
    "LICENSE",
    "README.md",
    "dist/index.d.ts",
    "dist/index.d.ts.map",
    "dist/index.js",
    "dist/index.js.map",
    "package.json",
  ]);
});

test("index.ts is a map of named re-exports and nothing else", () => {
  const path = `${folder}/src/index.ts`;
  const source = ts.createSourceFile(path, readText(path), ts.ScriptTarget.ES2022);
  const others = source.statements.filter(
    (statement) =>
      !(
        ts.isExportDeclaration(statement) &&
        statement.moduleSpecifier &&
        statement.exportClause &&
        ts.isNamedExports(statement.exportClause)
      ),
  );
  expect(others.map((statement) => statement.getText(source))).toEqual([]);
});
