import { parseArgs } from "node:util";
import { publish } from "../publish.ts";
import { REAL_TABLES } from "../real/real-tables.ts";
import { evaluateHonesty, FIGURES, type Honesty, type HonestyCell, seesNoise } from "./evaluate-honesty.ts";

/**
 * Prints, as Markdown, how far the verdict of `fit` on half of a table is from the truth on the other half, and whether it recognizes
 * noise: `npm run compare -- honesty [--seeds N] [--tables N] [--draws N] [--noise 12,150,5000] [--publish]`.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5" },
    tables: { type: "string", default: "20" },
    draws: { type: "string", default: "100" },
    noise: { type: "string", default: "12,150,5000" },
    publish: { type: "boolean", default: false },
  },
});

/** Standard errors of the difference that are allowed. */
const ALLOWED = 2;

function isHonest({ said, true: truth, error }: HonestyCell): boolean {
  return Math.abs(said - truth) <= ALLOWED * error;
}

const tables = REAL_TABLES.slice(0, Number(values.tables)).map((table) => ({
  table,
  found: [] as Honesty[],
}));
for (let seed = 0; seed < Number(values.seeds); seed++)
  for (const { table, found } of tables) found.push(await evaluateHonesty(table, seed));

const rows = tables.map(({ table, found }) => {
  const cells = FIGURES.map((name) => {
    const mean = (of: "said" | "true"): string =>
      (found.reduce((sum, own) => sum + own[name][of], 0) / found.length).toFixed(3);
    return `${mean("said")}, ${mean("true")}, ${found.filter((own) => isHonest(own[name])).length} of ${found.length}`;
  });
  return `| ${table.name} | ${cells.join(" | ")} |`;
});
const all = tables.flatMap(({ found }) => found);
const totals = FIGURES.map((name) => {
  const honest = all.filter((own) => isHonest(own[name])).length;
  const bias = all.reduce((sum, { [name]: own }) => sum + (own.said - own.true) / own.error, 0) / all.length;
  return `- ${name}: within ${ALLOWED} standard errors of the difference in ${honest} of ${all.length} cases (${((100 * honest) / all.length).toFixed(0)}%); verdict minus truth on average ${bias.toFixed(2)} standard errors`;
});
const draws = Number(values.draws);
for (const rows of values.noise.split(",").map(Number)) {
  let seen = 0;
  for (let seed = 0; seed < draws; seed++) if (await seesNoise(rows, seed)) seen++;
  totals.push(`- noise of ${rows} rows: "no better than guessing" in ${seen} of ${draws} draws`);
}
publish(
  "honesty",
  [
    "# Is the verdict of fit honest?",
    "",
    `${tables.length} tables with their own missing values are split in half ${values.seeds} times. \`fit\` with its defaults reports a verdict on one half, and its model is scored on the other half. The standard error of the difference is √(e² + e′²), with the standard errors of both halves. Overconfidence is the mean probability of the predicted class minus the share that is right.`,
    "",
    ...totals,
    "",
    `Written by \`npm run compare -- honesty\` on ${new Date().toISOString().slice(0, 10)}.`,
    "",
    "## Each table",
    "",
    `| table | ${FIGURES.map((name) => `${name}: verdict, truth, honest`).join(" | ")} |`,
    `| --- |${" --- |".repeat(FIGURES.length)}`,
    ...rows,
  ],
  values.publish,
);
