import type { EncodedBatch } from "../sources/read-rows.ts";

/** Rows that are put together, and cells where rows are long. */
const [ROWS, CELLS] = [16_384, 4_000_000];

/** The same rows in larger batches, in memory that other threads see. */
export async function* gatherBatches(batches: AsyncIterable<EncodedBatch>): AsyncGenerator<EncodedBatch> {
  let waiting: EncodedBatch[] = [];
  let rows = 0;
  for await (const batch of batches) {
    waiting.push(batch);
    rows += batch.rows;
    if (rows < Math.min(ROWS, CELLS / batch.columns.length)) continue;
    yield joinBatches(waiting, rows);
    [waiting, rows] = [[], 0];
  }
  if (rows > 0) yield joinBatches(waiting, rows);
}

function joinBatches(batches: readonly EncodedBatch[], rows: number): EncodedBatch {
  const [{ start, columns, texts }] = batches;
  return {
    rows,
    start,
    columns: columns.map((first, c) => {
      const cells = batches.map((batch) => batch.columns[c] as Float64Array | Int32Array);
      const Kind = first.constructor as new (buffer: SharedArrayBuffer) => Float64Array | Int32Array;
      const joined = new Kind(new SharedArrayBuffer(rows * cells[0].BYTES_PER_ELEMENT));
      batches.forEach((batch, b) => {
        joined.set(cells[b], batch.start - start);
      });
      return joined;
    }),
    texts: texts.map((_, t) => batches.flatMap((batch) => batch.texts[t])),
  };
}
