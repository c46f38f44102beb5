import { expect, test } from "vitest";
import { Workplace } from "../../../../cli/test/support/workplace.ts";
import { hasPython } from "../../export/support/python.ts";
import { compareTrained, trainClassifiers } from "./support/trained-classifiers.ts";

test.skipIf(!hasPython("sklearn, pandas, statsmodels"))(
  "every estimator and transformer that conformant_export.py knows answers as in Python, on the tables scikit-learn ships",
  async () => {
    const place = new Workplace();
    const { answers } = trainClassifiers(place);
    expect(Object.keys(answers).length).toBeGreaterThan(60);
    await compareTrained(place, answers);
  },
);
