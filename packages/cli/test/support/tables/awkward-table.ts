import { type Random, random } from "conformant";

/** A cell of a table: a text, a number, or nothing. */
export type Cell = string | number | null;

/** A column of texts or of numbers. */
export interface AwkwardColumn {
  readonly name: string;
  readonly isNumber: boolean;
  readonly cells: readonly Cell[];
}

/** A small table of what tends to be read wrongly; the last column is the label. */
export interface AwkwardTable {
  readonly seed: number;
  readonly columns: readonly AwkwardColumn[];
  /** Columns of numbers that are asked for as categories. */
  readonly codes: readonly string[];
  /** Whether NA and null are categories, as with --na "". */
  readonly hasNoGapTexts: boolean;
}

const NAMES = [
  "Sc_Var_Maxis",
  "Sc_Var_maxis",
  'say "so"',
  "a,b",
  "a.b",
  "two words",
  "🐧",
  "__proto__",
  "constructor",
  "semi;colon",
  "it's",
  "café",
  "x=y",
];

/** Texts that engines, spreadsheets and programs like to take for something else. */
const TEXTS: readonly (readonly string[])[] = [
  ["yes", "no"],
  ["t", "f"],
  ["TRUE", "True", "true", "FALSE"],
  ["01234", "00501", "90210"],
  ["none", "some", "unknown"],
  ["1", "1.0", "one"],
  ["Y", "N"],
  ["a,b", "a;b", 'a"b'],
  ["🐧", "naïve", "x y"],
  ["1e3x", "0x10", "12%"],
  ["-", "?", "+"],
  ["1", "2.5", "10", "-0.125"],
  ["2024-01-01x", "inf", "Infinity"],
  ["a\nb", "a\tb", "a\\b"],
  ["'", "''", '""'],
  ["é", "e\u0301", "É"],
  ["N/A", "None", "<null>"],
  ["1,5", "1.5x", "1;5"],
  ["+1", "2", "-1"],
  ["1e5", "1E5", "100000", "12"],
  ["nan", "x", "y"],
  ["=1+1", "@x", "#"],
];

/** Texts that are gaps unless it is said that none is. */
const MISSING_TEXTS = ["NA", "null", "NaN", "some"];

/** Classes that are texts, truth values and numbers. */
const LABELS: readonly (readonly string[])[] = [
  ["yes", "no"],
  ["TRUE", "FALSE"],
  ["t", "f"],
  ["0", "1"],
  ["10", "9", "8"],
];

const NUMBERS: readonly ((g: Random) => number)[] = [
  (g) => g.integer(9) - 4,
  (g) => g.normal(),
  (g) => g.normal() * 1e-7,
  (g) => [1e308, -1e308, 5e-324, 0, 1.7976931348623157e308][g.integer(5)],
  (g) => g.integer(1000) / 8,
  (g) => (g.integer(2) === 0 ? -0 : g.integer(5) + 0.5),
  (g) => g.integer(2),
  (g) => 2 ** 53 - g.integer(50),
];

/** Numbers that stand for something else; whole ones, for a fraction as a text has the mark that the file writes. */
const CODES = (g: Random): number => [1, 2, 10, 100, -3][g.integer(5)];

/** A table from a seed. */
export function awkwardTable(seed: number): AwkwardTable {
  const g = random(seed);
  const rows = 24 + g.integer(30);
  const names = [...NAMES].sort(() => g.uniform() - 0.5);
  const width = 2 + g.integer(4);
  const hasNoGapTexts = g.uniform() < 0.1;
  const codes: string[] = [];
  const columns = Array.from({ length: width }, (_, c): AwkwardColumn => {
    const isNumber = g.uniform() < 0.5;
    const gaps = hasNoGapTexts || g.uniform() < 0.5 ? 0 : 0.15;
    const isCode = isNumber && g.uniform() < 0.2;
    const number = isCode ? CODES : NUMBERS[g.integer(NUMBERS.length)];
    const texts = hasNoGapTexts ? MISSING_TEXTS : TEXTS[g.integer(TEXTS.length)];
    const cell = (): Cell => (isNumber ? number(g) : texts[g.integer(texts.length)]);
    if (isCode) codes.push(names[c]);
    return {
      name: names[c],
      isNumber,
      cells: Array.from({ length: rows }, () => (g.uniform() < gaps ? null : cell())),
    };
  });
  const classes = LABELS[g.integer(LABELS.length)];
  const label = Array.from(
    { length: rows },
    (_, r) => classes[r < classes.length ? r : g.integer(classes.length)],
  );
  return {
    seed,
    columns: [...columns, { name: "label", isNumber: false, cells: label }],
    codes,
    hasNoGapTexts,
  };
}

/** Whether names differ only in case, which no table of DuckDB can have. */
export function foldsTogether({ columns }: AwkwardTable): boolean {
  return new Set(columns.map(({ name }) => name.toLowerCase())).size < columns.length;
}
