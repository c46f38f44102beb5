import { describe, expect, it } from "vitest";
import {
  conformRemote,
  type Expectation,
  type MixtureStart,
  startMixture,
} from "../../src/entries/remote.ts";
import { manyRows } from "../../src/gaussian/many-rows.ts";
import { encode } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectation } from "../../src/mixture/e-step.ts";
import { splitRows } from "../../src/mixture/packed-rows.ts";
import { readWeightedRows } from "../../src/schema/rows.ts";
import { expectError } from "../support/error.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

const source = randomModel({ seed: 7, columns: 6, classes: 3, kinds: ["binary", "categorical", "numeric"] });
const { predictor: classifier } = source;
const generator = random(11);
const rows = Array.from({ length: 400 }, () => randomRow(source, generator));
const table = encode(classifier.schema, rows);
const whole = readWeightedRows(classifier.schema, rows);

/** As a file would hold it: lists of numbers. */
function throughJson(start: MixtureStart): MixtureStart {
  const text = JSON.stringify(start, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  );
  const isNumbers = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === "number");
  return JSON.parse(text, (_, value: unknown) => (isNumbers(value) ? Float64Array.from(value) : value));
}

describe("rows that stay elsewhere", () => {
  it.each(["atoms", "gaussian"] as const)(
    "asks once per step, and the answers and the start alone give the same model again, to the last bit (%s)",
    async (numeric) => {
      const options = { components: 3, numeric, maxPasses: 4, tolerance: 0, maxIterations: 5 };
      const start = startMixture(classifier, table, table.rows, options);
      const answers: Expectation[] = [];
      const model = await conformRemote(classifier, start, (components, atoms, frame) => {
        const rows = splitRows(whole, atoms, classifier.intercept, { frame }, manyRows);
        answers.push(expectation(atoms, classifier.intercept, components, rows, manyRows));
        return answers[answers.length - 1];
      });
      expect(model.certificate.iterations).toBe(4);
      expect(answers).toHaveLength(5);
      let asked = 0;
      const again = await conformRemote(classifier, throughJson(start), () => answers[asked++]);
      expect(again.components).toEqual(model.components);
      expect(again.certificate).toEqual(model.certificate);
    },
  );

  it("refuses a sample without rows and rows without weight", () => {
    const none = encode(classifier.schema, []);
    expectError(() => startMixture(classifier, none, 10, { components: 2 }), "empty-data", /needs rows/);
    expectError(() => startMixture(classifier, table, 0, { components: 2 }), "empty-data", /needs rows/);
  });
});
