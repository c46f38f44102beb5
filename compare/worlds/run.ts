import { parseArgs } from "node:util";
import type { World } from "../../packages/conformant/test/incomplete-training/missingness-worlds.ts";
import { publish } from "../publish.ts";
import { meanWithError } from "../statistics.ts";
import { drawWorld, evaluateWorld, ROWS, WAYS, WORLDS, type WorldDraw } from "./evaluate-worlds.ts";

/**
 * Prints, as Markdown, how predictions compare with the exact ones in worlds with a known truth: `npm run compare -- worlds [--draws N]
 * [--scored N] [--publish]`. Of so many draws the first ones are scored against a fit with the right indicator; --draws 0 leaves them out.
 */
const { values } = parseArgs({
  options: {
    draws: { type: "string", default: "100" },
    scored: { type: "string", default: "20" },
    publish: { type: "boolean", default: false },
  },
});
const [draws, scored] = [Number(values.draws), Number(values.scored)];

/** Why values of a are missing, as the first cell of a row. */
function reason(world: World): string {
  return world.startsWith("by ") ? world : `by ${world}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

/** A mean difference of log losses in the draws that were scored. */
function difference(drawn: readonly WorldDraw[], from: 0 | 1 | 2, to: 0 | 1 | 2): string {
  const { mean, error } = meanWithError(
    drawn.flatMap(({ logLoss }) => (logLoss ? [logLoss[from] - logLoss[to]] : [])),
  );
  return `${mean.toFixed(4)} ± ${error.toFixed(4)}`;
}

const worlds = [];
for (const world of WORLDS) worlds.push({ world, scores: await evaluateWorld(world) });
const chosen: { readonly world: World; readonly drawn: readonly WorldDraw[] }[] = [];
for (const world of WORLDS) {
  const drawn: WorldDraw[] = [];
  for (let draw = 0; draw < draws; draw++) drawn.push(await drawWorld(world, draw, draw < scored));
  chosen.push({ world, drawn });
}

/** What the default of fit chooses; nothing without draws. */
function choices(): string[] {
  if (draws === 0) return [];
  return [
    `## What the default of fit chooses from ${ROWS.drawn} rows`,
    "",
    `${draws} draws. Differences of the log loss are means over the first ${scored}; *right* is a logistic regression with an indicator of a, *random* one without indicators.`,
    "",
    ...table(
      ["a is missing", "evidence used", "trees chosen", "fit minus random", "fit minus right"],
      chosen.map(({ world, drawn }) => [
        reason(world),
        `${drawn.filter(({ taken }) => taken).length} of ${draws}`,
        `${drawn.filter((own) => own.chosen === "trees").length} of ${draws}`,
        difference(drawn, 0, 1),
        difference(drawn, 0, 2),
      ]),
    ),
    "",
  ];
}

publish(
  "worlds",
  [
    "# What can be known of rows with missing values?",
    "",
    "Four worlds with a known truth. Columns a and b are correlated normal numbers, c is 1 more often where both are large, and the log-odds of *yes* are 1.5 a − b + c − 0.5. A third of the values of a are missing: by chance, depending on c, on a itself, or on the outcome. A fifth of the values of b are missing by chance.",
    "",
    `## Log loss on ${ROWS.test} new rows`,
    "",
    `Each way is trained on ${ROWS.training} rows. *exact* knows the world.`,
    "",
    ...table(
      ["a is missing", ...WAYS],
      worlds.map(({ world, scores: own }) => [reason(world), ...own.logLoss.map((loss) => loss.toFixed(4))]),
    ),
    "",
    "## Mean of the missing values of a",
    "",
    ...table(
      ["a is missing", "exact", "estimated from the other columns"],
      worlds.map(({ world, scores: { missingMean } }) => [
        reason(world),
        missingMean.exact.toFixed(2).replace("-0.00", "0.00"),
        missingMean.estimated.toFixed(2).replace("-0.00", "0.00"),
      ]),
    ),
    "",
    ...choices(),
    "## Probability of yes where a is missing and c is 0",
    ...worlds.flatMap(({ world, scores: { places, curves } }) => [
      "",
      ...table(
        [`${world}: b`, ...WAYS],
        places.map((b, i) => [b.toFixed(2), ...curves.map((curve) => curve[i].toFixed(3))]),
      ),
    ]),
    "",
    `Written by \`npm run compare -- worlds\` on ${new Date().toISOString().slice(0, 10)}.`,
  ],
  values.publish,
);
