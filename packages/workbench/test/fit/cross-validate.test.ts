import { encode, inferSchema, random, type Table, train } from "conformant";
import { classifyRows, pickRows } from "conformant/internal";
import { expect, test } from "vitest";
import { type Candidate, crossValidate } from "../../src/fit/cross-validate.ts";

const g = random(4);
const rows = Array.from({ length: 120 }, (_, r) => {
  const k = r % 3;
  // Rows of the first class have a gap, so that no complete row is of it.
  return { x: g.normal() + k, z: k === 0 ? null : g.normal() - k, y: ["a", "b", "c"][k] };
});
const candidate: Candidate = {
  learn: (table, weights) => {
    const classifier = train(table, { label: "y", weights });
    return (asked) => classifyRows(classifier, asked);
  },
};
const judge = (table: Table): number | undefined =>
  crossValidate(table, [candidate], 0, { progress: () => undefined })?.[0].logLoss;

/** What the class without rows keeps of the probability, and that its own weights are penalised, too, change the mean by less. */
const ABSENT = 0.02;

test("rows are judged by their own classes, also where no complete row is of the first one", () => {
  const all = encode(inferSchema(rows), rows);
  const complete = pickRows(
    all,
    Int32Array.from(rows.keys()).filter((r) => r % 3 > 0),
  );
  const [x, z, y] = complete.schema.columns;
  const [ofX, ofZ, codes] = complete.columns;
  const narrow: Table = {
    ...complete,
    schema: { columns: [x, z, { name: y.name, kind: "categorical", values: ["b", "c"] }] },
    columns: [ofX, ofZ, Int32Array.from(codes, (code) => code - 1)],
  };
  const truth = judge(narrow) as number;
  expect(truth).toBeLessThan(Math.log(2));
  expect(Math.abs((judge(all) as number) - truth)).toBeLessThan(ABSENT);
});
