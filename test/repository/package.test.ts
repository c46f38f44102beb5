import ts from "typescript";
import { expect, test } from "vitest";
import { readText } from "../repository.ts";
import { pack } from "./packed.ts";

const folder = "packages/conformant";

/** What a package may weigh to download, in bytes. */
const LARGEST_TARBALL = 250_000;

test("the library has no dependencies at run time", () => {
  const manifest = JSON.parse(readText(`${folder}/package.json`)) as Record<string, unknown>;
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
});

test("the built library imports nothing, so a browser loads it as it is", () => {
  expect(ts.preProcessFile(readText(`${folder}/dist/index.js`)).importedFiles).toEqual([]);
});

test("the packed library holds the build, its manifest, README and licence, nothing else", () => {
  // A package's own README and LICENSE are packed without being listed under "files".
  expect(
    pack(folder)
      .files.map(({ path }) => path)
      .sort(),
  ).toEqual(["LICENSE", "README.md", "dist/index.d.ts", "dist/index.js", "package.json"]);
});

test.each([folder, "packages/cli"])("%s is small to download, and holds no source text twice", (one) => {
  const { size, files } = pack(one);
  expect(size).toBeLessThan(LARGEST_TARBALL);
  expect(files.filter(({ path }) => /\.(ts|tsx|map)$/.test(path) && !path.endsWith(".d.ts"))).toEqual([]);
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
