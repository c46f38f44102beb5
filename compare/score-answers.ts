import { decide } from "conformant/internal";
import { calibrationError, reliability } from "../packages/workbench/src/verdict/reliability.ts";

/** What is measured of class probabilities. */
export interface Scores {
  readonly logLoss: number;
  readonly accuracy: number;
  /** Expected calibration error. */
  readonly calibration: number;
}

/** A probability counts as this at least, as in scikit-learn's log_loss. */
const SMALLEST = 1e-15;

/** Compares probabilities, rows × K, with the classes of the rows. */
export function scoreAnswers(answers: Float64Array, labels: ArrayLike<number>, K: number): Scores {
  const rows = labels.length;
  let [loss, right] = [0, 0];
  for (let r = 0; r < rows; r++) {
    loss -= Math.log(Math.max(SMALLEST, answers[r * K + labels[r]]));
    if (decide(answers.subarray(r * K, (r + 1) * K)).class === labels[r]) right++;
  }
  const calibration = calibrationError(reliability(answers, labels, K));
  return { logLoss: loss / rows, accuracy: right / rows, calibration };
}
