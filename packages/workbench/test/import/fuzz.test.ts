import { ConformantError, classify, conform, random } from "conformant";
import { countMarginals } from "conformant/remote";
import { expect, test } from "vitest";
import { howMany } from "../../../../test/how-many.ts";
import { TableError } from "../../src/source/table-error.ts";
import { fixture, importedClassifier, rows } from "../export/support/fixtures.ts";
import { mutate } from "../export/support/mutate.ts";

/** Changed files per format, spread over its fixtures. */
const MUTATIONS = howMany(2000, 10_000);
/** What they may take of it beyond what was taken before, in KiB, as the system counts. */
const MOST_MEMORY = 256 * 2 ** 10;

const complete = rows[3];

/** Reads a changed file: what becomes of it, and that a classifier that comes out of it is one. */
function readChanged(name: string, bytes: Uint8Array, thorough: boolean): "refused" | "read" {
  try {
    const classifier = importedClassifier(name, bytes);
    const known = Object.fromEntries(classifier.schema.columns.map(({ name }) => [name, complete[name]]));
    const answer = Object.values(classify(classifier, known));
    if (answer.some(Number.isNaN)) throw new Error("a classifier that does not answer");
    expect(answer.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
    if (thorough) {
      const model = conform(classifier, countMarginals(classifier.schema, rows));
      expect(model.components[0].logZ.every(Number.isFinite)).toBe(true);
    }
    return "read";
  } catch (thrown) {
    // Anything but an error that was meant would be a crash.
    if (!(thrown instanceof TableError || thrown instanceof ConformantError)) throw thrown;
    expect(thrown.message).not.toContain("\n");
    expect(thrown.message.length).toBeGreaterThan(10);
    return "refused";
  }
}

test.each([
  { format: "ONNX", files: ["two.onnx", "seven.onnx"] },
  { format: "PMML", files: ["two.pmml", "two.general.pmml", "seven.pmml"] },
  { format: "JSON", files: ["two.json", "seven.json"] },
  { format: "coefficient table", files: ["two.csv", "statsmodels.csv", "r-multinom.csv"] },
])("changed $format files give a clear error or a correct classifier", { timeout: 120_000 }, ({ files }) => {
  const draw = random(8);
  const before = process.resourceUsage().maxRSS;
  const originals = files.map((name) => fixture(name));
  const outcomes = { refused: 0, read: 0 };
  for (let m = 0; m < MUTATIONS; m++) {
    const f = m % files.length;
    outcomes[readChanged(files[f], mutate(originals[f], draw), m % 50 === 0)]++;
  }
  expect(outcomes.read).toBeGreaterThan(MUTATIONS / 100); // otherwise only the first checks were tried
  expect(outcomes.refused).toBeGreaterThan(MUTATIONS / 4);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(MOST_MEMORY);
});
