import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { predict } from "conformant";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectClose, hasBrowser, numbers, settled } from "../support/browser.ts";
import { exportPenguins } from "../support/example-page.ts";
import { type ShownExample, showExample } from "../support/shown-example.ts";

const PENGUINS = fileURLToPath(new URL("../../../../examples/penguins.csv", import.meta.url));
const CSV = `name,island,bill_length,bill_depth,flipper_length,body_mass,sex
Ada,dream,,,,,
"Bo ""the bird"", 2",biscoe,,14.5,217,,NA
Cleo,dream,49.1,,,,female
Dag,atlantis,38.6,21.2,191,3800,male
`;
const ROWS = [
  { island: "dream" },
  { island: "biscoe", bill_depth: 14.5, flipper_length: 217 },
  { island: "dream", bill_length: 49.1, sex: "female" },
  { bill_length: 38.6, bill_depth: 21.2, flipper_length: 191, body_mass: 3800, sex: "male" },
];

describe.skipIf(!hasBrowser)("many rows on the page", { timeout: 30_000 }, () => {
  let shown: ShownExample;
  let page: Page;

  beforeAll(async () => {
    shown = await showExample(exportPenguins());
    page = shown.page;
  });
  afterAll(() => shown?.close());

  const drop = async (text: string): Promise<void> => {
    const dataTransfer = await page.evaluateHandle(
      `(() => { const d = new DataTransfer(); d.items.add(new File([${JSON.stringify(text)}], "rows.csv", { type: "text/csv" })); return d; })()`,
    );
    await page.dispatchEvent("h1", "drop", { dataTransfer }); // anywhere
  };
  const expected = ROWS.map((row) => () => predict(shown.model, row));

  test("a dropped CSV becomes a table of predictions with its gaps shown", async () => {
    await drop(CSV);
    await page.getByText("4 rows predicted").waitFor();
    expectClose(
      await numbers(page, ".scroll td data"),
      expected.map((answer) => Math.max(...Object.values(answer()))),
    );
    expect(await page.locator(".scroll .row-number").allInnerTexts()).toEqual(["1", "2", "3", "4"]);
    expect(await page.locator(".scroll tbody tr").nth(3).locator("td.ignored s").allInnerTexts()).toEqual([
      "atlantis",
    ]);
    const gaps = page.locator(".scroll tbody tr").nth(0).locator("td.gap");
    expect(await gaps.count()).toBe(5);
    await page.getByText("island: 1 cell is not a value of this column and counts as unknown").waitFor();
  });

  test("the name of a column sorts by it, gaps last, and the other way round the next time", async () => {
    const order = (): Promise<string[]> => page.locator(".scroll .row-number").allInnerTexts();
    const head = page.getByRole("columnheader", { name: "bill_length" });
    await head.getByRole("button").click();
    await page.locator('th[aria-sort="ascending"]').filter({ hasText: "bill_length" }).waitFor();
    expect(await order()).toEqual(["4", "3", "1", "2"]);
    await head.getByRole("button").click();
    await page.locator('th[aria-sort="descending"]').filter({ hasText: "bill_length" }).waitFor();
    expect(await order()).toEqual(["3", "4", "1", "2"]);
    await page.getByRole("columnheader", { name: "row" }).getByRole("button").click();
    await page.locator('th[aria-sort="ascending"]').filter({ hasText: "row" }).waitFor();
    expect(await order()).toEqual(["1", "2", "3", "4"]);
  });

  test("rows are ranked by the probability of a class; a threshold shows what it finds and misses; only those are downloaded", async () => {
    const truths = ["chinstrap", "gentoo", "chinstrap", "adelie"];
    await drop(
      CSV.split("\n")
        .map((line, r) => (line === "" ? "" : `${line},${r === 0 ? "species" : truths[r - 1]}`))
        .join("\n"),
    );
    await page.getByRole("columnheader", { name: "species" }).waitFor();
    await page.getByLabel("Rank by the probability of").selectOption("chinstrap");
    const p = expected.map((answer) => answer().chinstrap);
    const falling = [0, 1, 2, 3].sort((a, b) => p[b] - p[a]);
    const order = (): Promise<string[]> => page.locator(".scroll .row-number").allInnerTexts();
    await expect.poll(order).toEqual(falling.map((r) => String(r + 1)));
    await page.getByRole("slider", { name: "Show rows from" }).fill("0.5");
    const above = falling.filter((r) => p[r] >= 0.5);
    await expect.poll(order).toEqual(above.map((r) => String(r + 1)));
    const right = above.filter((r) => truths[r] === "chinstrap").length;
    await page.getByText(`They include ${right} of the 2 rows of chinstrap (${2 - right} missed)`).waitFor();
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download these rows" }).click();
    const lines = readFileSync(await (await waiting).path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines).toHaveLength(1 + above.length);
    await drop(CSV);
    await page.getByRole("columnheader", { name: "species" }).waitFor({ state: "detached" });
  });

  test("the counts of a threshold say that the model was fitted on rows, where it was, and bars show them", async () => {
    const [header, ...lines] = readFileSync(PENGUINS, "utf8").trim().split("\n");
    await drop([header, ...lines.slice(0, 40), ...lines.slice(-20)].join("\n"));
    await page.getByText("60 rows predicted").waitFor();
    await page.getByLabel("Rank by the probability of").selectOption("adelie");
    await page.getByText("The model was fitted on these rows, so it finds more of them").waitFor();
    expect(await page.locator(".found-bars li").allInnerTexts()).toEqual([
      expect.stringContaining("40 / 40"),
      expect.stringContaining("40 / 60"),
    ]);
    await drop([header, "adelie,dream,38.123,17.456,181,3600,male"].join("\n"));
    await page.getByText("1 row predicted").waitFor();
    await page.getByLabel("Rank by the probability of").selectOption("adelie");
    await page.locator(".found-bars").waitFor();
    expect(await page.getByText("The model was fitted on").count()).toBe(0);
    await drop(CSV);
    await page.getByRole("columnheader", { name: "species" }).waitFor({ state: "detached" });
  });

  test("a row of the table opens in the form", async () => {
    await page.locator(".scroll tbody tr").nth(2).click();
    await settled(page);
    expect(await page.getByRole("textbox", { name: "bill length", exact: true }).inputValue()).toBe("49.1");
    expect(await page.getByRole("radio", { name: "female" }).isChecked()).toBe(true);
    const shown = await numbers(page, "#result .probability");
    expectClose(
      shown,
      Object.values(expected[2]()).sort((a, b) => b - a),
    );
  });

  test("the results can be downloaded, with every digit", async () => {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download these rows" }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe("predictions.csv");
    const [header, ...lines] = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(header).toBe(
      "name,island,bill_length,bill_depth,flipper_length,body_mass,sex,prediction,p_adelie,p_chinstrap,p_gentoo",
    );
    expect(lines[1]).toMatch(/^"Bo ""the bird"", 2",biscoe,,14.5,217,,NA,gentoo,/);
    for (const [r, line] of lines.entries())
      expectClose(line.split(",").slice(-3).map(Number), Object.values(expected[r]()));
  });

  test("a table can be pasted, with semicolons and decimal commas", async () => {
    await page.getByLabel("Or paste rows").fill("bill_length;island\n49,1;dream\n;biscoe\n");
    await page.getByText("2 rows predicted").waitFor();
    expectClose(
      await numbers(page, ".scroll td data"),
      [{ bill_length: 49.1, island: "dream" }, { island: "biscoe" }].map((row) =>
        Math.max(...Object.values(predict(shown.model, row))),
      ),
    );
    await page.getByText("unknown in every row, as the table lacks them: bill_depth").waitFor();
  });

  test("100,000 rows are predicted beside the page, which answers meanwhile", {
    timeout: 90_000,
  }, async () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, r) => `${["dream", "biscoe", ""][r % 3]},${r % 7 === 0 ? "" : 30 + (r % 25)}`,
    );
    await drop(`island,bill_length\n${lines.join("\n")}`);
    await page.getByText("Predicting").waitFor(); // which is seen only because the page is not busy
    await page.getByText("100000 rows predicted").waitFor({ timeout: 80_000 });
    await page.getByRole("button", { name: "Show more (99900 left)" }).click();
    await page.getByRole("button", { name: "Show more (99800 left)" }).waitFor();
  });

  test.each([390, 760, 1280])(
    "at %i pixels a table with gaps makes the page no wider and no longer than it looks",
    async (width) => {
      await page.setViewportSize({ width, height: 800 });
      await drop(CSV.replaceAll("Ada", "Ada ".repeat(60)));
      await page.getByText("4 rows predicted").waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      const last = (await page.locator("footer").boundingBox()) ?? { y: 0, height: 0 };
      const [height, scrolled] = (await page.evaluate(
        "[document.documentElement.scrollHeight, scrollY]",
      )) as number[];
      expect(height - (last.y + last.height + scrolled)).toBeLessThan(100);
      expect(await page.locator(".phone-bar").isVisible()).toBe(width < 896);
    },
  );

  test("a text that is no table of this model is refused in words", async () => {
    await page.getByLabel("Or paste rows").fill("weight,height\n1,2\n");
    await page.getByRole("alert").filter({ hasText: "names none of the model's columns: island" }).waitFor();
    expect(await page.locator(".scroll").count()).toBe(0);
  });
});
