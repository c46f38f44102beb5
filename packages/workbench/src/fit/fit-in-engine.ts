import type { KnownPredictor, Model, Table } from "conformant";
import {
  classTilt,
  conformRemote,
  type Expectation,
  type MixtureStart,
  startMixture,
} from "conformant/remote";
import type { ColumnReading } from "../columns/read-columns.ts";
import { count } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, RowSums } from "../source/table-source.ts";
import { watchWork } from "../source/watch-work.ts";
import { type Checkpoint, writeCheckpoint } from "./checkpoint.ts";
import type { FitContext } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/**
 * Fits a mixture to rows that stay where they are: a sample of them gives the start, then each EM step is a query that the
 * engine answers with sums. After every step the state is written to the checkpoint, where the host has one.
 *
 * @param from a sample of the rows in the classifier's columns, or a checkpoint to resume from
 */
export async function fitInEngine<Cells extends CellReading>(
  context: FitContext<Cells>,
  classifier: KnownPredictor,
  reading: ColumnReading<Cells>,
  training: TrainingSummary | undefined,
  from: Checkpoint | Table,
): Promise<Model> {
  const { source, host } = context;
  const known = "answers" in from ? from : undefined;
  const start = "answers" in from ? from.start : startOf(context, classifier, reading.rows, from);
  const answers: Expectation[] = [...(known?.answers ?? [])];
  // Trees are trained again, which is quick beside the steps.
  const trained = classifier.kind === "additive" ? { classifier, training } : {};
  const save = (): void => writeCheckpoint(context, { ...trained, start, answers });
  if (!known) save();
  const hasGaps = reading.chosen.some((column) => column.known < reading.rows);
  const sums = source.sums as RowSums<Cells>;
  const ask = sums.expectation(reading.fields, classTilt(classifier), hasGaps);
  let steps = 0;
  const model = await conformRemote(classifier, start, async (components, atoms) => {
    host.reporter.progress("EM steps over all rows", steps, start.settings.maxIterations + 1);
    if (steps >= answers.length) {
      const answer = await ask(components, atoms);
      checkRows(source.name, reading.rows, answer);
      answers.push(answer);
      save();
    }
    return answers[steps++];
  });
  host.checkpoint?.remove();
  return model;
}

/** Shares of a row add up to 1 but for rounding. */
const ROUNDING = 1e-6;

/** Every row counts once in a step: better now than after all of them. */
function checkRows(name: string, rows: number, { componentWeights }: Expectation): void {
  const seen = componentWeights.reduce((sum, weight) => sum + weight, 0);
  if (Math.abs(seen - rows) <= ROUNDING * rows) return;
  throw new TableError(
    "changed-data",
    `${quoted(name)} changed while it was read: it had ${count(rows)} rows when they were counted, and ${count(Math.round(seen))} in a step`,
    { hint: "choose rows that stay as they are, for example --where with a date in the past" },
  );
}

/** The share of the time left that the search for a mixture may take. */
const SEARCH_LIMIT = 0.4;

function startOf<Cells extends CellReading>(
  { training, host, limit }: FitContext<Cells>,
  classifier: KnownPredictor,
  rows: number,
  sample: Table,
): MixtureStart {
  const { pseudocount, bins, seed, components } = training;
  // A query adds up what atoms need; the moments of a Gaussian take the rows themselves.
  const settings = {
    pseudocount,
    bins,
    seed,
    timeLimit: limit.share(SEARCH_LIMIT),
    components,
    numeric: "atoms",
    threads: host.threads,
    ...watchWork(host.reporter),
  } as const;
  return startMixture(classifier, { ...sample, schema: classifier.schema }, rows, settings);
}
