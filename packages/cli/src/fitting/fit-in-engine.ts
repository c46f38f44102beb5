import type { KnownPredictor, Model, Table } from "conformant";
import {
  classTilt,
  conformRemote,
  type Expectation,
  type MixtureStart,
  startMixture,
} from "conformant/remote";
import { count, type TrainingSummary, watchWork } from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import { expectInEngine } from "../sources/expect-in-engine.ts";
import { type Checkpoint, removeCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import type { EngineReading } from "./engine-reading.ts";
import type { FitRequest } from "./fit-request.ts";

/**
 * Fits a mixture to rows that stay where they are: a sample of them gives the start, then each EM step is a query that the
 * engine answers with sums. After every step the state is written to the checkpoint file, where there is one.
 *
 * @param from a sample of the rows in the classifier's columns, or a checkpoint to go on from
 */
export async function fitInEngine(
  request: FitRequest,
  classifier: KnownPredictor,
  reading: EngineReading,
  training: TrainingSummary | undefined,
  from: Checkpoint | Table,
): Promise<Model> {
  const { options, messages, connector } = request;
  const { checkpoint: path } = options;
  const known = "answers" in from ? from : undefined;
  const start = "answers" in from ? from.start : startOf(request, classifier, reading.rows, from);
  const answers: Expectation[] = [...(known?.answers ?? [])];
  const save = (): void => {
    if (path !== undefined) {
      // Trees are trained again, which is quick beside the steps.
      const trained = classifier.kind === "additive" ? { classifier } : {};
      writeCheckpoint(path, { identity: request.identity(), ...trained, training, start, answers });
    }
  };
  if (!known) save();
  const hasGaps = reading.chosen.some((column) => column.known < reading.rows);
  const ask = expectInEngine(connector, reading.fields, classTilt(classifier), hasGaps);
  let steps = 0;
  const model = await conformRemote(classifier, start, async (components, atoms) => {
    messages.progress("EM steps over all rows", steps, start.settings.maxIterations + 1);
    if (steps >= answers.length) {
      const answer = await ask(components, atoms);
      checkRows(request, reading.rows, answer);
      answers.push(answer);
      save();
    }
    return answers[steps++];
  });
  if (path !== undefined) removeCheckpoint(path);
  return model;
}

/** Shares of a row add up to 1 but for rounding. */
const ROUNDING = 1e-6;

/** Every row counts once in a step: better now than after all of them. */
function checkRows({ connector }: FitRequest, rows: number, { componentWeights }: Expectation): void {
  const seen = componentWeights.reduce((sum, weight) => sum + weight, 0);
  if (Math.abs(seen - rows) <= ROUNDING * rows) return;
  throw new CliError(
    "changed-data",
    `${quoted(connector.name)} changed while it was read: it had ${count(rows)} rows when they were counted, and ${count(Math.round(seen))} in a step`,
    { hint: "choose rows that stay as they are, for example --where with a date in the past" },
  );
}

function startOf(
  { options, messages }: FitRequest,
  classifier: KnownPredictor,
  rows: number,
  sample: Table,
): MixtureStart {
  const { pseudocount, bins, seed, timeLimit, sharing, components } = options;
  // A query adds up what atoms need; the moments of a Gaussian take the rows themselves.
  const settings = {
    pseudocount,
    bins,
    seed,
    timeLimit,
    components,
    numeric: "atoms",
    threads: sharing,
    ...watchWork(messages),
  } as const;
  return startMixture(classifier, { ...sample, schema: classifier.schema }, rows, settings);
}
