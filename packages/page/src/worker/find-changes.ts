import { type Imputation, impute, type Model, predictColumns, type Row, type Value } from "conformant";
import { decide } from "conformant/internal";

/** Another value of a known column that leads to another answer. */
export interface Change {
  readonly column: string;
  /** The one nearest to the present value; of categories the one that makes the other answer most probable. */
  readonly value: Value;
  /** Of a number: on which side of the present value it is, where all values beyond it change the answer as well. */
  readonly side?: "higher" | "lower";
  readonly prediction: string;
  readonly probability: number;
}

/** Significant digits of a number at least. */
const DIGITS = 3;
/** Changes that are named, values of a column that are tried at most, and milliseconds for all. */
const [MOST, TRIED, LIMIT_MS] = [3, 32, 800];

/**
 * For each known column, the value nearest to the present one that leads to another answer; the most probable answers first. Undefined
 * where answers take too long.
 */
export function findChanges(model: Model, row: Row, prediction: string): Change[] | undefined {
  const started = performance.now();
  predictColumns(model, [row]);
  const tried = Object.keys(row).length * TRIED;
  if (tried * (performance.now() - started) > LIMIT_MS) return undefined;
  const found = Object.entries(impute(model, {})).flatMap(([column, marginal]): Change[] => {
    const present = Object.hasOwn(row, column) ? row[column] : undefined;
    const isLate = performance.now() - started > LIMIT_MS;
    if (present === undefined || present === null || isLate) return [];
    const candidates = valuesOf(marginal, present);
    const rows = candidates.map((value) => ({ ...row, [column]: value }));
    const { classes, probabilities } = predictColumns(model, rows);
    const K = classes.length;
    const others = candidates.flatMap((value, r) => {
      const answer = probabilities.subarray(r * K, (r + 1) * K);
      const { class: k } = decide(answer);
      return classes[k] === prediction ? [] : [{ value, prediction: classes[k], probability: answer[k] }];
    });
    if (others.length === 0) return [];
    const far = ({ value, probability }: Pick<Change, "value" | "probability">): number =>
      typeof value === "number" && typeof present === "number" ? Math.abs(value - present) : 1 - probability;
    const nearest = others.reduce((a, b) => (far(b) < far(a) ? b : a));
    const { value } = nearest;
    if (typeof value !== "number" || typeof present !== "number") return [{ column, ...nearest }];
    const side = value > present ? "higher" : "lower";
    const isBeyond = (own: Value): boolean =>
      typeof own === "number" && (side === "higher" ? own > value : own < value);
    // Answers of trees may turn back.
    const turnsBack = candidates.some(
      (own) => isBeyond(own) && !others.some(({ value: other }) => other === own),
    );
    return [{ column, ...nearest, ...(!turnsBack && { side }) }];
  });
  return found.sort((a, b) => b.probability - a.probability).slice(0, MOST);
}

/** The categories of a column, or the atoms or quantiles of a number with the digits that tell them from the present one. */
function valuesOf(marginal: Imputation, present: Value): Value[] {
  if (marginal.kind !== "numeric") return Object.keys(marginal.probabilities);
  return Array.from(marginal.values, (value) => {
    const part = Math.abs(value / (value - Number(present)));
    if (Number.isInteger(value) || !Number.isFinite(part)) return value;
    return Number(value.toPrecision(Math.max(DIGITS, Math.ceil(Math.log10(part)) + 1)));
  });
}
