import { askTree, conform, type Row, train } from "conformant";
import { expect, test } from "vitest";
import { readQuestionnaire } from "../../src/model/read-questionnaire.ts";

const rows: Row[] = Array.from({ length: 200 }, (_, i) => ({
  size: i % 40,
  colour: ["red", "green"][i % 2],
  y: i % 40 > 20 === (i % 2 === 0) ? "yes" : "no",
}));
const model = conform(train(rows, { label: "y" }), rows);

test("a questionnaire that the library compiled is read as it is", () => {
  const tree = askTree(model, {}, { depth: 2, threshold: 0.999 });
  expect(tree.question).toBeDefined();
  expect(readQuestionnaire(model, JSON.stringify(tree))).toEqual(tree);
});

const place = { prediction: "yes", probability: 0.5, share: 1 };
test.each([
  ["no JSON", "{", "not a questionnaire"],
  ["a number", "7", "not a questionnaire"],
  ["null", "null", "not a questionnaire"],
  ["a model file", JSON.stringify({ format: "conformant-model" }), "not a questionnaire"],
  [
    "a class that is not the model's",
    JSON.stringify({ ...place, prediction: "maybe" }),
    "not a questionnaire",
  ],
  [
    "a column that is not the model's",
    JSON.stringify({ ...place, question: { column: "wing", branches: [{ next: place }] } }),
    "wing is missing",
  ],
  [
    "a value that is not the column's",
    JSON.stringify({
      ...place,
      question: { column: "colour", branches: [{ values: ["blue"], next: place }] },
    }),
    "colour is missing",
  ],
  ["no branches", JSON.stringify({ ...place, question: { column: "size" } }), "not a questionnaire"],
  [
    "a branch that leads nowhere",
    JSON.stringify({ ...place, question: { column: "size", branches: [{}] } }),
    "not a questionnaire",
  ],
])("%s is refused", (_, text, why) => {
  expect(() => readQuestionnaire(model, text)).toThrow(why);
});
