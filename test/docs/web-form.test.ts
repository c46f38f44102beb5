import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadModel, predict } from "conformant";
import { afterAll, expect, test } from "vitest";
import { hasBrowser, startBrowser } from "../../packages/page/test/support/browser.ts";
import { readText, root } from "../repository.ts";
import { readBlocks } from "./read-blocks.ts";

const page = "docs/tutorials/web-form.md";
const folder = mkdtempSync(join(tmpdir(), "conformant-form-"));
afterAll(() => rmSync(folder, { recursive: true }));

const conformant = (...words: string[]) =>
  execFileSync(process.execPath, [join(root, "packages/cli/dist/main.js"), ...words, "--quiet"], {
    cwd: folder,
  });

test.skipIf(!hasBrowser)(
  "the form of the tutorial answers as the model does",
  { timeout: 60_000 },
  async () => {
    const html = readBlocks(page, readText(page)).find(({ language }) => language === "html")?.text ?? "";
    writeFileSync(join(folder, "index.html"), html);
    conformant(
      "fit",
      join(root, "examples/penguins.csv"),
      "--label",
      "species",
      "--components",
      "1",
      "-o",
      "m.json",
    );
    conformant("export", "m.json", "--to", "js", "-o", "penguins.mjs");
    const server = createServer(({ url }, response) => {
      const isModule = url === "/penguins.mjs";
      response
        .writeHead(200, { "content-type": isModule ? "text/javascript" : "text/html" })
        .end(readFileSync(join(folder, isModule ? "penguins.mjs" : "index.html")));
    }).listen(0, "127.0.0.1");
    await new Promise((listening) => server.once("listening", listening));
    const browser = await startBrowser();
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.getByLabel("Island").selectOption("dream");
    await tab.getByLabel("Flipper").fill("200");
    const shown = await tab.locator("output").textContent();
    await browser.close();
    server.close();
    const model = loadModel(readFileSync(join(folder, "m.json"), "utf8"));
    const expected = Object.entries(predict(model, { island: "dream", flipper_length: 200 }));
    expect(shown).toBe(expected.map(([name, p]) => `${name} ${Math.round(100 * p)}%`).join(", "));
  },
);
