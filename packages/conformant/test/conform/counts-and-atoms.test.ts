import {
  type Classifier,
  type Column,
  conform,
  conformMixture,
  createClassifier,
  predict,
  type Row,
  random,
} from "conformant";
import { countMarginals, marginalsFromCounts } from "conformant/remote";
import { describe, expect, it } from "vitest";

function classifierOn(columns: readonly Column[], weights: readonly number[], intercept = 0): Classifier {
  return createClassifier({
    schema: { columns },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, intercept),
    weights: Float64Array.from(weights.flatMap((w) => [0, w])),
  });
}

const number = (name: string): Column => ({ name, kind: "numeric" });

describe("countMarginals with the atoms of other marginals", () => {
  const [age, income] = [number("age"), number("income")];
  const g = random(4);
  const rows = Array.from(
    { length: 200 },
    (): Row => ({ age: 20 + 60 * g.uniform(), income: 1e4 + 9e4 * g.uniform() }),
  );

  it("finds them by the names of columns, not by their positions", () => {
    const schema = { columns: [age, income] };
    const counted = countMarginals(schema, rows, { like: countMarginals({ columns: [income, age] }, rows) });
    expect(counted.columns).toEqual(countMarginals(schema, rows).columns);
  });

  it("takes them from marginals in the same order", () => {
    const schema = { columns: [age, income] };
    const counted = countMarginals(schema, rows, { like: countMarginals(schema, rows) });
    expect(counted.columns).toEqual(countMarginals(schema, rows).columns);
  });
});

describe("counts made elsewhere", () => {
  const schema = { columns: [number("x")] };
  const known = [
    [1, 4],
    [2, 6],
  ] as const;

  it.each(["NA", "null"])("pass over %j in a numeric column, which stands for a missing value", (text) => {
    const marginals = marginalsFromCounts(schema, { rows: 13, columns: { x: [...known, [text, 3]] } });
    expect(marginals).toEqual(marginalsFromCounts(schema, { rows: 13, columns: { x: known } }));
  });

  it("name the column and the text that is no number", () => {
    const counts = { rows: 13, columns: { x: [...known, ["tall", 3]] as [string | number, number][] } };
    expect(() => marginalsFromCounts(schema, counts)).toThrow(/"x".*"tall"/);
  });
});

describe("a fit with a pseudo-count that outweighs the rows", () => {
  const columns: Column[] = [
    { name: "x", kind: "categorical", values: ["u", "v", "w"] },
    { name: "z", kind: "binary" },
    number("n"),
  ];
  const g = random(9);
  const rows = Array.from(
    { length: 100 },
    (): Row => ({ x: ["u", "v", "w"][g.integer(3)], z: g.integer(2), n: g.integer(7) }),
  );

  it.each([1e6, 1e8])("of %s per value has converged, relative to the counts that it fits", (pseudocount) => {
    const { certificate } = conform(classifierOn(columns, [1, 0, -1, 0.5, 0.4]), rows, { pseudocount });
    // Shares are matched to a few roundings of a number near 1.
    expect(certificate.marginalMismatch).toBeLessThan(1e-9);
    expect(certificate.status).toBe("converged");
  });
});

describe("a reflected number, x to −x and its weight w to −w", () => {
  const columns = [number("x"), number("z")];
  const rowsOf = (distinct: number): { x: number; z: number }[] => {
    const g = random(7);
    return Array.from({ length: 150 }, () => {
      const z = g.normal();
      const x = Math.exp(0.8 * (0.7 * z + 0.7 * g.normal()));
      return { x: Math.min(distinct, Math.round(10 * x)) / 10, z: Math.round(2 * z) };
    });
  };
  const mirrored = (rows: readonly { x: number; z: number }[]): Row[] =>
    rows.map(({ x, z }) => ({ x: -x, z }));
  const answers = (components: number, distinct: number): [number, number][] => {
    const rows = rowsOf(distinct);
    const settings = { components, numeric: "atoms" } as const;
    const model = conformMixture(classifierOn(columns, [1.5, -1], -2), rows, settings);
    const mirror = conformMixture(classifierOn(columns, [-1.5, -1], -2), mirrored(rows), settings);
    return [-2, -1, 0, 1, 2].map((z) => [predict(model, { z }).yes, predict(mirror, { z }).yes]);
  };

  it("has the mirrored atoms", () => {
    const rows = rowsOf(1000);
    const schema = { columns: [columns[0]] };
    const [own] = countMarginals(schema, rows).columns;
    const [other] = countMarginals(schema, mirrored(rows)).columns;
    if (own.kind !== "numeric" || other.kind !== "numeric") throw new Error("a numeric column is counted");
    expect(own.exact).toBe(false);
    expect(Array.from(other.counts).reverse()).toEqual(Array.from(own.counts));
    const back = Array.from(other.values, (x) => -x).reverse();
    for (const [j, x] of own.values.entries()) expect(back[j]).toBeCloseTo(x, 9);
  });

  it.each([1, 3])("gives the same answers with %s components", (components) => {
    for (const [own, mirror] of answers(components, 1000)) expect(mirror).toBeCloseTo(own, 9);
  });

  it.each([1, 3])(
    "gives the same answers with %s components where each value has its own atom",
    (components) => {
      for (const [own, mirror] of answers(components, 30)) expect(mirror).toBeCloseTo(own, 9);
    },
  );
});
