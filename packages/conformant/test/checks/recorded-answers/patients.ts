import type { ClassifierJson, Column, Row, Schema, TreesJson } from "conformant";

/** A source of random numbers of its own, so that the inputs stay as they are whatever becomes of the library's. */
export interface Draws {
  /** Uniform in [0, 1). */
  uniform(): number;
  normal(): number;
}

/** The generator mulberry32. */
export function draws(seed: number): Draws {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  // The sum of twelve uniform numbers is close to normal and needs no logarithm, whose last bit depends on the engine.
  const normal = (): number => Array.from({ length: 12 }, uniform).reduce((sum, u) => sum + u, -6);
  return { uniform, normal };
}

export const CITIES = ["Bonn", "Jena", "Ulm"] as const;
export const STAGES = ["early", "late", "middle", "unclear"] as const;

/** Columns of the kinds that classifiers and trees both take. */
export const COLUMNS: readonly Column[] = [
  { name: "age", kind: "numeric" },
  { name: "smoker", kind: "binary" },
  { name: "city", kind: "categorical", values: CITIES },
  { name: "dose", kind: "numeric" },
  { name: "stage", kind: "categorical", values: STAGES },
  { name: "pressure", kind: "numeric" },
];

/** The same measurements where age and dose count by their bins. */
export const BINNED: readonly Column[] = COLUMNS.map((column): Column => {
  if (column.name === "age") return { name: "age", kind: "binned", edges: [-0.5, 0.5, 1.5] };
  return column.name === "dose" ? { name: "dose", kind: "binned", edges: [0] } : column;
});

/** The columns with these names, in the order of the names. */
export function pickColumns(names: readonly string[], columns: readonly Column[] = COLUMNS): Schema {
  return {
    columns: names.map((name) => {
      const found = columns.find((column) => column.name === name);
      if (found === undefined) throw new Error(`there is no column ${name}`);
      return found;
    }),
  };
}

/** How many patients, and what is missing of them. */
export interface PatientOptions {
  readonly seed: number;
  readonly count: number;
  /** The classes of the column "outcome". Default no and yes. */
  readonly classes?: readonly string[];
  /** The share of cells that are missing. Default 0. */
  readonly missing?: number;
  /** Whether smokers leave the question open more often than others. */
  readonly informative?: boolean;
}

/** Patients of two groups, so that columns depend on each other, with the column "outcome". */
export function patients(options: PatientOptions): Row[] {
  const { seed, count, classes = ["no", "yes"], missing = 0, informative = false } = options;
  const { uniform, normal } = draws(seed);
  return Array.from({ length: count }, () => {
    const group = uniform() < 0.4 ? 1 : 0;
    const age = 1.5 * group + normal();
    const smoker = uniform() < (group ? 0.7 : 0.2) ? 1 : 0;
    const city = Math.min(2, Math.floor(3 * uniform() ** (group ? 0.5 : 1.5)));
    const dose = 0.8 * age + 0.6 * normal();
    const stage = Math.floor(4 * uniform() ** (group ? 1 : 2));
    const pressure = 2 + 0.5 * dose - group + 0.7 * normal();
    const score = age + 1.5 * smoker - 0.7 * city + 0.5 * stage + 0.8 * normal();
    const outcome = classes[Math.max(0, Math.min(classes.length - 1, Math.floor(score / 1.5)))];
    const cells: Record<string, string | number | null> = {
      age: Math.round(100 * age) / 100,
      smoker,
      city: CITIES[city],
      dose: Math.round(100 * dose) / 100,
      stage: STAGES[stage],
      pressure: Math.round(10 * pressure) / 10,
    };
    for (const name of Object.keys(cells)) if (uniform() < missing) cells[name] = null;
    if (informative && uniform() < (smoker ? 0.6 : 0.1)) cells.smoker = null;
    return { ...cells, outcome };
  });
}

/** Weights of an additive classifier: of two classes the first has none. */
export function seededWeights(
  { columns }: Schema,
  classes: number,
  seed: number,
  scale = 1,
): { intercept: Float64Array; weights: Float64Array } {
  const { normal } = draws(seed);
  const slots = columns.reduce((sum, column) => {
    if (column.kind === "categorical") return sum + column.values.length;
    return sum + (column.kind === "binned" ? column.edges.length + 1 : 1);
  }, 0);
  const weight = (k: number): number => {
    const drawn = Math.round(1000 * scale * normal()) / 1000;
    return classes === 2 && k === 0 ? 0 : drawn;
  };
  return {
    intercept: Float64Array.from({ length: classes }, (_, k) => weight(k)),
    weights: Float64Array.from({ length: slots * classes }, (_, at) => weight(at % classes)),
  };
}

/** A logistic regression as other software writes it: standardized numbers and one-hot bits, the last category the reference. */
export const CLASSIFIER_JSON: ClassifierJson = {
  classes: ["no", "yes"],
  label: "outcome",
  features: ["age", "dose", "smoker", "city=Bonn", "city=Jena", "stage=early", "stage=late", "stage=middle"],
  intercept: [-0.4],
  coef: [[0.9, -0.3, 1.2, 0.5, 0.1, -0.8, 0.6, -0.2]],
  mean: [0.6, 0.5, 0, 0, 0, 0, 0, 0],
  scale: [1.2, 1.1, 1, 1, 1, 1, 1, 1],
};

/** What kind of trees, and how many. */
export interface TreeOptions {
  readonly seed: number;
  readonly link: TreesJson["link"];
  readonly classes: readonly string[];
  readonly trees: number;
  readonly depth: number;
  /** Whether numbers are compared in single precision, as XGBoost does. */
  readonly single?: boolean;
  /** Whether categories are split by sets of codes, as LightGBM does, instead of by one-hot bits. */
  readonly sets?: boolean;
}

/** Random trees as a file of other software has them. They never ask about "pressure". */
export function treesJson({ seed, link, classes, trees, depth, single, sets }: TreeOptions): TreesJson {
  const { uniform, normal } = draws(seed);
  const bits = ["city=Bonn", "city=Ulm", "stage=early", "stage=middle"];
  const features = ["age", "dose", "smoker", ...(sets ? ["city", "stage"] : bits)];
  const codes = [null, null, null, CITIES, STAGES];
  const K = classes.length;
  const leaf = (): number | number[] => {
    if (link !== "probability") return Math.round(400 * normal()) / 1000;
    const shares = classes.map(() => 0.05 + uniform());
    const sum = trees * shares.reduce((total, share) => total + share, 0);
    return shares.map((share) => share / sum);
  };
  const grow = (t: number): TreesJson["trees"][number] => {
    const feature: number[] = [];
    const threshold: (number | null)[] = [];
    const left: number[] = [];
    const right: number[] = [];
    const value: (number | number[] | null)[] = [];
    const chosen: (number[] | null)[] = [];
    const missingLeft: boolean[] = [];
    const add = (level: number): number => {
      const at = feature.length;
      const ends = level === 0 || (level < depth && uniform() < 0.15);
      const f = ends ? -1 : Math.floor(uniform() * features.length);
      const category = sets && f > 2 ? codes[f] : null;
      feature.push(f);
      threshold.push(ends || category ? null : f < 2 ? Math.round(100 * (0.5 + normal())) / 100 : 0.5);
      chosen.push(category ? [0, category.length - 1].slice(0, 1 + Math.floor(2 * uniform())) : null);
      missingLeft.push(uniform() < 0.5);
      left.push(-1);
      right.push(-1);
      value.push(ends ? leaf() : null);
      if (ends) return at;
      left[at] = add(level - 1);
      right[at] = add(level - 1);
      return at;
    };
    add(depth);
    return {
      output: link === "softmax" ? t % K : 0,
      ...{ feature, threshold, left, right, value },
      ...(sets && { sets: chosen }),
      gapsLeft: missingLeft,
    };
  };
  return {
    kind: "trees",
    classes,
    label: "outcome",
    features,
    link,
    ...(sets && { categories: codes }),
    ...(link === "probability" ? {} : { base: link === "softmax" ? classes.map((_, k) => 0.1 * k) : [-0.2] }),
    ...(single && { single }),
    trees: Array.from({ length: trees }, (_, t) => grow(t)),
  };
}
