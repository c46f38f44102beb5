import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { loadModel, predict } from "conformant";
import { collectPage, packPage } from "conformant-workbench";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fittedPenguins } from "../../cli/test/support/fitted-penguins.ts";
import { succeed } from "../../cli/test/support/run.ts";
import { Workplace } from "../../cli/test/support/workplace.ts";
import { expectClose, hasBrowser, numbers, openPage, settled, startBrowser } from "./support/browser.ts";
import { ask, done, downloaded, go, openStudio, PATIENCE } from "./support/studio-page.ts";

const place = new Workplace();
const built = fileURLToPath(new URL("../dist", import.meta.url));
const readBuilt = async (name: string): Promise<string> => readFileSync(join(built, name), "utf8");
const penguins = fileURLToPath(new URL("../../../examples/penguins.csv", import.meta.url));

describe.skipIf(!hasBrowser)("a page of one file, opened from a folder", { timeout: 2 * PATIENCE }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** That a page opened from a file answers as the library does. */
  async function expectAnswers(file: string, modelText: string): Promise<void> {
    const { page, complaints, requests } = await openPage(browser, pathToFileURL(file).href);
    await page.getByRole("radio", { name: "biscoe" }).check();
    await settled(page);
    const expected = Object.values(predict(loadModel(modelText), { island: "biscoe" }));
    expectClose(
      await numbers(page, "#result .probability"),
      expected.sort((a, b) => b - a),
    );
    expect(complaints).toEqual([]);
    expect(requests.filter(({ url }) => !/^(?:file|blob|data):/.test(url))).toEqual([]);
    await page.close();
  }

  test("the one that export writes answers as the library does and asks nobody for anything", async () => {
    const model = fittedPenguins();
    succeed(["export", model, "--to", "page", "-o", place.path("penguins.html"), "--quiet"]);
    await expectAnswers(place.path("penguins.html"), readFileSync(model, "utf8"));
  });

  test("the studio makes the command's model there, and a page of it that works in the same way", async () => {
    const examples = readdirSync(join(built, "examples")).map((name) => `examples/${name}`);
    const own = Object.fromEntries(
      await Promise.all(examples.map(async (name) => [name, await readBuilt(name)] as const)),
    );
    const settings = JSON.stringify({ studio: true });
    const file = place.write(
      "studio.html",
      await packPage(await collectPage(readBuilt, true), { ...own, "page.json": settings }),
    );
    const { page, complaints, elsewhere } = await openStudio(browser, pathToFileURL(file).href);
    await page.getByRole("button", { name: "Which penguin?" }).click();
    await ask(page, "species");
    await done(page);
    await go(page, "Save");
    const model = await downloaded(page);
    expect(model).toBe(succeed(["fit", penguins, "--label", "species", "--quiet"]).stdout.trimEnd());
    place.write("own.html", await downloaded(page, "Download the page"));
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
    await page.context().close();
    await expectAnswers(place.path("own.html"), model);
  });
});
