import { expect, test } from "vitest";
import { COMMAND_READING } from "../../../cli/src/commands/open-classifier-file.ts";
import type { ImportedClassifier } from "../../src/import/imported-classifier.ts";
import { nameCounted } from "../../src/import/name-counted.ts";

const BROUGHT: ImportedClassifier = {
  json: {
    kind: "trees",
    classes: ["0", "1"],
    features: ["age", "city", "month"],
    categories: [null, ["0", "1"], ["0", "1", "2"]],
    link: "logistic",
    trees: [{ feature: [-1], threshold: [null], left: [-1], right: [-1], value: [1] }],
  },
  notes: ["as it was"],
  counted: ["city", "month"],
};
const named = (categories: readonly string[]) =>
  nameCounted(BROUGHT, "trees.json", { categories }, COMMAND_READING.words);

test("codes get the names of a list, and more names than the file mentions are taken", () => {
  expect(named(["city=Bonn", "Ulm", "a=b", "month=1", "2", "3"])).toEqual({
    json: { ...BROUGHT.json, categories: [null, ["Bonn", "Ulm", "a=b"], ["1", "2", "3"]] },
    notes: ["as it was"],
  });
});

test("columns whose codes nobody named are told, since pandas numbers its categories anew", () => {
  const { notes } = named(["city=Bonn", "Ulm"]);
  expect(notes[1]).toMatch(/^the values of "month" must be the codes .* --categories month=A,B,…$/);
});

test("too few names, and names of no column with codes, are refused", () => {
  expect(() => named(["month=1", "2"])).toThrow('split "month" by 3 codes or more, --categories names 2');
  expect(() => named(["age=1"])).toThrow('a column that the trees split by codes, got "age=1"');
});

test("classes get their names", () => {
  expect(
    nameCounted(BROUGHT, "trees.json", { classes: ["no", "yes"] }, COMMAND_READING.words).json,
  ).toMatchObject({
    classes: ["no", "yes"],
  });
  expect(() => nameCounted(BROUGHT, "trees.json", { classes: ["no"] }, COMMAND_READING.words)).toThrow(
    "2 classes, --classes names 1",
  );
});
