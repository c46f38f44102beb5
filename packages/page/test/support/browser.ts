import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

/** Where Debian's package has the browser. */
const PROGRAM = "/usr/bin/chromium";

/** Whether there is a browser to drive; without one the tests of the page are skipped. */
export const hasBrowser = existsSync(PROGRAM);

/** Starts the browser. Root cannot use its sandbox; what it keeps in a home folder goes where temporary files do. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    env: { ...process.env, HOME: tmpdir() },
  });
}

/** How a page is looked at. */
export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** A page with a note of everything it asked for and complained about. */
export interface OpenPage {
  readonly page: Page;
  readonly requests: { readonly method: string; readonly url: string }[];
  readonly complaints: string[];
}

/** Opens an address and waits until all answers are there. */
export async function openPage(browser: Browser, url: string, view: View = {}): Promise<OpenPage> {
  const page = await browser.newPage({
    viewport: { width: view.width ?? 1280, height: view.height ?? 900 },
    colorScheme: view.dark ? "dark" : "light",
  });
  const requests: OpenPage["requests"] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push({ method: request.method(), url: request.url() }));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  await page.goto(url);
  await settled(page);
  return { page, requests, complaints };
}

/** Waits until every part of the answer belongs to what is in the form. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('[data-complete="true"]');
}

/** The numbers behind the elements that match, with all their digits. */
export async function numbers(page: Page, selector: string): Promise<number[]> {
  const values = await page
    .locator(selector)
    .evaluateAll((found) => found.map((element) => element.getAttribute("value")));
  return values.map(Number);
}

/** The same numbers up to 1e-9. */
export function expectClose(received: readonly number[], expected: readonly number[]): void {
  expect(received).toHaveLength(expected.length);
  for (const [i, number] of received.entries()) expect(Math.abs(number - expected[i])).toBeLessThan(1e-9);
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds that is more than minor: the rules of WCAG 2.2 A and AA, and its best practices. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) => violations)',
  )) as Violation[];
  return found
    .filter(({ impact }) => impact !== "minor")
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
}
