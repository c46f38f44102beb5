import {
  conformMixture,
  type RegressionModel,
  type Row,
  random,
  trainRegressor,
  trainTreeRegressor,
} from "conformant";

/** A model whose answer is a number, and rows to ask it about. */
export interface NumberQuestion {
  readonly name: string;
  readonly model: RegressionModel;
  readonly rows: readonly Row[];
}

const CITIES = ["Bonn", "Köln", "St. Gallen"];

/** Rows with a price in the hundred thousands, and the count of something; a share of the cells is missing. */
function rowsOf(count: number, seed: number, missing: number): Row[] {
  const { uniform, normal } = random(seed);
  return Array.from({ length: count }, () => {
    const size = 100 + 30 * normal();
    const rooms = Math.max(1, Math.round(size / 25 + normal()));
    const city = CITIES[Math.floor(3 * uniform() ** 1.5)];
    const garden = Number(uniform() < size / 250);
    const year = Math.round(1980 + 15 * normal());
    const both = city === "Köln" && garden === 1 ? 60_000 : 0;
    const price = 90_000 + 2400 * size + both + 900 * (year - 1980) + 20_000 * normal();
    const offers = Math.round(Math.exp(0.5 + 0.1 * rooms + 0.4 * garden) * uniform() * 2);
    const cells = Object.entries({ size, rooms, city, garden, year }).filter(() => uniform() >= missing);
    return { ...Object.fromEntries(cells), price, offers };
  });
}

/** Linear and boosted regressors with both links, on atoms and on a Gaussian, with one and three components. */
export function numberQuestions(asked = 40): NumberQuestion[] {
  const rows = rowsOf(400, 1, 0);
  const types = { garden: "binary" } as const;
  const price = { label: "price", exclude: ["offers"], types } as const;
  const offers = { label: "offers", exclude: ["price"], types } as const;
  const regressors = {
    linear: trainRegressor(rows, price),
    poisson: trainRegressor(rows, { ...offers, family: "poisson" }),
    boosted: trainTreeRegressor(rows, { ...price, maxIterations: 6 }),
    "boosted counts": trainTreeRegressor(rows, { ...offers, link: "log", maxIterations: 8 }),
  };
  const questions = [0, 0.2, 0.5, 0.8, 1].flatMap((missing, j) =>
    rowsOf(Math.ceil(asked / 5), 10 + j, missing).map(({ price: _, offers: __, ...row }) => row),
  );
  return Object.entries(regressors).flatMap(([name, regressor]) =>
    (["atoms", "gaussian"] as const).flatMap((numeric) =>
      [1, 3].map(
        (components): NumberQuestion => ({
          name: `${name}, ${numeric}, ${components}`,
          model: conformMixture(regressor, rows, {
            components,
            numeric,
            maxIterations: 5,
            restarts: 1,
            seed: 1,
          }),
          rows: [...questions, { city: "Atlantis", size: 80 }],
        }),
      ),
    ),
  );
}
