import { type EncodedColumn, type Model, predictColumns, type Table } from "conformant";
import { decide } from "conformant/internal";
import type { LabeledRows } from "../source/labeled-rows.ts";
import { isIndicatorColumn } from "../source/positions.ts";

/** How often what was said happens: rows whose likeliest class was given a probability in a range. */
export interface CalibrationBin {
  /** The mean probability that was given. */
  readonly said: number;
  /** The share in which it was right. */
  readonly happened: number;
  readonly rows: number;
}

/** What the answers to some rows are worth, class by class. */
export interface ScoredAnswers {
  /** label × prediction, rows. */
  readonly confusion: readonly (readonly number[])[];
  readonly calibration: readonly CalibrationBin[];
}

/** Ranges of probabilities, from 0 to 1. */
const BINS = 10;

/** Compares answers with labels. */
export function scoreAnswers(
  probabilities: Float64Array,
  labels: ArrayLike<number>,
  K: number,
): ScoredAnswers {
  const confusion = Array.from({ length: K }, () => new Array<number>(K).fill(0));
  const bins = Array.from({ length: BINS }, () => ({ said: 0, happened: 0, rows: 0 }));
  for (let r = 0; r < labels.length; r++) {
    const own = probabilities.subarray(r * K, (r + 1) * K);
    const predicted = decide(own).class;
    confusion[labels[r]][predicted]++;
    const bin = bins[Math.min(BINS - 1, Math.floor(own[predicted] * BINS))];
    bin.said += own[predicted];
    bin.happened += predicted === labels[r] ? 1 : 0;
    bin.rows++;
  }
  const calibration = bins
    .filter(({ rows }) => rows > 0)
    .map(({ said, happened, rows }) => ({ said: said / rows, happened: happened / rows, rows }));
  return { confusion, calibration };
}

/** What it costs not to know a column. */
export interface ColumnEffect {
  readonly name: string;
  /** The share of rows answered rightly with this column alone unknown, less than with nothing masked. */
  readonly accuracyLost: number;
  /** The share of rows that are answered otherwise. */
  readonly changed: number;
}

/** Hides one column at a time, missing at random, and scores what is answered then; those that cost most come first. */
export function scoreColumns(model: Model, { table: rows, labels }: LabeledRows): ColumnEffect[] {
  const K = model.response.outputs.length;
  const decisions = (table: Table): number[] => {
    const { probabilities } = predictColumns(model, table);
    return Array.from(
      { length: rows.rows },
      (_, r) => decide(probabilities.subarray(r * K, (r + 1) * K)).class,
    );
  };
  const whole = decisions(rows);
  const right = (decided: readonly number[]): number =>
    decided.filter((k, r) => k === labels[r]).length / rows.rows;
  return rows.schema.columns
    .flatMap((column, c) => {
      if (isIndicatorColumn(column)) return [];
      const { name } = column;
      const columns = rows.columns.map((cells, other) => (other === c ? allGaps(cells) : cells));
      const without = decisions({ ...rows, columns });
      const changed = without.filter((k, r) => k !== whole[r]).length / rows.rows;
      return [{ name, accuracyLost: right(whole) - right(without), changed }];
    })
    .sort((a, b) => b.changed - a.changed);
}

function allGaps(cells: EncodedColumn): EncodedColumn {
  const gap = cells instanceof Float64Array || cells instanceof Float32Array ? Number.NaN : -1;
  return cells.slice().fill(gap) as EncodedColumn;
}
