import { type ColumnCounts, type Counted, NumberTally, TextTally } from "conformant-workbench";
import { COUNT_SHAPES, countSql, type Field, type FieldSet } from "conformant-workbench/sql";
import { binColumns, findManyNumbers } from "./bin-columns.ts";
import type { Connector } from "./connector.ts";
import { refuseNul } from "./refuse-nul.ts";

/** Columns per pass over the data. */
const TOGETHER = 96;

/** Counts the values of the named fields, a hundred columns per pass. */
export async function countColumns(
  connector: Connector,
  fields: FieldSet,
  names: readonly string[],
  bins: number,
  progress: (done: number) => void = () => undefined,
): Promise<ColumnCounts> {
  const columns = new Map<string, Counted>();
  const all = names.map((name) => fields.fields.get(name) as Field);
  const binned = await findManyNumbers(connector, fields.from, all);
  const counted = all.filter((field) => !binned.includes(field));
  let rows = 0;
  for (let start = 0; start === 0 || start < counted.length; start += TOGETHER) {
    progress(start);
    const part = counted.slice(start, start + TOGETHER);
    const found = await countPart(connector, fields, part, bins, columns);
    rows = found.rows;
    binned.push(...found.overflowing);
  }
  for (const [name, counts] of await binColumns(connector, fields, binned, bins)) columns.set(name, counts);
  await refuseNul(connector, fields, columns);
  return { rows, columns };
}

async function countPart(
  connector: Connector,
  { from }: FieldSet,
  part: readonly Field[],
  bins: number,
  columns: Map<string, Counted>,
): Promise<{ rows: number; overflowing: Field[] }> {
  const { mostCounted } = connector.dialect;
  let rows = 0;
  const tallies: (NumberTally | TextTally)[] = [];
  let finished = 0;
  /** Columns arrive one after the other, so that only the values of one column are kept. */
  const finishBefore = (place: number): void => {
    for (; finished < place; finished++) columns.set(part[finished].name, tallies[finished].finish());
  };
  for await (const batch of connector.query(countSql(connector.dialect, from, part), COUNT_SHAPES)) {
    const [places, numbers, texts, counts] = batch.columns as readonly [
      Int32Array,
      Float64Array,
      readonly (string | null)[],
      Float64Array,
    ];
    for (let r = 0; r < batch.rows; r++) {
      if (places[r] < 0) {
        rows = counts[r];
        for (const { storage, gaps } of part)
          tallies.push(storage === "number" ? new NumberTally(bins, rows) : new TextTally(gaps, mostCounted));
      } else {
        finishBefore(places[r]);
        tallies[places[r]].add(numbers[r], texts[r], counts[r]);
      }
    }
  }
  finishBefore(part.length);
  const overflowing = part.filter(
    ({ storage }, c) => storage === "number" && tallies[c].values >= mostCounted,
  );
  return { rows, overflowing };
}
