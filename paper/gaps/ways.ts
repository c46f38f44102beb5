import {
  conformMixture,
  type EncodedColumn,
  type Model,
  predictColumns,
  type Schema,
  type Table,
  train,
  trainOnIncomplete,
} from "conformant";
import { findCompleteRows, pickRows } from "conformant/internal";
import { classifyImputed, fitConstants } from "conformant-workbench/baselines";
import { LABEL } from "../datasets/dataset.ts";
import { toBits } from "../protocol/bits.ts";

/** Rows with gaps to class probabilities, rows × K. */
export type Predictor = (rows: Table) => Float64Array;

/** A way to learn from rows with gaps; undefined where it is left with nothing to learn from. */
export type Way = (training: Table, l2: number) => Predictor | undefined;

/** No limit: what is chosen must not depend on the machine. */
const PATIENT = { timeLimit: 1e9 };

/** The ways by the names they have in results. */
export const WAYS: Readonly<Record<string, Way>> = {
  // Every row, its gaps filled by draws from a mixture that is learned at the same time.
  completed: (training, l2) => {
    const { model } = trainOnIncomplete(training, { label: LABEL, l2 });
    return predictorOf(model);
  },
  // The rows without a gap only.
  left_out: (training, l2) => {
    const complete = pickRows(training, findCompleteRows(training));
    return complete.rows < 2 || oneClass(complete) ? undefined : learn(complete, l2);
  },
  // Gaps filled with the mean of their column, one-hot groups with the shares of their values; in test rows too.
  mean_filled: (training, l2) => {
    const bits = asNumbers(toBits(training, LABEL));
    const columns = bits.schema.columns.filter(({ name }) => name !== LABEL);
    const schema: Schema = { columns };
    const imputer = fitConstants(schema, bits, "mean");
    const means = imputer.constants as Float64Array;
    const filled = bits.columns.map((cells, i) =>
      i < columns.length ? cells.map((x) => (Number.isNaN(x) ? means[i] : x)) : cells,
    );
    const classifier = train({ ...bits, columns: filled as EncodedColumn[] }, { label: LABEL, l2 });
    return (rows) => classifyImputed(classifier, imputer, asNumbers(toBits(rows))).probabilities;
  },
};

/** A classifier and a mixture from rows, as they would be made of complete ones. */
export function learn(training: Table, l2: number): Predictor {
  const classifier = train(training, { label: LABEL, l2 });
  return predictorOf(conformMixture(classifier, training, PATIENT));
}

function predictorOf(model: Model): Predictor {
  return (rows) => predictColumns(model, rows).probabilities;
}

function oneClass(table: Table): boolean {
  const labels = table.columns[table.schema.columns.findIndex(({ name }) => name === LABEL)];
  return new Set(labels).size < 2;
}

/** 0/1 columns as numbers, so that they can hold a mean. */
function asNumbers(table: Table): Table {
  const isBit = table.schema.columns.map(({ kind }) => kind === "binary");
  return {
    ...table,
    schema: {
      columns: table.schema.columns.map((column) =>
        column.kind === "binary" ? { name: column.name, kind: "numeric" as const } : column,
      ),
    },
    columns: table.columns.map((cells, i) =>
      isBit[i] ? Float64Array.from(cells, (x) => (x < 0 ? Number.NaN : x)) : cells,
    ),
  };
}
