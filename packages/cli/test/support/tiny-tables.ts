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
  /** With most of these a table becomes another, or none. */
  const rarely = (...options: (readonly string[])[]): readonly string[] =>
    generator.uniform() < 0.25 ? pick(generator, options) : [];
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
    ...option("time-limit", "0", "0.01", "3"),
    ...rarely(
      option("where", `${names[0]} IS NOT NULL`, "false", "y <> 'k0'", "nonsense("),
      option("sql", "SELECT * FROM data LIMIT 3", "SELECT 1 AS y", "SELECT * FROM data WHERE false"),
      option("since", `${names[0]}=2`, "y=k1"),
      option("header", "yes", "no"),
      option("decimal", "comma", "point"),
      option("encoding", "latin-1", "utf-16"),
    ),
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
      ["predict", ...rows, "--interval", "--level", "0.5", "--seed", "7", "--strict", "-o", "out.jsonl.zst"],
      ["predict", ...rows, "--raw", "--keep", names[0], "-o", "out.tsv"],
      ["explain", ...rows, "--json"],
      ["explain", ...rows, "--json", "--threshold", "0.6", "--time-limit", "0.1"],
      ["explain", ...rows, "--use", names[0], "--row", "1"],
      ["explain", ...rows, "--avoid", names[0], "--groups", `all=${names.join("+")}`],
      ["explain", ...rows, "--groups", `__proto__=${names[0]}`, "--json"],
      ["explain", ...rows, "--row", "1", "--svg", "out.svg"],
      ["ask", "model.json", "--plan"],
      ["ask", "model.json", "--given", `${names[0]}=1`],
      ["ask", "model.json", "--plan", "--threshold", "1", "--json", "--seed", "3"],
      ["ask", "model.json", "--given", `${names[names.length - 1]}=red`, "--json"],
      [
        "evaluate",
        ...rows,
        "--allow-training-rows",
        "--label",
        "y",
        "--repeats",
        "1",
        "--against",
        "mean,em,mice,knn,naive_bayes,reduced",
      ],
      [
        "evaluate",
        ...rows,
        "--allow-training-rows",
        "--label",
        "y",
        "--repeats",
        "2",
        "--mechanism",
        "mnar",
        "--report",
        "out.html",
      ],
      [
        "evaluate",
        ...rows,
        "--allow-training-rows",
        "--label",
        "y",
        "--missing",
        "0,1",
        "--repeats",
        "1",
        "--mechanism",
        "mar",
        "--json",
      ],
      [
        "evaluate",
        ...rows,
        "--allow-training-rows",
        "--label",
        "y",
        "--block",
        names.join(","),
        "--rows",
        "2",
        "--against",
        "median",
      ],
      ["inspect", "model.json", "--json"],
      ["inspect", "model.json"],
      ["export", "model.json", "--to", "sql", "-o", "out.sql"],
      ["export", "model.json", "--to", "onnx", "-o", "out.onnx"],
      ["export", "model.json", "--to", "sql", "--dialect", "clickhouse", "--keep", names[0], "-o", "out.sql"],
      ["export", "model.json", "--to", "onnx", "--float", "-o", "out.onnx"],
      ["export", "model.json", "--to", "js", "-o", "out.js"],
      ["export", "model.json", "--to", "json", "-o", "out.json"],
      ["export", "model.json", "--to", "page", "--title", "<b>", "-o", "page"],
      ["export", "model.json", "--to", "python", "-o", "out.py"],
      ["export", "model.json", "--to", "r", "-o", "out.R"],
    ]),
  ];
}

function pick<Item>(generator: Random, items: readonly Item[]): Item {
  return items[generator.integer(items.length)];
}
