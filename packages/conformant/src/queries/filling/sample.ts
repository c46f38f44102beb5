import { requireInteger, requireOptions } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { cell, type Row, type Value } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { completionSpace } from "../completion/completion-space.ts";
import { drawnValues } from "../completion/drawn-values.ts";
import { drawCompletions } from "../completion/visit-completions.ts";
import { encodeRow, type QueryOptions } from "../terms/query-input.ts";

/** How many rows, from which seed. */
export interface SampleOptions extends QueryOptions, WatchOptions {
  /** How many rows. Default 1. */
  readonly count?: number;
  /** Default 0. */
  readonly seed?: number;
}

/**
 * Complete rows drawn from the model given what is known: the known values as they are, the missing ones drawn together
 * from P(missing | known), exactly and independently from row to row. A number is drawn among its column's atoms, or with the
 * others of its Gaussian block.
 */
export function sample(model: Model, row: Row, options: SampleOptions = {}): Record<string, Value>[] {
  requireOptions(options);
  const { count = 1, seed = 0, ...rest } = options;
  requireInteger("options.count", count, 0);
  requireInteger("options.seed", seed, 0);
  const watch = new Watch(options, "drawing");
  const space = completionSpace(model, encodeRow(model, row, rest), 0);
  const { columns } = model.classifier.schema;
  const rows: Record<string, Value>[] = [];
  drawCompletions(
    space,
    count,
    seed,
    (atoms, _, numbers) => {
      const drawn = drawnValues(space, atoms, numbers);
      rows.push(
        Object.fromEntries(
          columns.map(({ name }, i) => [name, drawn.has(i) ? drawn.get(i) : cell(row, name)]),
        ),
      );
    },
    watch,
  );
  return rows;
}
