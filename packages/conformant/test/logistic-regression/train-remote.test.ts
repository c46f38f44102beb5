import { expect, test } from "vitest";
import { findCompleteRows, pickRows } from "../../src/entries/internal.ts";
import { type LossSums, lossSums, slotOffsets, trainRemote } from "../../src/entries/remote.ts";
import { type Classifier, classify, encode, random, train } from "../../src/index.ts";

const generator = random(3);
const LETTERS = ["a", "b", "c"];

/** Rows with a number, a bit, a category and a label that depends on them; one in ten has a gap. */
function makeRows(count: number, classes: readonly string[]): Record<string, string | number | null>[] {
  return Array.from({ length: count }, () => {
    const [x, bit, letter] = [1000 + 5 * generator.normal(), generator.integer(2), generator.integer(3)];
    const level = (x - 1000) / 5 + bit + letter / 2 + generator.normal();
    const label = classes[Math.max(0, Math.min(classes.length - 1, Math.floor(level + 1)))];
    return { x: generator.uniform() < 0.1 ? null : x, bit, letter: LETTERS[letter], label };
  });
}

/** The sums by their definition, a row at a time. */
function sumsOf(
  rows: readonly Record<string, string | number | null>[],
  classifier: Classifier,
  { mean, scale }: { mean: number; scale: number },
): LossSums {
  const { classes, schema } = classifier;
  const trained = classes.length === 2 ? [1] : [...classes.keys()];
  const slots = slotOffsets(schema);
  const residuals = new Float64Array(trained.length);
  const bySlot = new Float64Array(slots[schema.columns.length] * trained.length);
  let value = 0;
  for (const { label, ...row } of rows) {
    if (row.x === null) continue;
    const probabilities = classify(classifier, row);
    value -= Math.log(probabilities[label as string]);
    for (const [o, k] of trained.entries()) {
      const residual = probabilities[classes[k]] - (classes[k] === label ? 1 : 0);
      residuals[o] += residual;
      const add = (name: string, place: number, factor: number): void => {
        const slot = slots[schema.columns.findIndex((column) => column.name === name)] + place;
        bySlot[slot * trained.length + o] += residual * factor;
      };
      add("x", 0, ((row.x as number) - mean) / scale);
      add("bit", 0, row.bit as number);
      add("letter", LETTERS.indexOf(row.letter as string), 1);
    }
  }
  return { value, residuals, bySlot };
}

test.each([
  [["no", "yes"], "none"],
  [["low", "middle", "high"], "none"],
  [["low", "middle", "high"], "high"],
])(
  "sums of all rows and a sample give the classifier that all rows give: %j, the sample without %s",
  async (classes, absent) => {
    const rows = makeRows(600, classes);
    const whole = train(rows, { label: "label" });
    const complete = rows.flatMap(({ x }) => (x === null ? [] : [x as number]));
    const mean = complete.reduce((a, b) => a + b) / complete.length;
    const scale = Math.sqrt(complete.reduce((sum, x) => sum + (x - mean) ** 2, 0) / complete.length);
    const sample = encode(
      { columns: [...whole.schema.columns, { name: "label", kind: "categorical", values: whole.classes }] },
      rows.slice(0, 200).filter(({ label }) => label !== absent),
    );
    const known = { rows: complete.length, rowsWithGaps: rows.length - complete.length };
    let passes = 0;
    const remote = await trainRemote(
      sample,
      { ...known, scaling: new Map([["x", { mean, scale }]]) },
      { label: "label" },
      async (classifier) => {
        passes++;
        return sumsOf(rows, classifier, { mean, scale });
      },
    );
    expect(remote.training).toMatchObject({ ...known, status: "converged" });
    expect(remote.training?.objective).toBeCloseTo(whole.training?.objective as number, 6);
    for (const [j, weight] of remote.weights.entries()) expect(weight).toBeCloseTo(whole.weights[j], 3);
    expect(passes).toBeLessThan(40);
  },
);

test.each([[["no", "yes"]], [["low", "middle", "high"]]])(
  "the sums of complete rows are those by their definition, and those of parts add up: %j",
  (classes) => {
    const rows = makeRows(3000, classes);
    const classifier = train(rows, { label: "label" });
    const label = { name: "label", kind: "categorical", values: classifier.classes } as const;
    const table = encode({ columns: [...classifier.schema.columns, label] }, rows);
    const scaling = { mean: 1000, scale: 5 };
    const expected = sumsOf(rows, classifier, scaling);
    const complete = findCompleteRows(table);
    const half = complete.length >> 1;
    const [first, second] = [complete.subarray(0, half), complete.subarray(half)].map((some) =>
      lossSums(classifier, pickRows(table, some), new Map([["x", scaling]])),
    );
    expect(first.value + second.value).toBeCloseTo(expected.value, 8);
    for (const sums of ["residuals", "bySlot"] as const)
      for (let j = 0; j < expected[sums].length; j++)
        expect(first[sums][j] + second[sums][j]).toBeCloseTo(expected[sums][j], 8);
  },
);
