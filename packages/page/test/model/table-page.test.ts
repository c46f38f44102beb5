import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { askNext, impute, predict, type Row } from "conformant";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PROBABILITY } from "../../src/frame/quantity.ts";
import { reasonSteps, reasonWay } from "../../src/model/reason-steps.ts";
import { findCertainty, findReasons } from "../../src/worker/answer.ts";
import { expectClose, hasBrowser, numbers, settled } from "../support/browser.ts";
import { exportPenguins } from "../support/example-page.ts";
import { type ShownExample, showExample } from "../support/shown-example.ts";

const PENGUINS = fileURLToPath(new URL("../../../../examples/penguins.csv", import.meta.url));
/** The share of rows in one bar of a histogram of the training data at most. */
const IN_A_BAR = 0.09;

describe.skipIf(!hasBrowser)(
  "the page of a table model, from a plain file server",
  { timeout: 30_000 },
  () => {
    let shown: ShownExample;
    let page: Page;

    beforeAll(async () => {
      shown = await showExample(exportPenguins());
      page = shown.page;
    });
    afterEach(async () => {
      const reset = page.getByRole("button", { name: "Start over" });
      if ((await reset.count()) > 0 && (await reset.isEnabled())) await reset.click();
      await settled(page);
    });
    afterAll(() => shown?.close());

    /** All numbers on the page are the library's. */
    async function expectAnswersFor(row: Row): Promise<void> {
      await settled(page);
      const { model } = shown;
      const classes = Object.entries(predict(model, row)).sort(([, p], [, q]) => q - p);
      expectClose(
        await numbers(page, "#result .probability"),
        classes.map(([, p]) => p),
      );
      const { range } = findCertainty(model, row, classes[0][0]);
      expectClose(await numbers(page, "#result .range data"), range?.map(({ value }) => value) ?? []);
      const reasons = findReasons(model, row);
      expectClose(
        await numbers(page, "#result data.points"),
        Object.keys(row).length === 0
          ? []
          : reasonSteps(reasonWay(reasons), PROBABILITY.little).map(({ from, to }) => to - from),
      );
      const [question] = askNext(model, row, { lookAhead: true });
      const asked = await numbers(page, "#result .changes-decision");
      // Where enough is known nothing is asked for, neither beside the answer nor in the form.
      if (asked.length > 0) expectClose(asked, [question.changesDecision]);
      expect(await marked("next")).toEqual(asked.length > 0 ? [question.column] : []);
    }

    const marked = (mark: string): Promise<(string | null)[]> =>
      page
        .locator(`.field.${mark}`)
        .evaluateAll((found) => found.map((field) => field.getAttribute("data-column")));
    const number = (label: string) => page.getByRole("textbox", { name: label, exact: true });

    test("every field is there and unknown at first, and the prediction is the prior", async () => {
      const columns = shown.model.schema.columns.map(({ name }) => name);
      expect(await marked("unknown")).toEqual(columns);
      await expectAnswersFor({});
      expect(await number("bill length").getAttribute("placeholder")).toBe("unknown");
      for (const radio of await page.getByRole("radio", { name: "unknown" }).all())
        expect(await radio.isChecked()).toBe(true);
      expect(await page.locator(".histogram").count()).toBe(4);
    });

    test("the answers follow what is entered, with the library's numbers to 1e-9", async () => {
      await page.getByRole("radio", { name: "biscoe" }).check();
      await number("bill depth").fill("16");
      await number("flipper length").fill("200");
      await expectAnswersFor({ island: "biscoe", bill_depth: 16, flipper_length: 200 });
      await number("flipper length").fill("200,5"); // a decimal comma
      await expectAnswersFor({ island: "biscoe", bill_depth: 16, flipper_length: 200.5 });
    });

    test("with everything known there is nothing left to ask", async () => {
      const row = {
        island: "dream",
        bill_length: 39,
        bill_depth: 18.5,
        flipper_length: 190,
        body_mass: 3700,
        sex: "male",
      };
      await page.getByRole("radio", { name: "dream" }).check();
      await page.getByRole("radio", { name: "male", exact: true }).check();
      for (const [label, value] of [
        ["bill length", 39],
        ["bill depth", 18.5],
        ["flipper length", 190],
        ["body mass", 3700],
      ])
        await number(String(label)).fill(String(value));
      await expectAnswersFor(row);
      await page.getByText("Every field is known.").waitFor();
      expect(await page.locator("#result .range").count()).toBe(0);
    });

    test("a value becomes unknown again by its button, by an empty field, and by the choice unknown", async () => {
      await number("bill depth").fill("16");
      await page.getByRole("button", { name: "clear bill depth" }).click();
      await expectAnswersFor({});
      await number("bill depth").fill("17");
      await number("bill depth").fill("");
      await expectAnswersFor({});
      await page.getByRole("radio", { name: "dream" }).check();
      await page.locator('[data-column="island"]').getByRole("radio", { name: "unknown" }).check();
      await expectAnswersFor({});
    });

    test("answers about the entries before are marked until the new ones come", async () => {
      const unknown = page.getByText("Nothing is known yet");
      const late = page.getByText("Updating the explanation");
      expect([await unknown.count(), await late.count()]).toEqual([1, 0]);
      // A worker that hears nothing is as slow as can be.
      const prototype = await page.evaluateHandle(() => ({ postMessage: Worker.prototype.postMessage }));
      await page.evaluate(() => {
        Worker.prototype.postMessage = () => {};
      });
      await number("bill length").fill("49.1");
      await late.waitFor();
      expect(await page.locator("#result").getAttribute("aria-busy")).toBe("true");
      // What belongs to the entries before is not seen beside the new answer.
      for (const part of [".because", ".reasons", ".range"])
        expect(await page.locator(`#result ${part}`).first().isVisible()).toBe(false);
      expect(await unknown.count()).toBe(0);
      await prototype.evaluate(({ postMessage }) => {
        Worker.prototype.postMessage = postMessage;
      });
      await number("bill length").fill("49.2");
      await settled(page);
      expect(await late.count()).toBe(0);
    });

    test("what is no number counts as unknown and says so", async () => {
      await number("bill depth").fill("thick");
      expect(await number("bill depth").getAttribute("aria-invalid")).toBe("true");
      await page.getByText("not a number; treated as unknown").waitFor();
      await expectAnswersFor({});
      await number("bill depth").fill("90");
      // A fitted model keeps the least and the largest number of every column.
      await page.getByText("outside the training data (13.1 to 21.5)").waitFor({ timeout: 5000 });
    });

    test("a value beyond the data is warned of at the answer and for screen readers", async () => {
      await number("body mass").fill("41000");
      await page
        .locator("#result .beyond")
        .filter({ hasText: "body mass 41000 (training data: 2700 to 6300)" })
        .waitFor({ timeout: 5000 });
      const said = page.getByRole("status").filter({ hasText: "Outside the training data: body mass" });
      await said.waitFor({ state: "attached", timeout: 5000 });
      await number("body mass").fill("4100");
      expect(await page.locator("#result .beyond").count()).toBe(0);
    });

    test("the focus stays where something was made unknown, and that and starting over can be undone", async () => {
      await number("bill depth").fill("16");
      await page.getByRole("button", { name: "clear bill depth" }).click();
      expect(await page.evaluate("document.activeElement.closest('.field').dataset.column")).toBe(
        "bill_depth",
      );
      await page.getByRole("button", { name: "Undo" }).click();
      await expectAnswersFor({ bill_depth: 16 });
      expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
      await number("bill depth").fill("17");
      await page.getByRole("button", { name: "Start over" }).click();
      expect(await page.evaluate("document.activeElement.tagName")).toBe("FORM");
      await expectAnswersFor({});
      await page.getByRole("button", { name: "Undo" }).click();
      await expectAnswersFor({ bill_depth: 17 });
    });

    test("what was entered is there after a reload", async () => {
      await page.getByRole("radio", { name: "dream" }).check();
      await number("bill depth").fill("16");
      await settled(page);
      await page.reload();
      await expectAnswersFor({ island: "dream", bill_depth: 16 });
      expect(await number("bill depth").inputValue()).toBe("16");
    });

    test("arrow keys in a field take the slider's steps, from what is likely where it is unknown", async () => {
      const likely = impute(shown.model, {}).bill_length;
      await number("bill length").press("ArrowUp");
      const first = Number(await number("bill length").inputValue());
      expect(Math.abs(first - (likely.kind === "numeric" ? likely.mean : 0))).toBeLessThan(1);
      await number("bill length").press("ArrowDown");
      await number("bill length").press("ArrowDown");
      expect(Number(await number("bill length").inputValue())).toBeLessThan(first);
    });

    test("a link that is seen when it is reached leads past all fields to the answer", async () => {
      await page.reload();
      await settled(page);
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the answer");
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("result");
    });

    test("the slider enters a value", async () => {
      await page.getByRole("slider", { name: "bill length, slider" }).fill("50");
      await expectAnswersFor({ bill_length: 50 });
      expect(await number("bill length").inputValue()).toBe("50");
    });

    test("the best next question leads to its field", async () => {
      await page.getByRole("radio", { name: "biscoe" }).check();
      await settled(page);
      await page.locator(".step button").click();
      const column = askNext(shown.model, { island: "biscoe" })[0].column;
      await page.locator(`.field[data-column="${column}"] :focus`).waitFor();
    });

    test("a row unlike the training data is noted, a usual one is not", async () => {
      const enter = async (island: string, sex: string, values: readonly number[]): Promise<void> => {
        await page.getByRole("radio", { name: island }).check();
        await page.getByRole("radio", { name: sex, exact: true }).check();
        for (const [i, label] of ["bill length", "bill depth", "flipper length", "body mass"].entries())
          await number(label).fill(String(values[i]));
        await settled(page);
      };
      await enter("dream", "male", [39, 18.5, 190, 3700]);
      expect(await page.getByText("Unlike the training data").count()).toBe(0);
      await enter("torgersen", "female", [33, 13.5, 230, 6200]);
      expect(await page.getByText("Unlike the training data").count()).toBe(1);
    });

    test("entries stand among the training rows where a count of them says", async () => {
      await number("bill depth").fill("16");
      await page.getByRole("radio", { name: "torgersen" }).check();
      await settled(page);
      const [header, ...lines] = readFileSync(PENGUINS, "utf8").trim().split("\n");
      const [depth, island] = ["bill_depth", "island"].map((name) => header.split(",").indexOf(name));
      const rows = lines.map((line) => line.split(","));
      const depths = rows.flatMap((row) => (row[depth] === "" ? [] : [Number(row[depth])]));
      const below = depths.filter((x) => x < 16).length / depths.length;
      const there = rows.filter((row) => row[island] === "torgersen").length / rows.length;
      const names = await page
        .locator(".among li")
        .evaluateAll((all) => all.map((one) => one.dataset.column));
      expect(names).toEqual(there < 2 * below ? ["island", "bill_depth"] : ["bill_depth", "island"]);
      const shares = new Map(names.map((name, i) => [name, i]));
      const found = await numbers(page, ".among data");
      expect(Math.abs(found[shares.get("island") ?? 0] - there)).toBeLessThan(1e-9);
      expect(Math.abs(found[shares.get("bill_depth") ?? 0] - below)).toBeLessThan(IN_A_BAR);
      expect(await page.locator(".among").innerText()).toContain(
        `lower than ${Math.round(100 - 100 * found[shares.get("bill_depth") ?? 0])}% of rows`,
      );
    });

    test("no questionnaire is offered where the page came without one", async () => {
      expect(await page.getByRole("radio", { name: "One question at a time" }).count()).toBe(1);
      expect(await page.getByRole("radio", { name: "Questionnaire" }).count()).toBe(0);
    });

    test("the words are explained where they stand, a sentence each", async () => {
      await number("bill depth").fill("16");
      await settled(page);
      const meanings = await page.locator(".two h2 + .meaning").allTextContents();
      expect(meanings).toHaveLength(4);
      for (const meaning of meanings) expect(meaning).toMatch(/^[A-Z][^.]{40,}\.$/);
    });

    test("a case is printed on one sheet, with question, answer, values, model and a place for a signature", async () => {
      await page.getByRole("radio", { name: "biscoe" }).check();
      await number("bill depth").fill("16");
      await settled(page);
      const pdf = (await page.pdf({ format: "A4", preferCSSPageSize: true })).toString("latin1");
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
      await page.emulateMedia({ media: "print" });
      const sheet = await page.locator(".case-sheet").innerText();
      for (const part of [
        "Which species?",
        "gentoo",
        "bill depth 16",
        "bill length",
        "Signature",
        "344 rows",
      ])
        expect(sheet).toContain(part);
      expect(await page.locator(".fields").isVisible()).toBe(false);
      await page.emulateMedia({ media: null });
    });

    test("the result is said to screen readers", async () => {
      await page.getByRole("radio", { name: "dream" }).check();
      const { chinstrap } = predict(shown.model, { island: "dream" });
      const said = `Predicted chinstrap, ${Math.round(100 * chinstrap)}%. Next, ask for bill length.`;
      await page.getByRole("status").filter({ hasText: said }).waitFor({ state: "attached", timeout: 5000 });
    });

    test("nothing was asked of anyone but the file server, and nothing went wrong", () => {
      expect(shown.complaints).toEqual([]);
      for (const { method, url } of shown.requests) {
        expect(method).toBe("GET");
        expect(url.startsWith(shown.url)).toBe(true);
      }
    });
  },
);
