import { counted } from "../source/count.ts";
import { short } from "../source/format-number.ts";
import type { ClassificationVerdict, RegressionVerdict } from "./model-verdict.ts";
import { leaksText, rowsText } from "./rows-text.ts";

/** Rows of a bin or of a class, and how many standard errors its share of right answers has to be off, for a bin to be named. */
const [LEAST_ROWS, TELLING] = [10, 2];

/** Standard errors by which a ranking or an accuracy has to be above that of guessing, to be named although the log loss is not. */
const CLEAR = 3;

/** The verdict in two sentences: how often the model is right, and whether its probabilities are better than guessing. */
export function classificationSentence(verdict: Omit<ClassificationVerdict, "sentence">): string {
  const { accuracy, accuracyStandardError, baselineAccuracy } = verdict;
  const digits = percentDigits(accuracyStandardError);
  const right = `right in about ${inPercent(accuracy, digits)}% ± ${inPercent(accuracyStandardError, digits)}`;
  const guess = `guessing the most common class: ${inPercent(baselineAccuracy, digits)}%`;
  return `On ${rowsText(verdict, "classifier")}: ${right}${leaksText(verdict)} (${guess}). ${logLossSentence(verdict)}`;
}

/** The verdict of predicted numbers in two sentences: how far off they are, in a unit, and whether they are better than their mean. */
export function regressionSentence(
  verdict: Omit<RegressionVerdict, "sentence">,
  label: string,
  unit?: string,
): string {
  const { rmse, rmseStandardError, baselineRmse, r2, better } = verdict;
  const inUnit = (text: string): string => (unit === undefined ? text : `${text} ${unit}`);
  const off = `off by about ${inUnit(`${short(rmse)} ± ${short(rmseStandardError, 2)}`)} (root mean squared error)`;
  const judged = better
    ? `It explains ${inPercent(Math.max(0, r2), 0)}% of the variance of ${label}.`
    : "No better than the mean: not usable for decisions.";
  return `On ${rowsText(verdict, "regressor")}: ${off}${leaksText(verdict)}; always answering the mean: ${inUnit(short(baselineRmse))}. ${judged}`;
}

/** The log loss beside that of the class shares. */
function logLossSentence(verdict: Omit<ClassificationVerdict, "sentence">): string {
  const { accuracy, baselineAccuracy, logLoss, baselineLogLoss, better } = verdict;
  const [own, shares] = twoTexts(logLoss, baselineLogLoss);
  if (better) {
    const rarely =
      accuracy > baselineAccuracy ? "" : ", but the predicted class is right no more often than by guessing";
    return `Log loss ${own}, better than the class shares' ${shares}${rarely}.`;
  }
  return logLoss <= baselineLogLoss || own === shares
    ? `Log loss ${own}, within chance of the class shares' ${shares}: no better than guessing${exceptText(verdict)}.`
    : `Log loss ${own}, worse than the class shares' ${shares}: no better than guessing, not usable for decisions.`;
}

/** What is clearly better than guessing, although the probabilities are not. */
function exceptText({
  accuracy,
  accuracyStandardError,
  baselineAccuracy,
  confusion,
  twoClasses,
}: Omit<ClassificationVerdict, "sentence">): string {
  const ofClass = confusion.map((row) => row.reduce((sum, n) => sum + n, 0));
  if (accuracy - baselineAccuracy > CLEAR * accuracyStandardError) return ", except for the predicted class";
  if (
    twoClasses &&
    Math.min(...ofClass) >= LEAST_ROWS &&
    twoClasses.auc - 0.5 > CLEAR * twoClasses.aucStandardError
  )
    return `, except in the order of the rows (AUC ${twoClasses.auc.toFixed(2)})`;
  return "";
}

/** Decimals of a percentage with this standard error: two of them where it is tiny. */
function percentDigits(standardError: number): number {
  if (standardError >= 0.005) return 0;
  return standardError >= 0.0005 ? 1 : 2;
}

function inPercent(share: number, digits: number): string {
  return (100 * share).toFixed(digits);
}

/** Two log losses with two decimals, or as many as tell them apart, up to four. */
function twoTexts(a: number, b: number): [string, string] {
  for (const digits of [2, 3, 4])
    if (a.toFixed(digits) !== b.toFixed(digits) || digits === 4)
      return [a.toFixed(digits), b.toFixed(digits)];
  return [String(a), String(b)];
}

/** Whether probabilities can be taken at their word: the bin that is off most, or the largest one. */
export function calibrationSentence({ calibration }: Pick<ClassificationVerdict, "calibration">): string {
  const bins = calibration.map((bin) => {
    const p = Math.min(Math.max(bin.confidence, 0.5 / bin.rows), 1 - 0.5 / bin.rows);
    return { ...bin, off: Math.abs(bin.accuracy - bin.confidence) / Math.sqrt((p * (1 - p)) / bin.rows) };
  });
  const telling = bins.filter(({ rows, off }) => rows >= LEAST_ROWS && off > TELLING);
  const chosen =
    telling.length > 0
      ? telling.reduce((a, b) => (b.off > a.off ? b : a))
      : bins.reduce((a, b) => (b.rows > a.rows ? b : a));
  const { confidence, accuracy, rows } = chosen;
  const digits = confidence > 0.995 || accuracy > 0.995 ? 1 : 0;
  return `when it says ${inPercent(confidence, digits)}%, it is right ${inPercent(accuracy, digits)}% of the time (${counted(rows, "row")})`;
}
