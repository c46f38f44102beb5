import { conform, train } from "conformant";
import { GAP_TEXTS } from "conformant/texts";
import { expect, test } from "vitest";
import { predictTable } from "../../src/table/predict-table.ts";

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
  const cells = [...texts, " none ", ...GAP_TEXTS, ""];
  const { rows, notes } = predictTable(
    model,
    `habit,other\n${cells.map((cell) => `${cell},x`).join("\n")}\n`,
  );
  const known = [...texts, "none"].map((habit) => ({ habit }));
  expect(rows).toEqual([...known, ...GAP_TEXTS.map(() => ({})), {}]);
  expect(notes).toEqual([]);
});

test("a text of that list is a value in a column that has it as a category", () => {
  const { rows } = predictTable(modelOf(["x", "null"]), "habit\nnull\nNULL\nx\n");
  expect(rows).toEqual([{ habit: "null" }, {}, { habit: "x" }]);
});
