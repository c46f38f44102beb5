import { expect, test } from "vitest";
import { pickRows } from "../../src/entries/internal.ts";
import { encode, inferSchema, random, train, trainTrees } from "../../src/index.ts";
import { readLabels } from "../../src/schema/labels.ts";

const g = random(3);
const rows = Array.from({ length: 60 }, (_, r) => ({ x: g.normal() + (r % 3), y: ["a", "b", "c"][r % 3] }));
const table = encode(inferSchema(rows), rows);
const withoutA = pickRows(
  table,
  Int32Array.from(rows.keys()).filter((r) => rows[r].y !== "a"),
);

test("part of a table has the classes of the whole, and rows have those that occur", () => {
  expect(readLabels(withoutA, "y").classes).toEqual(["a", "b", "c"]);
  expect([...readLabels(withoutA, "y").codes]).toEqual([...withoutA.columns[1]]);
  expect(readLabels(rows.slice(1, 3), "y").classes).toEqual(["b", "c"]);
});

test("what is trained on part of a table answers for all of its classes, the absent one hardly ever", () => {
  const classifier = train(withoutA, { label: "y" });
  expect(classifier.classes).toEqual(["a", "b", "c"]);
  expect(classifier.training?.status).toBe("converged");
  const twoClasses = train(
    rows.filter(({ y }) => y !== "a"),
    { label: "y" },
  );
  // The difference of the other two is penalised in two outputs instead of one, as everywhere with three classes.
  expect(classifier.weights[2] - classifier.weights[1]).toBeGreaterThan(0);
  expect(twoClasses.weights[1] - twoClasses.weights[0]).toBeGreaterThan(0);
  expect(trainTrees(withoutA, { label: "y" }).classes).toEqual(["a", "b", "c"]);
});

test("a table whose rows are all of one class is refused, whatever else its label may be", () => {
  const onlyB = pickRows(table, Int32Array.of(1, 4, 7));
  expect(() => train(onlyB, { label: "y" })).toThrow('label "y" must have two or more classes, got only "b"');
});
