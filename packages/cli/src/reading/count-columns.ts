import { type NumberStyle, readNumberText } from "conformant/texts";
import type { Connector } from "../sources/connector.ts";
import { COUNT_SHAPES, countSql } from "../sql/count.ts";
import { cleanRead, type Field, type FieldSet } from "../sql/fields.ts";
import { binColumns, findManyNumbers } from "./bin-columns.ts";
import type { ColumnCounts, Counted, NumberCounts, TextCounts } from "./column-counts.ts";
import { refuseNul } from "./refuse-nul.ts";
import { StreamBins } from "./stream-bins.ts";

/** Columns that are counted in one pass over the data. */
const TOGETHER = 96;

/** Counts the values of the named fields, all of them in one pass per hundred columns. */
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
      } else tallies[places[r]].add(numbers[r], texts[r], counts[r]);
    }
  }
  part.forEach(({ name }, c) => {
    columns.set(name, tallies[c].finish());
  });
  const overflowing = part.filter(
    ({ storage }, c) => storage === "number" && tallies[c].values >= mostCounted,
  );
  return { rows, overflowing };
}

class TextTally {
  readonly #gaps: readonly string[];
  readonly #most: number;
  /** Different values so far, gaps and blanks around them included. */
  values = 0;
  readonly #counts = new Map<string, number>();
  #known = 0;

  constructor(gaps: readonly string[], most: number) {
    [this.#gaps, this.#most] = [gaps, most];
  }

  add(_: number, text: string | null, count: number): void {
    this.values++;
    const value = text === null ? undefined : cleanRead(text, this.#gaps);
    if (value === undefined) return;
    this.#known += count;
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + count);
  }

  finish(): TextCounts {
    const tooMany = this.values >= this.#most;
    return { kind: "text", known: this.#known, counts: this.#counts, tooMany };
  }
}

/** The counts of a column of texts that are all numbers, as those of a column of numbers; undefined where one is none. */
export function numbersOfTexts(
  { counts, known }: TextCounts,
  rows: number,
  style: NumberStyle,
  bins: number,
): NumberCounts | undefined {
  const numbers = Array.from(counts, ([text, count]) => ({ number: readNumberText(text, style), count }));
  if (numbers.length === 0 || numbers.some(({ number }) => number === undefined)) return undefined;
  const tally = new NumberTally(bins, rows);
  if (known < rows) tally.add(Number.NaN, null, rows - known);
  const ascending = numbers.sort((a, b) => (a.number as number) - (b.number as number));
  for (const { number, count } of ascending) tally.add(number as number, null, count);
  return tally.finish();
}

/** Different texts that are no numbers of which all are kept. */
const MOST_OTHERS = 1000;

/**
 * The gaps of a column come first, so the weight of its values is known before the first of them. Keys that are the same number,
 * as 0 and −0 are or whole ones beyond 2⁵³ may be, come one after the other and are one value.
 */
class NumberTally {
  /** Different values so far, the gap included. */
  values = 0;
  readonly #bins: number;
  #known: number;
  #least = Number.NaN;
  #most = Number.NaN;
  /** Rows with the largest value so far, which go to the atoms when the next one comes. */
  #ofMost = 0;
  #bits = true;
  #different = 0;
  #whole = true;
  readonly #others = new Map<string, number>();
  #atoms: StreamBins | undefined;

  constructor(bins: number, rows: number) {
    [this.#bins, this.#known] = [bins, rows];
  }

  add(number: number, text: string | null, count: number): void {
    this.values++;
    if (Number.isNaN(number)) {
      this.#known -= count;
      return;
    }
    if (number === Number.POSITIVE_INFINITY && text !== null) {
      if (this.#others.size < MOST_OTHERS) this.#others.set(text, count);
      return;
    }
    if (number !== this.#most) {
      this.#close();
      this.#most = number + 0; // −0 becomes 0
      this.#different++;
      this.#whole &&= Number.isSafeInteger(number);
    }
    this.#ofMost += count;
    if (number !== 0 && number !== 1) this.#bits = false;
  }

  #close(): void {
    if (this.#ofMost === 0) return;
    if (!this.#atoms) [this.#atoms, this.#least] = [new StreamBins(this.#bins, this.#known), this.#most];
    this.#atoms.add(this.#most, this.#ofMost);
    this.#ofMost = 0;
  }

  finish(): NumberCounts {
    this.#close();
    const marginal = (this.#atoms ?? new StreamBins(this.#bins, 0)).finish();
    return {
      kind: "number",
      known: this.#atoms || this.#others.size > 0 ? this.#known : 0,
      least: this.#least,
      most: this.#most,
      bits: this.#bits,
      different: this.#different,
      whole: this.#whole,
      others: this.#others,
      marginal,
    };
  }
}
