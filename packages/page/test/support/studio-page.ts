import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";

/** A model of a few hundred rows, on a busy machine. */
export const PATIENCE = 90_000;

/** A page of the studio, what it complained about, and what it asked of others than its own server. */
export interface OpenStudio {
  readonly page: Page;
  readonly complaints: string[];
  readonly elsewhere: string[];
}

/** Opens the studio in a browser of its own, which remembers nothing. */
export async function openStudio(
  browser: Browser,
  url: string,
  view: { readonly width?: number; readonly dark?: boolean } = {},
): Promise<OpenStudio> {
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
    const isOwn = request.url().startsWith(url) || request.url().startsWith("blob:");
    if (request.method() !== "GET" || !isOwn) elsewhere.push(request.url());
  });
  await page.goto(url);
  await page.getByText("choose a file").waitFor();
  return { page, complaints, elsewhere };
}

/** Chooses a file with some content. */
export async function take(page: Page, name: string, content: string | Buffer): Promise<void> {
  const buffer = Buffer.from(content);
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
}

/** Goes on by the button at the end of a step. */
export function next(page: Page, step: string): Promise<void> {
  return page.getByRole("button", { name: `Next: ${step}` }).click();
}

/** Goes to a step by its name above. */
export function go(page: Page, step: string): Promise<void> {
  return page.getByRole("navigation").getByRole("button", { name: step }).click();
}

/** From the data to a model that is being made. */
export async function ask(page: Page, label: string): Promise<void> {
  await next(page, "Question");
  await page.locator(".question select").first().selectOption(label);
  await page.getByRole("button", { name: "Fit the model" }).click();
}

/** Waits until model and worth are there. */
export async function done(page: Page, timeout = PATIENCE): Promise<void> {
  await page.waitForSelector('[data-state="done"]', { timeout });
}

/** What is downloaded by a button of the step "Save". */
export async function downloaded(page: Page, button = "Download the model"): Promise<string> {
  return (await downloadedBytes(page, button)).toString("utf8");
}

/** The same as bytes. */
export async function downloadedBytes(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return readFileSync(await download.path());
}
