import type { ChoiceOfMixture, HeldOutScore } from "conformant";
import { counted } from "../source/count.ts";
import { short } from "../source/format-number.ts";
import type { TextRows } from "./missing-effect-table.ts";

/** One line per candidate; the chosen one is marked. */
export function choiceTable({ curve, chosen }: ChoiceOfMixture): TextRows {
  const rows = curve.map((score, c) => [
    `${score.components}${c === chosen ? " *" : ""}`,
    numbersOf(score),
    withError(score.crossEntropy, score.standardError),
    withError(score.behind?.mean, score.behind?.standardError),
    short(score.logLikelihood, 6),
  ]);
  return { header: ["components", "numbers", "cross entropy", "behind the best", "log-likelihood"], rows };
}

/** How it was chosen, as a sentence. */
export function choiceSentence({ folds, rows, masks, untried }: ChoiceOfMixture): string {
  const held = `${counted(rows, "held-out row")}${folds > 1 ? ` in ${folds} folds` : ""}`;
  const by =
    masks > 0
      ? `predictions of ${held} with masked values (${counted(masks, "mask")} each); * the smallest within a standard error of the best`
      : `the likelihood of ${held}, because too few are complete; * the highest`;
  const late = [...new Set(untried.map(({ components }) => components))].join(", ");
  return `${by}${late ? `; ${late} components not tried` : ""}`;
}

/** How a candidate describes numbers. */
export function numbersOf({ gaussian = [], rank, bins }: HeldOutScore): string {
  if (gaussian.length > 0)
    return `Gaussian over ${gaussian.length}${rank === undefined ? "" : `, rank ${rank}`}`;
  return bins === undefined ? "atoms" : `${bins} atoms each`;
}

function withError(value: number | undefined, error: number | undefined): string {
  return value === undefined ? "" : `${short(value)} ± ${short(error ?? 0, 2)}`;
}
