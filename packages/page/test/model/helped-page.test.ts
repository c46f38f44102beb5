import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  askNext,
  askTree,
  loadCalibration,
  predict,
  predictionSet,
  sensitivity,
  shiftMissing,
} from "conformant";
import { branchInWords } from "conformant/internal";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fittedPenguins } from "../../../cli/test/support/fitted-penguins.ts";
import { succeed } from "../../../cli/test/support/run.ts";
import { expectClose, hasBrowser, numbers, settled, violations } from "../support/browser.ts";
import { exportPenguins } from "../support/example-page.ts";
import { type ShownExample, showExample } from "../support/shown-example.ts";

const penguins = fileURLToPath(new URL("../../../../examples/penguins.csv", import.meta.url));
const LABELS = {
  columns: {
    bill_length: {
      label: "Bill length",
      unit: "mm",
      description: "From the tip to the feathers",
      group: "Bill",
    },
    bill_depth: { label: "Bill depth", unit: "mm", group: "Bill" },
    sex: { values: [{ value: "male", label: "a male" }, "female"] },
  },
  classes: { chinstrap: "Chinstrap penguin" },
};

describe.skipIf(!hasBrowser)(
  "a page that came with labels, a questionnaire and known cases",
  { timeout: 30_000 },
  () => {
    const home = mkdtempSync(join(tmpdir(), "conformant-helped-page-"));
    const file = (name: string): string => join(home, name);
    let shown: ShownExample;
    let page: Page;

    beforeAll(async () => {
      const model = fittedPenguins();
      // On the rows of the fit, where the sets are smaller than promised: the page is only compared with the library on the same file.
      const label = ["--label", "species", "--allow-training-rows"];
      succeed(["calibrate", model, penguins, ...label, "-o", file("kept.json")]);
      writeFileSync(file("tree.json"), succeed(["ask", model, "--tree", "3", "--json"]).stdout);
      writeFileSync(file("labels.json"), JSON.stringify(LABELS));
      const options = ["labels", "questionnaire", "calibration"];
      const files = ["labels.json", "tree.json", "kept.json"];
      shown = await showExample(
        exportPenguins(...options.flatMap((option, i) => [`--${option}`, file(files[i])])),
      );
      page = shown.page;
    });
    afterAll(async () => {
      await shown?.close();
      rmSync(home, { recursive: true, force: true });
    });

    const way = (name: string): Promise<void> => page.getByRole("radio", { name }).check();

    test("the questionnaire is followed branch by branch, and exact answers go into the form", async () => {
      const tree = askTree(shown.model, {}, { depth: 3 });
      if (!tree.question) throw new Error("the questionnaire asks nothing");
      const [first] = tree.question.branches;
      await page.getByRole("button", { name: branchInWords(first), exact: true }).click();
      const here = first.next;
      const said = page.locator(".interview [role=status]");
      expect(await said.innerText()).toContain(`${Math.round(100 * here.probability)}%`);
      await page.getByRole("button", { name: "Back" }).click();
      const exact = (first.to ?? 0) - 1;
      await page.getByLabel("Exact number").fill(String(exact));
      await page.keyboard.press("Enter");
      expect(await said.innerText()).toContain(`${Math.round(100 * here.probability)}%`);
      await settled(page);
      const known = { [tree.question.column]: exact };
      expect((await numbers(page, "#result .probability"))[0]).toBeCloseTo(
        Math.max(...Object.values(predict(shown.model, known))),
        9,
      );
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Start over" }).click();
    });

    test("columns, values and classes have the names, units, order and groups of the labels file", async () => {
      await way("All fields");
      expect(await page.locator(".group h3").allInnerTexts()).toEqual(["Bill", "Other fields"]);
      await page.getByRole("textbox", { name: "Bill length in mm" }).fill("49");
      await page.getByText("From the tip to the feathers").waitFor();
      const sexes = page.locator('[data-column="sex"] .choice');
      expect(await sexes.allInnerTexts()).toEqual(["unknown", "a male", "female"]);
      await page.getByRole("radio", { name: "a male" }).check();
      await settled(page);
      const reason = page.locator('.result .reason-list [data-column="bill_length"]');
      expect(await reason.innerText()).toContain("49 mm");
      expect(await page.locator(".because").innerText()).toContain("Bill length 49 mm (+");
      expect(await page.locator('.classes [data-class="chinstrap"]').innerText()).toContain(
        "Chinstrap penguin",
      );
      expect(await violations(page)).toEqual([]);
    });

    test("the prediction set is the library's, at the coverage that is chosen", async () => {
      const calibration = loadCalibration(readFileSync(file("kept.json"), "utf8"));
      const known = { bill_length: 49, sex: "male" };
      for (const coverage of [0.9, 0.99]) {
        await page.getByLabel("Coverage").selectOption(String(100 * coverage));
        await settled(page);
        const set = predictionSet(shown.model, calibration, known, { coverage });
        const classes = await page
          .locator(".class-set b")
          .evaluateAll((found) => found.map((one) => one.getAttribute("data-class")));
        expect(classes).toEqual(set.classes.length === 3 ? [] : set.classes);
      }
    });

    test("unknown fields can be taken to be unusual: the answer is that of the shifted model", async () => {
      const known = { bill_length: 49, sex: "male" };
      const { tilts } = sensitivity(shown.model, known);
      const named: Readonly<Record<string, object>> = LABELS.columns;
      const own = named[tilts[0].column];
      const column = own && "label" in own ? own.label : tilts[0].column.replaceAll("_", " ");
      expect(await page.locator(".deciding").innerText()).toContain(
        `unknown values of ${column} are typically`,
      );
      await page.getByLabel("Unknown values of").selectOption({ label: "flipper length" });
      await page.getByRole("slider", { name: /flipper length: lower/ }).fill("1.5");
      const answer = predict(shiftMissing(shown.model, { flipper_length: 1.5 }), known);
      expectClose(
        await numbers(page, ".shifted data"),
        Object.values(answer).sort((a, b) => b - a),
      );
      await page.getByRole("button", { name: "Reset" }).click();
      expectClose(
        await numbers(page, ".shifted data"),
        Object.values(predict(shown.model, known)).sort((a, b) => b - a),
      );
    });

    test("one question at a time: the best one, looking ahead, until enough is known", async () => {
      await page.getByRole("button", { name: "Start over" }).click();
      await way("One question at a time");
      const asked: string[] = [];
      const known: Record<string, number | string> = {};
      const answers = { island: "biscoe", bill_length: 47, bill_depth: 14.5, flipper_length: 219 };
      const enough = page.getByText("No more questions are needed.");
      while (asked.length < 6) {
        await settled(page);
        if ((await enough.count()) > 0) break;
        const field = page.locator(".interview .field");
        const column = (await field.getAttribute("data-column")) ?? "";
        expect(column).toBe(
          askNext(shown.model, known, { lookAhead: true }).find((own) => !asked.includes(own.column))?.column,
        );
        asked.push(column);
        const answer = answers[column as keyof typeof answers];
        if (answer === undefined) {
          await page.getByRole("button", { name: "I don’t know" }).click();
          continue;
        }
        known[column] = answer;
        if (typeof answer === "number") await field.getByRole("textbox").fill(String(answer));
        else await field.getByRole("radio", { name: answer }).check();
        await page.getByRole("button", { name: "Next question" }).click();
        await settled(page);
        if ((await enough.count()) === 0)
          expect(await page.evaluate("document.activeElement.closest('.interview .field') !== null")).toBe(
            true,
          );
      }
      expect(await enough.count()).toBe(1);
      expect(await page.locator(".answered li").count()).toBe(Object.keys(known).length);
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Continue asking" }).click();
      await page.locator(".interview .field").waitFor();
    });

    test("nothing went wrong", () => {
      expect(shown.complaints).toEqual([]);
    });
  },
);
