import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conformMixture, predictColumns, type Row, random, saveModel, trainRegressor } from "conformant";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { succeed } from "../../../cli/test/support/run.ts";
import { hasBrowser, openPage, settled, startBrowser, violations } from "../support/browser.ts";
import { serveFiles } from "../support/file-server.ts";

const generator = random(2);
const rows = Array.from({ length: 200 }, () => {
  const area = 40 + 120 * generator.uniform();
  const near = generator.uniform() < area / 200 ? "yes" : "no";
  const age = Math.round(80 * generator.uniform());
  const price = 3000 * area + (near === "yes" ? 90_000 : 0) - 500 * age + 20_000 * generator.normal();
  return { area, near, age, price };
});
const inputs = rows.map(({ price: _, ...row }) => row);
const model = conformMixture(trainRegressor(rows, { label: "price" }), inputs, { components: 1 });
const labels = {
  columns: { area: { unit: "m²", range: [40, 160], minimum: 0 }, age: { minimum: 0, maximum: 500 } },
  outcome: { label: "sale price", unit: "EUR" },
};

describe.skipIf(!hasBrowser)("the page of a model that predicts a number", { timeout: 60_000 }, () => {
  let page: Page;
  let complaints: string[];
  let close: () => Promise<void>;

  beforeAll(async () => {
    const home = mkdtempSync(join(tmpdir(), "conformant-number-page-"));
    const [file, names, folder] = ["model.json", "labels.json", "page"].map((name) => join(home, name));
    writeFileSync(file, saveModel(model));
    writeFileSync(names, JSON.stringify(labels));
    succeed(["export", file, "--to", "page", "-o", folder, "--labels", names]);
    const files = await serveFiles(folder);
    const browser = await startBrowser();
    close = async () => {
      await browser.close();
      files.close();
      rmSync(home, { recursive: true, force: true });
    };
    ({ page, complaints } = await openPage(browser, files.url));
  });
  afterAll(() => close?.());

  const answerTo = (row: Row): number => predictColumns(model, [row]).values[0];
  const box = (name: string) => page.getByRole("textbox", { name });
  async function expectAnswer(row: Row): Promise<void> {
    await settled(page);
    const shown = await page.locator("#result .answer data").getAttribute("value");
    expect(Math.abs(Number(shown) - answerTo(row))).toBeLessThan(1e-6); // EUR
  }

  test("the answer is the number in its unit, with range, curve, reasons in that unit and the next question", async () => {
    await expectAnswer({});
    await page.getByText("This is the average answer.").waitFor();
    await page.getByRole("radio", { name: "yes" }).check();
    await box("area").fill("120");
    await expectAnswer({ near: "yes", area: 120 });
    const text = await page.locator("#result").innerText();
    expect(text).toMatch(/\d{3},\d{3} EUR\ssale price/);
    expect(text).toMatch(/[\d,]+ EUR to [\d,]+ EUR once the unknown fields are known/);
    expect(text).toMatch(/Raised by .*\(\+\d{2,3},\d{3}\)/);
    expect(text).toMatch(/Next, ask for\s+age\s+It leaves next to no range/);
    expect(await page.locator("#result .density svg").getAttribute("aria-label")).toContain("sale price");
    const changes = await page
      .locator("#result data.points")
      .evaluateAll((found) => found.map((one) => Number(one.getAttribute("value"))));
    const way = answerTo({}) + changes.reduce((sum, change) => sum + change, 0);
    expect(Math.abs(way - answerTo({ near: "yes", area: 120 }))).toBeLessThan(1e-6);
    // Nothing of classes is left.
    for (const part of [".classes", ".icon-array", ".changes", ".shift", ".open-file"])
      expect(await page.locator(`#result ${part}`).count()).toBe(0);
    expect(await page.getByRole("radio", { name: "Questionnaire" }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("radio", { name: "One question at a time" }).check();
    const path = await page.locator(".answer-path svg").getAttribute("aria-label");
    const shown = [{}, { near: "yes" }, { near: "yes", area: 120 }].map((row) =>
      (1000 * Math.round(answerTo(row) / 1000)).toLocaleString("en"),
    );
    expect(path).toBe(
      `sale price with nothing entered and after each field: ${shown.map((text) => `${text} EUR`).join(", ")}.`,
    );
    expect(await violations(page)).toEqual([]);
    await page.getByRole("radio", { name: "All fields" }).check();
  });

  test("an impossible number is unknown in the form and in a table, and one outside the range is warned of", async () => {
    await box("area").fill("-4000");
    await page.getByText("not possible (at least 0); treated as unknown").waitFor();
    await expectAnswer({ near: "yes" });
    await box("area").fill("900");
    await page.getByText("Next, check this entry.").waitFor();
    await expectAnswer({ near: "yes", area: 900 });
    await page.getByLabel("Or paste rows").fill("area,near,age\n-4000,yes,\n120,yes,20\n60,no,70\n");
    await page.getByText("area: 1 cell is not a value of this column and counts as unknown").waitFor();
    const values = async (): Promise<number[]> =>
      (
        await page.locator(".many th data").evaluateAll((all) => all.map((one) => one.getAttribute("value")))
      ).map(Number);
    const expected = [
      { near: "yes" },
      { area: 120, near: "yes", age: 20 },
      { area: 60, near: "no", age: 70 },
    ];
    expect(await values()).toEqual(expected.map(answerTo));
    await page.getByRole("button", { name: "predicted sale price" }).click();
    await page
      .getByRole("columnheader", { name: "predicted sale price" })
      .and(page.locator("[aria-sort=ascending]"))
      .waitFor();
    expect(await values()).toEqual(expected.map(answerTo).sort((a, b) => a - b));
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
