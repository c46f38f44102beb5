import { parseArgs } from "node:util";
import { type AskingCurve, evaluateAsking } from "./evaluate-asking.ts";
import { POSED } from "./posed-table.ts";

/**
 * Prints, as a table of Markdown, how many questions each order needs to 95 % of the accuracy with everything known, how
 * many until rows have their last prediction, and the mean log loss: means over the splits, and by how many ours needs fewer than the
 * weights' order, with the standard error of that. `npm run compare -- asking -- [TABLE…] [--splits N] [--rows N]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string" }, rows: { type: "string" } },
});
const ORDERS = ["ours", "weights", "best fixed", "random"];

const MEASURES: readonly { what: string; of: (curve: AskingCurve) => number }[] = [
  { what: "to 95 %", of: ({ enough }) => enough.questions },
  { what: "to the last prediction", of: ({ settled }) => settled },
  { what: "log loss", of: ({ logLoss }) => mean(logLoss) },
];

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

/** A mean, and the standard error that it has by chance. */
function withError(numbers: readonly number[]): string {
  const centre = mean(numbers);
  const squares = numbers.reduce((sum, x) => sum + (x - centre) ** 2, 0);
  return `${centre.toFixed(2)} ± ${Math.sqrt(squares / (numbers.length * (numbers.length - 1))).toFixed(2)}`;
}

const heads = MEASURES.flatMap(({ what }) => [
  ...ORDERS.map((name) => `${name}, ${what}`),
  `fewer than weights, ${what}`,
]);
console.log(`| table | questions | rows | ${heads.join(" | ")} |\n|${" --- |".repeat(heads.length + 3)}`);
for (const { name, splits, rows, pose } of POSED.filter(
  (own) => positionals.length === 0 || positionals.includes(own.name),
)) {
  const tested = Array.from({ length: Number(values.splits ?? splits) }, (_, split) => {
    const { request, labels } = pose(split, Number(values.rows ?? rows));
    return evaluateAsking(request, labels);
  });
  const cells = MEASURES.flatMap(({ of }) => {
    const found = ORDERS.map((order) =>
      tested.flatMap(({ curves }) => curves.filter((curve) => curve.order === order).map(of)),
    );
    const [ours, weights] = found;
    return [
      ...found.map((own) => (own.length === 0 ? "" : mean(own).toFixed(2))),
      withError(weights.map((x, split) => x - ours[split])),
    ];
  });
  const asked = tested.reduce((sum, own) => sum + own.rows, 0);
  console.log(`| ${name} | ${tested[0].questions} | ${asked} | ${cells.join(" | ")} |`);
}
