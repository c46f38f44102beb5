import { requireNumber, requireOptions } from "../errors.ts";
import { countMarginals } from "../marginals/count-marginals.ts";
import type { Marginals } from "../marginals/marginals.ts";
import type { Model } from "../model/model.ts";
import { modelFromNaiveBayes, valueOffsets } from "../model/naive-bayes.ts";
import type { Column, Schema } from "../schema/column.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { type InferOptions, inferSchema } from "../schema/infer-schema.ts";
import { readLabels } from "../schema/labels.ts";
import { checkWeights } from "../schema/weights.ts";

/** Settings of {@link trainNaiveBayes}. */
export interface NaiveBayesOptions extends InferOptions {
  /** The column to learn. */
  readonly label: string;
  /** Added to every count. With 0 a value that never occurs in a class is an error. Default 1. */
  readonly pseudocount?: number;
  /** Bins per numeric column. Default 32. */
  readonly bins?: number;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number>;
}

/**
 * Maximum-likelihood naive Bayes on labelled rows, as a model like any other: its classifier is the logistic regression
 * of Lemma 1. Numeric columns are cut into quantile bins. Rows with gaps count for the columns they have.
 */
export function trainNaiveBayes(data: Data, options: NaiveBayesOptions): Model {
  requireOptions(options);
  const { label } = options;
  const pseudocount = requireNumber("options.pseudocount", options.pseudocount ?? 1, 0);
  const { classes, codes } = readLabels(data, label);
  const guessed = inferSchema(data, { ...options, exclude: [...(options.exclude ?? []), label] });
  const weights = checkWeights(options.weights, codes.length) ?? new Float64Array(codes.length).fill(1);
  const labelled = weights.map((w, r) => (codes[r] < 0 ? 0 : w));
  const schema = binNumbers(countMarginals(guessed, data, { ...options, weights: labelled }));
  const table = encode(schema, data);
  const perClass = classes.map((_, k) =>
    countMarginals(schema, table, { weights: labelled.map((w, r) => (codes[r] === k ? w : 0)) }),
  );
  const rows = perClass.reduce((sum, counts) => sum + counts.rows, 0);
  const logPrior = Float64Array.from(perClass, (counts) =>
    Math.log((counts.rows + pseudocount) / (rows + classes.length * pseudocount)),
  );
  return modelFromNaiveBayes(
    { schema, classes, label, logPrior, logConditional: logConditionals(schema, perClass, pseudocount) },
    rows,
    pseudocount,
  );
}

/** The schema with every numeric column cut at the edges of its marginal. */
function binNumbers({ schema, columns }: Marginals): Schema {
  return {
    columns: schema.columns.map((column, i): Column => {
      const marginal = columns[i];
      return marginal.kind === "numeric"
        ? { name: column.name, kind: "binned", edges: [...marginal.edges] }
        : column;
    }),
  };
}

function logConditionals(schema: Schema, perClass: readonly Marginals[], pseudocount: number): Float64Array {
  const start = valueOffsets(schema);
  const K = perClass.length;
  const logs = new Float64Array(start[schema.columns.length] * K);
  perClass.forEach(({ columns }, k) => {
    columns.forEach(({ counts }, i) => {
      const total = counts.reduce((sum, count) => sum + count + pseudocount, 0);
      counts.forEach((count, v) => {
        logs[(start[i] + v) * K + k] = Math.log((count + pseudocount) / total);
      });
    });
  });
  return logs;
}
