import { closeSync, openSync, writeSync } from "node:fs";
import { random } from "conformant";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { succeed } from "../../../cli/test/support/run.ts";
import { type Served, startServe } from "../../../cli/test/support/server.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { datasetFile } from "../../../conformant/test/support/datasets.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { ask, done, downloaded, go, next, openStudio, take } from "../support/studio-page.ts";

const place = new Workplace();
const adult = datasetFile("adult/adult.data.gz");
const PATIENCE = 500_000;
/** Moments at which a fit is cancelled or the page is loaded again. */
const MOMENTS = 10;

describe.skipIf(!hasBrowser)("the studio with large tables, and people in a hurry", () => {
  let browser: Browser;
  let served: Served;
  beforeAll(async () => {
    [browser, served] = await Promise.all([startBrowser(), startServe([], { cwd: place.folder })]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  test.skipIf(!adult)("Adult as published gives the command's model, byte for byte", async () => {
    const { page, complaints } = await openStudio(browser, served.url);
    await page.locator("input[type=file]").setInputFiles(adult as string);
    await page.getByText("32,561 rows, 15 columns").waitFor({ timeout: PATIENCE });
    await ask(page, "column14");
    await done(page, PATIENCE);
    await go(page, "Save");
    const own = await downloaded(page);
    const how = ["--label", "column14", "--time-limit", "600", "--quiet"];
    expect(own).toBe(succeed(["fit", adult as string, ...how]).stdout.trimEnd());
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test(`cancelled and loaded again at ${MOMENTS} random moments, nothing is lost and the model is the same`, async () => {
    const rows = groups(9000);
    const file = place.write("groups.csv", rows);
    const { page, complaints } = await openStudio(browser, served.url);
    await take(page, "groups.csv", rows);
    await page.getByText("9,000 rows, 24 columns").waitFor();
    await page.getByLabel("Type of x3").selectOption("exclude");
    const generator = random(11);
    for (let moment = 0; moment < MOMENTS; moment++) {
      await ask(page, "group");
      await page.waitForTimeout(6000 * generator.uniform());
      const cancel = page.getByRole("button", { name: "Cancel" });
      if (moment % 2 === 0) await page.reload();
      else if (await cancel.isVisible()) await cancel.click();
      if (moment % 4 === 3) await page.reload();
      await go(page, "Data");
      await page.getByText("9,000 rows, 24 columns").waitFor();
      expect(await page.getByLabel("Type of x3").inputValue()).toBe("out");
    }
    await ask(page, "group");
    await done(page, PATIENCE);
    await page.reload();
    await go(page, "Save");
    const how = ["--label", "group", "--exclude", "x3", "--time-limit", "600", "--quiet"];
    expect(await downloaded(page)).toBe(succeed(["fit", file, ...how]).stdout.trimEnd());
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test.each([
    [
      "with too many cells",
      `${"0.12345,red,".repeat(8)}end\n`,
      /million cells, which is more than a page can hold/,
    ],
    ["of one line", "x".repeat(100), /expected lines of at most 4,194,304 characters/],
    ["of zero bytes", "\0".repeat(100), /NUL characters, expected text/],
  ])(
    "a file of a gigabyte %s is answered in words, and what was there before is not lost",
    async (_, line, words) => {
      const { page, complaints } = await openStudio(browser, served.url);
      await page.getByRole("button", { name: "Which penguin?" }).click();
      await page.getByText("344 rows").waitFor();
      const session = await page.context().newCDPSession(page);
      const data = { items: [], files: [gigabyte(line)], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await session.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data });
      await page.getByRole("alert").filter({ hasText: words }).waitFor({ timeout: PATIENCE });
      await page.getByRole("button", { name: "Back to penguins.csv" }).click();
      await page.getByText("344 rows").waitFor();
      await next(page, "Question");
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  /** A file of so many bytes that repeats a line. */
  function gigabyte(line: string): string {
    const path = place.path("large.csv");
    const piece = Buffer.from(line.repeat(Math.floor(1e7 / line.length)));
    const file = openSync(path, "w");
    for (let written = 0; written < 1e9; written += piece.length) writeSync(file, piece);
    closeSync(file);
    return path;
  }
});

/** Rows of two groups with enough columns that a fit takes some seconds, and several workers compare its candidates. */
function groups(rows: number): string {
  const g = random(5);
  const names = Array.from({ length: 23 }, (_, i) => `x${i}`);
  const lines = Array.from({ length: rows }, () => {
    const group = g.integer(3);
    return [...names.map((_, i) => (g.normal() + ((group + i) % 3)).toFixed(2)), group].join(",");
  });
  return [[...names, "group"].join(","), ...lines].join("\n");
}
