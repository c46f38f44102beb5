import { type CompletionSpace, completionSpace, sizeOf } from "../distribution/completion-space.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { pickNormals } from "../gaussian/condition.ts";
import { type Cells, isMissing, tableOfRow } from "../schema/read-row.ts";

/** The ways to complete the missing columns of a row that a predictor uses; what the others may be does not matter. */
export function openSpace(
  distribution: Distribution,
  cells: Cells,
  used: ReadonlySet<number>,
): CompletionSpace {
  const { schema } = distribution;
  const space = completionSpace(distribution, tableOfRow(schema, cells), 0);
  const isOpen = (i: number): boolean => used.has(i) && isMissing(schema.columns[i], cells[i]);
  const missing = space.missing.filter(({ index }) => isOpen(index));
  const normals = pickNormals(space.normals, isOpen);
  const size = normals.columns.length > 0 ? Number.POSITIVE_INFINITY : sizeOf(missing);
  return { ...space, missing, normals, size };
}
