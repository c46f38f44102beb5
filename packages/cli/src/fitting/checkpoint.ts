import { existsSync, readFileSync, rmSync } from "node:fs";
import { type Classifier, createClassifier } from "conformant";
import type { Expectation, MixtureStart } from "conformant/remote";
import type { TrainingSummary } from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import { writeAtomically } from "../output/atomic-file.ts";
import { readError } from "../sources/files/input-file.ts";

/**
 * How far a fit has come: where its steps began and what the rows answered to each. Answers are all that a step costs; the rest
 * is computed again from them, to the last bit.
 */
export interface Checkpoint {
  /** What the fit is of, by name. */
  readonly identity: Readonly<Record<string, string>>;
  /** Of a logistic regression, which takes long to train. */
  readonly classifier?: Classifier | undefined;
  readonly training?: TrainingSummary | undefined;
  readonly start: MixtureStart;
  readonly answers: readonly Expectation[];
}

const VERSION = 3;

/** Writes a checkpoint: the file is whole or as it was before. */
export function writeCheckpoint(path: string, checkpoint: Checkpoint): void {
  const text = JSON.stringify({ version: VERSION, ...checkpoint }, (_, value: unknown) =>
    value instanceof Float64Array || value instanceof Int32Array ? Array.from(value) : value,
  );
  writeAtomically(path, text);
}

/** A finished fit needs no checkpoint. */
export function removeCheckpoint(path: string): void {
  rmSync(path, { force: true });
}

/** Reads a checkpoint; undefined where there is none, so that the fit begins at the beginning. */
export function readCheckpoint(path: string): Checkpoint | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const json = JSON.parse(readFileSync(path, "utf8")) as Checkpoint & { version: number };
    if (json.version !== VERSION) throw new RangeError(`expected version ${VERSION}, got ${json.version}`);
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
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof TypeError || thrown instanceof RangeError)
      throw new CliError("unreadable-file", `${quoted(path)} is no checkpoint: ${thrown.message}`, {
        cause: thrown,
      });
    throw readError(path, thrown);
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
export function checkCheckpoint(
  path: string,
  { identity }: Checkpoint,
  now: Readonly<Record<string, string>>,
): void {
  const names = new Set([...Object.keys(identity), ...Object.keys(now)]);
  const differing = [...names].filter((name) => identity[name] !== now[name]);
  if (differing.length === 0) return;
  const details = differing.map(
    (name) => `${name} (${identity[name] || "none"}, now ${now[name] || "none"})`,
  );
  throw new CliError(
    "wrong-table",
    `${quoted(path)} cannot be gone on from: it is of another ${details.join(", ")}`,
    {
      hint: "give the options of the fit that was broken off; without --resume the fit begins at the beginning",
    },
  );
}
