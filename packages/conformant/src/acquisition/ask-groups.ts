import { type CompletionSpace, completionSpace, eachCell } from "../distribution/completion-space.ts";
import { drawCompletions } from "../distribution/completions.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import { divergence, entropy } from "../math/vectors.ts";
import { expectationOf } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { decide, isAnother } from "../predictors/decision.ts";
import { answerTable } from "../predictors/expectation.ts";
import { missingFeatures } from "../predictors/features.ts";
import type { Watch } from "../progress.ts";
import type { Schema } from "../schema/column.ts";
import { type EncodedColumn, emptyLike, type Table } from "../schema/data.ts";
import { indicatorOf } from "../schema/indicators.ts";
import { type Cells, tableOfRow } from "../schema/read-row.ts";
import { informationGains } from "./information-gains.ts";
import { type AskNextOptions, type Question, readCosts } from "./question.ts";

/** The approximate number of rows drawn for the possible values of a group's columns. */
const DRAWS = 256;

/**
 * The information of learning columns together, such as a panel of tests or a region of an image. Rows are drawn given what is known, and
 * the model predicts each with the columns of the group known. The mean divergence of these predictions from the current one is the
 * information of the group, with its standard error. Columns outside groups, and groups of one missing column, have their exact value.
 */
export function askGroups(
  model: Model,
  cells: Cells,
  groups: NonNullable<AskNextOptions["groups"]>,
  costs: AskNextOptions["costs"],
  watch: Watch,
): Question[] {
  const { schema } = model;
  const features = missingFeatures(schema, cells, groups);
  const costOf = readCosts(schema, costs, Object.keys(groups));
  const expectation = expectationOf(model);
  const gains = features.some(({ columns }) => columns.length === 1)
    ? informationGains(expectation, schema, cells)
    : undefined;
  const now = expectation.expect(cells).values;
  const imagined = features.some(({ columns }) => columns.length > 1)
    ? imagineRows(model, cells, DRAWS)
    : undefined;
  const questions = features.map(({ name, columns }, f): Question => {
    watch.step(f / features.length);
    const cost = costOf(name);
    const gain =
      columns.length === 1 && gains
        ? gains(columns[0])
        : gainOfGroup(imagined as ImaginedRows, schema, columns, now);
    return { column: name, ...gain, cost, gainPerCost: gain.informationGain / cost };
  });
  return questions.sort((a, b) => b.gainPerCost - a.gainPerCost);
}

/**
 * The divergence from the current prediction of predictions for drawn rows in which the columns are known. With an indicator of missing
 * values it is the expected reduction of entropy instead, as for single columns.
 */
function gainOfGroup(
  { answersKnowing, weightsOf, drawnFor }: ImaginedRows,
  schema: Schema,
  columns: readonly number[],
  prior: Float64Array,
): Pick<Question, "informationGain" | "changesDecision"> & { readonly error: number } {
  const K = prior.length;
  const now = decide(prior).class;
  const answers = answersKnowing(columns);
  const weights = weightsOf(columns, answers);
  const hasIndicator = columns.some((i) => indicatorOf(schema, i) !== undefined);
  const gainOf = hasIndicator
    ? (answer: Float64Array) => entropy(prior) - entropy(answer)
    : (answer: Float64Array) => divergence(answer, prior);
  let changesDecision = 0;
  const gains = Float64Array.from(drawnFor, (_, r) => {
    const answer = answers.subarray(r * K, (r + 1) * K);
    if (isAnother(answer, now)) changesDecision += weights[r];
    return weights[r] * gainOf(answer);
  });
  const gain = gains.reduce((sum, own) => sum + own, 0);
  return {
    informationGain: hasIndicator ? gain : Math.max(0, gain),
    changesDecision: Math.min(1, changesDecision),
    error: errorOfSum(gains, drawnFor, K),
  };
}

/** The standard error of a stratified sum with n draws per class: √(Σ_k n s²), s² the variance within a class. */
function errorOfSum(gains: Float64Array, drawnFor: Int32Array, K: number): number {
  const [counts, sums, squares] = [0, 1, 2].map(() => new Float64Array(K));
  gains.forEach((gain, r) => {
    const k = drawnFor[r];
    counts[k]++;
    sums[k] += gain;
    squares[k] += gain * gain;
  });
  const variances = counts.map((n, k) =>
    n > 1 ? (Math.max(0, squares[k] - sums[k] ** 2 / n) * n) / (n - 1) : 0,
  );
  return Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0));
}

/** Draws of the complete row given what is known. */
export interface ImaginedRows {
  /** All columns of them. */
  readonly columns: readonly EncodedColumn[];
  /** The class that each row was drawn for. */
  readonly drawnFor: Int32Array;
  /** The prediction for each row if these columns were also known: rows × K. */
  readonly answersKnowing: (columns: readonly number[]) => Float64Array;
  /** The weight of each row given those predictions: Σ weight · f estimates the expectation of f. */
  readonly weightsOf: (columns: readonly number[], answers: Float64Array) => Float64Array;
}

/** Components and classes of less weight are skipped; their rows are as rare. */
const NEGLIGIBLE = 1e-9;

/**
 * Draws rows given what is known, about as many as requested. Where one class is nearly certain, predictions that would change that come
 * from the other classes, and hardly any draw would. So each class k has draws of its own, a share r_k proportional to √P(k | y), and each
 * row is weighted by importance,
 *
 *     P(x_S | y) / Σ_k r_k P(x_S | y, k) = 1 / Σ_k ( r_k / P(k | y) ) P(k | y, x_S)
 *
 * where y includes the indicators of missing values as they are in the row, also for the columns in S.
 */
export function imagineRows(model: Model, cells: Cells, wanted: number): ImaginedRows {
  const table = tableOfRow(model.schema, cells);
  const space = completionSpace(model, table, 0);
  const { isPosterior } = expectationOf(model);
  const parts = partsOf(isPosterior, space, wanted);
  const rows = parts.reduce((sum, { draws }) => sum + draws, 0);
  const columns = table.columns.map((known) => emptyLike(known, rows).fill(known[0]));
  const drawnFor = new Int32Array(rows);
  let r = 0;
  for (const { k, draws, posterior } of parts)
    drawCompletions({ ...space, posterior }, draws, k, (atoms, _, numbers) => {
      eachCell(space, atoms, numbers, (i, cell) => {
        columns[i][r] = cell;
      });
      drawnFor[r++] = k;
    });
  const oftener = new Float64Array(model.response.outputs.length).fill(isPosterior ? 0 : 1);
  if (isPosterior) for (const { k, draws, share } of parts) oftener[k] = draws / rows / share;
  const answer = answering(model, table, space, columns, rows);
  return {
    columns,
    drawnFor,
    answersKnowing: (asked) => answer(asked, indicatorsOf(model.schema, asked)),
    weightsOf: (asked, answers) => {
      const hasIndicator = isPosterior && indicatorsOf(model.schema, asked).length > 0;
      const posteriors = hasIndicator ? answer(asked, []) : answers;
      const K = oftener.length;
      return Float64Array.from({ length: rows }, (_, r) => {
        const own = posteriors.subarray(r * K, (r + 1) * K);
        return 1 / rows / own.reduce((sum, p, k) => sum + oftener[k] * p, 0);
      });
    },
  };
}

/** Positions of the indicators of missing values of these columns. */
function indicatorsOf(schema: Schema, columns: readonly number[]): number[] {
  return columns.flatMap((i) => indicatorOf(schema, i) ?? []);
}

/** The draws for class k with probability `share` and its own P(m, k | y). */
interface Part {
  readonly k: number;
  readonly share: number;
  readonly draws: number;
  readonly posterior: Float64Array;
}

/** A stratum per class; a single one where the distribution carries no classes. */
function partsOf(isPosterior: boolean, { posterior, K }: CompletionSpace, wanted: number): Part[] {
  if (!isPosterior) return [{ k: 0, share: 1, draws: wanted, posterior }];
  const shares = new Float64Array(K);
  for (let a = 0; a < posterior.length; a++) shares[a % K] += posterior[a];
  const total = shares.reduce((sum, share) => sum + Math.sqrt(share), 0);
  return Array.from(shares, (share, k) => ({
    k,
    share,
    draws: share > NEGLIGIBLE ? Math.ceil((Math.sqrt(share) / total) * wanted) : 0,
    posterior: posterior.map((p, a) => (a % K === k ? p / share : 0)),
  })).filter(({ draws }) => draws > 0);
}

/**
 * Where columns are independent given component and class, their evidence is added to the present one,
 *
 *     log P(m, k | y, x_S) = log P(m, k | y) + Σ_{i ∈ S} log P_m(x_i | k) + const
 *
 * otherwise whole rows are predicted, with the listed indicators of missing values set to 0.
 */
function answering(
  model: Model,
  known: Table,
  { K, missing, posterior }: CompletionSpace,
  columns: readonly EncodedColumn[],
  rows: number,
): (asked: readonly number[], indicators: readonly number[]) => Float64Array {
  const places = new Map(missing.map(({ index }, j) => [index, j]));
  const likely = Int32Array.from(posterior.keys()).filter((a) => posterior[a] > NEGLIGIBLE);
  const before = Float64Array.from(likely, (a) => Math.log(posterior[a]));
  const addUp = (asked: readonly number[]): Float64Array => {
    const own = asked.map((i) => missing[places.get(i) as number]);
    const answers = new Float64Array(rows * K);
    const terms = new Float64Array(likely.length);
    for (let r = 0; r < rows; r++) {
      terms.set(before);
      for (const { index, codeOf, logConditional } of own) {
        const at = codeOf(columns[index][r]) * posterior.length;
        for (let b = 0; b < likely.length; b++) terms[b] += logConditional[at + likely[b]];
      }
      softmaxInPlace(terms);
      for (let b = 0; b < likely.length; b++) answers[r * K + (likely[b] % K)] += terms[b];
    }
    return answers;
  };
  const expectation = expectationOf(model);
  const predictWhole = (asked: readonly number[], indicators: readonly number[]): Float64Array => {
    const shown = known.columns.map((cells, i) =>
      asked.includes(i) ? columns[i] : emptyLike(cells, rows).fill(indicators.includes(i) ? 0 : cells[0]),
    );
    return answerTable(expectation, { ...known, rows, columns: shown });
  };
  const adds = (asked: readonly number[]): boolean =>
    expectation.isPosterior && asked.every((i) => places.has(i));
  return (asked, indicators) =>
    indicators.length === 0 && adds(asked) ? addUp(asked) : predictWhole(asked, indicators);
}
