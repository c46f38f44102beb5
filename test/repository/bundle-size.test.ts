import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { afterAll, expect, test } from "vitest";
import { readText, root } from "../repository.ts";

/** What a page that reads a model and asks it about rows loads of the library, in kB, compressed: by entry. */
const LARGEST: readonly (readonly [entry: string, kilobytes: number])[] = [
  ["predict", 18],
  ["index", 60], // every kind of predictor, with all that it can be asked, and regressors
];

const folder = mkdtempSync(join(tmpdir(), "conformant-bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(LARGEST)("loadModel and predict of %s.js take less than %d kB of a page", async (entry, most) => {
  const page = join(folder, `${entry}.mjs`);
  const library = JSON.stringify(join(root, "packages/conformant/dist", `${entry}.js`));
  writeFileSync(
    page,
    `import { loadModel, predict } from ${library};\nglobalThis.answer = (text, row) => predict(loadModel(text), row);\n`,
  );
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: { write: false, rollupOptions: { input: page } },
  });
  const chunks = "output" in built ? built.output.flatMap((part) => ("code" in part ? [part.code] : [])) : [];
  expect(chunks).toHaveLength(1);
  expect(chunks[0]).toContain("globalThis.answer");
  expect(gzipSync(chunks[0], { level: 9 }).length).toBeLessThan(1000 * most);
});

test("the badge of README names the limit of the small entry", () => {
  expect(readText("docs/images/badge-size.svg")).toContain(`under ${LARGEST[0][1]} kB`);
});
