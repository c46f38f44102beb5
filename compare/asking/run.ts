import { parseArgs } from "node:util";
import { conformMixture, pickRows, random, type Table, train } from "conformant";
import { type AskingCurve, evaluateAsking } from "conformant-workbench";
import { LABEL, tableOf } from "../tables/compare-table.ts";
import { TABLES } from "../tables/tables.ts";

/**
 * Prints how many questions each order needs to 95 % of the accuracy with everything known, and the mean log loss over all numbers of
 * questions, as a table of Markdown: `npm run compare:asking -- [TABLE…] [--splits N] [--rows N]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string", default: "3" }, rows: { type: "string", default: "40" } },
});
/** The share of the rows that is trained on. */
const TRAINED = 0.7;
const ORDERS = ["ours", "weights", "best fixed", "random"];

/** The curves of one split, by the names of the orders. */
function judgeSplit(table: Table, split: number): Map<string, AskingCurve> {
  const generator = random(split);
  const order = Int32Array.from({ length: table.rows }, (_, r) => r);
  for (let s = order.length - 1; s > 0; s--) {
    const other = generator.integer(s + 1);
    [order[s], order[other]] = [order[other], order[s]];
  }
  const cut = Math.round(TRAINED * table.rows);
  const training = pickRows(table, order.slice(0, cut));
  const test = pickRows(table, order.slice(cut, cut + Number(values.rows)));
  const classifier = train(training, { label: LABEL });
  const features = (rows: Table): Table => ({
    ...rows,
    schema: classifier.schema,
    columns: rows.columns.slice(0, classifier.schema.columns.length),
  });
  const { curves } = evaluateAsking(
    {
      model: conformMixture(classifier, features(training)),
      judged: features(test),
      training: features(training),
      trainingLabels: classCodes(training, classifier.classes),
      costs: {},
      seed: split,
      progress: () => undefined,
    },
    classCodes(test, classifier.classes),
  );
  return new Map(curves.map((curve) => [curve.order, curve]));
}

/** The position of each row's class among those of the classifier. */
function classCodes({ schema, columns }: Table, classes: readonly string[]): Int32Array {
  const label = schema.columns[columns.length - 1];
  const names = label.kind === "categorical" ? label.values : ["0", "1"];
  return Int32Array.from(columns[columns.length - 1], (code) => classes.indexOf(names[code]));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

const heads = [...ORDERS.map((name) => `${name}, questions`), ...ORDERS.map((name) => `${name}, log loss`)];
console.log(`| table | columns | ${heads.join(" | ")} |\n| --- | --- |${" --- |".repeat(heads.length)}`);
for (const { name, read } of TABLES.filter(
  (own) => positionals.length === 0 || positionals.includes(own.name),
)) {
  const table = tableOf(read());
  const splits = Array.from({ length: Number(values.splits) }, (_, split) => judgeSplit(table, split));
  const cells = [
    (curve: AskingCurve) => curve.enough.questions,
    (curve: AskingCurve) => mean(curve.logLoss),
  ].flatMap((pick, which) =>
    ORDERS.map((order) => {
      const own = splits.flatMap((curves) => curves.get(order) ?? []);
      return own.length === 0 ? "" : mean(own.map(pick)).toFixed(which === 0 ? 1 : 3);
    }),
  );
  console.log(`| ${name} | ${table.columns.length - 1} | ${cells.join(" | ")} |`);
}
