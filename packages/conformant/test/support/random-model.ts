import {
  type Classifier,
  type Column,
  conform,
  createClassifier,
  type Marginals,
  type Model,
  type Row,
} from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";
import { slotCount } from "../../src/schema/column.ts";

export interface RandomModelOptions {
  readonly seed: number;
  readonly columns: number;
  readonly classes: number;
  /** Standard deviation of the weights. */
  readonly scale?: number;
  readonly kinds?: readonly Column["kind"][];
  readonly pseudocount?: number;
}

const ROWS = 1000;

/** A conformant model with random columns, weights and marginals; the same for the same seed. */
export function randomModel(options: RandomModelOptions): Model<Classifier> {
  const g = random(options.seed);
  const classifier = randomClassifier(options, g);
  return conform(classifier, randomMarginals(classifier, g), { pseudocount: options.pseudocount ?? 1 });
}

export function randomClassifier(options: RandomModelOptions, g: Random = random(options.seed)): Classifier {
  const {
    columns: n,
    classes: K,
    scale = 1,
    kinds = ["numeric", "binary", "categorical", "binned"],
  } = options;
  const columns = Array.from({ length: n }, (_, i) =>
    randomColumn(`x${i}`, kinds[g.integer(kinds.length)], g),
  );
  const slots = columns.reduce((sum, column) => sum + slotCount(column), 0);
  // Two classes: the first has score 0, as everywhere in the library.
  const weight = (k: number): number => (K === 2 && k === 0 ? 0 : scale * g.normal());
  return createClassifier({
    schema: { columns },
    classes: Array.from({ length: K }, (_, k) => `class ${k}`),
    intercept: Float64Array.from({ length: K }, (_, k) => weight(k)),
    weights: Float64Array.from({ length: slots * K }, (_, j) => weight(j % K)),
  });
}

function randomColumn(name: string, kind: Column["kind"], g: Random): Column {
  const extra = g.integer(3);
  if (kind === "categorical") return { name, kind, values: ["a", "b", "c", "d"].slice(0, 2 + extra) };
  if (kind === "binned") return { name, kind, edges: [-0.5, 0.25, 1].slice(0, 1 + extra) };
  return { name, kind };
}

export function randomMarginals(classifier: Classifier, g: Random): Marginals {
  const columns = classifier.schema.columns.map((column): Marginals["columns"][number] => {
    const atoms =
      column.kind === "numeric" ? 2 + g.integer(2) : column.kind === "binary" ? 2 : slotCount(column);
    const shares = Array.from({ length: atoms }, () => 0.05 + g.uniform());
    const total = shares.reduce((sum, share) => sum + share, 0);
    const counts = Float64Array.from(shares, (share) => (share / total) * ROWS);
    if (column.kind !== "numeric") return { kind: "discrete", counts };
    const values = Float64Array.from({ length: atoms }, (_, j) => j - 1 + 0.5 * g.uniform());
    const edges = values.subarray(1).map((value, j) => (value + values[j]) / 2);
    return { kind: "numeric", exact: true, values, edges, counts };
  });
  return { schema: classifier.schema, rows: ROWS, columns };
}

/** A value that falls into the given atom of a column. */
export function valueOfAtom(model: Model, column: number, atom: number): string | number {
  const { name: _, ...definition } = model.schema.columns[column];
  if (definition.kind === "categorical") return definition.values[atom];
  if (definition.kind === "binned") return atom === 0 ? definition.edges[0] - 1 : definition.edges[atom - 1];
  return model.atoms.columns[column].values?.[atom] ?? atom;
}

/** A complete row of random atoms. */
export function randomRow(model: Model, g: Random): Row {
  return Object.fromEntries(
    model.atoms.columns.map(({ count }, i) => [
      model.schema.columns[i].name,
      valueOfAtom(model, i, g.integer(count)),
    ]),
  );
}

/** Every way to fill the missing columns of a row with atoms. */
export function* completions(model: Model, row: Row): Generator<Row> {
  const at = model.schema.columns.findIndex(({ name }) => row[name] === undefined);
  if (at < 0) {
    yield row;
    return;
  }
  const { name } = model.schema.columns[at];
  for (let atom = 0; atom < model.atoms.columns[at].count; atom++) {
    yield* completions(model, { ...row, [name]: valueOfAtom(model, at, atom) });
  }
}
