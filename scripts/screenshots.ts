// Takes the pictures of the page that the documentation shows, in Debian's Chromium.
//
//   npm run screenshots

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { startServer } from "../bench/support/load.ts";

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const command = path("packages/cli/dist/main.js");
const images = path("docs/images");
const settled = '[data-complete="true"]';

const folder = mkdtempSync(join(tmpdir(), "conformant-screenshots-"));
mkdirSync(images, { recursive: true });
const penguins = join(folder, "penguins.json");
execFileSync(process.execPath, [
  command,
  "fit",
  path("examples/penguins.csv"),
  "--label",
  "species",
  "-o",
  penguins,
  "--quiet",
]);
const [learned, kept] = [join(folder, "learned.json"), join(folder, "kept.json")];
const data = path("examples/penguins.csv");
for (const words of [
  ["fit", data, "--label", "species", "--where", "hash(bill_length) % 3 > 0", "-o", learned],
  ["calibrate", learned, data, "--where", "hash(bill_length) % 3 = 0", "-o", kept],
])
  execFileSync(process.execPath, [command, ...words, "--quiet"]);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});

await served([penguins, "--title", "Which penguin is it?"], async (url) => {
  await take(url, "page.png", { width: 1200, height: 1150 }, "light", fillIn);
  await take(url, "page-phone-dark.png", { width: 390, height: 844 }, "dark", fillIn);
  await take(url, "page-table.png", { width: 1000, height: 640 }, "light", dropTable);
});
await served([learned, "--calibration", kept, "--share-calibration"], async (url) => {
  await take(url, "page-holding-up.png", { width: 1200, height: 1290 }, "light", supposeUnusual);
});
await browser.close();
rmSync(folder, { recursive: true, force: true });

async function fillIn(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "biscoe" }).check();
  await page.getByRole("textbox", { name: "bill depth", exact: true }).fill("16");
  await page.getByRole("textbox", { name: "flipper length", exact: true }).fill("200");
  await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
}

async function supposeUnusual(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "dream" }).check();
  await page.getByRole("textbox", { name: "bill depth", exact: true }).fill("18");
  await page.waitForSelector(settled);
  await page.getByRole("slider", { name: /lower than usual/ }).fill("-1.2");
  await page.evaluate(
    "document.activeElement.blur(); for (const one of document.querySelectorAll('header, .reasons:not(.shift)')) one.style.display = 'none'; scrollTo(0, 0)",
  );
}

async function dropTable(page: Page): Promise<void> {
  const csv = readFileSync(path("examples/new-penguins.csv"), "utf8");
  await page.getByLabel("Or paste rows").fill(csv);
  await page.waitForSelector(".scroll tbody");
  await page.evaluate("document.activeElement.blur(); document.querySelector('.many').scrollIntoView()");
}

async function take(
  url: string,
  name: string,
  viewport: { width: number; height: number },
  colorScheme: "light" | "dark",
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
  await page.goto(url);
  await page.waitForSelector(settled);
  await act(page);
  await page.waitForSelector(settled);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(images, name) });
  await page.close();
  console.log(`docs/images/${name}`);
}

/** Runs `conformant serve` while something is done with it. */
async function served(words: readonly string[], use: (url: string) => Promise<void>): Promise<void> {
  const server = await startServer([command, "serve", ...words, "--port", "0"]);
  await use(server.url);
  await server.stop();
}
