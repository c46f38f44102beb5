import { parseArgs } from "node:util";
import { REAL_TABLES } from "../real/real-tables.ts";
import { evaluateHonesty, FIGURES, type Honesty, type HonestyCell, seesNoise } from "./evaluate-honesty.ts";

/**
 * Prints, as Markdown, how far the verdict of `fit` on half of a table is from the truth on the other half, and whether it recognizes
 * noise: `npm run compare -- honesty [--seeds N] [--tables N] [--draws N] [--noise 12,150,5000]`.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5" },
    tables: { type: "string", default: "20" },
    draws: { type: "string", default: "100" },
    noise: { type: "string", default: "12,150,5000" },
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

console.log(`| table | ${FIGURES.map((name) => `${name}: verdict, truth, honest`).join(" | ")} |`);
console.log(`| --- |${" --- |".repeat(FIGURES.length)}`);
for (const { table, found } of tables) {
  const cells = FIGURES.map((name) => {
    const mean = (of: "said" | "true"): string =>
      (found.reduce((sum, own) => sum + own[name][of], 0) / found.length).toFixed(3);
    return `${mean("said")}, ${mean("true")}, ${found.filter((own) => isHonest(own[name])).length} of ${found.length}`;
  });
  console.log(`| ${table.name} | ${cells.join(" | ")} |`);
}
const all = tables.flatMap(({ found }) => found);
for (const name of FIGURES) {
  const honest = all.filter((own) => isHonest(own[name])).length;
  const bias = all.reduce((sum, { [name]: own }) => sum + (own.said - own.true) / own.error, 0) / all.length;
  console.log(
    `\n${name}: within ${ALLOWED} standard errors of the difference in ${honest} of ${all.length} cells (${((100 * honest) / all.length).toFixed(0)}%); mean difference ${bias.toFixed(2)} standard errors`,
  );
}
for (const rows of values.noise.split(",").map(Number)) {
  const draws = Number(values.draws);
  let seen = 0;
  for (let seed = 0; seed < draws; seed++) if (await seesNoise(rows, seed)) seen++;
  console.log(`\nNoise of ${rows} rows: "no better than guessing" in ${seen} of ${draws} draws`);
}
