import { parseArgs } from "node:util";
import type { Row } from "conformant";
import { REGRESSION_TABLES } from "../regression/regression-tables.ts";
import { readPublished, type TextRows } from "../tables/published-table.ts";
import { evaluateIntervals } from "./evaluate-intervals.ts";
import { COVERAGE } from "./evaluate-sets.ts";

/**
 * Prints, as Markdown, how often calibrated intervals of boosted trees contain the number, for 20 masks of each table:
 * `npm run compare -- intervals [TABLE…] [--seed N]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "0" } },
});

/** The coverage that each mask should have. */
const WANTED = [0.88, 0.93] as const;
/** Standard deviations of the band in which 95% of the masks lie by chance. */
const BAND = 1.96;

/** Columns whose texts are all numbers become numbers. */
function rowsOf({ names, rows }: TextRows): Row[] {
  const isNumber = names.map((_, i) =>
    rows.every((row) => row[i] === null || Number.isFinite(Number(row[i]))),
  );
  return rows.map((row) =>
    Object.fromEntries(
      names.map((name, i) => [name, row[i] === null || !isNumber[i] ? row[i] : Number(row[i])]),
    ),
  );
}

const heads = [
  "table",
  `masks within ${WANTED.join("–")}`,
  "95% band of a mask by chance",
  "masks within the band",
  "lowest",
  "highest",
  "mean",
];
console.log(`| ${heads.join(" | ")} |\n|${" --- |".repeat(heads.length)}`);
for (const table of REGRESSION_TABLES.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
)) {
  const rows = rowsOf(await readPublished(table));
  const { covered, deviation } = evaluateIntervals(rows, table.label, Number(values.seed));
  const [low, high] = [-1, 1].map((sign) => COVERAGE + sign * BAND * deviation);
  const within = (least: number, most: number): string =>
    `${covered.filter((share) => share >= least && share <= most).length} of ${covered.length}`;
  const mean = covered.reduce((sum, share) => sum + share, 0) / covered.length;
  const cells = [
    table.name,
    within(...WANTED),
    `${low.toFixed(3)}–${high.toFixed(3)}`,
    within(low, high),
    ...[Math.min(...covered), Math.max(...covered), mean].map((share) => share.toFixed(3)),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
