import type { Value } from "conformant";
import type { AnyReasons } from "../worker/answer.ts";

/** A row of the list of reasons: one field that becomes known, or several of little effect. */
export interface ReasonStep {
  /** One column, or several of little effect. */
  readonly columns: readonly { readonly column: string; readonly value: Value }[];
  /** The probability, or the number, before and after. */
  readonly from: number;
  readonly to: number;
  readonly isSufficient: boolean;
}

/** The way from the answer with nothing known to that with all that is known, whether a probability or a number. */
export interface ReasonWay {
  readonly prior: number;
  readonly answer: number;
  /** Of classes, the one whose probability it is. */
  readonly prediction: string | undefined;
  readonly path: readonly { readonly column: string; readonly to: number }[];
  readonly values: ReadonlyMap<string, Value>;
  /** Columns that by themselves lead to the answer, and the probability, or the number, that they give. */
  readonly sufficient: readonly string[];
  readonly sufficientAnswer: number;
  /** The largest standard error of an answer; 0 where all are exact. */
  readonly standardError: number;
}

export function reasonWay(reasons: AnyReasons): ReasonWay {
  const { standardError } = reasons;
  const { prior, contributions } = reasons.explanation;
  const values = new Map(
    contributions.map(({ column, value }) => [column, typeof value === "object" ? null : value]),
  );
  if (!("sufficientProbability" in reasons)) {
    const { path, prediction, sufficient, sufficientPrediction } = reasons.explanation;
    const way = path.map(({ column, prediction: to }) => ({ column, to }));
    const rest = { prediction: undefined, sufficient, sufficientAnswer: sufficientPrediction, standardError };
    return { prior, answer: prediction, path: way, values, ...rest };
  }
  const { explanation, sufficient, sufficientProbability } = reasons;
  return {
    prior,
    answer: explanation.probability,
    prediction: explanation.prediction,
    path: explanation.path.map(({ column, probability: to }) => ({ column, to })),
    values,
    sufficient,
    sufficientAnswer: sufficientProbability,
    standardError,
  };
}

/**
 * The way from the answer with nothing known to the answer. Every end of a step is the answer to some of the known fields, so probabilities
 * lie between 0 and 1.
 *
 * @param little a smaller change is shown with others of its kind only; 0 for one step per field
 */
export function reasonSteps({ prior, path, values, sufficient }: ReasonWay, little: number): ReasonStep[] {
  const steps: ReasonStep[] = [];
  let from = prior;
  let wasLittle = false;
  for (const { column, to } of path) {
    const value = values.get(column);
    const step = { columns: [{ column, value }], from, to, isSufficient: sufficient.includes(column) };
    const isLittle = isLittleStep(step, little);
    const last = steps[steps.length - 1];
    if (isLittle && wasLittle)
      steps[steps.length - 1] = { ...last, columns: [...last.columns, { column, value }], to };
    else steps.push(step);
    wasLittle = isLittle;
    from = to;
  }
  return steps;
}

/** Whether a step is of fields with little effect, which are counted instead of named. */
export function isLittleStep(
  { from, to, isSufficient }: Pick<ReasonStep, "from" | "to" | "isSufficient">,
  little: number,
): boolean {
  return !isSufficient && Math.abs(to - from) < little;
}
