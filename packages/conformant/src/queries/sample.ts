import { requireInteger } from "../errors.ts";
import type { Model } from "../model/model.ts";
import type { Row, Value } from "../schema/data.ts";
import { atomValue } from "./completion/atom-value.ts";
import { completionSpace } from "./completion/completion-space.ts";
import { drawCompletions } from "./completion/visit-completions.ts";
import { encodeRow, type QueryOptions } from "./query-input.ts";

/** How many rows, from which seed. */
export interface SampleOptions extends QueryOptions {
  /** How many rows. Default 1. */
  readonly count?: number;
  /** Default 0. */
  readonly seed?: number;
}

/**
 * Complete rows drawn from the model given what is known: the known values as they are, the missing ones drawn together
 * from P(missing | known), exactly and independently from row to row. A number is drawn among its column's atoms.
 */
export function sample(model: Model, row: Row, options: SampleOptions = {}): Record<string, Value>[] {
  const { count = 1, seed = 0, ...rest } = options;
  requireInteger("options.count", count, 0);
  const space = completionSpace(model, encodeRow(model, row, rest), 0);
  const { columns } = model.classifier.schema;
  const rows: Record<string, Value>[] = [];
  drawCompletions(space, count, seed, (atoms) => {
    const drawn = new Map(space.missing.map(({ index }, j) => [index, atomValue(model, index, atoms[j])]));
    rows.push(
      Object.fromEntries(columns.map(({ name }, i) => [name, drawn.has(i) ? drawn.get(i) : row[name]])),
    );
  });
  return rows;
}
