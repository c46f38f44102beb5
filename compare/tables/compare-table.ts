import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { encode, inferSchema, type Row, type Table } from "conformant";

/** The column that is to be predicted, in every table. */
export const LABEL = "label";

/** A table that methods are compared on. */
export interface CompareTable {
  readonly name: string;
  /** Where it comes from. */
  readonly source: string;
  /** Whether only the quick methods are tested on it: the others would take hours. */
  readonly large?: boolean;
  /** All rows as a list of objects in JSON, as a program of another language prints it. */
  readonly read: () => string;
}

/** A table that scikit-learn ships: numbers, and classes as texts. */
export function sklearnTable(name: string, loader: string): CompareTable {
  return {
    name,
    source: `scikit-learn, \`${loader}\``,
    read: () => run("/usr/bin/python3", [peer("sklearn_table.py"), loader]),
  };
}

/** A table that R or one of its recommended packages ships, such as `MASS::crabs`, without some of its columns. */
export function rTable(
  name: string,
  dataset: string,
  label: string,
  without: readonly string[] = [],
): CompareTable {
  return {
    name,
    source: `R, \`${dataset}\``,
    read: () => run("Rscript", [peer("r_table.R"), dataset, label, ...without]),
  };
}

/** The path of a program of another language. */
export function peer(file: string): string {
  return fileURLToPath(new URL(`../peers/${file}`, import.meta.url));
}

/** What a program prints, given some text. */
export function run(program: string, words: readonly string[], input = ""): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    // Threads that wait for each other take longer than one where other work goes on.
    env: { ...process.env, OMP_NUM_THREADS: "1" },
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${words.join(" ")}: ${error?.message ?? stderr}`);
}

/** The rows of a table, the label last. */
export function tableOf(json: string): Table {
  const rows = JSON.parse(json) as Row[];
  const { columns } = inferSchema(rows);
  const features = columns.filter(({ name }) => name !== LABEL);
  const types = Object.fromEntries(
    features.flatMap(({ name }) => (typeof rows[0][name] === "number" ? [[name, "numeric" as const]] : [])),
  );
  const schema = inferSchema(rows, { types, columns: [...features.map(({ name }) => name), LABEL] });
  return encode(schema, rows);
}
