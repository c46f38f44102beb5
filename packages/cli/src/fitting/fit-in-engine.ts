import {
  type Classifier,
  conformRemote,
  type Expectation,
  type MixtureStart,
  type Model,
  startMixture,
  type Table,
} from "conformant";
import { expectInEngine } from "../reading/expect-in-engine.ts";
import { watchWork } from "../terminal/watch-work.ts";
import { type Checkpoint, checkCheckpoint, removeCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import type { FitRequest } from "./fit-request.ts";
import type { ColumnReading } from "./read-columns.ts";
import type { TrainingSummary } from "./training-summary.ts";

/**
 * Fits a mixture to rows that stay where they are: a sample of them gives the start, then each EM step is a query that the
 * engine answers with sums. After every step the state is written to the checkpoint file, where there is one.
 *
 * @param from a sample of the rows in the classifier's columns, or a checkpoint to go on from
 */
export async function fitInEngine(
  request: FitRequest,
  classifier: Classifier,
  reading: ColumnReading,
  training: TrainingSummary | undefined,
  from: Checkpoint | Table,
): Promise<Model> {
  const { options, messages, connector } = request;
  const { checkpoint: path } = options;
  const columns = classifier.schema.columns.map(({ name }) => name);
  const known = "answers" in from ? from : undefined;
  if (known) checkCheckpoint(path ?? "", known, { rows: reading.rows, columns });
  const start = "answers" in from ? from.start : startOf(request, classifier, reading.rows, from);
  const answers: Expectation[] = [...(known?.answers ?? [])];
  const save = (): void => {
    if (path !== undefined)
      writeCheckpoint(path, { rows: reading.rows, classifier, training, start, answers });
  };
  if (!known) save();
  const hasGaps = reading.chosen.some((column) => column.known < reading.rows);
  const ask = expectInEngine(connector, reading.fields, classifier, hasGaps);
  let steps = 0;
  const model = await conformRemote(classifier, start, async (components, atoms) => {
    messages.progress("EM steps over all rows", steps, start.settings.maxSteps + 1);
    if (steps >= answers.length) {
      answers.push(await ask(components, atoms));
      save();
    }
    return answers[steps++];
  });
  if (path !== undefined) removeCheckpoint(path);
  return model;
}

function startOf(
  { options, messages }: FitRequest,
  classifier: Classifier,
  rows: number,
  sample: Table,
): MixtureStart {
  const { pseudocount, bins, seed, timeLimit, components } = options;
  // A query adds up what atoms need; the moments of a Gaussian take the rows themselves.
  const settings = {
    pseudocount,
    bins,
    seed,
    timeLimit,
    components,
    numeric: "atoms",
    ...watchWork(messages),
  } as const;
  return startMixture(classifier, { ...sample, schema: classifier.schema }, rows, settings);
}
