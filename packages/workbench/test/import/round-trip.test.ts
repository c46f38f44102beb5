import { classify } from "conformant";
import { describe, expect, test } from "vitest";
import { parseCsv } from "../../src/memory/csv-text.ts";
import { bring, fixture, formats, importedClassifier, rows } from "../export/support/fixtures.ts";

interface Answers {
  readonly classes: readonly string[];
  readonly probabilities: readonly (readonly number[])[];
}

const answers = JSON.parse(fixture("answers.json").toString()) as Record<string, Answers>;

/** The largest difference between a brought classifier and the answers of the software that trained it. */
function difference(file: string, { classes, probabilities }: Answers): number {
  const classifier = importedClassifier(file);
  expect([...classifier.classes].sort()).toEqual([...classes].sort());
  const differences = probabilities.flatMap((expected, r) => {
    const own = classify(classifier, rows[r]);
    return classes.map((name, k) => Math.abs(own[name] - expected[k]));
  });
  return Math.max(...differences);
}

describe.each(["two", "seven"])("a scikit-learn pipeline with %s classes", (name) => {
  test.each(formats)("brought as $ending answers as scikit-learn does", ({ ending, tolerance }) => {
    expect(difference(`${name}.${ending}`, answers[name])).toBeLessThan(tolerance);
  });
});

test("a logit of statsmodels answers as statsmodels does", () => {
  expect(difference("statsmodels.csv", answers.statsmodels)).toBeLessThan(1e-12);
});

test.each([
  ["r-glm.csv", "r-glm-answers.csv", ["0", "1"]],
  ["r-multinom.csv", "r-multinom-answers.csv", undefined],
])("%s, coefficients out of R, answers as R does", (file, expected, names) => {
  const [header, ...cells] = parseCsv(fixture(expected).toString(), ",");
  const probabilities = cells.map((row) => row.map(Number));
  expect(difference(file, { classes: names ?? header, probabilities })).toBeLessThan(1e-11);
});

test("replaced missing values are noticed and said", () => {
  expect(bring("two.pmml").notes).toEqual([
    "the file replaces missing values (age by 38.5): not used, for what a gap means is learned from the data",
  ]);
  expect(bring("two.general.pmml").notes).toEqual([]);
});

test("a file is known by its content where its name does not tell", () => {
  for (const { ending } of formats) {
    const content = bring(`seven.${ending}`, fixture(`seven.${ending}`)).json;
    expect(bring("classifier", fixture(`seven.${ending}`)).json, ending).toEqual(content);
  }
});
