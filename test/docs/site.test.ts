import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, startBrowser } from "../../packages/page/test/support/browser.ts";
import { figures } from "../../site/figures/figures.ts";
import { root } from "../repository.ts";

const site = join(root, "reports/site");
const isBuilt = existsSync(join(site, "assets/figures.js")); // by `npm run site`, which `npm test` runs before

describe.skipIf(!hasBrowser || !isBuilt)(
  "the site, opened as files without a server",
  { timeout: 60_000 },
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser.close());

    async function open(name: string, width = 1280): Promise<{ page: Page; complaints: string[] }> {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("requestfailed", (request) => {
        // A file may not use a picture of another one: typedoc has a script that puts its icons in.
        if (!request.url().endsWith("icons.svg")) complaints.push(request.url());
      });
      await page.goto(pathToFileURL(join(site, name)).href);
      return { page, complaints };
    }

    test("every figure answers its sliders", async () => {
      const { page, complaints } = await open("pages/how-it-works.html");
      await page
        .locator("figure.live-figure")
        .nth(figures.length - 1)
        .waitFor();
      for (const figure of await page.locator("figure.live-figure").all()) {
        const before = await figure.locator("figcaption").textContent();
        await figure.locator("input").first().press("ArrowLeft");
        expect(await figure.locator("figcaption").textContent()).not.toBe(before);
      }
      expect(complaints).toEqual([]);
    });

    test("one search finds pages and functions, and shows where the words stand", async () => {
      const { page, complaints } = await open("index.html");
      await page.locator("#tsd-search-trigger").click();
      const input = page.locator("#tsd-search-input");
      for (const [typed, found] of [
        ["glossary", "pages/glossary.html"],
        ["conformMixture", "functions/"],
        ["prediction set coverage", "pages/prediction-sets.html"],
      ]) {
        await input.fill(typed);
        const first = page.locator("#tsd-search-results li").first();
        await first.locator(`a[href*="${found}"]`).waitFor();
        const marked = (await first.locator("mark").allInnerTexts()).map((text) => text.toLowerCase());
        for (const word of marked) expect(typed.toLowerCase().split(" ")).toContain(word);
        expect(marked.length + Number(typed === "glossary")).toBeGreaterThan(0);
      }
      await input.fill("no page has zzyzx");
      await page.getByText("No page has all of these words").waitFor();
      await input.fill("glossary");
      await input.press("Enter");
      await page.waitForURL(/pages\/glossary\.html/);
      expect(complaints).toEqual([]);
    });

    test("the navigation shows the pages of one section, and the tree of the library only on its own pages", async () => {
      const { page } = await open("index.html");
      const sections = page.locator(".site-navigation details");
      expect(await sections.locator("summary").allInnerTexts()).toEqual([
        "Tutorials",
        "How-to",
        "Reference",
        "Explanation",
        "Project",
      ]);
      expect(await page.locator(".site-navigation details[open]").count()).toBe(0);
      await sections.first().locator("summary").click();
      await sections.first().getByRole("link", { name: "Start" }).click();
      await page.locator(".site-navigation a[aria-current]").waitFor();
      expect(await page.locator(".site-navigation details[open] summary").allInnerTexts()).toEqual([
        "Tutorials",
      ]);
      expect(await page.locator("#tsd-nav-container").count()).toBe(0);
      await sections.nth(2).locator("summary").click();
      await page.getByRole("link", { name: "The library, every function" }).click();
      await page.locator("#tsd-nav-container a").first().waitFor();
      expect(await page.locator("#tsd-nav-container a[href*='pages/']").count()).toBe(0);
    });

    test.each(["index.html", "pages/cli.html", "pages/comparison.html", "pages/how-it-works.html"])(
      "%s is no wider than a phone",
      async (name) => {
        const { page } = await open(name, 390);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
      },
    );
  },
);
