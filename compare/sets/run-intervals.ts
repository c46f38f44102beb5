import { parseArgs } from "node:util";
import type { Row } from "conformant";
import { short } from "conformant-workbench";
import { kept } from "../kept.ts";
import { publish } from "../publish.ts";
import { REGRESSION_TABLES } from "../regression/regression-tables.ts";
import { mean } from "../statistics.ts";
import { readPublished, type TextRows } from "../tables/published-table.ts";
import { evaluateIntervals, type IntervalScores } from "./evaluate-intervals.ts";
import { COVERAGE, SHARES } from "./evaluate-sets.ts";

/**
 * Prints, as Markdown, how often calibrated intervals of boosted trees contain the number, and their width, for 20 masks of each table:
 * `npm run compare -- intervals [TABLE…] [--splits N] [--publish]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string", default: "1" }, publish: { type: "boolean", default: false } },
});

/** The coverage that each mask should have. */
const WANTED = [0.88, 0.93] as const;

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

/** The mean over splits of a number per mask. */
function perMask(
  splits: readonly IntervalScores[],
  numbers: (scores: IntervalScores) => readonly number[],
): number[] {
  return numbers(splits[0]).map((_, mask) => mean(splits.map((scores) => numbers(scores)[mask])));
}

/**
 * How many standard deviations a single split's coverage may be from a bound by chance: of the test rows, and of the quantile of the
 * calibration rows.
 */
const CHANCE = 1.96;

/** Rows of a table from which on its test rows are as many as there can be; a smaller one has more splits. */
const LARGE = 5000;

const [summary, details]: [string[], string[]] = [[], []];
let [within, masks] = [0, 0];
for (const table of REGRESSION_TABLES.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
)) {
  const rows = rowsOf(await readPublished(table));
  const count = Math.ceil(Number(values.splits) * Math.max(1, LARGE / rows.length));
  const splits: IntervalScores[] = [];
  for (let split = 0; split < count; split++)
    splits.push(
      await kept(["intervals", table.name, `split ${split}`], () =>
        evaluateIntervals(rows, table.label, split),
      ),
    );
  const [{ testRows, calibrationRows }] = splits;
  const deviation = Math.sqrt(COVERAGE * (1 - COVERAGE) * (1 / testRows + 1 / (calibrationRows + 2)));
  const isWithin = (share: number, slack = 0): boolean =>
    share >= WANTED[0] - slack && share <= WANTED[1] + slack;
  const covered = perMask(splits, (scores) => scores.covered);
  const width = perMask(splits, (scores) => scores.width);
  const imputedCovered = perMask(splits, (scores) => scores.meanImputed.covered);
  const imputedWidth = perMask(splits, (scores) => scores.meanImputed.width);
  const single = splits.flatMap((scores) => scores.covered);
  const share = (list: readonly number[], slack?: number): string =>
    `${list.filter((one) => isWithin(one, slack)).length} of ${list.length}`;
  const shown = (list: readonly number[]): string =>
    `${Math.min(...list).toFixed(3)}–${Math.max(...list).toFixed(3)}`;
  within += covered.filter((one) => isWithin(one)).length;
  masks += covered.length;
  const cells = [
    table.name,
    `${count} × ${testRows}`,
    share(covered),
    shown(covered),
    share(single),
    share(single, CHANCE * deviation),
    mean(width.map((own, mask) => own / imputedWidth[mask])).toFixed(3),
  ];
  summary.push(`| ${cells.join(" | ")} |`);
  const each = covered.length / SHARES.length;
  SHARES.forEach((rate, s) => {
    const part = (list: readonly number[]): number[] => list.slice(s * each, (s + 1) * each);
    const own = [
      table.name,
      `${100 * rate}%`,
      shown(part(covered)),
      short(mean(part(width)), 4),
      shown(part(imputedCovered)),
      short(mean(part(imputedWidth)), 4),
    ];
    details.push(`| ${own.join(" | ")} |`);
  });
}
publish(
  "intervals",
  [
    "# Do prediction intervals contain the number as often as they should?",
    "",
    `Intervals of coverage ${COVERAGE} of boosted trees, with whole columns missing from all test rows: 20 masks of each table, mean over splits (at most 2,000 rows for training, 1,500 for calibration and 1,500 for tests). The width is relative to intervals of the same trees on mean-imputed rows, calibrated under the same mask.`,
    "",
    `- **Intervals.** The coverage is between ${WANTED.join(" and ")} for ${within} of ${masks} masks.`,
    "",
    "| table | test rows | masks within | lowest–highest | single splits within | within the bounds ± 1.96 standard errors | relative width |",
    `|${" --- |".repeat(7)}`,
    ...summary,
    "",
    `Written by \`npm run compare -- intervals\` on ${new Date().toISOString().slice(0, 10)}.`,
    "",
    "## Each share of missing columns",
    "",
    "The lowest and the highest coverage of five masks, and their mean width.",
    "",
    "| table | missing | coverage | width | coverage, mean-imputed | width, mean-imputed |",
    `|${" --- |".repeat(6)}`,
    ...details,
  ],
  values.publish,
);
