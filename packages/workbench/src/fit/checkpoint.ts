import { type Classifier, createClassifier } from "conformant";
import type { Expectation, MixtureStart } from "conformant/remote";
import type { CheckpointStore } from "../source/host.ts";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading } from "../source/table-source.ts";
import type { FitContext } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/**
 * The state of a fit: where its steps began and what the rows answered to each. Answers are all that a step costs; the rest
 * is computed again from them, to the last bit.
 */
export interface Checkpoint {
  /** Of a logistic regression, which takes long to train. */
  readonly classifier?: Classifier | undefined;
  readonly training?: TrainingSummary | undefined;
  readonly start: MixtureStart;
  readonly answers: readonly Expectation[];
}

const VERSION = 3;

type Identity = Readonly<Record<string, string>>;

/** What the fit is of, by name: the host's settings and the state of the rows. */
function identityOf<Cells extends CellReading>(
  { source }: FitContext<Cells>,
  { identity }: CheckpointStore,
): Identity {
  return { ...identity, ...source.watch?.state() };
}

/** Writes a checkpoint, where the host has a place for it. */
export function writeCheckpoint<Cells extends CellReading>(
  context: FitContext<Cells>,
  checkpoint: Checkpoint,
): void {
  const store = context.host.checkpoint;
  if (!store) return;
  const whole = { version: VERSION, identity: identityOf(context, store), ...checkpoint };
  store.write(
    JSON.stringify(whole, (_, value: unknown) =>
      value instanceof Float64Array || value instanceof Int32Array ? Array.from(value) : value,
    ),
  );
}

/** Reads the checkpoint to resume from; undefined where there is none, so that the fit begins at the beginning. */
export function readCheckpoint<Cells extends CellReading>(
  context: FitContext<Cells>,
): Checkpoint | undefined {
  const store = context.host.checkpoint;
  const text = store?.resume ? store.read() : undefined;
  if (store?.resume && text === undefined)
    context.host.reporter.warn(`no checkpoint ${quoted(store.name)}: the fit starts from the beginning`);
  if (!store || text === undefined) return undefined;
  const { identity, ...checkpoint } = parseCheckpoint(text, store.name);
  requireSame(store.name, identity, identityOf(context, store));
  return checkpoint;
}

function parseCheckpoint(text: string, name: string): Checkpoint & { readonly identity: Identity } {
  try {
    const { version, ...json } = JSON.parse(text) as Checkpoint & { version: number; identity: Identity };
    if (version !== VERSION) throw new RangeError(`expected version ${VERSION}, got ${version}`);
    return {
      ...json,
      classifier: json.classifier && readTrained(json.classifier),
      start: readStart(json.start),
      answers: json.answers.map(({ logLikelihood, componentWeights, counts }) => ({
        logLikelihood,
        componentWeights: doubles(componentWeights),
        counts: counts.map(doubles),
      })),
    };
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof TypeError || cause instanceof RangeError)
      throw new TableError("unreadable-file", `${quoted(name)} is not a checkpoint: ${cause.message}`, {
        cause,
      });
    throw cause;
  }
}

function readTrained({ intercept, weights, ...rest }: Classifier): Classifier {
  return createClassifier({ ...rest, intercept: doubles(intercept), weights: doubles(weights) });
}

function readStart(start: MixtureStart): MixtureStart {
  return {
    ...start,
    atoms: start.atoms.map(({ count, values, edges }) => ({
      count,
      ...(values && { values: doubles(values) }),
      ...(edges && { edges: doubles(edges) }),
    })),
    overall: doubles(start.overall),
    counts: start.counts.map(doubles),
  };
}

function doubles(numbers: ArrayLike<number>): Float64Array {
  return Float64Array.from(numbers);
}

/** Throws unless a checkpoint is of the same fit: source, rows, columns and options. */
function requireSame(name: string, before: Identity, now: Identity): void {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const differing = [...names].filter((setting) => before[setting] !== now[setting]);
  if (differing.length === 0) return;
  const details = differing.map(
    (setting) => `${setting} (${before[setting] || "none"}, now ${now[setting] || "none"})`,
  );
  throw new TableError(
    "wrong-table",
    `${quoted(name)}: cannot resume, it has another ${details.join(", ")}`,
    {
      hint: "use the options of the interrupted fit; without --resume the fit starts again",
    },
  );
}
