import { parseArgs } from "node:util";
import { type AskingCurve, evaluateAsking } from "conformant-workbench";
import { POSED } from "./posed-table.ts";

/**
 * Prints, as a table of Markdown, how many questions each order needs to 95 % of the accuracy with everything known, how many until rows
 * have their last prediction, and the mean log loss over all numbers of questions: `npm run compare:asking -- [TABLE…] [--splits N] [--rows N]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string" }, rows: { type: "string" } },
});
const ORDERS = ["ours", "weights", "best fixed", "random"];

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

/** What is told of an order, with so many digits. */
const MEASURES: readonly { what: string; digits: number; of: (curve: AskingCurve) => number }[] = [
  { what: "to 95 %", digits: 1, of: (curve) => curve.enough.questions },
  { what: "to the last prediction", digits: 2, of: (curve) => curve.settled },
  { what: "log loss", digits: 3, of: (curve) => mean(curve.logLoss) },
];

const heads = MEASURES.flatMap(({ what }) => ORDERS.map((name) => `${name}, ${what}`));
console.log(`| table | questions | ${heads.join(" | ")} |\n| --- | --- |${" --- |".repeat(heads.length)}`);
for (const { name, splits, rows, pose } of POSED.filter(
  (own) => positionals.length === 0 || positionals.includes(own.name),
)) {
  const judged = Array.from({ length: Number(values.splits ?? splits) }, (_, split) => {
    const { request, labels } = pose(split, Number(values.rows ?? rows));
    return evaluateAsking(request, labels);
  });
  const cells = MEASURES.flatMap(({ of, digits }) =>
    ORDERS.map((order) => {
      const own = judged.flatMap(({ curves }) => curves.filter((curve) => curve.order === order));
      return own.length === 0 ? "" : mean(own.map(of)).toFixed(digits);
    }),
  );
  console.log(`| ${name} | ${judged[0].questions} | ${cells.join(" | ")} |`);
}
