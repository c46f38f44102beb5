import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { readText, root } from "../repository.ts";
import { pack } from "./packed.ts";

const folder = "packages/conformant";

/** What a package may weigh to download, in bytes. */
const LARGEST_TARBALL = 260_000;

test("the library has no dependencies at run time", () => {
  const manifest = JSON.parse(readText(`${folder}/package.json`)) as Record<string, unknown>;
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
});

/** The names of the entries, "." for the library itself: their files stand at the same name in dist/. */
const entries = Object.keys(
  (JSON.parse(readText(`${folder}/package.json`)) as { exports: Record<string, unknown> }).exports,
).filter((path) => !path.includes(".min.") && path !== "./package.json");

test("every file of src/entries is an entry of the package", () => {
  const files = readdirSync(join(root, folder, "src/entries")).map((file) => `./${basename(file, ".ts")}`);
  expect(entries.sort()).toEqual([".", ...files].sort());
});

test("the built library imports nothing but its own files, so a browser loads it as it is", () => {
  for (const file of readdirSync(join(root, folder, "dist")).filter((name) => name.endsWith(".js"))) {
    const imported = ts.preProcessFile(readText(`${folder}/dist/${file}`)).importedFiles;
    for (const { fileName } of imported) expect(existsSync(join(root, folder, "dist", fileName))).toBe(true);
  }
});

test("the packed library holds the build, its manifest, README and licence, nothing else", () => {
  // A package's own README and LICENSE are packed without being listed under "files".
  const paths = pack(folder).files.map(({ path }) => path);
  expect(paths.filter((path) => !/^dist[/][a-zA-Z0-9_-]+([.]min)?[.](d[.]ts|js)$/.test(path)).sort()).toEqual(
    ["LICENSE", "README.md", "package.json"],
  );
  for (const entry of entries.map((path) => (path === "." ? "index" : path.slice(2))))
    expect(paths).toEqual(expect.arrayContaining([`dist/${entry}.js`, `dist/${entry}.d.ts`]));
});

test.each([folder, "packages/cli", "packages/playground"])(
  "%s is small to download, and holds no source text twice",
  (one) => {
    const { size, files } = pack(one);
    expect(size).toBeLessThan(LARGEST_TARBALL);
    expect(files.filter(({ path }) => /\.(ts|tsx|map)$/.test(path) && !path.endsWith(".d.ts"))).toEqual([]);
  },
);

test.each(entries)("entry %s is a map of named re-exports and nothing else", (entry) => {
  const path = `${folder}/src/${entry === "." ? "index" : `entries/${entry.slice(2)}`}.ts`;
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
