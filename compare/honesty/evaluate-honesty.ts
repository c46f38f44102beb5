import { random } from "conformant";
import { shuffled } from "conformant-workbench";
import type { ClassificationVerdict } from "conformant-workbench/describe";
import { classificationVerdict } from "../../packages/workbench/src/verdict/classification-verdict.ts";
import { answerTable, fitTexts, readTexts } from "../fit-texts.ts";
import { kept } from "../kept.ts";
import { readReal } from "../real/real-tables.ts";
import { type PublishedTable, pickTexts, type TextRows } from "../tables/published-table.ts";

/** A figure of the verdict on one half of a table, the truth on the other half, and the standard error of their difference. */
export interface HonestyCell {
  readonly said: number;
  readonly true: number;
  readonly error: number;
}

/** Rows of a table at most. */
const MOST_ROWS = 2000;

/** The figures of the verdict that are compared. */
export const FIGURES = ["accuracy", "log loss", "overconfidence"] as const;
export type Honesty = Readonly<Record<(typeof FIGURES)[number], HonestyCell>>;

/** Fits one half of a table with the defaults, and compares the verdict with the scores of the model on the other half. */
export async function evaluateHonesty(table: PublishedTable, seed: number): Promise<Honesty> {
  return kept(["honesty", table.name, seed], async () => {
    const all = await readReal(table, MOST_ROWS);
    const order = shuffled(all.rows.length, random(seed));
    const half = Math.round(order.length / 2);
    const [own, other] = [order.subarray(0, half), order.subarray(half)].map((part) => pickTexts(all, part));
    const { model, report } = await fitTexts(own, {});
    const said = report.verdict as ClassificationVerdict;
    const { table: rows, labels } = await readTexts(model, other);
    const truth = classificationVerdict({
      answers: answerTable(model, rows),
      labels,
      classes: model.response.outputs,
      folds: 0,
    });
    return {
      accuracy: cell(said.accuracy, said.accuracyStandardError, truth.accuracy, truth.accuracyStandardError),
      "log loss": cell(said.logLoss, said.logLossStandardError, truth.logLoss, truth.logLossStandardError),
      overconfidence: cell(...overconfidence(said), ...overconfidence(truth)),
    };
  });
}

/** The errors of both halves count: √(e² + e′²). */
function cell(said: number, ownError: number, truth: number, otherError: number): HonestyCell {
  return { said, true: truth, error: Math.hypot(ownError, otherError) };
}

/** The mean probability of the predicted class minus the share that is right, with its standard error, from the calibration bins. */
function overconfidence({ calibration, rows }: ClassificationVerdict): [mean: number, error: number] {
  const mean = (of: (bin: (typeof calibration)[number]) => number): number =>
    calibration.reduce((sum, bin) => sum + bin.rows * of(bin), 0) / rows;
  const over = mean(({ confidence, accuracy }) => confidence - accuracy);
  const squares = mean(({ confidence, accuracy: a }) => (confidence - a) ** 2 + a * (1 - a));
  return [over, Math.sqrt((squares - over ** 2) / rows)];
}

/** Whether a fit of noise of so many rows says that it is no better than guessing. */
export async function seesNoise(rows: number, seed: number): Promise<boolean> {
  return kept(["noise", rows, seed], async () => {
    const { report } = await fitTexts(noise(rows, seed), {});
    return (report.verdict as ClassificationVerdict).sentence.includes("no better than guessing");
  });
}

/** Three numbers, a category and a label that have nothing to do with each other; a tenth of the cells is missing. */
function noise(rows: number, seed: number): TextRows {
  const generator = random(seed);
  const known = (text: string): string | null => (generator.uniform() < 0.1 ? null : text);
  return {
    names: ["a", "b", "c", "kind", "label"],
    rows: Array.from({ length: rows }, () => [
      ...Array.from({ length: 3 }, () => known(generator.normal().toFixed(3))),
      known(["red", "green", "blue"][generator.integer(3)]),
      ["no", "yes"][generator.integer(2)],
    ]),
  };
}
