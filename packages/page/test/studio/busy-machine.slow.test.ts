import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { random } from "conformant";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { succeed } from "../../../cli/test/support/run.ts";
import { type Served, startServe } from "../../../cli/test/support/server.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { ask, done, downloaded, go, openStudio, take } from "../support/studio-page.ts";

const place = new Workplace();
/** Fits of a table, each beside up to so many busy processes, and milliseconds that one of them may take. */
const [FITS, MOST_BUSY, MOST_TIME] = [20, 8, 300_000];
const penguins = fileURLToPath(new URL("../../../../examples/penguins.csv", import.meta.url));

/** Rows of groups that some numbers and a text tell apart. */
function groups(rows: number, numbers: number, classes: number, missing: number): string {
  const g = random(rows);
  const cell = (value: number | string): number | string => (g.uniform() < missing ? "" : value);
  const lines = Array.from({ length: rows }, (_, r) => {
    const group = r % classes;
    const cells = Array.from({ length: numbers }, (_, i) =>
      cell((((group * (i + 1)) % 7) + g.normal()).toFixed(2)),
    );
    return [...cells, cell(g.uniform() < 0.8 ? `c${group % 3}` : "other"), `k${group}`].join(",");
  });
  const names = Array.from({ length: numbers }, (_, i) => `x${i}`);
  return [[...names, "color", "group"].join(","), ...lines].join("\n");
}

const tables: Readonly<Record<string, readonly [text: string, label: string]>> = {
  penguins: [readFileSync(penguins, "utf8"), "species"],
  "few rows with missing values": [groups(300, 4, 2, 0.1), "group"],
  "one part held out": [groups(3200, 3, 2, 0), "group"],
  "many columns": [groups(200, 40, 2, 0.05), "group"],
  "many classes": [groups(400, 3, 20, 0), "group"],
};

let busy: ChildProcess[] = [];

function beBusy(processes: number): void {
  busy = Array.from({ length: processes }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
}

function rest(): void {
  for (const child of busy) child.kill("SIGKILL");
  busy = [];
}

afterEach(rest);

describe.skipIf(!hasBrowser)("however busy the machine is", () => {
  let browser: Browser;
  let served: Served;

  beforeAll(async () => {
    [browser, served] = await Promise.all([startBrowser(), startServe([], { cwd: place.folder })]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  test.each(Object.entries(tables))(
    "the model is the same to the last byte with one thread, with two and in the browser: %s",
    async (name, [text, label]) => {
      const file = `${name}.csv`;
      place.write(file, text);
      const fitInBrowser = async (): Promise<string> => {
        const { page } = await openStudio(browser, served.url);
        await take(page, file, text);
        await ask(page, label);
        await done(page, MOST_TIME);
        await go(page, "Save");
        const model = await downloaded(page);
        await page.context().close();
        return model;
      };
      const fitWith = async (threads: number): Promise<string> => {
        const words = ["fit", file, "--label", label, "--threads", `${threads}`, "--quiet"];
        return succeed(words, { cwd: place.folder }).stdout.trimEnd();
      };
      const ways = [() => fitWith(1), () => fitWith(2), () => fitWith(1), () => fitWith(2), fitInBrowser];
      const first = await fitWith(1);
      expect(JSON.parse(first).format).toBe("conformant-model");
      const g = random(7);
      for (let again = 0; again < FITS; again++) {
        beBusy(g.integer(MOST_BUSY + 1));
        const model = await ways[again % ways.length]();
        rest();
        expect(model === first, `fit ${again}`).toBe(true);
      }
    },
  );
});
