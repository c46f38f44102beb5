import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { conform, predict, train } from "conformant";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasBrowser, startBrowser } from "../../packages/page/test/support/browser.ts";
import { readText, root } from "../repository.ts";
import { npm, pack } from "./packed.ts";

/** An empty project, into which the packed packages are installed as a user installs them. */
const project = mkdtempSync(join(tmpdir(), "conformant-installed-"));
const write = (name: string, text: string) => writeFileSync(join(project, name), text);
const node = (...words: string[]) => {
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: "utf8" });
  return (stdout + stderr).trim();
};

const rows = [
  { fever: 1, cough: "dry", flu: "yes" },
  { fever: 1, cough: "wet", flu: "yes" },
  { fever: 0, cough: "none", flu: "no" },
  { fever: 0, cough: "wet", flu: "no" },
];
/** A program that needs `train`, `conform` and `predict`, and what it prints. */
const program = `
const rows = ${JSON.stringify(rows)};
const answer = String(predict(conform(train(rows, { label: "flu" }), rows), { cough: "dry" }).yes);
`;
const answer = String(predict(conform(train(rows, { label: "flu" }), rows), { cough: "dry" }).yes);

beforeAll(() => {
  write("package.json", '{ "name": "empty", "private": true }');
  const tarballs = ["packages/conformant", "packages/page"].map((one) => pack(one, project).filename);
  npm(["install", ...tarballs], project);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test("the installed library is imported as a module", () => {
  write("a.mjs", `import { conform, predict, train } from "conformant";${program}console.log(answer);`);
  expect(node("a.mjs")).toBe(answer);
});

test("the installed library is loaded with require", () => {
  write("a.cjs", `const { conform, predict, train } = require("conformant");${program}console.log(answer);`);
  // Node 20 and 22 say that this is new; what is printed does not change.
  expect(node("--disable-warning=ExperimentalWarning", "a.cjs")).toBe(answer);
});

test.each(["nodenext", "bundler"])(
  "the types of the installed library are found by TypeScript, %s",
  (way) => {
    write(
      "a.mts",
      `import { conform, predict, train } from "conformant";${program}export const text: string = answer;`,
    );
    const kind = way === "bundler" ? "esnext" : "nodenext";
    const options = [
      "--noEmit",
      "--strict",
      "--target",
      "es2022",
      "--module",
      kind,
      "--moduleResolution",
      way,
    ];
    expect(node(join(root, "node_modules/typescript/bin/tsc"), ...options, "a.mts")).toBe("");
  },
);

test("Vite bundles the installed library, and only what is used of it", async () => {
  write("entry.js", `import { conform, predict, train } from "conformant";${program}console.log(answer);`);
  const { build } = await import("vite");
  await build({
    root: project,
    configFile: false,
    logLevel: "error",
    build: { outDir: "bundle", lib: { entry: "entry.js", formats: ["es"], fileName: "entry" } },
  });
  expect(node("bundle/entry.mjs")).toBe(answer);
  const dist = join(project, "node_modules/conformant/dist");
  const whole = readdirSync(dist)
    .filter((file) => file.endsWith(".js"))
    .reduce((sum, file) => sum + readFileSync(join(dist, file)).length, 0);
  expect(readFileSync(join(project, "bundle/entry.mjs")).length).toBeLessThan(whole / 2);
});

test.skipIf(!hasBrowser)(
  "a page imports the library's files from another host, as from a CDN",
  { timeout: 60_000 },
  async () => {
    const dist = join(project, "node_modules/conformant/dist");
    const cdn = createServer(({ url = "" }, response) =>
      response
        .writeHead(200, { "content-type": "text/javascript", "access-control-allow-origin": "*" })
        .end(readFileSync(join(dist, basename(url)))),
    ).listen(0, "127.0.0.1");
    await new Promise((listening) => cdn.once("listening", listening));
    const url = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/conformant@0/dist/index.js`;
    const browser = await startBrowser();
    const page = await browser.newPage();
    await page.setContent(
      `<script type="module">import { conform, predict, train } from "${url}";${program}document.title = answer;</script>`,
    );
    await page.waitForFunction("document.title !== ''");
    const title = await page.title();
    await browser.close();
    cdn.close();
    expect(title).toBe(answer);
  },
);

test("the packed command answers", () => {
  // Its dependencies would come from the registry; those of the repository take their place.
  const folder = join(project, "node_modules/conformant-cli");
  mkdirSync(folder);
  const { filename } = pack("packages/cli", project);
  execFileSync("tar", ["-xzf", filename, "-C", folder, "--strip-components", "1"], { cwd: project });
  const { dependencies } = JSON.parse(readText("packages/cli/package.json")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies).filter((one) => !one.startsWith("conformant"))) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link, "junction");
  }
  const main = "node_modules/conformant-cli/dist/main.js";
  cpSync(join(root, "examples/penguins.csv"), join(project, "penguins.csv"));
  node(main, "fit", "penguins.csv", "--label", "species", "--components", "1", "-o", "m.json", "--quiet");
  write("some.csv", "island\nDream\n");
  expect(node(main, "predict", "m.json", "some.csv")).toMatch(
    /^prediction,p_adelie,.*\n(adelie|chinstrap),0\./,
  );
  node(main, "export", "m.json", "--to", "page", "-o", "page");
  expect(readFileSync(join(project, "page/index.html"), "utf8")).toContain("<title>conformant</title>");
});
