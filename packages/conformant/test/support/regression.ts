import { createAtoms, LONE_ATOM } from "../../src/distribution/atoms.ts";
import { GIVEN } from "../../src/distribution/certificate.ts";
import { createComponent, type Distribution } from "../../src/distribution/distribution.ts";
import { createGaussian, createGaussianColumns } from "../../src/gaussian/gaussian.ts";
import {
  createModel,
  createRegressor,
  type LinearRegressor,
  logEvidence,
  type Model,
  type NumberLink,
  type RegressionModel,
  type Row,
  regress,
} from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";
import { flatTilt } from "../../src/schema/class-tilt.ts";
import type { Schema } from "../../src/schema/column.ts";
import { randomCovariance } from "./random-gaussian-model.ts";
import { completions } from "./random-model.ts";

/** A category, numbers with three atoms each, a bit. */
export function schemaOf(numbers: number): Schema {
  return {
    columns: [
      { name: "color", kind: "categorical", values: ["red", "green", "blue"] },
      ...Array.from({ length: numbers }, (_, i) => ({ name: `x${i + 1}`, kind: "numeric" as const })),
      { name: "bit", kind: "binary" },
    ],
  };
}

export function randomRegressor(schema: Schema, link: NumberLink, g: Random, scale = 1): LinearRegressor {
  const slots = 3 + schema.columns.length - 1;
  return createRegressor({
    schema,
    output: "price",
    link,
    intercept: scale * g.normal(),
    weights: Float64Array.from({ length: slots }, () => scale * g.normal()),
  });
}

/** A mixture of random components without classes; its numbers have atoms, or are jointly normal. */
export function randomDistribution(
  schema: Schema,
  {
    components,
    gaussian,
    g,
  }: { readonly components: number; readonly gaussian: boolean; readonly g: Random },
): Distribution {
  const tilt = flatTilt(schema, 1);
  const numeric = schema.columns.flatMap(({ kind }, i) => (kind === "numeric" ? [i] : []));
  const gaussianColumns = gaussian ? createGaussianColumns(tilt, numeric) : undefined;
  const number = gaussian
    ? LONE_ATOM
    : { count: 3, values: Float64Array.of(-1, 0.2, 1.3), edges: Float64Array.of(-0.4, 0.7) };
  const atoms = createAtoms(
    tilt,
    schema.columns.map(({ kind }) =>
      kind === "numeric" ? number : { count: kind === "categorical" ? 3 : 2 },
    ),
  );
  const weights = Array.from({ length: components }, () => 0.2 + g.uniform());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    schema,
    tilt,
    atoms,
    ...(gaussianColumns && { gaussianColumns }),
    components: weights.map((weight) =>
      createComponent(tilt, atoms, {
        logWeight: Math.log(weight / total),
        logQ: Float64Array.from({ length: atoms.offsets[schema.columns.length] }, () => g.normal()),
        ...(gaussianColumns && {
          gaussian: createGaussian(
            gaussianColumns,
            Float64Array.from(numeric, () => 1.5 * g.normal()),
            randomCovariance(numeric.length, g),
          ),
        }),
      }),
    ),
    rows: 0,
    pseudocount: 0,
    certificate: GIVEN,
  };
}

/** A linear model with a random distribution. */
export function randomLinearModel(options: {
  readonly seed: number;
  readonly link: NumberLink;
  readonly numbers?: number;
  readonly components?: number;
  readonly gaussian?: boolean;
  readonly scale?: number;
}): Model<LinearRegressor> {
  const { seed, link, numbers = 2, components = 3, gaussian = false, scale } = options;
  const g = random(seed);
  const schema = schemaOf(numbers);
  const regressor = randomRegressor(schema, link, g, scale);
  return createModel(regressor, randomDistribution(schema, { components, gaussian, g }));
}

/** A random row of {@link schemaOf}, each value known with the given chance. */
export function randomRow(schema: Schema, g: Random, chance: number): Row {
  const values = schema.columns.map(({ name, kind }) => {
    if (kind === "categorical") return [name, ["red", "green", "blue"][g.integer(3)]] as const;
    return [name, kind === "binary" ? g.integer(2) : g.normal()] as const;
  });
  return Object.fromEntries(values.filter(() => g.uniform() < chance));
}

/** Every completion of a row with its probability and number, from nothing but log P of complete rows. */
export function completedNumbers(
  model: RegressionModel,
  row: Row,
): { readonly probability: number; readonly value: number; readonly row: Row }[] {
  const all = [...completions(model as never, row)].map((full) => ({
    row: full,
    probability: Math.exp(logEvidence(model, full)),
    value: regress(model.predictor, full),
  }));
  const total = all.reduce((sum, { probability }) => sum + probability, 0);
  return all.map((one) => ({ ...one, probability: one.probability / total }));
}

/** Mean and variance by enumeration. */
export function truthOf(
  model: RegressionModel,
  row: Row,
): { readonly mean: number; readonly variance: number } {
  const all = completedNumbers(model, row);
  const mean = all.reduce((sum, { probability, value }) => sum + probability * value, 0);
  const variance = all.reduce((sum, { probability, value }) => sum + probability * (value - mean) ** 2, 0);
  return { mean, variance };
}
