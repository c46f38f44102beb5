import { impute, type Model, type Row, train } from "conformant";
import { rowsOf, type World } from "../../packages/conformant/test/incomplete-training/missingness-worlds.ts";
import { answerTable, fitTexts, readTexts, type TextFit } from "../fit-texts.ts";
import { kept } from "../kept.ts";
import { mean } from "../statistics.ts";
import type { TextRows } from "../tables/published-table.ts";
import { truthOf } from "./truth.ts";

export const WORLDS: readonly World[] = ["by chance", "another value", "the value itself", "the outcome"];

/** The ways to predict, the exact answer first. */
export const WAYS = ["exact", "fit", "fit --missing random", "mean + indicator"] as const;

/** Rows of a world to train and to test on, in the picture and in each draw. */
export const ROWS = { training: 4000, test: 4000, drawn: 800 } as const;
/** Values of b at which rows without a are predicted; c is 0. */
const PLACES = Array.from({ length: 17 }, (_, i) => -2 + i / 4);
/** Rows without a whose missing value is estimated. */
const ESTIMATED = 300;

/** How each way predicts rows of a world, in the order of {@link WAYS}. */
export interface WorldScores {
  /** Per way P(yes) of rows without a at each place of b. */
  readonly curves: readonly (readonly number[])[];
  readonly places: readonly number[];
  /** Per way the mean log loss on test rows. */
  readonly logLoss: readonly number[];
  /** The mean of the missing values of a: as it is, and as the model estimates it from the other columns. */
  readonly missingMean: { readonly exact: number; readonly estimated: number };
}

/** P(yes) of rows. */
type Answer = (rows: readonly Row[]) => Promise<number[]> | number[];

/** Fits each way to rows of a world, and compares its predictions with the exact ones. */
export async function evaluateWorld(world: World): Promise<WorldScores> {
  return kept(["worlds", world], async () => {
    const training = rowsOf(world, ROWS.training, 2);
    const test = rowsOf(world, ROWS.test, 1);
    const exact = (rows: readonly Row[]): number[] => rows.map((row) => truthOf(world, observed(row)).yes);
    const { model } = await fitTexts(textsOf(training), {});
    const random = await fitTexts(textsOf(training), {
      training: { gaps: "random", crossValidation: false },
    });
    const answers: readonly Answer[] = [
      exact,
      (rows) => answerOf(model, rows),
      (rows) => answerOf(random.model, rows),
      meanWithIndicator(training),
    ];
    const withoutA = PLACES.map((b): Row => ({ a: null, b, c: 0, y: "no" }));
    const curves = await Promise.all(answers.map((answer) => answer(withoutA)));
    const predicted = await Promise.all(answers.map((answer) => answer(test)));
    const lacking = test.filter(({ a }) => a === null).slice(0, ESTIMATED);
    return {
      curves,
      places: PLACES,
      logLoss: predicted.map((own) => lossOf(own, test)),
      missingMean: {
        exact: mean(lacking.map((row) => truthOf(world, observed(row)).a)),
        estimated: mean(lacking.map((row) => estimateOf(model, row))),
      },
    };
  });
}

/** What a fit to a few rows chooses, and what that gains. */
export interface WorldDraw {
  /** Whether missing values are used as evidence. */
  readonly taken: boolean;
  readonly chosen: "logistic" | "trees";
  /** Mean log loss on test rows of the default, of a fit without indicators and of one with that of a, the right one; in the first draws. */
  readonly logLoss?: readonly [fit: number, random: number, right: number];
}

/** Fits rows of a world with the defaults. */
export async function drawWorld(world: World, draw: number, isScored: boolean): Promise<WorldDraw> {
  return kept(["worlds", world, isScored ? "scored" : "drawn", draw], async () => {
    const rows = textsOf(rowsOf(world, ROWS.drawn, 1000 + draw));
    const { model, report } = await fitTexts(rows, {});
    const chosen = model.predictor.kind === "trees" ? "trees" : "logistic";
    const taken = report.training?.gaps?.taken ?? false;
    if (!isScored) return { taken, chosen };
    const test = rowsOf(world, ROWS.test, 1);
    const score = async (training: TextFit["training"]): Promise<number> => {
      const other = await fitTexts(rows, {
        training: { model: "logistic", crossValidation: false, ...training },
      });
      return lossOf(await answerOf(other.model, test), test);
    };
    const own = lossOf(await answerOf(model, test), test);
    return { taken, chosen, logLoss: [own, await score({ gaps: "random" }), await score({ gaps: ["a"] })] };
  });
}

/** A logistic regression on rows with missing numbers at their means and a 0/1 column for each of them. */
function meanWithIndicator(training: readonly Row[]): Answer {
  const means = Object.fromEntries(
    ["a", "b"].map((name) => [
      name,
      mean(training.flatMap((row) => (row[name] === null ? [] : [Number(row[name])]))),
    ]),
  );
  const filled = (row: Row): Record<string, number> => ({
    a: Number(row.a ?? means.a),
    b: Number(row.b ?? means.b),
    c: Number(row.c),
    "no a": Number(row.a === null),
    "no b": Number(row.b === null),
  });
  const { intercept, weights } = train(
    training.map((row) => ({ ...filled(row), y: row.y })),
    { label: "y", types: { c: "numeric", "no a": "numeric", "no b": "numeric" } },
  );
  return (rows) =>
    rows.map((row) => {
      const score = Object.values(filled(row)).reduce(
        (sum, x, slot) => sum + x * weights[2 * slot + 1],
        intercept[1],
      );
      return 1 / (1 + Math.exp(-score));
    });
}

function observed({ a, b, c }: Row): Parameters<typeof truthOf>[1] {
  return { a: a === null ? undefined : Number(a), b: b === null ? undefined : Number(b), c: Number(c) };
}

function textsOf(rows: readonly Row[]): TextRows {
  const names = ["a", "b", "c", "y"];
  return {
    names,
    rows: rows.map((row) => names.map((name) => (row[name] === null ? null : String(row[name])))),
  };
}

async function answerOf(model: Model, rows: readonly Row[]): Promise<number[]> {
  const { table } = await readTexts(model, textsOf(rows));
  const yes = model.response.outputs.indexOf("yes");
  const answers = answerTable(model, table);
  return rows.map((_, r) => answers[2 * r + yes]);
}

/** The mean of a that the model expects of a row without it. */
function estimateOf(model: Model, { b, c }: Row): number {
  const { a } = impute(model, { ...(b !== null && { b }), c });
  return a.kind === "numeric" ? a.mean : Number.NaN;
}

function lossOf(answers: readonly number[], rows: readonly Row[]): number {
  return mean(answers.map((p, r) => -Math.log(rows[r].y === "yes" ? p : 1 - p)));
}
