import { describe, expect, it } from "vitest";
import { type Row, regress, trainRegressor } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";

/** A size, a place, a flag and a price. */
function rowsOf(count: number): Row[] {
  const g = random(2);
  return Array.from({ length: count }, () => {
    const size = 50 + 10 * g.normal();
    const place = ["north", "south", "west"][g.integer(3)];
    const old = g.integer(2);
    const rate = 0.02 * size + (place === "south" ? 0.6 : 0) - 0.4 * old;
    return {
      size,
      place,
      old,
      price: 1000 * rate + 30 * g.normal(),
      visits: Math.floor(-Math.log(g.uniform()) * Math.exp(rate)),
    };
  });
}

/** The gradient of the penalized loss by hand, on standardized numbers and plain 0/1 columns: 0 at the minimum. */
function gradient(
  rows: Row[],
  label: string,
  l2: number,
  slope: (eta: number, y: number) => number,
): number[] {
  const regressor = trainRegressor(rows, {
    label,
    l2,
    columns: ["size", "place", "old"],
    family: label === "visits" ? "poisson" : "gaussian",
  });
  const sizes = rows.map(({ size }) => Number(size));
  const mean = sizes.reduce((a, b) => a + b, 0) / sizes.length;
  const deviation = Math.sqrt(sizes.reduce((sum, x) => sum + (x - mean) ** 2, 0) / sizes.length);
  const [size, north, south, west, old] = regressor.weights;
  const own = [size * deviation, north, south, west, old];
  const sums = own.map((w) => l2 * w);
  let intercept = 0;
  for (const row of rows) {
    const eta = regressor.link === "log" ? Math.log(regress(regressor, row)) : regress(regressor, row);
    const g = slope(eta, Number(row[label]));
    const x = [
      (Number(row.size) - mean) / deviation,
      ...["north", "south", "west"].map((name) => Number(row.place === name)),
      Number(row.old),
    ];
    x.forEach((value, j) => {
      sums[j] += g * value;
    });
    intercept += g;
  }
  return [...sums, intercept];
}

describe("training a regressor", () => {
  const rows = rowsOf(300).map(({ size, place, old, price, visits }) => ({
    size,
    place,
    old,
    price,
    visits,
  }));

  it("reaches the minimum of ridge regression", () => {
    for (const g of gradient(rows, "price", 2, (eta, y) => eta - y)) expect(Math.abs(g)).toBeLessThan(1e-7);
  });

  it("reaches the minimum of Poisson regression", () => {
    for (const g of gradient(rows, "visits", 0.5, (eta, y) => Math.exp(eta) - y))
      expect(Math.abs(g)).toBeLessThan(1e-7);
  });

  it("counts rows as often as their weights say", () => {
    const some = rows.slice(0, 60);
    const twice = trainRegressor([...some, ...some.slice(0, 20)], { label: "price" });
    const weighted = trainRegressor(some, { label: "price", weights: some.map((_, r) => (r < 20 ? 2 : 1)) });
    weighted.weights.forEach((w, j) => {
      expect(Math.abs(w / twice.weights[j] - 1)).toBeLessThan(1e-9);
    });
  });

  it("leaves rows with missing values out and says so", () => {
    const { training } = trainRegressor([...rows, { size: null, place: "west", old: 1, price: 3 }], {
      label: "price",
      exclude: ["visits"],
    });
    expect(training).toMatchObject({ rows: 300, rowsWithGaps: 1, status: "converged", family: "gaussian" });
  });

  it("answers bad labels in one line", () => {
    const train = (values: unknown[]) => () =>
      trainRegressor(values.map((y, x) => ({ x, y })) as Row[], { label: "y" });
    expect(train([1, "two", 3])).toThrow('label "y" must hold numbers for a regressor, got "two" in row 1');
    expect(train(["2024-01-05", "2024-01-06"])).toThrow("must hold numbers");
    expect(train([5, 5, 5])).toThrow('label "y" must have two or more distinct numbers, got only 5');
    expect(train([null, null])).toThrow("got none");
    expect(() =>
      trainRegressor(
        [
          { x: 1, y: -1 },
          { x: 2, y: 3 },
        ],
        { label: "y", family: "poisson" },
      ),
    ).toThrow('label "y" must have numbers of at least 0, not all 0 for family "poisson", got -1');
    expect(() => trainRegressor(rows, { label: "cost" })).toThrow(/options.label names "cost"/);
  });
});
