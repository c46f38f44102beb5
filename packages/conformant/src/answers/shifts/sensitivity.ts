import { requireNumber, requireOptions } from "../../errors.ts";
import { hiddenNumber } from "../../factors/hidden-normals.ts";
import type { Model } from "../../model/model.ts";
import { rejectInfinite } from "../../posterior/reject-infinite.ts";
import { completionSpace } from "../../queries/completion/completion-space.ts";
import { decide, isAnother } from "../../queries/terms/decision.ts";
import { encodeRow, type QueryOptions } from "../../queries/terms/query-input.ts";
import type { Column } from "../../schema/column.ts";
import { isGapCell, type Row, type Table } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { predict } from "../predict.ts";
import { hasTrees } from "../trees/tree-model.ts";
import { shiftMissing } from "./shift-missing.ts";
import { logFactors, yardsticksOf } from "./tilts.ts";

/** How far to look, and how strictly names are read. */
export interface SensitivityOptions extends QueryOptions, WatchOptions {
  /** The largest tilt that is tried. Default 3: a value 20 times as likely to be missing as one a standard deviation lower. */
  readonly limit?: number;
}

/** What it takes of one missing column to change the decision. */
export interface DecidingTilt {
  readonly column: string;
  /** Of a category or a bit: the value whose share among the gaps is tilted. */
  readonly value?: string;
  /** The smallest tilt, of either sign, that changes the decision; null where none up to the limit does. */
  readonly tilt: number | null;
  /** The decision there. */
  readonly prediction: string | null;
}

/** How far gaps may be from random before the decision is another. */
export interface Sensitivity {
  readonly prediction: string;
  readonly probability: number;
  /** One for each missing column, of a category for each value; the smallest tilt first. */
  readonly tilts: readonly DecidingTilt[];
  readonly limit: number;
}

/** P'(k | y) with one column tilted so far, as K numbers of any scale. */
type Tilted = (tilt: number) => Float64Array;

/** Steps to the limit between which the decision is taken to change no more than once, and to the exact tilt then. */
const [STEPS, HALVINGS] = [96, 40];
/** The same where each is an expectation of trees. */
const [TREE_STEPS, TREE_HALVINGS] = [12, 8];

/**
 * What if gaps are not at random? For each missing column the smallest tilt, as {@link shiftMissing} applies it, that changes the decision:
 * exact but for trees, whose tilts are found to a hundredth or so.
 */
export function sensitivity(model: Model, row: Row, options: SensitivityOptions = {}): Sensitivity {
  requireOptions(options);
  const limit = requireNumber("options.limit", options.limit ?? 3, 0);
  const watch = new Watch(options, "searching");
  const table = encodeRow(model, row, options);
  const reading = { ...(options.extra && { extra: options.extra }) };
  const answer = Float64Array.from(Object.values(predict(model, row, reading)));
  const { classes, schema } = model.classifier;
  const now = decide(answer).class;
  const [steps, halvings] = hasTrees(model) ? [TREE_STEPS, TREE_HALVINGS] : [STEPS, HALVINGS];
  const all = hasTrees(model) ? tiltedTrees(model, row, table, reading) : tiltedColumns(model, table);
  const tilts = all.map(({ index, value, tilted }, j): DecidingTilt => {
    watch.step(j / all.length);
    const changes = (tilt: number): boolean => isAnother(shares(tilted(tilt)), now);
    const found = [1, -1].flatMap((sign) => smallestChange(changes, sign * limit, steps, halvings) ?? []);
    const tilt = found.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? null;
    return {
      column: schema.columns[index].name,
      ...(value !== undefined && { value }),
      tilt,
      prediction: tilt === null ? null : classes[decide(shares(tilted(tilt))).class],
    };
  });
  tilts.sort(
    (a, b) => Math.abs(a.tilt ?? Number.POSITIVE_INFINITY) - Math.abs(b.tilt ?? Number.POSITIVE_INFINITY),
  );
  return { prediction: classes[now], probability: answer[now], tilts, limit };
}

interface TiltedColumn {
  readonly index: number;
  readonly value?: string;
  readonly tilted: Tilted;
}

/** The first tilt on the way to a limit at which the decision is another. */
function smallestChange(
  changes: (tilt: number) => boolean,
  limit: number,
  steps: number,
  halvings: number,
): number | undefined {
  for (let step = 1; step <= steps; step++) {
    if (!changes((limit * step) / steps)) continue;
    let [before, after] = [(limit * (step - 1)) / steps, (limit * step) / steps];
    for (let halving = 0; halving < halvings; halving++) {
      const middle = (before + after) / 2;
      if (changes(middle)) after = middle;
      else before = middle;
    }
    return after;
  }
  return undefined;
}

/**
 * Closed forms. With p_kv = P(k, x = v | y) the tilted answer is Σ_v p_kv e^{tilt · t(v)}; a hidden number of a Gaussian block is
 * normal given component and class, Σ_m P(m, k | y) e^{d μ_mk + ½ d² σ_m²} with d = tilt / scale.
 */
function tiltedColumns(model: Model, table: Table): TiltedColumn[] {
  const { posterior, missing, normals, K } = completionSpace(model, table, 0);
  const { columns } = model.classifier.schema;
  const yardsticks = yardsticksOf(model);
  const logPosterior = posterior.map(Math.log);
  const ofAtoms = missing.flatMap(({ index, count, conditional }): TiltedColumn[] => {
    const joint = new Float64Array(count * K);
    for (let v = 0, at = 0; v < count; v++)
      for (let a = 0; a < posterior.length; a++) joint[v * K + (a % K)] += posterior[a] * conditional[at++];
    const logJoint = joint.map(Math.log);
    const weigh =
      (unit: Float64Array): Tilted =>
      (tilt) =>
        sumByClass(
          logJoint.map((log, at) => log + tilt * unit[Math.floor(at / K)]),
          K,
          table,
        );
    const values = valuesOf(columns[index]);
    if (!values) return [{ index, tilted: weigh(logFactors(model, yardsticks, index, 1)) }];
    return values.map((value) => ({
      index,
      value,
      tilted: weigh(logFactors(model, yardsticks, index, { [value]: 1 })),
    }));
  });
  const ofNormals = normals.columns.map((index, a): TiltedColumn => {
    const { means, deviations } = hiddenNumber(normals, a);
    const { centre, scale } = yardsticks(index);
    return {
      index,
      tilted: (tilt) => {
        const d = tilt / scale;
        const logs = means.map(
          (mean, cell) =>
            logPosterior[cell] + d * (mean - centre) + (d * deviations[Math.floor(cell / K)]) ** 2 / 2,
        );
        return sumByClass(logs, K, table);
      },
    };
  });
  return [...ofAtoms, ...ofNormals];
}

/** Sums by class, K numbers of any scale, of numbers given by their logarithms with classes running fastest; what is likeliest may have the least factor. */
function sumByClass(logs: Float64Array, K: number, table: Table): Float64Array {
  const most = logs.reduce((high, log) => Math.max(high, log), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(most)) rejectInfinite(table, 0);
  const out = new Float64Array(K);
  for (let at = 0; at < logs.length; at++) out[at % K] += Math.exp(logs[at] - most);
  return out;
}

/** Trees' expected answers under shifted models. */
function tiltedTrees(model: Model, row: Row, table: Table, reading: QueryOptions): TiltedColumn[] {
  return model.classifier.schema.columns.flatMap((column, index): TiltedColumn[] => {
    if (!isGapCell(table.columns[index], 0)) return [];
    const tilted =
      (value?: string): Tilted =>
      (tilt) => {
        const shift = value === undefined ? tilt : { [value]: tilt };
        return Float64Array.from(
          Object.values(predict(shiftMissing(model, { [column.name]: shift }), row, reading)),
        );
      };
    const values = valuesOf(column);
    if (!values) return [{ index, tilted: tilted() }];
    return values.map((value) => ({ index, value, tilted: tilted(value) }));
  });
}

/** The values that are tilted one by one: all categories, and of a bit the 1; undefined of what has an order. */
function valuesOf(column: Column): readonly string[] | undefined {
  if (column.kind === "categorical") return column.values;
  return column.kind === "binary" ? ["1"] : undefined;
}

function shares(numbers: Float64Array): Float64Array {
  const sum = numbers.reduce((all, x) => all + x, 0);
  return numbers.map((x) => x / sum);
}
