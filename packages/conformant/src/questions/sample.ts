import { completionSpace } from "../distribution/completion-space.ts";
import { drawCompletions, drawnValues } from "../distribution/completions.ts";
import type { AnyModel } from "../model/model.ts";
import { integer, type OptionsOf, readOptions } from "../options.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { cell, type Row, type Value } from "../schema/data.ts";
import { encodeRow, type QueryOptions, queryOptions } from "./row-input.ts";

/** How many rows, from which seed. */
export interface SampleOptions extends QueryOptions, WatchOptions {
  /** How many rows. Default 1. */
  readonly count?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

const sampleOptions = {
  ...queryOptions,
  ...watchOptions,
  count: integer(1),
  seed: integer(0),
} satisfies OptionsOf<SampleOptions>;

/**
 * Complete rows drawn from the model given what is known: the known values as they are, the missing ones drawn together
 * from P(missing | known), exactly and independently from row to row. A number is drawn among its column's atoms, or with the
 * others of its Gaussian.
 *
 *     sample(model, { age: 40 }, { count: 2 }); // [{ age: 40, income: 31000 }, { age: 40, income: 28000 }]
 */
export function sample(model: AnyModel, row: Row, options: SampleOptions = {}): Record<string, Value>[] {
  const read = readOptions(options, sampleOptions);
  const { count, seed } = read;
  const watch = new Watch(read, "drawing");
  const space = completionSpace(model, encodeRow(model, row, read), 0);
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
