import { conform, predict, readTrees, type TreeJson, type TreesJson } from "conformant";
import { describe, expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { askPython, askR } from "./support/ask-exported.ts";
import { compareAnswers } from "./support/compare-answers.ts";
import { hasPython } from "./support/python.ts";
import { hasR } from "./support/rscript.ts";

const columns = [{ name: "x", kind: "numeric" }] as const;

/** A tree that sends every number to the left. */
const everything: TreeJson = {
  feature: [0, -1, -1],
  threshold: [Number.POSITIVE_INFINITY, null, null],
  left: [1, -1, -1],
  right: [2, -1, -1],
  value: [null, 3, -3],
};

describe("a threshold of Infinity stays that in", () => {
  const json: TreesJson = {
    kind: "trees",
    classes: ["no", "yes"],
    features: ["x"],
    link: "logistic",
    trees: [everything],
  };
  const trees = readTrees(json, { columns });
  const model = conform(trees, [{ x: 1 }, { x: 2 }]);
  const rows = [{ x: -1 }, { x: 5 }, {}];
  const questions = [{ name: "trees", model, rows }];
  const place = new Workplace();

  test("JSON that is read again", () => {
    const read = readTrees(JSON.parse(exportJson(model)), { columns });
    const again = conform(read, [{ x: 1 }, { x: 2 }]);
    for (const row of rows) expect(predict(again, row)).toEqual(predict(model, row));
  });

  test.skipIf(!hasPython("numpy"))("Python", () => {
    compareAnswers(questions[0], askPython(place, questions)[0]);
  });

  test.skipIf(!hasR())("R", () => {
    compareAnswers(questions[0], askR(place, questions)[0]);
  });
});
