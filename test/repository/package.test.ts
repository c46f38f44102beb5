import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { readText, root } from "../repository.ts";
import { pack } from "./packed.ts";

const folder = "packages/conformant";

/** What a package may weigh to download, in bytes. Three fifths of the library are source maps, for debuggers. */
const LARGEST_TARBALL = { [folder]: 840_000, "packages/cli": 345_000, "packages/page": 340_000 };

test("the library has no dependencies at run time", () => {
  const manifest = JSON.parse(readText(`${folder}/package.json`)) as Record<string, unknown>;
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
});

/** The names of the entries, "." for the library itself: their files stand at the same name in dist/. */
const entries = Object.keys(
  (JSON.parse(readText(`${folder}/package.json`)) as { exports: Record<string, unknown> }).exports,
).filter((path) => path !== "./package.json");

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

test("the packed library holds the build, its manifest, README and license, nothing else", () => {
  // A package's own README and LICENSE are packed without being listed under "files".
  const paths = pack(folder).files.map(({ path }) => path);
  expect(paths.filter((path) => !/^dist[/][a-zA-Z0-9_-]+[.](d[.]ts|js|js[.]map)$/.test(path)).sort()).toEqual(
    ["LICENSE", "README.md", "package.json"],
  );
  for (const entry of entries.map((path) => (path === "." ? "index" : path.slice(2))))
    expect(paths).toEqual(expect.arrayContaining([`dist/${entry}.js`, `dist/${entry}.d.ts`]));
});

test.each(Object.entries(LARGEST_TARBALL))("%s takes less than %d bytes to download", (one, largest) => {
  expect(pack(one).size).toBeLessThan(largest);
});

test.each(["packages/cli", "packages/page"])("%s holds no source text beside its programs", (one) => {
  const paths = pack(one).files.map(({ path }) => path);
  expect(paths.filter((path) => /\.(ts|tsx|map)$/.test(path))).toEqual([]);
});

test("the built library is readable, and every file has a source map with the text it was made of", () => {
  const files = readdirSync(join(root, folder, "dist")).filter((name) => name.endsWith(".js"));
  for (const file of files) {
    const text = readText(`${folder}/dist/${file}`);
    expect(text).toMatch(new RegExp(`\n//# sourceMappingURL=${file}[.]map\\s*$`));
    const { sources, sourcesContent } = JSON.parse(readText(`${folder}/dist/${file}.map`)) as {
      sources: string[];
      sourcesContent: string[];
    };
    sources.forEach((source, i) => {
      expect(sourcesContent[i]).toBe(readText(join(folder, "dist", source)));
    });
  }
  const predict = readdirSync(join(root, folder, "dist")).find((name) => /^predict-.*[.]js$/.test(name));
  expect(readText(`${folder}/dist/${predict}`)).toContain("\nfunction predict(model, row, options");
});

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
