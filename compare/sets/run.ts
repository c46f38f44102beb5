import { parseArgs } from "node:util";
import { tableOf } from "../tables/compare-table.ts";
import { TABLES } from "../tables/tables.ts";
import { evaluateSets, type SetCounts, SHARES } from "./evaluate-sets.ts";

/** Prints how often prediction sets hold the true class, per table, as a table of Markdown: `npm run compare -- sets -- [TABLE…] [--splits N]`. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string", default: "20" } },
});

/** The counts of all splits together. */
function add(splits: readonly SetCounts[][]): SetCounts[] {
  const [first] = splits;
  const sum = (m: number, part: "rows" | "covered" | "classes"): number[] =>
    first[m][part].map((_, mask) => splits.reduce((all, own) => all + own[m][part][mask], 0));
  return first.map(({ method }, m) => ({
    method,
    rows: sum(m, "rows"),
    covered: sum(m, "covered"),
    classes: sum(m, "classes"),
  }));
}

/** The lowest coverage: of the shares of hidden columns, and of single masks. */
function lowest({ rows, covered }: SetCounts): string[] {
  const each = rows.length / SHARES.length;
  const shares = SHARES.map((_, s) => {
    const [own, all] = [covered, rows].map((list) => total(list.slice(s * each, (s + 1) * each)));
    return own / all;
  });
  const masks = covered.map((own, mask) => own / rows[mask]);
  return [shares, masks].map((list) => Math.min(...list).toFixed(3));
}

function size({ rows, classes }: SetCounts): string {
  return (total(classes) / total(rows)).toFixed(2);
}

function total(list: readonly number[]): number {
  return list.reduce((sum, n) => sum + n, 0);
}

const lines = ["ours", "mean", "chained"];
const heads = ["number of gaps", "mask"].flatMap((per) => lines.map((name) => `${name}, per ${per}`));
const sizes = lines.map((name) => `${name}, classes`);
console.log(`| table | ${[...heads, ...sizes].join(" | ")} |\n| --- |${" --- |".repeat(9)}`);
for (const { name, read } of TABLES.filter(
  (own) => positionals.length === 0 || positionals.includes(own.name),
)) {
  const table = tableOf(read());
  const counts = add(Array.from({ length: Number(values.splits) }, (_, split) => evaluateSets(table, split)));
  const [ours, mean, meanMasked, chained, chainedMasked] = counts;
  const worst = [ours, mean, chained].map(lowest);
  const cells = [...worst.map(([share]) => share), ...worst.map(([, mask]) => mask)];
  console.log(`| ${name} | ${[...cells, ...[ours, meanMasked, chainedMasked].map(size)].join(" | ")} |`);
}
