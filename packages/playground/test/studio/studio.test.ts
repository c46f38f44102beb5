import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { succeed } from "../../../cli/test/support/run.ts";
import { type Served, startServe } from "../../../cli/test/support/server.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { hasBrowser, startBrowser, violations } from "../support/browser.ts";

const place = new Workplace();
const penguins = fileURLToPath(new URL("../../../../examples/penguins.csv", import.meta.url));
/** A model of a few hundred rows, on a busy machine. */
const PATIENCE = 90_000;

describe.skipIf(!hasBrowser)("the studio", { timeout: 2 * PATIENCE }, () => {
  let browser: Browser;
  let served: Served;

  beforeAll(async () => {
    [browser, served] = await Promise.all([startBrowser(), startServe([], { cwd: place.folder })]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  /** A browser of its own, which remembers nothing. */
  async function open(
    view: { width?: number; dark?: boolean } = {},
  ): Promise<{ page: Page; complaints: string[]; elsewhere: string[] }> {
    const context = await browser.newContext({
      viewport: { width: view.width ?? 1280, height: 900 },
      colorScheme: view.dark ? "dark" : "light",
    });
    const page = await context.newPage();
    const [complaints, elsewhere]: string[][] = [[], []];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (request.method() !== "GET" || !request.url().startsWith(served.url)) elsewhere.push(request.url());
    });
    await page.goto(served.url);
    await page.getByText("choose a file").waitFor();
    return { page, complaints, elsewhere };
  }

  async function take(page: Page, name: string, content: string | Buffer): Promise<void> {
    const buffer = Buffer.from(content);
    await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
  }

  const next = (page: Page, step: string): Promise<void> =>
    page.getByRole("button", { name: `Next: ${step}` }).click();
  const go = (page: Page, step: string): Promise<void> =>
    page.getByRole("navigation").getByRole("button", { name: step }).click();
  const done = (page: Page): Promise<unknown> =>
    page.waitForSelector('[data-state="done"]', { timeout: PATIENCE });

  async function ask(page: Page, label: string): Promise<void> {
    await next(page, "Question");
    await page.locator(".question select").first().selectOption(label);
    await page.getByRole("button", { name: "Make the model" }).click();
  }

  async function downloaded(page: Page): Promise<string> {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the model" }).click(),
    ]);
    return readFileSync(await download.path(), "utf8");
  }

  test("from a file to the command's model, byte for byte; its worth, its use; all of it there after a reload; nothing is sent", async () => {
    const { page, complaints, elsewhere } = await open();
    await take(page, "penguins.csv", readFileSync(penguins));
    await page.getByText("344 rows, 7 columns").waitFor();
    expect(await page.locator('[data-column="bill_length"] .note').first().innerText()).toContain("a number");
    expect(await violations(page)).toEqual([]);
    await ask(page, "species");
    await done(page);
    expect(await violations(page)).toEqual([]);
    await next(page, "Worth");
    await page.getByText("With 40 % of the cells unknown").waitFor();
    expect(await page.locator(".confusion tbody tr").count()).toBe(3);
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.getByText("With 40 % of the cells unknown").waitFor();
    await go(page, "Keep");
    expect(await violations(page)).toEqual([]);
    const own = await downloaded(page);
    const file = join(place.folder, "model.json");
    succeed(["fit", penguins, "--label", "species", "-o", file]);
    expect(own).toBe(readFileSync(file, "utf8"));
    await go(page, "Use");
    await page.waitForSelector('[data-complete="true"]');
    await page.getByRole("radio", { name: "biscoe" }).check();
    await page.waitForSelector('[data-complete="true"]');
    expect(await page.locator(".classes li").first().getAttribute("data-class")).toBe("gentoo");
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
    await go(page, "Data");
    await page.getByRole("button", { name: "Start again" }).click();
    await page.getByText("choose a file").waitFor();
    await page.reload();
    await page.getByText("choose a file").waitFor();
    await page.context().close();
  });

  test("a fit is cancelled at any moment and nothing is lost; kinds are changed by a click, and the model follows", async () => {
    const { page } = await open();
    await take(page, "penguins.csv", readFileSync(penguins));
    await page.getByText("344 rows").waitFor();
    for (const moment of [0, 150, 700]) {
      await ask(page, "species");
      await page.waitForTimeout(moment);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Nothing is lost").waitFor();
      await go(page, "Data");
      await page.getByText("344 rows").waitFor();
    }
    await page.getByLabel("What island is").selectOption("leave out");
    await page.getByLabel("What body_mass is").selectOption("leave out");
    await page.getByLabel("What sex is").selectOption("leave out");
    await ask(page, "species");
    await done(page);
    await go(page, "Keep");
    const model = JSON.parse(await downloaded(page)) as { columns: { name: string }[] };
    expect(JSON.stringify(model)).not.toContain("body_mass");
    expect(await page.locator("pre").last().innerText()).toContain("--exclude island,body_mass,sex");
    await page.context().close();
  });

  test.each([
    ["empty.csv", "", /is empty, expected a header and rows/],
    ["header.csv", "a,b\n", /has columns but no rows/],
    ["broken.csv", 'a,b\n1,2\n3,"4\n5,6\n', /row 2 \(line 3\): a quote is not closed/],
    ["short.csv", "a,b\n1,2\n3\n", /row 2 \(line 3\): expected 2 fields, found 1/],
    ["sheet.csv", "PK\x03\x04abc", /is a spreadsheet, expected a table as text/],
    ["bytes.csv", Buffer.from([0x61, 0x0a, 0xe9, 0x0a]), /is not in UTF-8/],
    ["rows.jsonl", '{"a":1}\nnonsense\n', /line 2: expected a JSON object/],
  ])("%s is answered in words, and another file can be taken", async (name, content, message) => {
    const { page, complaints } = await open();
    await take(page, name, content);
    await page.getByRole("alert").filter({ hasText: message }).waitFor();
    await page.getByRole("button", { name: "Start again" }).click();
    await page.getByText("choose a file").waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("what cannot be predicted is said before anything is computed", async () => {
    const { page } = await open();
    const rows = Array.from(
      { length: 60 },
      (_, r) => `${1000 + r},name ${r},${r % 3 === 0 ? "" : r % 2},same,${r % 2 ? "x" : "y"}`,
    );
    await take(page, "odd.csv", ["number,name,gappy,same,class", ...rows].join("\n"));
    await next(page, "Question");
    const label = page.locator(".question select").first();
    for (const [column, words] of [
      ["name", /different value in nearly every row/],
      ["gappy", /20 rows have no answer/],
      ["same", /the same value everywhere/],
    ] as const) {
      await label.selectOption(column);
      await page.getByRole("alert").filter({ hasText: words }).waitFor();
      expect(await page.getByRole("button", { name: "Make the model" }).isDisabled()).toBe(true);
    }
    await label.selectOption("class");
    expect(await page.getByRole("button", { name: "Make the model" }).isEnabled()).toBe(true);
    await page.context().close();
  });

  test("on a phone and in the dark nothing is cut off and axe finds nothing", async () => {
    const { page } = await open({ width: 390, dark: true });
    await page.getByRole("button", { name: "Who leaves?" }).click();
    await page.getByText("1,500 rows").waitFor();
    const width = (): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth");
    expect(await width()).toBe(390);
    expect(await violations(page)).toEqual([]);
    await next(page, "Question");
    expect(await page.locator(".question select").first().inputValue()).toBe("churned");
    expect(await width()).toBe(390);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});
