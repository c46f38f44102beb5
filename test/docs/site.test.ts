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

    test("one search finds pages and functions", async () => {
      const { page, complaints } = await open("index.html");
      await page.locator("#tsd-search-trigger").click();
      const input = page.locator("#tsd-search-input");
      for (const [typed, found] of [
        ["glossary", "pages/glossary.html"],
        ["conformMixture", "functions/"],
      ]) {
        await input.fill(typed);
        await page.locator(`#tsd-search-results a[href*="${found}"]`).first().waitFor();
      }
      expect(complaints).toEqual([]);
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
