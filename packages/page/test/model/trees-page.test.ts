import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conformMixture, predictColumns, type Row, random, readTrees, saveModel } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { succeed } from "../../../cli/test/support/run.ts";
import { hasBrowser, numbers, type OpenPage, openPage, settled, startBrowser } from "../support/browser.ts";
import { serveFiles } from "../support/file-server.ts";

/** So many trees that the first answer is a rough one. */
const [TREES, COLUMNS] = [900, 10];
const g = random(3);
const names = Array.from({ length: COLUMNS }, (_, j) => `x${j}`);
const rows = Array.from({ length: 120 }, () => {
  const shared = g.normal();
  return Object.fromEntries(names.map((name) => [name, shared + g.normal()]));
});

/** A full tree of depth 3 with random splits and leaves: nodes 0 to 6 split, 7 to 14 are leaves. */
function randomTree() {
  const nodes = Array.from({ length: 15 }, (_, i) => i);
  const ofSplit = <T>(value: (i: number) => T, other: T): T[] => nodes.map((i) => (i < 7 ? value(i) : other));
  return {
    feature: ofSplit(() => g.integer(COLUMNS), -1),
    threshold: ofSplit<number | null>(() => g.normal(), null),
    left: ofSplit((i) => 2 * i + 1, -1),
    right: ofSplit((i) => 2 * i + 2, -1),
    value: nodes.map((i) => (i < 7 ? null : 0.1 * g.normal())),
  };
}

const trees = readTrees(
  {
    kind: "trees",
    classes: ["no", "yes"],
    features: names,
    link: "logistic",
    trees: Array.from({ length: TREES }, randomTree),
  },
  { columns: names.map((name) => ({ kind: "numeric", name })) },
);
const model = conformMixture(trees, rows, { components: 1 });

describe.skipIf(!hasBrowser)("the page of many trees", { timeout: 60_000 }, () => {
  let open: () => Promise<OpenPage>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const home = mkdtempSync(join(tmpdir(), "conformant-trees-page-"));
    const [file, folder] = [join(home, "model.json"), join(home, "page")];
    writeFileSync(file, saveModel(model));
    succeed(["export", file, "--to", "page", "-o", folder]);
    const files = await serveFiles(folder);
    const browser = await startBrowser();
    close = async () => {
      await browser.close();
      files.close();
      rmSync(home, { recursive: true, force: true });
    };
    open = () => openPage(browser, files.url);
  });
  afterAll(() => close?.());

  test("typing never gets ahead of the answer, which is that of a table, and its reasons state their error", async () => {
    const { page, complaints } = await open();
    const box = (name: string) => page.getByRole("textbox", { name, exact: true });
    await box("x0").pressSequentially("1.25");
    await box("x1").pressSequentially("-0.5");
    await settled(page);
    const row: Row = { x0: 1.25, x1: -0.5 };
    const { probabilities } = predictColumns(model, [row]);
    const shown = await numbers(page, "#result .probability");
    expect(Math.abs(shown[0] - Math.max(...probabilities))).toBeLessThan(1e-9);
    expect(await page.locator("#result .reasons").innerText()).toMatch(
      /Sampled: each percentage .* ± 2 points/,
    );
    await page.getByLabel("Or paste rows").fill("x0,x1\n1.25,-0.5\n");
    await page.getByText("1 row predicted").waitFor();
    expect(await page.locator(".many tbody").innerText()).toContain(`${Math.round(100 * shown[0])}%`);
    expect(complaints).toEqual([]);
  });

  test("a first answer is within the larger error that it states; that of a table replaces it", async () => {
    const { page, complaints } = await open();
    // Every answer that is shown from the entry on, with the error beside it.
    const shown = (await page.evaluate(`new Promise((resolve) => {
      const read = () => [
        Number(document.querySelector('#result [data-class="yes"] .probability').value),
        Number(document.querySelector("#result .answer-card .sampled")?.textContent.match(/[0-9]+/)[0]) / 100,
      ];
      const all = [read()];
      const box = document.querySelector('[data-column="x2"] input[type=text]');
      box.value = "0.5";
      new MutationObserver(() => {
        const now = read();
        if (now[0] !== all.at(-1)[0]) all.push(now);
        if (document.querySelector("#result").dataset.complete === "true") resolve(all.slice(1));
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      box.dispatchEvent(new Event("input", { bubbles: true }));
    })`)) as [probability: number, error: number][];
    const { probabilities } = predictColumns(model, [{ x2: 0.5 }]);
    expect(shown).toHaveLength(2);
    const [[first, error], [last, lastError]] = shown;
    expect(error).toBeGreaterThan(lastError);
    expect(Math.abs(first - probabilities[1])).toBeLessThan(error);
    expect(Math.abs(last - probabilities[1])).toBeLessThan(1e-9);
    expect(complaints).toEqual([]);
  });
});
