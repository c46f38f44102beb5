import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { askNext, predict } from "conformant";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, startServe } from "../../cli/test/support/server.ts";
import { hasBrowser, openPage, settled, startBrowser, violations } from "./support/browser.ts";
import { type ExamplePage, exportPenguins } from "./support/example-page.ts";

const TOKEN = "a-token-of-some-length";

test("all but what reads or writes one format is below 300 kB compressed, with that below 330 kB, and without the studio below 182 kB; the model and examples apart", () => {
  const dist = fileURLToPath(new URL("../dist", import.meta.url));
  const sizes = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".csv"))
    .map(({ name, parentPath }) => ({ name, size: gzipSync(readFileSync(join(parentPath, name))).length }));
  const sum = (files: typeof sizes): number => files.reduce((total, { size }) => total + size, 0);
  const ofStudio =
    /^(?:studio|(?:fit|help|table|save)-worker|open-imported|read-parquet-table|read-study-file|read-workbook-table|sequence-columns|portable-math|threads|to-failure)-/;
  expect(sizes.filter(({ name }) => ofStudio.test(name)).length).toBeGreaterThan(3);
  const ofOneFormat = /^(?:save-worker|open-imported|read-parquet-table|read-workbook-table)-/;
  expect(sizes.filter(({ name }) => ofOneFormat.test(name))).toHaveLength(4);
  expect(sum(sizes.filter(({ name }) => !ofOneFormat.test(name)))).toBeLessThan(300_000);
  expect(sum(sizes)).toBeLessThan(330_000);
  // Two thirds are the library, with the fit of the studio: what two parts of it share is a single file of its build.
  expect(sum(sizes.filter(({ name }) => !ofStudio.test(name)))).toBeLessThan(182_000);
});

describe.skipIf(!hasBrowser)("the page as conformant serve gives it", { timeout: 30_000 }, () => {
  let browser: Browser;
  let example: ExamplePage;
  let table: Served;

  beforeAll(async () => {
    example = exportPenguins();
    const cwd = example.folder;
    [browser, table] = await Promise.all([startBrowser(), startServe([example.modelFile], { cwd })]);
  });
  afterAll(async () => {
    await browser?.close();
    await table?.stop();
    example?.remove();
  });

  async function fillIn(page: Page): Promise<void> {
    await page.getByRole("radio", { name: "biscoe" }).check();
    await page.getByRole("textbox", { name: "bill depth", exact: true }).fill("16");
    await page.getByLabel("Or paste rows").fill("island,sex\ndream,\n,male\n");
    await settled(page);
  }

  /** Of the background, from 0 to 255. */
  async function brightness(page: Page): Promise<number> {
    const style = "getComputedStyle(document.documentElement).backgroundColor";
    const parts = String(await page.evaluate(style)).match(/\d+/g) ?? [];
    return parts.slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
  }

  test.each([
    ["light", {}],
    ["dark", { dark: true }],
    ["on a phone", { width: 390, height: 844 }],
    ["on a phone, dark", { width: 390, height: 844, dark: true }],
  ])("axe finds nothing serious on the form, %s", async (_, view) => {
    const { page, complaints, requests } = await openPage(browser, table.url, view);
    expect((await brightness(page)) > 128).toBe(!("dark" in view));
    await fillIn(page);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]); // among them would be what the Content-Security-Policy refuses
    for (const { url } of requests) expect(new URL(url).origin).toBe(table.url);
    await page.close();
  });

  test.each([320, 390])(
    "on a phone of %i pixels nothing is cut off, and the answer stays in sight",
    async (width) => {
      const { page } = await openPage(browser, table.url, { width, height: 700 });
      const needed = (): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth");
      await page.getByRole("radio", { name: "biscoe" }).check();
      await settled(page);
      expect(await needed()).toBeLessThanOrEqual(width);
      const known = { island: "biscoe" };
      const { gentoo } = predict(example.model, known);
      const [{ column }] = askNext(example.model, known, { lookAhead: true });
      const bar = page.locator(".phone-bar");
      expect((await bar.innerText()).split("\n").slice(0, 3)).toEqual([
        "gentoo",
        `${Math.round(100 * gentoo)}%`,
        `next: ${column.replaceAll("_", " ")}`,
      ]);
      const box = await bar.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(700, 0);
      await page.close();
    },
  );

  test("with the keyboard alone: every field is reached in order, filled, and a row of a table opened", async () => {
    const { page } = await openPage(browser, table.url);
    const where = (): Promise<unknown> =>
      page.evaluate(
        "document.activeElement.closest('[data-column]')?.dataset.column ?? document.activeElement.id",
      );
    const reached: unknown[] = [];
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press("Tab");
      const place = await where(); // first the link past the fields, and the ways to fill them in
      if (place !== "" && place !== reached[reached.length - 1]) reached.push(place);
    }
    const columns = example.model.schema.columns.map(({ name }) => name);
    expect(reached.slice(0, columns.length)).toEqual(columns);

    await page.locator('[data-column="island"] input').first().focus();
    await page.keyboard.press("ArrowRight"); // biscoe
    await page.keyboard.press("Tab");
    expect(await where()).toBe("bill_length");
    await page.keyboard.type("43");
    await settled(page);
    expect(await page.locator(".classes li").first().getAttribute("data-class")).toBe("gentoo");
    expect(await page.locator("#result .reason-list li[data-column]").count()).toBe(2);

    await page.getByLabel("Or paste rows").focus();
    await page.keyboard.type("island,sex\ndream,male");
    await page.getByText("1 row predicted").waitFor();
    await page.locator(".scroll tbody button").focus();
    await page.keyboard.press("Enter");
    await settled(page);
    expect(await page.getByRole("radio", { name: "dream" }).isChecked()).toBe(true);
    await page.close();
  });

  test("a server with a token asks for it on the page", async () => {
    const locked = await startServe([example.modelFile], {
      cwd: example.folder,
      env: { CONFORMANT_TOKEN: TOKEN },
    });
    const page = await browser.newPage();
    await page.goto(locked.url);
    await page.getByLabel("Token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "did not accept" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await settled(page);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Which species?");
    await page.close();
    await locked.stop();
  });
});
