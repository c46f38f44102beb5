import {
  type Classifier,
  conformMixture,
  createClassifier,
  type IndicatorComparison,
  type KnownPredictor,
  type Model,
  predictColumns,
  type Random,
  random,
  type Table,
} from "conformant";
import {
  choleskySolve,
  classifyRows,
  columnsWithGaps,
  completeTable,
  createIndicators,
  markGaps,
  missingEffects,
  mixtureShape,
  pickRows,
  splitOnIndicators,
} from "conformant/internal";
import type { Host } from "../source/host.ts";
import { splitLabel } from "../source/labeled-rows.ts";
import { isIndicatorColumn } from "../source/positions.ts";
import { withoutLast } from "../source/without-columns.ts";
import { compareLosses } from "./choose-model.ts";
import { stratifiedFolds } from "./out-of-fold.ts";
import type { TrainingOptions } from "./training-options.ts";

/** Completions of a row over which its likelihood is a mean. */
const DRAWS = 10;
/** Parts of the rows, each held out once. */
const FOLDS = 5;
/** The L2 penalty of the weights, that of an indicator with one observation. */
const PENALTY = 1;
/** Newton steps at most, and the largest change of a weight at which they end. */
const [MOST_STEPS, SMALL_STEP] = [100, 1e-8];

/** An existing classifier, perhaps with indicators of missing values. */
export interface Indicated {
  readonly predictor: KnownPredictor;
  readonly comparison: IndicatorComparison;
}

/**
 * Adds indicators of missing values to an existing classifier, whose own weights and splits stay: complete rows get the same answer, bit for
 * bit. The weights of an additive classifier are learned from labeled rows; trees send a missing value where the software that made
 * them sends it. "auto" takes the columns for which labeled rows are predicted better, the weights learned on other rows.
 *
 * @param model the classifier with the distribution of the rows
 * @param labeled the columns of the model and, last, the label, known in every row
 */
export function indicateMissing(
  model: Model,
  labeled: Table,
  { gaps, pseudocount, bins, seed }: TrainingOptions,
  { threads }: Pick<Host, "threads">,
): Indicated {
  const { predictor } = model;
  const { table, labels } = splitLabel(labeled);
  const all = Int32Array.from({ length: labeled.rows }, (_, r) => r);
  const names = columnsWithGaps(table, all).map(({ name }) => name);
  const learner = learnerOf(model, labeled, seed);
  const taken = (columns: readonly string[], found: Partial<IndicatorComparison> = {}): Indicated => {
    const marked = learner(columns, all);
    const own = marked.schema.columns.filter(isIndicatorColumn).map(({ gapOf }) => gapOf);
    return {
      predictor: marked,
      comparison: { rows: 0, effects: [], ...found, taken: own.length > 0, columns: own },
    };
  };
  if (gaps !== "auto") return gaps === "random" ? taken([]) : taken(names);
  const K = model.response.outputs.length;
  const how = { pseudocount, bins, seed, threads, ...mixtureShape(model) };
  const scored = {
    labels: Float64Array.from(labels),
    answers: predictColumns(model, table, { threads }).probabilities,
  };
  const task = {
    table: labeled,
    labels: { codes: Int32Array.from(labels), classes: model.response.outputs },
    weights: new Float64Array(labeled.rows).fill(1),
  };
  const effects = missingEffects(task, [{ held: all, probabilities: scored.answers }], names);
  const columns = effects.map(({ column }) => column);
  const without = { taken: false, columns, effects, rows: labeled.rows };
  if (columns.length === 0) return { predictor, comparison: without };
  // Trees learn nothing here, so that one fit predicts all rows.
  const most = predictor.kind === "additive" ? FOLDS : 1;
  const { fold, folds } = stratifiedFolds({ labels, groups: table.groups }, most, seed);
  const answers = new Float64Array(scored.answers.length);
  for (let f = 0; f < folds; f++) {
    const held = all.filter((r) => fold[r] === f);
    const marked = learner(columns, folds > 1 ? all.filter((r) => fold[r] !== f) : all);
    if (!marked.schema.columns.some(isIndicatorColumn)) return { predictor, comparison: without };
    const own = predictColumns(conformMixture(marked, table, how), pickRows(table, held), { threads });
    held.forEach((r, at) => {
      answers.set(own.probabilities.subarray(at * K, (at + 1) * K), r * K);
    });
  }
  const difference = compareLosses(scored, { ...scored, answers });
  if (difference.mean >= -difference.standardError)
    return { predictor, comparison: { ...without, difference } };
  return taken(columns, { difference, effects, rows: labeled.rows });
}

/** Makes the classifier with indicators of some columns, from some of the labeled rows. */
function learnerOf(
  { predictor, ...model }: Model,
  labeled: Table,
  seed: number,
): (columns: readonly string[], rows: Int32Array) => KnownPredictor {
  if (predictor.kind === "trees") return (columns) => splitOnIndicators(predictor, columns);
  if (predictor.kind !== "additive") return () => predictor;
  const { table, labels } = splitLabel(labeled);
  const codes = Int32Array.from(labels);
  const logits = drawLogits({ ...model, predictor }, table, random(seed));
  return (columns, rows) => {
    const marked = table.schema.columns.filter(({ name }) => columns.includes(name));
    const marks = marked.map((column) => markGaps(table.columns[table.schema.columns.indexOf(column)]));
    const weights = fitIndicatorWeights(logits, marks, codes, rows, predictor.classes.length);
    return marked.length === 0 ? predictor : withWeights(predictor, marked, weights);
  };
}

function withWeights(
  classifier: Classifier,
  marked: Table["schema"]["columns"],
  weights: Float64Array,
): Classifier {
  const { schema } = classifier;
  const columns = [...schema.columns, ...createIndicators(schema, marked)];
  return createClassifier({
    ...classifier,
    schema: { columns },
    weights: Float64Array.from([...classifier.weights, ...weights]),
  });
}

/** log F_k(x) of each row in several completions, drawn given the known columns: draws of rows × K. */
function drawLogits(model: Model<Classifier>, table: Table, generator: Random): Float64Array[] {
  const unknown = new Int32Array(table.rows).fill(-1);
  const label = { name: "", kind: "categorical", values: model.predictor.classes } as const;
  const asked = {
    ...table,
    schema: { columns: [...table.schema.columns, label] },
    columns: [...table.columns, unknown],
  };
  return Array.from({ length: DRAWS }, () => {
    const completed = withoutLast(completeTable(model, asked, generator).table);
    return classifyRows(model.predictor, completed).map((p) => Math.log(Math.max(p, Number.MIN_VALUE)));
  });
}

/**
 * Maximizes Σ_r log mean_d softmax_y( log F(x_d) + Σ_i v_i r_i ) − ½ λ ‖v‖² over the weights v of indicators by Newton steps with the
 * curvature of the completed rows: draws count by how likely they make the label. Two classes: the weights of the first are 0.
 *
 * @param logits draws of rows × K
 * @param marks per indicator 1 in the rows that lack its column
 * @param codes the class of each row
 * @param rows the rows to learn from
 * @returns indicators × K
 */
export function fitIndicatorWeights(
  logits: readonly Float64Array[],
  marks: readonly Int8Array[],
  codes: Int32Array,
  rows: Int32Array,
  K: number,
): Float64Array {
  const first = K === 2 ? 1 : 0;
  const S = K - first;
  const n = marks.length * S;
  const weights = new Float64Array(marks.length * K);
  const incomplete = [...rows].flatMap((r) => {
    const active = [...marks.keys()].filter((i) => marks[i][r] === 1);
    return active.length > 0 ? [{ r, active }] : [];
  });
  for (let step = 0; step < MOST_STEPS && n > 0; step++) {
    const gradient = Float64Array.from({ length: n }, (_, a) => -PENALTY * weights[placeOf(a, S, K, first)]);
    const curvature = new Float64Array(n * n);
    for (let a = 0; a < n; a++) curvature[a * n + a] = PENALTY;
    for (const { r, active } of incomplete) {
      const answers = logits.map((own) => shifted(own.subarray(r * K, (r + 1) * K), weights, active));
      const total = answers.reduce((sum, p) => sum + p[codes[r]], 0);
      for (const p of answers) {
        const share = total > 0 ? p[codes[r]] / total : 1 / answers.length;
        for (const i of active)
          for (let s = 0; s < S; s++) {
            const k = s + first;
            gradient[i * S + s] += share * (Number(codes[r] === k) - p[k]);
            for (const j of active)
              for (let t = 0; t < S; t++)
                curvature[(i * S + s) * n + j * S + t] += share * p[k] * (Number(s === t) - p[t + first]);
          }
      }
    }
    if (!choleskySolve(curvature, n, gradient)) break;
    for (let a = 0; a < n; a++) weights[placeOf(a, S, K, first)] += gradient[a];
    if (gradient.every((change) => Math.abs(change) < SMALL_STEP)) break;
  }
  return weights;
}

/** Where the a-th free weight stands among indicators × K. */
function placeOf(a: number, S: number, K: number, first: number): number {
  return Math.floor(a / S) * K + (a % S) + first;
}

/** softmax( logits + Σ v_i ) over the indicators that are 1. */
function shifted(logits: Float64Array, weights: Float64Array, active: readonly number[]): Float64Array {
  const K = logits.length;
  const scores = logits.map((score, k) => active.reduce((sum, i) => sum + weights[i * K + k], score));
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
