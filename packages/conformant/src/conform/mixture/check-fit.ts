import { ConformantError, show } from "../../errors.ts";
import { factorsInFit } from "./factors-in-fit.ts";
import type { FittedRows } from "./fit-rows.ts";

/** Throws where numbers are so large beside the classifier's weights that sums of them lost all digits: no fit came of it. */
export function checkFit({ best: { components, objective }, problem }: FittedRows): void {
  const factors = factorsInFit(problem);
  const whole = components.every(
    (component) =>
      Number.isFinite(component.logNormaliser) &&
      !component.logQ.some(Number.isNaN) &&
      factors.every((factor) => factor.isFinite(component)),
  );
  if (!whole || !objective.every(Number.isFinite)) rejectFit(problem);
}

/** Throws: no fit came of the numbers. */
export function rejectFit(problem: FittedRows["problem"]): never {
  const { columns } = problem.classifier.schema;
  const names = factorsInFit(problem).flatMap((factor) => factor.columns.map((i) => columns[i].name));
  const joint = names.length > 0;
  const message = `the numbers${joint ? ` of ${names.map(show).join(", ")}` : ""} are too large, or too far apart, for the weights of the classifier: no distribution could be fitted`;
  throw new ConformantError("invalid-value", message, {
    ...(joint && { column: names[0], hint: 'describe these columns by themselves, { numeric: "atoms" }' }),
  });
}
