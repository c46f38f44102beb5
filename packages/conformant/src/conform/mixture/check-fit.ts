import { ConformantError, show } from "../../errors.ts";
import type { FittedRows } from "./fit-rows.ts";

/** Throws where numbers are so large beside the classifier's weights that sums of them lost all digits: no fit came of it. */
export function checkFit({ best: { components, objective }, problem }: FittedRows): void {
  const whole = components.every(
    ({ logQ, logNormaliser, gaussian }) =>
      Number.isFinite(logNormaliser) &&
      !logQ.some(Number.isNaN) &&
      (gaussian?.covariance.every(Number.isFinite) ?? true),
  );
  if (!whole || !objective.every(Number.isFinite)) rejectFit(problem);
}

/** Throws: no fit came of the numbers. */
export function rejectFit({ classifier, frame }: FittedRows["problem"]): never {
  const names = frame && Array.from(frame.block.columns, (i) => show(classifier.schema.columns[i].name));
  const message = `the numbers${names ? ` of ${names.join(", ")}` : ""} are too large, or too far apart, for the weights of the classifier: no distribution could be fitted`;
  throw new ConformantError("invalid-value", message, {
    ...(frame && { column: classifier.schema.columns[frame.block.columns[0]].name }),
    ...(frame && { hint: 'describe these columns by themselves, { numeric: "atoms" }' }),
  });
}
