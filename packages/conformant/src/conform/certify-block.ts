import type { Certificate } from "../model/certificate.ts";
import type { BlockFrame } from "./block-frame.ts";
import type { EmResult, MixtureProblem } from "./em.ts";

/** A column of which the ones before it leave less than this share of its variance follows from them. */
const DEPENDENT = 1e-9;

/** What is known about the Gaussian factors of a fit. */
export function certifyBlock(
  { classifier, settings, totalWeight }: MixtureProblem,
  { components, momentMismatch = 0 }: EmResult,
  frame: BlockFrame,
): NonNullable<Certificate["gaussian"]> {
  const names = Array.from(frame.block.columns, (i) => classifier.schema.columns[i].name);
  const rows = components.map(({ logWeight }) => Math.exp(logWeight) * totalWeight);
  return {
    columns: names,
    momentMismatch,
    ridge: settings.ridge,
    singular: singularColumns(frame).map((i) => names[i]),
    fewRows: rows.filter((weight) => weight < names.length + 1).length,
  };
}

/** Columns that are constant or follow from the ones before them, by a Cholesky factor that leaves them out as it goes. */
function singularColumns({ covariance, origin }: BlockFrame): number[] {
  const n = origin.length;
  const lower = new Float64Array(n * n);
  const singular: number[] = [];
  for (let i = 0; i < n; i++) {
    let left = covariance[i * n + i];
    for (let j = 0; j < i; j++) {
      let sum = covariance[i * n + j];
      for (let c = 0; c < j; c++) sum -= lower[i * n + c] * lower[j * n + c];
      lower[i * n + j] = lower[j * n + j] > 0 ? sum / lower[j * n + j] : 0;
      left -= lower[i * n + j] ** 2;
    }
    const alone = left > DEPENDENT * covariance[i * n + i];
    lower[i * n + i] = alone ? Math.sqrt(left) : 0;
    if (!alone) singular.push(i);
  }
  return singular;
}
