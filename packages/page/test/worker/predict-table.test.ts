import { readFileSync } from "node:fs";
import { conform, loadModel, train } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import { expect, test } from "vitest";
import { isField } from "../../src/frame/is-field.ts";
import { predictTable } from "../../src/worker/predict-table.ts";

/** A model with a column whose categories are these. */
function modelOf(values: readonly string[]) {
  const rows = Array.from({ length: 40 }, (_, i) => ({
    habit: values[i % values.length],
    y: (i * 7) % 3 ? "no" : "yes",
  }));
  return conform(train(rows, { label: "y", types: { habit: "categorical" } }), rows);
}

test("a cell is a gap where the command takes it for one, by the same list, and none and unknown are categories", () => {
  const texts = ["none", "None", "unknown", "N/A", "-", "?", "some"];
  const model = modelOf(texts);
  const cells = [...texts, " none ", ...MISSING_TEXTS, ""];
  const { rows, notes } = predictTable(
    model,
    `habit,other\n${cells.map((cell) => `${cell},x`).join("\n")}\n`,
  );
  const known = [...texts, "none"].map((habit) => ({ habit }));
  // The column has N/A as a category, but not n/a.
  const listed = MISSING_TEXTS.map((text) => (text === "N/A" ? { habit: text } : {}));
  expect(listed).toContainEqual({ habit: "N/A" });
  expect(rows).toEqual([...known, ...listed, {}]);
  expect(notes).toEqual([]);
});

test("a text of that list is a value in a column that has it as a category", () => {
  const { rows } = predictTable(modelOf(["x", "null"]), "habit\nnull\nNULL\nx\n");
  expect(rows).toEqual([{ habit: "null" }, {}, { habit: "x" }]);
});

test("0 and 1 may be written as numbers of any kind, or as truth values", () => {
  const bits = Array.from({ length: 20 }, (_, i) => ({ bit: i % 2, y: (i * 7) % 3 ? "no" : "yes" }));
  const model = conform(train(bits, { label: "y" }), bits);
  const { rows, notes } = predictTable(model, "bit;x\n1,0;a\n+1;a\n-0;a\nTrue;a\nfalse;a\n0,5;a\n;a\n");
  expect(rows.map(({ bit }) => bit)).toEqual([1, 1, -0, 1, 0, undefined, undefined]);
  expect(notes).toEqual(["bit: 1 cell is not a value of this column and counts as unknown"]);
});

test("that a value is missing is no column that a table could lack", () => {
  const file = new URL(
    "../../../conformant/test/fixtures/recorded-answers/models/informative-missingness.json",
    import.meta.url,
  );
  const model = loadModel(readFileSync(file, "utf8"));
  const names = model.schema.columns.map(({ name }) => name);
  const fields = model.schema.columns.filter(isField).map(({ name }) => name);
  expect(fields.length).toBeLessThan(names.length);
  const { notes } = predictTable(model, `${fields.join(",")}\n${fields.map(() => "").join(",")}\n`);
  expect(notes).toEqual([]);
  const [first, ...others] = fields;
  expect(predictTable(model, `${others.join(",")}\n${others.map(() => "").join(",")}\n`).notes).toEqual([
    `unknown in every row, as the table lacks them: ${first}`,
  ]);
});
