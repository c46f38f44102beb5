import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { impute, loadModel, type Model, predict, random, sensitivity, shiftMissing } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { succeed } from "../../../cli/test/support/run.ts";
import { hasBrowser, type OpenPage, openPage, settled, startBrowser } from "../support/browser.ts";
import { serveFiles } from "../support/file-server.ts";

/** Rows of sick and healthy people: the marker is missing mostly for the sick, and the dose is above 0. */
const g = random(7);
const rows = Array.from({ length: 300 }, () => {
  const sick = g.normal() < -0.2;
  const effect = sick ? 1 : 0;
  const dose = 0.05 + Math.exp(1.2 * g.normal()) + 0.45 * effect;
  const age = 50 + 10 * g.normal() + 8 * effect;
  const isMissing = Math.abs(g.normal()) < (sick ? 1 : 0.25);
  return { dose, age, marker: isMissing ? undefined : g.normal() + 0.5 * effect, sick: sick ? "yes" : "no" };
});
const doses = rows.map(({ dose }) => dose);

describe.skipIf(!hasBrowser)(
  "the page of a model that uses whether values are missing",
  { timeout: 60_000 },
  () => {
    let opened: OpenPage;
    let model: Model;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const home = mkdtempSync(join(tmpdir(), "conformant-missing-page-"));
      const [table, file, folder] = [join(home, "rows.csv"), join(home, "model.json"), join(home, "page")];
      const lines = rows.map(({ dose, age, marker = "", sick }) => [dose, age, marker, sick].join(","));
      writeFileSync(table, ["dose,age,marker,sick", ...lines].join("\n"));
      succeed(["fit", table, "--label", "sick", "--model", "logistic", "-o", file]);
      model = loadModel(readFileSync(file, "utf8"));
      succeed(["export", file, "--to", "page", "-o", folder]);
      const files = await serveFiles(folder);
      const browser = await startBrowser();
      close = async () => {
        await browser.close();
        files.close();
        rmSync(home, { recursive: true, force: true });
      };
      opened = await openPage(browser, files.url);
    });
    afterAll(() => close?.());

    test("an empty form is not called the average case, and the title names the column of yes and no", async () => {
      const { page } = opened;
      await settled(page);
      expect(model.schema.columns.map(({ name }) => name)).toContain("marker is missing");
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Predict: sick");
      const card = await page.locator(".answer-card").innerText();
      expect(card).toContain("Nothing is entered yet. The model takes into account that marker is missing.");
      expect(card).not.toContain("average");
    });

    test("nothing is settled while the model counts an unknown field as missing, and the range says so", async () => {
      const { page } = opened;
      await page.getByRole("textbox", { name: "age", exact: true }).fill("80");
      await settled(page);
      expect(predict(model, { age: 80 }).yes).toBeGreaterThan(0.8);
      const card = page.locator(".answer-card");
      expect(await card.innerText()).not.toContain("Enough is known");
      expect(await card.locator(".step").innerText()).toContain(
        "As long as it is unknown, the model counts it as missing.",
      );
      await page.getByRole("textbox", { name: "marker", exact: true }).fill("0.2");
      await settled(page);
      expect(await card.innerText()).not.toContain("counts it as missing");
      await page.getByRole("button", { name: "Start over" }).click();
      await settled(page);
    });

    test("the button in the form leads to the table", async () => {
      const { page } = opened;
      const top = (): Promise<number> =>
        page.locator("#many").evaluate((heading) => heading.getBoundingClientRect().top);
      const height = await page.evaluate(() => innerHeight);
      expect(await top()).toBeGreaterThan(height);
      await page.getByRole("button", { name: "Many rows" }).click();
      await expect.poll(top).toBeLessThan(height);
    });

    test("an assumption that takes the mean of an unknown field out of the data is not said to change the prediction", async () => {
      const { page, complaints } = opened;
      /** The mean of the dose under the weakest assumption that changes the prediction, where one does. */
      const meanAt = (age: number): number => {
        const row = { age, marker: 0.2 };
        const [{ tilt }] = sensitivity(model, row).tilts;
        if (tilt === null) return Number.NaN;
        const { dose } = impute(shiftMissing(model, { dose: tilt }), row);
        return dose.kind === "numeric" ? dose.mean : Number.NaN;
      };
      const ages = Array.from({ length: 60 }, (_, i) => 30 + i);
      const [least, most] = [Math.min(...doses), Math.max(...doses)];
      const possible = ages.find((age) => meanAt(age) > least && meanAt(age) < most);
      const impossible = ages.find((age) => meanAt(age) < least);
      expect([possible, impossible]).not.toContain(undefined);
      const enter = (name: string, value: number | undefined): Promise<void> =>
        page.getByRole("textbox", { name, exact: true }).fill(String(value));
      const deciding = page.locator(".deciding");
      await enter("marker", 0.2);
      await enter("age", possible);
      await settled(page);
      expect(await deciding.innerText()).toContain("unknown values of dose are typically");
      await enter("age", impossible);
      await settled(page);
      expect(await deciding.innerText()).toBe(
        "No typical value of a single field within the range of the training data would change the prediction.",
      );
      expect(complaints).toEqual([]);
    });
  },
);
