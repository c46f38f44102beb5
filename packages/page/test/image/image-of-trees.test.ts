import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Column, conform, type Model, readTrees, saveModel } from "conformant";
import { afterAll, describe, expect, it } from "vitest";
import { succeed } from "../../../cli/test/support/run.ts";
import { hasBrowser, openPage, startBrowser } from "../support/browser.ts";
import { serveFiles } from "../support/file-server.ts";

const names = ["p0", "p1", "p2", "p3"];
const columns = names.map((name): Column => ({ name, kind: "binary" }));

/** Trees on the four pixels of an image: the second class where the first two pixels are dark. */
function imageModel(): Model {
  const trees = readTrees(
    {
      kind: "trees",
      classes: ["light", "dark"],
      features: names,
      link: "logistic",
      trees: [
        {
          feature: [0, 1, -1, -1, -1],
          threshold: [0.5, 0.5, null, null, null],
          left: [2, 3, -1, -1, -1],
          right: [1, 4, -1, -1, -1],
          value: [null, null, -3, -1, 3],
        },
      ],
    },
    { columns },
  );
  const rows = Array.from({ length: 16 }, (_, r) =>
    Object.fromEntries(names.map((name, i) => [name, (r >> i) & 1])),
  );
  return conform(trees, rows);
}

describe("the page of an image with trees", () => {
  const model = imageModel();

  const home = mkdtempSync(join(tmpdir(), "conformant-image-test-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.skipIf(!hasBrowser)("explains the prediction", { timeout: 60_000 }, async () => {
    const [file, samples, folder] = ["model.json", "samples.json", "page"].map((name) => join(home, name));
    writeFileSync(file, saveModel(model));
    writeFileSync(samples, JSON.stringify([{ name: "dark", pixels: "1100" }]));
    succeed(["export", file, "--to", "page", "-o", folder, "--image", "2x2", "--samples", samples]);
    const files = await serveFiles(folder);
    const browser = await startBrowser();
    try {
      const { page, complaints } = await openPage(browser, files.url);
      await page.locator(".samples button").first().click();
      await page.locator('[data-complete="true"]').waitFor();
      expect(complaints).toEqual([]);
      expect(await page.locator(".panels figure").count()).toBeGreaterThan(0);
      expect(await page.locator(".rivals .ours").count()).toBeGreaterThan(0);
      expect(await page.locator(".rivals .mean").count()).toBe(0);
    } finally {
      await browser.close();
      files.close();
    }
  });
});
