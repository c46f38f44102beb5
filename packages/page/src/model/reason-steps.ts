import type { Value } from "conformant";
import type { Reasons } from "../worker/answer.ts";

/** A row of the list of reasons: one field that becomes known, or several of little effect. */
export interface ReasonStep {
  /** One column, or several of little effect. */
  readonly columns: readonly { readonly column: string; readonly value: Value }[];
  /** The probability before and after. */
  readonly from: number;
  readonly to: number;
  readonly isSufficient: boolean;
}

/** A smaller change of a probability is shown with others of its kind only. */
const LITTLE = 0.005;

/**
 * The way from the probability with nothing known to the answer. Every end of a step is the answer to some of the known fields, so
 * all lie between 0 and 1.
 *
 * @param all one step per field, also of those with little effect
 */
export function reasonSteps({ explanation, sufficient }: Reasons, all = false): ReasonStep[] {
  const { prior, path, contributions } = explanation;
  const steps: ReasonStep[] = [];
  let from = prior;
  let wasLittle = false;
  for (const { column, probability: to } of path) {
    const found = contributions.find((own) => own.column === column)?.value;
    const value = typeof found === "object" ? null : found;
    const isSufficient = sufficient.includes(column);
    const isLittle = !all && !isSufficient && Math.abs(to - from) < LITTLE;
    const last = steps[steps.length - 1];
    if (isLittle && wasLittle)
      steps[steps.length - 1] = { ...last, columns: [...last.columns, { column, value }], to };
    else steps.push({ columns: [{ column, value }], from, to, isSufficient });
    wasLittle = isLittle;
    from = to;
  }
  return steps;
}

/** Whether a step is of fields with little effect, which are counted instead of named. */
export function isLittle({ from, to, isSufficient }: ReasonStep): boolean {
  return !isSufficient && Math.abs(to - from) < LITTLE;
}
