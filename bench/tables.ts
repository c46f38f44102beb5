import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { random } from "conformant";
import { type BenchRow, duration } from "./support/measure.ts";
import { runCommand } from "./support/run-command.ts";

const [ROWS, NUMBERS, CATEGORIES] = [300_000, 15, 15];
const CLASSES = ["a", "b", "c"];
/** Latent groups, which the class makes more or less likely, and latent numbers, on which all numbers depend. */
const [GROUPS, FACTORS] = [6, 4];
/** A tenth of the cells is missing: half at random, half in so many patterns of so many columns. */
const [MISSING, PATTERNS, TOGETHER] = [0.1, 4, 6];
const [MOST_MILLISECONDS, MOST_BYTES] = [60_000, 2 * 1024 ** 3];

/** `fit` with its defaults on a large table with missing values. */
export async function benchTables(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformant-bench-"));
  try {
    const [file, model] = [join(folder, "rows.csv"), join(folder, "model.json")];
    await writeRows(file, ROWS);
    const { milliseconds, memory } = runCommand(["fit", file, "--label", "y", "-o", model]);
    return [
      {
        what: `fit --label, ${ROWS.toLocaleString("en")} rows × ${NUMBERS + CATEGORIES} columns of CSV, 10% missing`,
        ours: `${duration(milliseconds)}, ${Math.round(memory / 1024 ** 2)} MiB`,
        peer: "–",
        ratio: "–",
        bar: "1 min, 2 GiB",
        met: milliseconds <= MOST_MILLISECONDS && memory <= MOST_BYTES,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rows of numbers and categories that are correlated through a class, a group and latent numbers: the same file for the same seed. */
async function writeRows(file: string, rows: number): Promise<void> {
  const g = random(1);
  const normals = (count: number): number[] => Array.from({ length: count }, () => g.normal());
  const shares = (count: number): number[] => Array.from({ length: count }, () => -Math.log(1 - g.uniform()));
  const draw = (weights: readonly number[]): number => {
    let left = g.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
    const chosen = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    return Math.max(0, chosen);
  };
  const each = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const groupsOf = each(CLASSES.length, () => shares(GROUPS));
  const [ofClass, ofGroup] = [CLASSES.length, GROUPS].map((count) => each(count, () => normals(NUMBERS)));
  const loads = each(NUMBERS, () => normals(FACTORS));
  const values = each(CATEGORIES, (j) => 2 + ((3 * j) % 11));
  const tables = values.map((count) => each(GROUPS * CLASSES.length, () => shares(count)));
  const columns = NUMBERS + CATEGORIES;
  const patterns = each(PATTERNS, () => each(TOGETHER, () => g.integer(columns)));
  const patternRate = ((MISSING / 2) * columns) / TOGETHER;
  const out = createWriteStream(file);
  const names = [...each(NUMBERS, (j) => `x${j}`), ...each(CATEGORIES, (j) => `c${j}`), "y"];
  out.write(`${names.join(",")}\n`);
  for (let r = 0; r < rows; r++) {
    const k = draw([5, 3, 2]);
    const group = draw(groupsOf[k]);
    const z = normals(FACTORS);
    const missing = new Set(g.uniform() < patternRate ? patterns[g.integer(PATTERNS)] : []);
    const cells = each(columns, (j) => {
      if (g.uniform() < MISSING / 2 || missing.has(j)) return "";
      if (j >= NUMBERS) return `v${draw(tables[j - NUMBERS][group * CLASSES.length + k])}`;
      const shared = loads[j].reduce((sum, load, f) => sum + 0.7 * load * z[f], 0);
      return (0.35 * ofClass[k][j] + 0.7 * ofGroup[group][j] + shared + g.normal()).toFixed(2);
    });
    if (!out.write(`${cells.join(",")},${CLASSES[k]}\n`))
      await new Promise<void>((resolve) => out.once("drain", () => resolve()));
  }
  await new Promise<void>((resolve) => out.end(() => resolve()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchTables());
