import { toBits } from "../protocol/bits.ts";
import { buildDataset, type RawColumn, type RawDataset } from "./build-table.ts";
import { type Dataset, LABEL } from "./dataset.ts";

/** Bins of each number, equally full. */
const BINS = 6;

/** From one number's bits to the next in the authors' list of groups; in their table it is {@link BINS}. */
const STRIDE = 10;

/**
 * CovType in the authors' encoding: six bins for each of ten numbers, 4 wilderness and 40 soil bits, 104 in all. Bits go missing
 * by the authors' list of groups, which takes number g to be the bits 10g to 10g + 5 where it is 6g to 6g + 5: so bits of
 * neighbors and of soil types go missing together. Every bit is a column here. As the authors number the values of Adult, a
 * column's bits are in the order in which its values first occur.
 */
export function buildAuthorsCovtype(raw: RawDataset): Dataset {
  const columns = raw.columns.map((column) => inOrderOfOccurrence(binNumbers(column, raw.training)));
  const binned = buildDataset({ ...raw, columns });
  let bits = 0;
  const groups = columns.map(({ values }, g) => {
    const start = "numbers" in raw.columns[g] ? STRIDE * g : bits;
    bits += values.length;
    return values.map((_, bit) => start + bit);
  });
  return { ...binned, training: toBits(binned.training, LABEL), test: toBits(binned.test), groups };
}

type TextColumn = Extract<RawColumn, { readonly texts: readonly string[] }>;

/** A number as the text of its bin among the quantiles of the training rows; texts stay as they are. */
function binNumbers(column: RawColumn, training: readonly number[]): TextColumn {
  if (!("numbers" in column)) return column;
  const { name, numbers } = column;
  const sorted = Float64Array.from(training, (r) => numbers[r]).sort();
  const edges = Array.from(
    { length: BINS - 1 },
    (_, b) => sorted[Math.floor(((b + 1) / BINS) * sorted.length)],
  );
  return {
    name,
    texts: Array.from(numbers, (x) => String(edges.filter((edge) => x > edge).length)),
    values: Array.from({ length: BINS }, (_, b) => String(b)),
  };
}

/** Values that no row has come last. */
function inOrderOfOccurrence(column: TextColumn): TextColumn & { readonly values: readonly string[] } {
  return { ...column, values: [...new Set([...column.texts, ...(column.values ?? [])])] };
}
