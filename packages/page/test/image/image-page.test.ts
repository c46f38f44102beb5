import { readFileSync } from "node:fs";
import { type Classifier, classify, createClassifier, explain, impute, predict, type Row } from "conformant";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectClose, hasBrowser, numbers, settled } from "../support/browser.ts";
import { digits, exportDigits } from "../support/example-page.ts";
import { type ShownExample, showExample } from "../support/shown-example.ts";

const samples = JSON.parse(readFileSync(digits.samples, "utf8")) as { name: string; pixels: string }[];

describe.skipIf(!hasBrowser)("the page of the digits", { timeout: 30_000 }, () => {
  let shown: ShownExample;
  let page: Page;

  beforeAll(async () => {
    shown = await showExample(exportDigits(), { height: 1100 });
    page = shown.page;
  });
  afterAll(() => shown?.close());

  /** What is on the board, read from its pixels: undefined where it is grey. */
  async function board(): Promise<Row> {
    const shades = (await page.evaluate(
      "Array.from(document.querySelector('.board canvas').getContext('2d').getImageData(0, 0, 28, 28).data).filter((_, i) => i % 4 === 0)",
    )) as number[];
    const known = shades.flatMap((shade, i) =>
      shade === 0x9a ? [] : [[`pixel${i}`, shade > 200 ? 1 : 0] as const],
    );
    return Object.fromEntries(known);
  }

  /** The classifier on the row with every gap replaced by its column's mean, as a classifier of numbers. */
  function filledWithMeans(row: Row): number[] {
    const { kind, ...classifier } = shown.model.predictor as Classifier;
    expect(kind).toBe("additive");
    const means = impute(shown.model, {});
    const columns = classifier.schema.columns.map(({ name }) => ({ name, kind: "numeric" as const }));
    const filled = columns.map(({ name }) => {
      const mean = means[name];
      return [name, row[name] ?? (mean.kind === "discrete" ? mean.probabilities["1"] : mean.mean)] as const;
    });
    const numeric = createClassifier({ ...classifier, schema: { columns } });
    return Object.values(classify(numeric, Object.fromEntries(filled)));
  }

  async function expectAnswers(): Promise<Row> {
    await settled(page);
    const row = await board();
    expectClose(await numbers(page, ".rivals .ours data"), Object.values(predict(shown.model, row)));
    expectClose(await numbers(page, ".rivals .mean data"), filledWithMeans(row));
    return row;
  }

  test("a digit is chosen, and the answer is the library's", async () => {
    for (const place of [3, 15]) {
      await page.locator(".samples button").nth(place).click();
      const row = await expectAnswers();
      expect(Object.values(row).join("")).toBe(samples[place].pixels);
    }
  });

  test("the slider hides a share of the pixels, and more hides the same ones and others", async () => {
    await page.locator(".samples button").nth(3).click();
    const slider = page.getByRole("slider", { name: /Hide at random/ });
    await slider.fill("50");
    const half = await expectAnswers();
    expect(Object.keys(half)).toHaveLength(392);
    await slider.fill("75");
    const quarter = await expectAnswers();
    expect(Object.keys(quarter)).toHaveLength(196);
    for (const name of Object.keys(quarter)) expect(half).toHaveProperty(name);
  });

  test("the three panels show the known pixels, the support and the sufficient explanation", async () => {
    const row = await expectAnswers();
    const { contributions, support, sufficient } = explain(shown.model, row, { timeLimit: 0.3 });
    const counts = await page
      .locator(".panels figure")
      .evaluateAll((found) => found.map((figure) => Number(figure.getAttribute("data-count"))));
    expect(counts.slice(0, 2)).toEqual([contributions.length, support.length]);
    expect(counts).toHaveLength(3);
    expect(Math.abs(counts[2] - sufficient.length)).toBeLessThanOrEqual(2); // the search of a mixture may end by time
    const drawn = (await page.evaluate(
      "Array.from(document.querySelectorAll('.panels canvas'), (c) => Array.from(c.getContext('2d').getImageData(0, 0, 28, 28).data).filter((s, i) => i % 4 === 0 && s !== 0x9a).length)",
    )) as number[];
    expect(drawn).toEqual(counts);
  });

  test("the brush erases pixels with the mouse", async () => {
    await page.locator(".samples button").nth(8).click();
    const before = await expectAnswers();
    await page.getByRole("radio", { name: "Hide" }).check();
    const box = await page.locator(".board").boundingBox();
    if (!box) throw new Error("the board is not to be seen");
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.5, { steps: 12 });
    await page.mouse.up();
    const after = await expectAnswers();
    expect(Object.keys(before).length - Object.keys(after).length).toBeGreaterThan(40);
    await page.getByRole("button", { name: "Reveal all" }).click();
    expect(await expectAnswers()).toEqual(before);
  });

  test("with the keyboard alone: choose, erase and draw", async () => {
    await page.locator(".samples button").nth(0).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(Object.values(await expectAnswers()).join("")).toBe(samples[1].pixels);
    await page.getByRole("radio", { name: "Hide" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    expect(Object.keys(await expectAnswers())).toHaveLength(784 - 5 * 7);
    await page.getByRole("radio", { name: "Hide" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight"); // Draw
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    const row = await expectAnswers();
    expect(row.pixel408).toBe(1); // the pixel under the brush: column 16 of line 14
  });

  test("an empty page is there to be drawn on", async () => {
    await page.getByRole("button", { name: "Empty page" }).click();
    const row = await expectAnswers();
    expect(Object.values(row).every((value) => value === 0)).toBe(true);
    expect(await page.getByRole("radio", { name: "Draw" }).isChecked()).toBe(true);
  });

  test("a stroke so quick that only its ends are reported has no holes", async () => {
    const box = await page.locator(".board").boundingBox();
    if (!box) throw new Error("the board is not to be seen");
    await page.mouse.move(box.x + box.width * 0.1, box.y + box.height * 0.2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.8, { steps: 1 });
    await page.mouse.up();
    const row = await expectAnswers();
    const inked = (x: number): boolean =>
      Array.from({ length: 28 }, (_, y) => row[`pixel${28 * y + x}`]).includes(1);
    expect(Array.from({ length: 28 }, (_, x) => x).filter(inked)).toEqual(
      Array.from({ length: 26 }, (_, i) => i + 1), // from the column of one end to that of the other, and the brush around them
    );
  });
});
