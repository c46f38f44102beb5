import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { MISSING_TEXTS } from "conformant/texts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { duckdb } from "../../../cli/test/support/duckdb.ts";
import { fittedPenguins } from "../../../cli/test/support/fitted-penguins.ts";
import { succeed } from "../../../cli/test/support/run.ts";
import { type Served, startServe } from "../../../cli/test/support/server.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { hasBrowser, startBrowser, violations } from "../support/browser.ts";
import {
  ask,
  done,
  downloaded,
  downloadedBytes,
  go,
  next,
  type OpenStudio,
  openStudio,
  PATIENCE,
  take,
} from "../support/studio-page.ts";

/** Milliseconds after which a browser has kept a small study. */
const KEPT = 500;
const place = new Workplace();
const penguins = fileURLToPath(new URL("../../../../examples/penguins.csv", import.meta.url));

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

  const open = (view?: Parameters<typeof openStudio>[2]): Promise<OpenStudio> =>
    openStudio(browser, served.url, view);

  test("from a file to the command's model, byte for byte; its evaluation and use; all of it there after a reload; nothing is sent", async () => {
    const { page, complaints, elsewhere } = await open();
    await take(page, "penguins.csv", readFileSync(penguins));
    await page.getByText("344 rows, 7 columns").waitFor();
    expect(await page.locator('[data-column="bill_length"] .note').first().innerText()).toContain("number");
    expect(await violations(page)).toEqual([]);
    await ask(page, "species");
    await done(page);
    expect(await violations(page)).toEqual([]);
    await next(page, "Evaluate");
    await page.getByText("With 50% of the cells masked, the accuracy of this model").waitFor();
    expect(await page.locator(".confusion tbody tr").count()).toBe(3);
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.getByText("With 50% of the cells masked, the accuracy of this model").waitFor();
    await go(page, "Save");
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ media: "print" });
    // Within columns or a grid, Chromium loses or moves what follows a page break.
    const layouts = await page
      .locator(".model-report, .model-report .evaluation")
      .evaluateAll((all) => all.map((one) => [getComputedStyle(one).display, getComputedStyle(one).columns]));
    expect(layouts).toEqual([
      ["block", "auto"],
      ["block", "auto"],
    ]);
    expect(await page.locator(".model-report .chart").count()).toBe(3);
    expect(await page.locator(".model-report").innerText()).toContain(
      "logistic regression, chosen by cross-validation",
    );
    await page.emulateMedia({ media: null });
    const own = await downloaded(page);
    const file = fittedPenguins();
    expect(own).toBe(readFileSync(file, "utf8"));
    for (const [button, form] of [
      ["Download Python", "python"],
      ["Download ONNX", "onnx"],
      ["Download SQL", "sql"],
    ] as const) {
      const output = join(place.folder, `exported-${form}`);
      succeed(["export", file, "--to", form, "-o", output]);
      expect((await downloadedBytes(page, button)).equals(readFileSync(output)), form).toBe(true);
    }
    await go(page, "Use");
    await page.waitForSelector('[data-complete="true"]');
    await page.getByRole("heading", { name: "Which species?" }).waitFor();
    expect(await page.getByText("Everything is computed in this browser").count()).toBe(1);
    await page.getByRole("radio", { name: "biscoe" }).check();
    await page.waitForSelector('[data-complete="true"]');
    expect(await page.locator(".classes li").first().getAttribute("data-class")).toBe("gentoo");
    await page.getByRole("button", { name: "Predict the rows of penguins.csv" }).click();
    await page.getByText("344 rows predicted").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
    await go(page, "Data");
    // Steps have addresses; starting over can be undone, and deleting asks first.
    await page.goBack();
    await page.getByText("344 rows predicted").or(page.locator(".answer-card")).first().waitFor();
    await page.goForward();
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByRole("button", { name: "Back to penguins.csv" }).click();
    await page.getByText("344 rows, 7 columns").waitFor();
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByRole("button", { name: "Delete it from this browser" }).click();
    await page.getByText("Delete penguins.csv, its model and settings from this browser?").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Back to" }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("choose a file").waitFor();
    expect(await page.getByRole("button", { name: "Back to" }).count()).toBe(0);
    await page.context().close();
  });

  test("a sheet of a workbook is chosen by its name, an empty one is an error, and the command line names it", async () => {
    const { page, complaints } = await open();
    const workbook = readFileSync(
      new URL("../../../workbench/test/fixtures/workbooks/openpyxl.xlsx", import.meta.url),
    );
    await take(page, "book.xlsx", workbook);
    const sheet = page.getByLabel("Sheet");
    await sheet.waitFor();
    expect(await sheet.locator("option").allInnerTexts()).toEqual(["Birds & <bees>", "empty", "formulas"]);
    const first = await page.locator("[data-column]").count();
    await sheet.selectOption("empty");
    await page.getByText('sheet "empty": the sheet is empty, expected a header and rows').waitFor();
    expect(await violations(page)).toEqual([]);
    await sheet.selectOption("Birds & <bees>");
    await page.locator("[data-column]").first().waitFor();
    expect(await page.locator("[data-column]").count()).toBe(first);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a Parquet file gives the command's model, byte for byte, and workers that share memory score its candidates", async () => {
    const file = place.path("trades.parquet");
    await duckdb(
      `COPY (SELECT i % 7 AS day, (i * 37 % 101)::DOUBLE / 4 AS price, CASE WHEN i % 5 = 0 THEN NULL ELSE ['red', 'green', 'blue'][1 + i % 3] END AS colour, (i % 4)::DOUBLE AS kind, i % 2 = 0 AS sold, DATE '2024-01-01' + (i % 30)::INTEGER AS seen, (i % 11)::DECIMAL(6, 2) / 4 AS rate FROM range(31000) AS r(i)) TO '${file}' (CODEC 'zstd')`,
    );
    const { page, complaints } = await open();
    expect(await page.evaluate("crossOriginIsolated")).toBe(true);
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText("31,000 rows, 7 columns").waitFor();
    expect(await page.locator('[data-column="seen"]').innerText()).toMatch(
      /detected: number .*\n+dates are read as days since 1970-01-01/,
    );
    await ask(page, "kind");
    await page.getByText("The model is ready").waitFor({ timeout: PATIENCE });
    await go(page, "Save");
    const own = await downloaded(page);
    const words = ["fit", file, "--label", "kind", "--time-limit", "600", "--threads", "1", "--quiet"];
    expect(own).toBe(succeed(words).stdout.trimEnd());
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("an imported classifier gives the command's model, and wrong files are rejected with a reason", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, r) => `${r % 5 ? 20 + ((r * 7) % 50) : ""},${r % 3},${r % 2}`,
    );
    const data = place.write("trees.csv", `age,visits,ill\n${rows.join("\n")}\n`);
    const trees = JSON.stringify({
      kind: "trees",
      classes: ["0", "1"],
      features: ["age", "visits"],
      link: "logistic",
      base: [0.2],
      trees: [
        {
          output: 0,
          feature: [0, -1, -1],
          threshold: [40, null, null],
          left: [1, -1, -1],
          right: [2, -1, -1],
          value: [null, -1, 1.5],
        },
      ],
    });
    const classifier = place.write("trees.json", trees);
    const { page, complaints } = await open({ width: 390 });
    await page.locator("input[type=file]").setInputFiles(data);
    await next(page, "Question");
    await page.getByRole("radio", { name: /^Existing classifier/ }).check();
    const bring = (name: string, content: string | Buffer): Promise<void> =>
      page
        .locator(".imported input[type=file]")
        .setInputFiles({ name, mimeType: "", buffer: Buffer.from(content) });
    for (const [name, content, message] of [
      ["empty.json", "", /the file is empty/],
      ["model.pkl", Buffer.from([0x80, 4, 0x95, 0, 0]), /a pickle of Python/],
      ["dump.json", '[{"nodeid":0}]', /XGBoost's dump_model/],
      [
        "net.onnx",
        "\x08\x07",
        /ONNX is not supported here; the command conformant fit --classifier reads it/,
      ],
      [
        "other.json",
        trees.replace('"visits"', '"colour"').replace("[0,-1,-1]", "[1,-1,-1]"),
        /has only the columns/,
      ],
    ] as const) {
      await bring(name, content);
      await page.getByRole("alert").filter({ hasText: message }).waitFor();
      expect(await page.getByRole("button", { name: "Fit the model" }).isDisabled()).toBe(true);
    }
    await bring("trees.json", trees);
    await page.getByText("trees for 0, 1, from").waitFor();
    await page.getByLabel("Class names").fill("well, ill");
    await page.getByLabel("Class names").blur();
    await page.getByText("trees for well, ill, from").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.getByText("trees for well, ill, from").waitFor();
    await page.getByRole("button", { name: "Fit the model" }).click();
    await done(page);
    await go(page, "Evaluate");
    await page.getByText("no column with the true class").waitFor();
    await go(page, "Save");
    const words = ["--classifier", classifier, "--classes", "well,ill", "--quiet"];
    expect(await downloaded(page)).toBe(succeed(["fit", data, ...words]).stdout.trimEnd());
    await page.getByRole("button", { name: "Download ONNX" }).click();
    await page.getByRole("alert").filter({ hasText: "a model of trees cannot be written as onnx" }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a fit is cancelled at any moment and nothing is lost; kinds are changed by a click, and the model follows", async () => {
    const { page } = await open();
    // Eight times the rows, so that the fit lasts until it is cancelled.
    const [header, ...lines] = readFileSync(penguins, "utf8").trim().split("\n");
    await take(page, "penguins.csv", [header, ...Array.from({ length: 8 }, () => lines).flat()].join("\n"));
    await page.getByText("2,752 rows").waitFor();
    for (const moment of [0, 150, 700]) {
      await ask(page, "species");
      await page.waitForTimeout(moment);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Your table and your settings are unchanged").waitFor();
      await go(page, "Data");
      await page.getByText("2,752 rows").waitFor();
    }
    await page.getByLabel("Type of island").selectOption("exclude");
    await page.getByLabel("Type of body_mass").selectOption("exclude");
    await page.getByLabel("Type of sex").selectOption("exclude");
    await ask(page, "species");
    await done(page);
    await go(page, "Save");
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
    ["sheet.csv", "PK\x03\x04abc", /is a ZIP archive such as a spreadsheet, expected a table as text/],
    ["bytes.csv", Buffer.from([0x61, 0x0a, 0xe9, 0x0a]), /is not in UTF-8/],
    ["scan.csv", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), /is an image, expected a table as text/],
    ["cut.csv.gz", gzipSync("a,b\n1,2\n".repeat(100)).subarray(0, 30), /is truncated, damaged/],
    ["cut.parquet", "PAR1abc", /cannot be read as a Parquet file/],
    ["rows.jsonl", '{"a":1}\nnonsense\n', /line 2: expected a JSON object/],
  ])("%s is answered in words, and another file can be taken", async (name, content, message) => {
    const { page, complaints } = await open();
    await take(page, name, content);
    await page.getByRole("alert").filter({ hasText: message }).waitFor();
    expect(await page.getByRole("button", { name: "Back to" }).count()).toBe(0);
    await page.getByRole("button", { name: "Start over" }).click();
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
      ["same", /the same value in every row/],
    ] as const) {
      await label.selectOption(column);
      await page.getByRole("alert").filter({ hasText: words }).waitFor();
      expect(await page.getByRole("button", { name: "Fit the model" }).isDisabled()).toBe(true);
    }
    for (const [column, words] of [
      ["gappy", /one of 2 classes.*20 rows have no value in this column and are skipped/],
      ["number", /predict number as a number/],
      ["class", /one of 2 classes/],
    ] as const) {
      await label.selectOption(column);
      await page.getByRole("status").filter({ hasText: words }).waitFor();
      expect(await page.getByRole("button", { name: "Fit the model" }).isEnabled()).toBe(true);
    }
    await go(page, "Data");
    await page.getByRole("region", { name: "Missing together" }).getByText("gappy: 20 rows (33%)").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test("a question mark is taken for unknown by a click, in all columns, and the command line says so", async () => {
    const { page } = await open();
    const rows = Array.from(
      { length: 40 },
      (_, r) => `${["red", "?", "blue"][r % 3]},${r % 5 === 0 ? "?" : "low"},${r % 7},${r % 2 ? "x" : "y"}`,
    );
    await take(page, "marks.csv", ["colour,height,number,class", ...rows].join("\n"));
    await page.getByText("40 rows, 4 columns, 0% of the cells missing").waitFor();
    await page
      .locator('[data-column="colour"]')
      .getByRole("button", { name: "Treat “?” as missing" })
      .click();
    await page.getByText("40 rows, 4 columns, 13% of the cells missing").waitFor();
    expect(await page.getByRole("button", { name: "Treat “?”" }).count()).toBe(0);
    await ask(page, "class");
    await done(page);
    await go(page, "Save");
    expect(await page.locator("pre").last().innerText()).toContain(
      `--na '${[...MISSING_TEXTS, "?"].join(",")}'`,
    );
    await page.context().close();
  });

  test("a wide table is drawn in parts", async () => {
    const { page } = await open();
    const names = Array.from({ length: 100 }, (_, i) => `c${i}`);
    const rows = Array.from({ length: 30 }, (_, r) => names.map((_, i) => (r * (i + 3)) % 7).join(","));
    await take(page, "wide.csv", [names.join(","), ...rows].join("\n"));
    await page.getByText("40 of 100 columns shown").click();
    expect(await page.locator("[data-column]").count()).toBe(80);
    await page.getByText("The first 40 of 100 columns are shown.").waitFor();
    await page.context().close();
  });

  test("a file that cannot be read takes nothing away: what was there is a click away, also after a reload", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Which penguin?" }).click();
    await page.getByText("344 rows").waitFor();
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(["a,b\\n1"], "broken.csv"));
      document.querySelector(".studio").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
    }`);
    await page
      .getByRole("alert")
      .filter({ hasText: /broken.csv/ })
      .waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Back to penguins.csv" }).click();
    await page.getByText("344 rows").waitFor();
    expect(await page.getByRole("button", { name: "Back to" }).count()).toBe(0);
    await page.context().close();
  });

  test("two pages of one browser keep a study each as a whole: the latest one, never a part of both", async () => {
    const { page } = await open();
    await take(page, "first.csv", "a,b,class\n1,2,x\n3,4,y\n2,5,x\n");
    await page.getByText("3 rows, 3 columns").waitFor();
    const other = await page.context().newPage();
    await other.goto(served.url);
    await other.getByRole("button", { name: "Start over" }).click();
    await take(other, "second.csv", "c,d\n1,2\n3,4\n");
    await other.getByText("2 rows, 2 columns").waitFor();
    await page.getByLabel("Type of b").selectOption("exclude");
    await page.waitForTimeout(KEPT);
    await page.reload();
    await page.getByText("3 rows, 3 columns").waitFor();
    expect(await page.getByLabel("Type of b").inputValue()).toBe("out");
    await page.context().close();
  });

  test("an interrupted evaluation is reported, and runs when the model is fitted again", async () => {
    const { page } = await open();
    await take(page, "few.csv", `a,b,class\n${"1,2,x\n3,4,y\n2,5,x\n".repeat(8)}`);
    await ask(page, "class");
    await done(page);
    // As if the page had been left between the model and its worth.
    await page.evaluate(`new Promise((resolve) => {
      indexedDB.open("conformant-study").onsuccess = ({ target: { result } }) => {
        const store = result.transaction("parts", "readwrite").objectStore("parts");
        store.get("made").onsuccess = ({ target: { result: { made } } }) => {
          store.put({ made: { ...made, results: undefined } }, "made").onsuccess = resolve;
        };
      };
    })`);
    await page.reload();
    await go(page, "Evaluate");
    await page.getByText("The evaluation was interrupted").waitFor();
    await page.getByRole("button", { name: "Fit again" }).click();
    await done(page);
    await go(page, "Evaluate");
    await page.getByText("With 50% of the cells masked, the accuracy of this model").waitFor();
    await page.context().close();
  });

  test("a server that is gone is named wherever a part of the page would come from it", async () => {
    const leaving = await startServe([], { cwd: place.folder });
    const { page } = await openStudio(browser, leaving.url);
    await leaving.stop();
    await page.getByRole("button", { name: "Which penguin?" }).click();
    await page.getByRole("alert").filter({ hasText: "its server does not answer" }).waitFor();
    await take(page, "few.csv", "a,b\n1,2\n3,4\n");
    await page.getByRole("heading", { name: "few.csv" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "its server does not answer" }).waitFor();
    await page.context().close();
  });

  test("names and values of one long word make no step wider than a phone, and two values are told apart", async () => {
    const [column, value, name] = ["x", "v", "c"].map((letter) => letter.repeat(200));
    const rows = Array.from(
      { length: 24 },
      (_, r) => `${value}${r % 2},${(r * 7) % 5},${r % 3 ? "rest" : name}`,
    );
    const { page } = await open({ width: 390, dark: true });
    const width = (): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth");
    await take(page, `${name}.csv`, [`${column},number,class`, ...rows].join("\n"));
    await ask(page, "class");
    await done(page);
    for (const step of ["Data", "Question", "Fit", "Evaluate", "Save", "Use"]) {
      await go(page, step);
      expect([step, await width()]).toEqual([step, 390]);
      expect([step, await violations(page)]).toEqual([step, []]);
    }
    await page.waitForSelector('[data-complete="true"]');
    expect(await width()).toBe(390);
    const right = async (part: string): Promise<number> => {
      const box = await page.locator(`[data-column="${column}"] .choice${part}`).last().boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    expect(await right(" span")).toBeLessThan(await right(""));
    const answer = await page.locator(".phone-bar b").boundingBox();
    expect(answer?.width).toBeGreaterThan(20);
    await page.context().close();
  });

  test("on a phone and in the dark nothing is cut off and axe finds nothing", async () => {
    const { page } = await open({ width: 390, dark: true });
    await page.getByRole("button", { name: "Who leaves?" }).click();
    await page.getByText("500 rows").waitFor();
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
