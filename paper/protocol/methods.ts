import {
  type BaselineName,
  type BaselineOptions,
  classifyImputed,
  conform,
  conformMixture,
  fitBaseline,
  fitConstants,
  type Model,
  predictColumns,
  type Statistic,
  type Table,
  trainNaiveBayes,
} from "conformant";
import { LABEL } from "../datasets/dataset.ts";
import { toBits } from "./bits.ts";
import type { Protocol } from "./protocol.ts";
import type { Setup } from "./setup.ts";
import { shuffle } from "./shuffle.ts";

/** Rows with gaps to class probabilities, rows × K. */
export type Predictor = (rows: Table) => Float64Array;

/** A method of the comparison. */
export interface Method {
  /** Learns what it needs to know. */
  readonly prepare: (setup: Setup) => Predictor;
  /** Whether it is run with so many columns missing; where not there is no number. Default: always. */
  readonly applies?: (protocol: Protocol, missing: number) => boolean;
  /** Too slow for a hundred repeats: it is run in the first {@link COSTLY_REPEATS} only. */
  readonly costly?: boolean;
}

export const COSTLY_REPEATS = 5;

/** Components of the mixture on images, where a comparison of sizes would take longer than everything else: the most it tries. */
const IMAGE_COMPONENTS = 64;

/** The methods by the names they have in results. Another one is entered here. */
export const METHODS: Readonly<Record<string, Method>> = {
  min: { prepare: constant("min") },
  max: { prepare: constant("max") },
  mean: { prepare: constant("mean") },
  median: { prepare: constant("median") },
  // The paper's own: naive conformant learning on independent one-hot bits.
  nacl: { prepare: onBits(({ bits }) => conform(bits.classifier, bits.training)) },
  // The same with a one-hot group as one column, which is what `conform` does when it is not told otherwise.
  nacl_columns: { prepare: onColumns, applies: hasGroups },
  // Past the paper: several components, each a naive conformant model. On images of a fixed size, else chosen.
  mixture: { prepare: mixture, applies: everySecond },
  naive_bayes: { prepare: onBits(({ bits }) => trainNaiveBayes(bits.training, { label: LABEL })) },
  em: { prepare: baseline("em"), applies: whereCheap, costly: true },
  mice: { prepare: baseline("mice"), applies: whereCheap, costly: true },
  knn: { prepare: nearestNeighbours, applies: whereCheap, costly: true },
  reduced: { prepare: baseline("reduced"), applies: fewPatterns, costly: true },
};

/** What `npm run paper` compares unless `--methods` says otherwise: everything. */
export const DEFAULT_METHODS: readonly string[] = Object.keys(METHODS);

function constant(statistic: Statistic): Method["prepare"] {
  return ({ classifier, constantsFrom }) => {
    const imputer = fitConstants(classifier.schema, constantsFrom, statistic);
    return (rows) => classifyImputed(classifier, imputer, rows).probabilities;
  };
}

function baseline(name: BaselineName, options: BaselineOptions = {}): Method["prepare"] {
  return ({ classifier, dataset }) => {
    const rival = fitBaseline(name, classifier, dataset.training, options);
    return (rows) => rival.predict(rows).probabilities;
  };
}

/** A model over one-hot bits. */
function onBits(modelOf: (setup: Setup) => Model): Method["prepare"] {
  return (setup) => {
    const model = modelOf(setup);
    return (rows) => predictColumns(model, toBits(rows)).probabilities;
  };
}

function onColumns({ classifier, dataset }: Setup): Predictor {
  const model = conform(classifier, dataset.training);
  return (rows) => predictColumns(model, rows).probabilities;
}

function mixture({ classifier, dataset, protocol }: Setup): Predictor {
  const components = hasGroups(protocol) ? "auto" : IMAGE_COMPONENTS;
  // No time limit: the size must not depend on the machine.
  const model = conformMixture(classifier, dataset.training, { components, timeLimit: 1e9 });
  return (rows) => predictColumns(model, rows).probabilities;
}

/** On images, where every column is one bit, the two are the same. */
function hasGroups({ columns }: Protocol): boolean {
  return columns < 100;
}

/** Nearest neighbours among a random part of the training rows, since their cost is test rows × training rows. */
function nearestNeighbours(setup: Setup): Predictor {
  const { training } = setup.dataset;
  const rows = shuffle(training.rows, 0).subarray(0, setup.protocol.donors);
  const columns = training.columns.map((cells) => {
    const taken = cells.slice(0, rows.length);
    rows.forEach((r, at) => {
      taken[at] = cells[r];
    });
    return taken;
  });
  const donors = { ...training, rows: rows.length, columns };
  return baseline("knn", { knn: { neighbours: 10 } })({
    ...setup,
    dataset: { ...setup.dataset, training: donors },
  });
}

/** What looks at correlations solves a system of equations per row: on images only where few pixels are missing. */
function whereCheap({ columns, onePercent }: Protocol, missing: number): boolean {
  return columns < 100 || missing <= onePercent;
}

/** On images at every second number of missing pixels: there a mixture takes as long as all constants together. */
function everySecond({ columns, onePercent }: Protocol, missing: number): boolean {
  return columns < 100 || missing <= onePercent || missing % 80 === 0;
}

/** One model per pattern of gaps: with one column missing there are as many patterns as columns. */
function fewPatterns({ reduced }: Protocol, missing: number): boolean {
  return reduced && missing <= 1;
}
