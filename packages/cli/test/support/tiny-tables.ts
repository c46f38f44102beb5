import { type Random, random } from "conformant";

/** A small table that nobody prepared, as CSV, and command lines to try on it. */
export interface TinyTable {
  readonly csv: string;
  /** A fit, and what to do with its model where there is one; DATA is `table.csv`, the model `model.json`. */
  readonly fit: readonly string[];
  readonly next: readonly string[];
}

/** 1 to 15 rows, 1 to 4 columns and a label: a quarter of the cells empty, constants, copies, rare classes, numbers of any size. */
export function tinyTable(seed: number): TinyTable {
  const generator = random(seed);
  const [rows, columns] = [1 + generator.integer(15), 1 + generator.integer(4)];
  const made: string[][] = [];
  for (let c = 0; c < columns; c++) {
    const copied = c > 0 && generator.uniform() < 0.15;
    made.push(copied ? [...made[generator.integer(c)]] : columnOf(rows, generator));
  }
  const classes = 1 + generator.integer(4);
  const labels = Array.from({ length: rows }, () => `k${Math.floor(classes * generator.uniform() ** 2)}`);
  const names = made.map((_, c) => `c${c}`);
  const lines = labels.map((label, r) => [...made.map((column) => column[r]), label].join(","));
  return {
    csv: [[...names, "y"].join(","), ...lines, ""].join("\n"),
    fit: fitWords(names, generator),
    next: nextWords(names, generator),
  };
}

function columnOf(rows: number, generator: Random): string[] {
  const value = pick(generator, [
    () => String(generator.integer(10)),
    () => String(generator.integer(2)),
    () => String(generator.normal()),
    () => String(generator.normal() * 10 ** (generator.integer(40) - 20)),
    () => pick(generator, ["red", "green", "blue", "été", "a b"]),
    () => "7",
    () => String(generator.integer(1e9)),
  ]);
  return Array.from({ length: rows }, () => (generator.uniform() < 0.25 ? "" : value()));
}

/** Options at their usual values and at their ends, each with some chance. */
function fitWords(names: readonly string[], generator: Random): string[] {
  const maybe = (words: readonly (readonly string[])[]): readonly string[] =>
    generator.uniform() < 0.4 ? pick(generator, words) : [];
  const option = (name: string, ...values: string[]): readonly string[] =>
    maybe(values.map((value) => [`--${name}`, value]));
  return [
    ...["fit", "table.csv", "--label", "y", "-o", "model.json"],
    ...option("components", "1", "2", "8", "100", "auto"),
    ...option("numeric", "atoms", "gaussian", "auto"),
    ...option("train-on", "all", "complete"),
    ...option("l2", "0", "1e-6", "0.1", "1e9", "auto"),
    ...option("pseudocount", "0", "1e-9", "0.5", "1000"),
    ...option("bins", "1", "2", "1000"),
    ...option("seed", "1", "4294967295"),
    ...option("sample", "1", "3", "1000"),
    ...option("exclude", names[0]),
    ...option("columns", names[names.length - 1]),
    ...option("type", `${names[0]}=categorical`, `${names[0]}=numeric`, `${names[0]}=binary`),
    ...option("na", "7", "red,blue"),
    ...maybe([["--no-cross-validation"]]),
    ...maybe([["--json"]]),
    ...maybe([["--quiet"]]),
  ];
}

function nextWords(names: readonly string[], generator: Random): string[] {
  const rows = ["model.json", "table.csv"];
  return [
    ...pick(generator, [
      ["predict", ...rows, "--interval", "--surprise", "--explain"],
      ["predict", ...rows, "--json", "--keep", "y", "-o", "out.parquet"],
      ["predict", ...rows, "--digits", "0", "-o", "out.csv.gz"],
      ["explain", ...rows, "--json"],
      ["explain", ...rows, "--row", "1", "--svg", "out.svg"],
      ["ask", "model.json", "--plan"],
      ["ask", "model.json", "--given", `${names[0]}=1`],
      [
        "evaluate",
        ...rows,
        "--label",
        "y",
        "--repeats",
        "1",
        "--against",
        "mean,em,mice,knn,naive_bayes,reduced",
      ],
      ["evaluate", ...rows, "--label", "y", "--repeats", "2", "--mechanism", "mnar", "--report", "out.html"],
      ["inspect", "model.json", "--json"],
      ["export", "model.json", "--to", "sql", "-o", "out.sql"],
      ["export", "model.json", "--to", "onnx", "-o", "out.onnx"],
      ["export", "model.json", "--to", "js", "-o", "out.js"],
      ["export", "model.json", "--to", "spreadsheet", "-o", "sheet.csv"],
    ]),
  ];
}

function pick<Item>(generator: Random, items: readonly Item[]): Item {
  return items[generator.integer(items.length)];
}
