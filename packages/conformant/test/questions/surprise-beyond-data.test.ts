import { conform, conformMixture, createClassifier, type Row, random, surprise } from "conformant";
import { describe, expect, it } from "vitest";

const classifier = createClassifier({
  schema: {
    columns: [
      { name: "a", kind: "numeric" },
      { name: "b", kind: "numeric" },
      { name: "constant", kind: "numeric" },
    ],
  },
  classes: ["no", "yes"],
  intercept: Float64Array.of(0, 0.3),
  weights: Float64Array.of(0, 1, 0, -0.5, 0, 0),
});
const g = random(4);
// b is skewed: its last bin reaches far beyond its mean.
const rows = Array.from(
  { length: 400 },
  (): Row => ({ a: g.normal(), b: Math.exp(2 * g.normal()), constant: 3 }),
);
const models = {
  "one component": conform(classifier, rows),
  "three components": conformMixture(classifier, rows, { components: 3, numeric: "atoms" }),
};

describe.each(Object.entries(models))("surprise with atoms, %s", (_, model) => {
  it.each([{ a: 1e100 }, { a: -1e100 }, { a: 1e4 }, { b: 1e100 }, { a: 0, b: -1e6 }, { constant: 4 }])(
    "calls %j unusual, which no row of the data is near",
    (row) => {
      expect(surprise(model, row).share.value).toBe(0);
      expect(surprise(model, row, { reference: [-9, -2] }).share.value).toBe(0);
    },
  );

  it("calls no value of the data impossible, however far out", () => {
    for (const name of ["a", "b", "constant"]) {
      for (const row of rows) {
        const { share } = surprise(model, { [name]: row[name] });
        expect(share.value, `${name} ${row[name]}`).toBeGreaterThan(0);
      }
    }
  });

  it("leaves log P(y) that of the atoms", () => {
    const largest = rows.reduce((most, { a }) => Math.max(most, Number(a)), 0);
    expect(surprise(model, { a: 1e100 }).logEvidence).toBe(surprise(model, { a: largest }).logEvidence);
  });
});
