import fc from "fast-check";
import type { Column, Value } from "../../../src/index.ts";

/** A table, a classifier for it and how to fit a model, as plain data that can be sent to a thread. */
export interface Problem {
  readonly columns: readonly Column[];
  readonly classes: readonly string[];
  readonly intercept: readonly number[];
  /** Slots × K. */
  readonly weights: readonly number[];
  /** Rows × columns. */
  readonly cells: readonly (readonly Value[])[];
  /** Per row, null for a gap; classes need not occur. */
  readonly labels: readonly (string | null)[];
  readonly rowWeights: readonly number[] | undefined;
  readonly fit: Fit;
  /** The row that questions are asked about. */
  readonly row: readonly Value[];
}

/** Options of the fit whose model the questions are asked of. */
export interface Fit {
  readonly kind: "conform" | "mixture" | "gaussian";
  readonly components: number;
  readonly pseudocount: number;
  readonly bins: number;
  readonly seed: number;
}

/** What a call makes its options of. */
export interface Knobs {
  readonly whole: readonly number[];
  readonly real: readonly number[];
  readonly share: readonly number[];
  readonly flag: readonly boolean[];
}

/** Numbers with a few digits, of either sign: doubles drawn by their bits would be tiny or huge nearly always. */
const decimal = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: -1000, max: 1000 }).map((x) => (x / 1000) * most);

/** Mostly up to 1e100, beyond which numbers are refused. */
const power = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -300, max: 99 }) },
  { weight: 12, arbitrary: fc.integer({ min: -9, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 300 }) },
);

/** Powers of ten from 1e-300 to 1e300, small numbers, and those that are special. */
const nasty = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 3, arbitrary: decimal(10) },
  {
    weight: 2,
    arbitrary: fc.tuple(power, decimal(9)).map(([power, digit]) => digit * 10 ** power),
  },
);

/** Numbers of a size that any measurement may have: what is nasty in one place is to be seen with nothing nasty elsewhere, too. */
const calm = fc.oneof(fc.integer({ min: -3, max: 3 }), decimal(10));

/** How far the numbers, the classifier's weights and the weights of rows go. */
type Temper = "calm" | "nasty";
const temper = fc.constantFrom<Temper>("calm", "calm", "nasty");
const numberOf = { calm, nasty };

const classifierWeight = {
  calm: decimal(3),
  nasty: fc.oneof(
    { weight: 4, arbitrary: decimal(3) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, -1, 1e3, -1e3, 1e-300, -1e-12, 40, 800, -800) },
    { weight: 1, arbitrary: decimal(1000) },
  ),
};

const rowWeight = fc.oneof(
  { weight: 3, arbitrary: decimal(5).map(Math.abs) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0, 1, 1e-300, 1e-300, 1e-9, 1e9, 1e90, 1e300) },
);

const gap = fc.constantFrom<Value>(null, undefined, "", Number.NaN);
const LETTERS = ["a", "b", "c", "d", "1", "__proto__", "constructor"];
const NAMES = ["a", "b", "constructor", "__proto__", "x y", "f=1"];

type Kind = Column["kind"];

function columnOf(kind: Kind, name: string, size: Temper): fc.Arbitrary<Column> {
  if (kind === "categorical")
    return fc
      .uniqueArray(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 5 })
      .map((values) => ({ name, kind, values }));
  if (kind === "binned")
    return fc
      .uniqueArray(
        numberOf[size].map((x) => x + 0),
        { minLength: 0, maxLength: 4, comparator: "SameValueZero" },
      )
      .map((edges) => ({ name, kind, edges: edges.sort((a, b) => a - b) }));
  return fc.constant({ name, kind });
}

function cellOf(column: Column, size: Temper): fc.Arbitrary<Value> {
  if (column.kind === "numeric" || column.kind === "binned") return numberOf[size];
  if (column.kind === "binary") return fc.constantFrom<Value>(0, 1, true, false, "1", 0n);
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Value>(...column.values) },
    { weight: 1, arbitrary: fc.constantFrom<Value>("unseen", 7, false) },
  );
}

/** Cells of one column: of few values, all the same, or anything; gaps in between. */
function cellsOf(column: Column, rows: number, size: Temper): fc.Arbitrary<Value[]> {
  const any = cellOf(column, size);
  const few = fc.array(any, { minLength: 1, maxLength: 3 }).chain((values) => fc.constantFrom(...values));
  return fc.constantFrom(0, 0, 1, 4).chain((gaps) =>
    fc.array(fc.oneof({ weight: 8, arbitrary: fc.oneof(few, any) }, { weight: gaps, arbitrary: gap }), {
      minLength: rows,
      maxLength: rows,
    }),
  );
}

const kinds = fc.array(fc.constantFrom<Kind>("numeric", "numeric", "binary", "categorical", "binned"), {
  minLength: 1,
  maxLength: 6,
});

export const problems: fc.Arbitrary<Problem> = fc
  .tuple(
    kinds,
    fc.integer({ min: 2, max: 5 }),
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 8 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
    ),
    fc.record({ numbers: temper, weights: temper, rows: temper }),
  )
  .chain(([chosen, K, rows, tempers]) =>
    fc.tuple(...chosen.map((kind, i) => columnOf(kind, NAMES[i], tempers.numbers))).chain((columns) => {
      const slots = columns.reduce((sum, column) => sum + slotsOf(column), 0);
      const classes = Array.from({ length: K }, (_, k) => ["no", "yes", "__proto__", "3", "other"][k]);
      // Two classes: the scores of the first are 0, as everywhere in the library.
      const scores = (count: number): fc.Arbitrary<number[]> =>
        fc
          .array(classifierWeight[tempers.weights], { minLength: count, maxLength: count })
          .map((all) => (K === 2 ? all.map((w, j) => (j % 2 === 0 ? 0 : w)) : all));
      return fc.record({
        columns: fc.constant(columns),
        classes: fc.constant(classes),
        intercept: scores(K),
        weights: scores(slots * K),
        cells: fc
          .tuple(
            ...columns.map((column) => cellsOf(column, rows, tempers.numbers)),
            fc.integer({ min: 0, max: 9 }),
          )
          .map((drawn) => {
            const own = drawn.slice(0, -1) as Value[][];
            // Now and then a column is a copy of the one before it.
            own.forEach((cells, i) => {
              if (
                drawn[columns.length] === i + 1 &&
                columns[i + 1]?.kind === columns[i].kind &&
                columns[i].kind === "numeric"
              )
                own[i + 1] = cells;
            });
            return Array.from({ length: rows }, (_, r) => own.map((cells) => cells[r]));
          }),
        labels: fc.array(fc.constantFrom<string | null>(...classes, ...classes, null), {
          minLength: rows,
          maxLength: rows,
        }),
        rowWeights:
          tempers.rows === "calm"
            ? fc.constant(undefined)
            : fc.oneof(
                fc.array(rowWeight, { minLength: rows, maxLength: rows }),
                fc
                  .constantFrom(1 / rows, 1 / rows, 1e-90, 1e90, 1e-300, 0)
                  .map((w) => new Array<number>(rows).fill(w)),
              ),
        fit: fc.record({
          kind: fc.constantFrom(
            "conform" as const,
            "conform" as const,
            "mixture" as const,
            "gaussian" as const,
          ),
          components: fc.integer({ min: 1, max: 5 }),
          pseudocount: fc.constantFrom(1, 1, 0, 0.5, 1e-9, 100),
          bins: fc.constantFrom(32, 1, 2, 4),
          seed: fc.integer({ min: 0, max: 9 }),
        }),
        row: fc.tuple(
          ...columns.map((column) => fc.oneof(cellOf(column, tempers.numbers), gap)),
        ) as fc.Arbitrary<Value[]>,
      });
    }),
  );

function slotsOf(column: Column): number {
  if (column.kind === "categorical") return column.values.length;
  return column.kind === "binned" ? column.edges.length + 1 : 1;
}

export const knobs: fc.Arbitrary<Knobs> = fc.record({
  whole: fc.array(fc.constantFrom(0, 1, 2, 3, 5, 40), { minLength: 4, maxLength: 4 }),
  real: fc.array(fc.oneof(nasty, fc.constantFrom(0, 1e-6, 1, 1e6)), { minLength: 4, maxLength: 4 }),
  share: fc.array(fc.constantFrom(0.5, 0.05, 0.9, 0.999999, 1e-12, 0, 1), { minLength: 2, maxLength: 2 }),
  flag: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
});
