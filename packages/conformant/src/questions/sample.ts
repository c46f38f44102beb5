import { drawCompletions, drawnValues } from "../distribution/completions.ts";
import { completionSpace } from "../distribution/given.ts";
import { requireInteger } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { requireNames } from "../options.ts";
import { Watch, type WatchOptions } from "../progress.ts";
import { cell, type Row, type Value } from "../schema/data.ts";
import { encodeRow, type QueryOptions } from "./row-input.ts";

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
  requireNames(options, ["strict", "extra", "count", "seed", "onProgress", "signal"]);
  const { count = 1, seed = 0, strict, extra } = options;
  requireInteger("options.count", count, 0);
  requireInteger("options.seed", seed, 0);
  const watch = new Watch(options, "drawing");
  const space = completionSpace(model, encodeRow(model, row, { strict, extra }), 0);
  const { columns } = model.schema;
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
