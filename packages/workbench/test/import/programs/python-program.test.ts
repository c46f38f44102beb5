import { beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../../../../cli/test/support/workplace.ts";
import { hasPython } from "../../export/support/python.ts";
import { compareTrained, type TrainedCases, trainClassifiers } from "./support/trained-classifiers.ts";

/** Of each way through the program one; the slow test has all estimators and transformers. */
const names = [
  "logistic-digits",
  "bernoulli-texts",
  "gaussian-bayes-texts",
  "svm-inside",
  "one-hot-infrequent",
  "bins-and-numbers",
  "forest-ordinal",
  "forest-bins",
  "gradient-three",
];

describe.skipIf(!hasPython("sklearn, pandas, statsmodels"))("conformant_export.py", () => {
  const place = new Workplace();
  let trained: { readonly answers: TrainedCases; readonly refused: Readonly<Record<string, string>> };
  beforeAll(() => {
    trained = trainClassifiers(place, names);
  });

  test("writes classifiers that answer complete rows as they do in Python", { timeout: 60_000 }, async () => {
    expect(Object.keys(trained.answers)).toEqual(
      expect.arrayContaining([...names, "logit-sum", "machine-three"]),
    );
    await compareTrained(place, trained.answers);
  });

  test.each([
    ["one-vs-rest", "LogisticRegression one-vs-rest"],
    ["squares", "GaussianNB has a variance of 'alcohol' for each class"],
    ["quadratic", "QuadraticDiscriminantAnalysis is neither a sum over columns nor made of trees"],
    ["averaged", "CalibratedClassifierCV averages several classifiers"],
    ["isotonic", "is no sigmoid"],
    ["polynomial", "the step PolynomialFeatures cannot be exported"],
    ["twice", "column 'year' counts as a number and by its values"],
    ["interaction", "the interaction 'hue:bit'"],
    ["computed", "the computed term 'np.log(hue)'"],
    ["probit", "Probit of statsmodels"],
    ["pairs", "ExplainableBoostingClassifier with pairs of columns"],
    ["no names", "X has no names of columns"],
  ])("refuses by name: %s", (name, words) => {
    expect(trained.refused[name]).toContain(words);
  });

  test("refuses everything else that it was given", () => {
    expect(Object.entries(trained.refused).filter(([, said]) => said === "")).toEqual([]);
    expect(Object.keys(trained.refused).length).toBeGreaterThan(25);
  });
});
