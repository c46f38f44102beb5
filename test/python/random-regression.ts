import {
  type Column,
  conformMixture,
  createRegressor,
  type RegressionModel,
  type Row,
  random,
  trainTreeRegressor,
} from "conformant";

const CITIES = ["Bonn", "Köln", "1"];

/** A random model that predicts a number, and rows with 0 to 100% of their cells missing: linear with both links, every fourth one trees. */
export function randomRegression(seed: number): {
  readonly model: RegressionModel;
  readonly rows: readonly Row[];
} {
  const { uniform, normal } = random(seed);
  const numbers = ["a", "b", "c", "d"].slice(0, 1 + (seed % 4));
  const columns: Column[] = [
    ...numbers.map((name) => ({ name, kind: "numeric" }) as const),
    { name: "city", kind: "categorical", values: CITIES },
    { name: "new", kind: "binary" },
  ];
  const draw = (missing: number): Row => {
    const common = normal();
    const cells: [string, Row[string]][] = [
      ...numbers.map((name): [string, number] => [name, common + normal()]),
      ["city", CITIES[Math.floor(3 * uniform())]],
      ["new", Number(common + normal() > 0)],
    ];
    return Object.fromEntries(cells.filter(() => uniform() >= missing));
  };
  const rows = Array.from({ length: 200 }, () => draw(0));
  const link = seed % 2 === 0 ? "identity" : "log";
  const slots = numbers.length + CITIES.length + 1;
  const linear = createRegressor({
    schema: { columns },
    output: "y",
    link,
    intercept: normal(),
    weights: Float64Array.from({ length: slots }, () => 0.5 * normal()),
  });
  const labeled = rows.map((row) => ({
    ...row,
    y: Math.exp(Number(row.a) / 2 + Number(row.new) + normal() / 4),
  }));
  const regressor =
    seed % 4 === 0
      ? trainTreeRegressor(labeled, {
          label: "y",
          types: { new: "binary" },
          link: seed % 8 === 0 ? "log" : "identity",
          maxIterations: 6,
        })
      : linear;
  const model = conformMixture(regressor, rows, {
    components: 1 + (seed % 3),
    numeric: seed % 5 < 2 ? "gaussian" : "atoms",
    maxIterations: 3,
    restarts: 1,
    seed,
  });
  return { model, rows: Array.from({ length: 200 }, (_, r) => draw(r % 5 === 0 ? r % 2 : uniform())) };
}
