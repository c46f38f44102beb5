import { spawnSync } from "node:child_process";
import { conform, createClassifier, type Model, type Row } from "conformant";
import { expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportSpreadsheet } from "../../src/export/export-spreadsheet.ts";
import { csvField, parseCsv } from "../../src/memory/csv-text.ts";
import { expectedAnswers, largestDifference } from "./support/expected.ts";
import { broughtModels, randomRows, schema } from "./support/fixtures.ts";
import { computeSheet } from "./support/formulas.ts";

const models = broughtModels();
const place = new Workplace();
const hasGnumeric = spawnSync("ssconvert", ["--version"]).status === 0;

/** The cells of the sheet with a row typed into column B. */
function typeRow(
  sheet: readonly string[][],
  row: Row,
  text: (value: string) => string = (value) => value,
): string[][] {
  return sheet.map((cells, r) => {
    const i = r - 6;
    const value = i >= 0 && i < schema.columns.length ? row[schema.columns[i].name] : undefined;
    return value === undefined
      ? [...cells]
      : [cells[0], typeof value === "string" ? text(value) : String(value), ...cells.slice(2)];
  });
}

/** Rows of equal length with empty lines kept, as a spreadsheet sees them. */
function sheetOf(model: Model): string[][] {
  return exportSpreadsheet(model)
    .trimEnd()
    .split("\r\n")
    .map((line) => parseCsv(line, ",")[0] ?? []);
}

test("the formulas give the library's probabilities on 500 rows", { timeout: 60_000 }, () => {
  const rows = randomRows(500, 3);
  for (const { name, model } of models.filter(({ name }) => name.includes(".csv"))) {
    const sheet = sheetOf(model);
    const own = rows.flatMap((row) => {
      const cell = computeSheet(typeRow(sheet, row));
      return model.response.outputs.map((_, k) => cell(`${"DEFGHIJ"[k]}3`) as number);
    });
    expect(largestDifference(own, expectedAnswers(model, rows).probabilities), name).toBeLessThan(1e-9);
  }
});

test.skipIf(!hasGnumeric)("a real spreadsheet computes the same", { timeout: 60_000 }, () => {
  const rows = [{}, ...randomRows(40, 5).slice(8, 11)];
  for (const { name, model } of models.filter(({ name }) => /^(two|seven).pmml/.test(name))) {
    const own = rows.flatMap((row, r) => {
      const cells = typeRow(sheetOf(model), row, (value) => `="${value.replaceAll('"', '"&CHAR(34)&"')}"`);
      const text = cells.map((line) => line.map(csvField).join(",")).join("\r\n");
      const [file, out] = [place.write(`${r}.csv`, text), place.path(`${r}-out.csv`)];
      const format = ["-T", "Gnumeric_stf:stf_assistant", "-O", "separator=, format=raw"];
      const { status, stderr } = spawnSync("ssconvert", ["--recalc", ...format, file, out], {
        encoding: "utf8",
      });
      expect(status, stderr).toBe(0);
      const line = place.read(`${r}-out.csv`).split("\n")[2].split(",");
      return line.slice(3, 3 + model.response.outputs.length).map(Number);
    });
    expect(largestDifference(own, expectedAnswers(model, rows).probabilities), name).toBeLessThan(1e-9);
  }
});

test("names that look like formulas stay texts", () => {
  const evil = '=HYPERLINK("http://x","y")';
  const columns = [{ name: evil, kind: "categorical" as const, values: ["+1", '@"a', "-2"] }];
  const classifier = createClassifier({
    schema: { columns },
    classes: ["=1+1", "b"],
    intercept: Float64Array.of(0, 0.2),
    weights: Float64Array.of(0, 1, 0, -1, 0, 0.5),
  });
  const sheet = sheetOf(conform(classifier, [{ [evil]: "+1" }, { [evil]: '@"a' }, { [evil]: "-2" }]));
  const cells = sheet.flat().filter((cell) => cell.includes("HYPERLINK") || cell.includes("1+1"));
  expect(cells.length).toBeGreaterThan(2);
  for (const cell of cells) expect(cell).toMatch(/^="[^"]*"(?:&CHAR\(34\)&"[^"]*")*$/);
});

test("a model too large to look through is refused by name", () => {
  const columns = Array.from({ length: 60 }, (_, i) => ({ name: `x${i}`, kind: "binary" as const }));
  const K = 400;
  const classifier = createClassifier({
    schema: { columns },
    classes: Array.from({ length: K }, (_, k) => `c${k}`),
    intercept: new Float64Array(K),
    weights: new Float64Array(60 * K),
  });
  const model = conform(classifier, [Object.fromEntries(columns.map(({ name }) => [name, 1]))]);
  expect(() => exportSpreadsheet(model)).toThrow(/too large to be checked by hand/);
});
