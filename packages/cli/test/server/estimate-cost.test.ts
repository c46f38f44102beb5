import { readFileSync } from "node:fs";
import { conformMixture, loadModel, type Model, type Row, random, trainTrees } from "conformant";
import { expect, test } from "vitest";
import { paceOfRows, rowsPerPiece } from "../../src/server/estimate-cost.ts";
import { fittedPenguins } from "../support/fitted-penguins.ts";

const BYTES = 100;
const read = (path: string | URL): Model => loadModel(readFileSync(path, "utf8"));

function boosted(): Model {
  const g = random(1);
  const rows = Array.from({ length: 300 }, (): Row => {
    const [a, b] = [g.normal(), g.normal()];
    return { a, b, y: a * b > 0 ? "yes" : "no" };
  });
  const trees = trainTrees(rows, { label: "y", maxIterations: 5 });
  return conformMixture(trees, rows, { components: 1 });
}

test("a row of a small model is answered at once, a thousand in a thread that may be held up", () => {
  const penguins = read(fittedPenguins());
  expect([1, 1000].map((rows) => paceOfRows(penguins, rows, BYTES))).toEqual(["now", "long"]);
  expect(paceOfRows(penguins, 1, 100_000)).toBe("short");
});

test("a row of 784 columns and ten classes is left to a thread for short work, and streams go there in small pieces", () => {
  const digits = read(new URL("../../../../paper/digits/model.json", import.meta.url));
  expect([1, 100].map((rows) => paceOfRows(digits, rows, BYTES))).toEqual(["short", "long"]);
  expect(paceOfRows(digits, rowsPerPiece(digits), BYTES)).toBe("short");
});

test("boosted trees are never asked at once: what they are expected to say may have to be drawn", () => {
  const model = boosted();
  expect([1, 2].map((rows) => paceOfRows(model, rows, BYTES))).toEqual(["short", "long"]);
  expect(rowsPerPiece(model)).toBe(1);
});
