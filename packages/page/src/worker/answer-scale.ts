import { predictColumns, type RegressionModel, type Row, sample } from "conformant";

/** Rows that are drawn, and the share of their answers beyond each end. */
const [ROWS, BEYOND] = [1000, 0.005];

/** Where nearly all answers of a model lie: an axis for one of them. */
export interface AnswerScale {
  readonly low: number;
  readonly high: number;
}

/** The scale of a model's answers, from completed rows that are drawn with nothing known. */
export function answerScale(model: RegressionModel): AnswerScale {
  const answers = drawnAnswers(model, {}, ROWS).sort();
  const at = (share: number): number => answers[Math.min(ROWS - 1, Math.floor(share * ROWS))];
  const [low, high] = [at(BEYOND), at(1 - BEYOND)];
  return low < high ? { low, high } : { low: low - 1, high: high + 1 };
}

/** The model's answers to drawn completions of a row. */
export function drawnAnswers(model: RegressionModel, row: Row, count: number): Float64Array {
  return predictColumns(model, sample(model, row, { count })).values;
}
