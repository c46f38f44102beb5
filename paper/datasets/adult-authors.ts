import { buildDataset, type RawColumn, type RawDataset } from "./build-table.ts";
import { readLines, requireFile } from "./data-folder.ts";
import type { Dataset } from "./dataset.ts";

/** The cells of a number: bin b holds the values above edge b − 1 and up to edge b, and is written as `codes[b]`. */
interface Bins {
  readonly edges: readonly number[];
  readonly codes: readonly number[];
}

/** The numbers that the authors cut into five; every other column has a value per distinct text. */
const BINS: Readonly<Record<string, Bins>> = {
  age: { edges: [25, 35, 45, 55], codes: [3, 2, 0, 1, 4] },
  "capital-gain": { edges: [0, 3500, 7500, 10000], codes: [1, 0, 3, 4, 2] },
  "capital-loss": { edges: [0, 1600, 1900, 2200], codes: [0, 2, 3, 1, 4] },
  "hours-per-week": { edges: [20, 35, 45, 60], codes: [1, 4, 0, 2, 3] },
};

/** The column that the authors left out. */
const LEFT_OUT = "fnlwgt";

/** The authors' label numbers. */
const AUTHORS_CLASSES = ["<=50K", ">50K"];

/** A column as codes from 0, and how many there are. */
interface CodedColumn {
  readonly name: string;
  readonly codes: readonly number[];
  readonly size: number;
}

/**
 * Adult in the authors' encoding: 13 one-hot groups, 138 bits. Their 9,769 test rows are published; every one is a row of UCI's
 * files so encoded, and the rows of UCI's files that are left are their training rows.
 */
export function readAuthorsAdult(published: RawDataset, folders: readonly string[]): Dataset {
  const coded = published.columns.filter(({ name }) => name !== LEFT_OUT).map(codeColumn);
  const test = readTestRows(coded, folders);
  const keyOf = (codes: readonly number[], label: string): string => `${codes.join()} ${label}`;
  const waiting = new Map<string, number>();
  for (const { codes, label } of test) {
    const key = keyOf(codes, label);
    waiting.set(key, (waiting.get(key) ?? 0) + 1);
  }
  const training = published.labels.flatMap((label, r) => {
    const codes = coded.map((column) => column.codes[r]);
    const key = keyOf(codes, label);
    const left = waiting.get(key) ?? 0;
    waiting.set(key, left - 1);
    return left > 0 ? [] : [{ codes, label }];
  });
  if (training.length + test.length !== published.labels.length)
    throw new Error("the authors' test rows of Adult are not rows of UCI's files");
  const rows = [...training, ...test];
  return buildDataset({
    name: published.name,
    title: published.title,
    columns: coded.map(
      ({ name, size }, i): RawColumn => ({
        name,
        texts: rows.map(({ codes }) => nameOfCode(codes[i])),
        values: Array.from({ length: size }, (_, code) => nameOfCode(code)),
      }),
    ),
    labels: rows.map(({ label }) => label),
    training: training.map((_, r) => r),
    test: test.map((_, r) => training.length + r),
  });
}

/** Numbers by their bin, texts (and education-num) in the order of their first occurrence. */
function codeColumn(column: RawColumn): CodedColumn {
  const { name } = column;
  const bins = BINS[name];
  if (bins && "numbers" in column) {
    const binOf = (x: number): number => bins.edges.filter((edge) => x > edge).length;
    return { name, codes: Array.from(column.numbers, (x) => bins.codes[binOf(x)]), size: bins.codes.length };
  }
  const values: readonly (string | number)[] =
    "numbers" in column ? Array.from(column.numbers) : column.texts;
  const codeOf = new Map<string | number, number>();
  for (const value of values) if (!codeOf.has(value)) codeOf.set(value, codeOf.size);
  return { name, codes: values.map((value) => codeOf.get(value) ?? 0), size: codeOf.size };
}

/** The authors' own test rows: the bits of all groups one after the other. */
function readTestRows(
  columns: readonly CodedColumn[],
  folders: readonly string[],
): { codes: readonly number[]; label: string }[] {
  const names = ["adult/nacl-test-adult-samples.txt.gz", "adult/nacl-test-adult-samples.txt"];
  const labels = readLines(requireFile(folders, ["adult/nacl-test-adult-labels.txt"]));
  return readLines(requireFile(folders, names)).map((line, r) => {
    const bits = line.split(",");
    let from = 0;
    const codes = columns.map(({ size }) => {
      const start = from;
      from += size;
      return bits.indexOf("1", start) - start;
    });
    return { codes, label: AUTHORS_CLASSES[Number(labels[r])] };
  });
}

function nameOfCode(code: number): string {
  return String(code).padStart(2, "0");
}
