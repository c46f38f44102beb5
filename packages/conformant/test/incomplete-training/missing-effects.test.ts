import { expect, test } from "vitest";
import { missingEffects } from "../../src/incomplete-training/compare-indicators.ts";
import { encode } from "../../src/index.ts";

const schema = { columns: [{ name: "x", kind: "numeric" as const }] };
const classes = ["a", "b", "c"];

/** 90 rows, every third without a value; those rows are of the given class three times in four, the others of each class equally often. */
function effects(of: number) {
  const rows = Array.from({ length: 90 }, (_, r) => ({ x: r % 3 === 0 ? null : r }));
  const codes = Int32Array.from(rows, ({ x }, r) =>
    x === null && r % 4 !== 0 ? of : (Math.floor(r / 3) + r) % 3,
  );
  const held = Int32Array.from(rows.keys());
  const probabilities = new Float64Array(rows.length * 3).fill(1 / 3);
  const weights = new Float64Array(rows.length).fill(2);
  const task = { table: encode(schema, rows), labels: { classes, codes }, weights };
  const share = rows.filter(({ x }, r) => x === null && codes[r] === of).length / 30;
  return { found: missingEffects(task, [{ held, probabilities }], ["x"]), share };
}

test.each([0, 1, 2])(
  "the effect of a missing value names class %i, with what was observed and predicted",
  (k) => {
    const { found, share } = effects(k);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ column: "x", class: classes[k], rows: 30 });
    expect(found[0].observed).toBeCloseTo(share, 12);
    expect(found[0].expected).toBeCloseTo(1 / 3, 12);
  },
);
