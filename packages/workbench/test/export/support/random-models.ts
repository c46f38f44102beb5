import { conformMixture, createClassifier, type Model, type Row, random, type Schema } from "conformant";

/** What a random model is to have. */
export interface ModelShape {
  readonly classes: number;
  readonly components: number;
  /** Numeric columns, and whether a Gaussian describes them. */
  readonly numbers: number;
  readonly gaussian: boolean;
  readonly seed: number;
}

/** 40 shapes: 2 and 7 classes, 1 and 8 components, atoms and Gaussians of 3, 10 and 30 columns, each twice. */
export const modelShapes: readonly ModelShape[] = [1, 2].flatMap((seed) =>
  [2, 7].flatMap((classes) =>
    [1, 8].flatMap((components) => [
      ...[3, 10].map((numbers) => ({ classes, components, numbers, gaussian: false, seed })),
      ...[3, 10, 30].map((numbers) => ({ classes, components, numbers, gaussian: true, seed })),
    ]),
  ),
);

/** A shape in words. */
export function describeShape({ classes, components, numbers, gaussian, seed }: ModelShape): string {
  return `${classes} classes, M = ${components}, ${numbers} ${gaussian ? "in a Gaussian" : "with atoms"}, seed ${seed}`;
}

const CITIES = ["Oslo", "O'Hare", 'say "hi"', ""].slice(0, 3);

/** A model of numbers that are correlated and of different sizes, a 0/1 column and a category. */
export function randomModel({ classes: K, components, numbers, gaussian, seed }: ModelShape): Model {
  const draw = random(1000 * seed + 100 * K + 10 * components + numbers);
  const schema = numbersSchema(numbers);
  const slots = numbers + 1 + CITIES.length;
  const scales = Array.from({ length: numbers }, () => 10 ** (4 * draw.uniform() - 2));
  const weights = Float64Array.from({ length: slots * K }, (_, at) => {
    if (K === 2 && at % K === 0) return 0;
    const slot = Math.floor(at / K);
    return draw.normal() / (slot < numbers ? scales[slot] * Math.sqrt(numbers) : 1);
  });
  const classifier = createClassifier({
    schema,
    classes: Array.from({ length: K }, (_, k) => `class ${k}`),
    intercept: Float64Array.from({ length: K }, (_, k) => (K === 2 && k === 0 ? 0 : draw.normal())),
    weights,
  });
  const rows = Array.from({ length: 400 }, (): Row => {
    const shared = [draw.normal(), draw.normal() > 0 ? 2 : -2];
    const cells = scales.map((scale, i): [string, number] => [
      `x${i}`,
      scale * (3 + draw.normal() + shared[0] * Math.sin(i) + shared[1] * Math.cos(3 * i)),
    ]);
    const city = CITIES[Math.floor(draw.uniform() * CITIES.length)];
    return { ...Object.fromEntries(cells), smoker: draw.uniform() < 0.3 ? 1 : 0, city };
  });
  return conformMixture(classifier, rows, {
    components,
    numeric: gaussian ? "gaussian" : "atoms",
    maxIterations: 3,
    restarts: 1,
    seed,
  });
}

function numbersSchema(numbers: number): Schema {
  return {
    columns: [
      ...Array.from({ length: numbers }, (_, i) => ({ name: `x${i}`, kind: "numeric" as const })),
      { name: "smoker", kind: "binary" },
      { name: "city", kind: "categorical", values: CITIES },
    ],
  };
}

/** Rows of a model's columns with 0 to 100 % gaps, all cells and none among them; numbers about as far out as the model knows. */
export function gappyRows(
  { schema, atoms, components, gaussianColumns }: Model,
  count: number,
  seed: number,
): Row[] {
  const draw = random(seed);
  const number = (i: number): number => {
    const at = gaussianColumns ? gaussianColumns.columns.indexOf(i) : -1;
    const { gaussian } = components[Math.floor(draw.uniform() * components.length)];
    if (at < 0 || !gaussian) {
      const { values } = atoms.columns[i];
      return values ? values[Math.floor(draw.uniform() * values.length)] * (0.5 + draw.uniform()) : 0;
    }
    const n = gaussian.mean.length;
    return gaussian.mean[at] + 2 * draw.normal() * Math.sqrt(gaussian.covariance[at * n + at]);
  };
  return Array.from({ length: count }, (_, r) => {
    const rate = r % 10 === 0 ? 0 : r % 10 === 5 ? 1 : draw.uniform();
    const cells = schema.columns.flatMap((column, i): [string, Row[string]][] => {
      if (draw.uniform() < rate) return [];
      if (column.kind === "numeric") return [[column.name, number(i)]];
      if (column.kind === "binary") return [[column.name, draw.uniform() < 0.5 ? 0 : 1]];
      const values = column.kind === "categorical" ? column.values : [];
      return [
        [column.name, draw.uniform() < 0.1 ? "Atlantis" : values[Math.floor(draw.uniform() * values.length)]],
      ];
    });
    return Object.fromEntries(cells);
  });
}
