import type { Classifier } from "../classifier/classifier.ts";
import { ConformantError, requireInteger, requireNumber } from "../errors.ts";
import { type Atoms, type ColumnAtoms, createAtoms } from "../model/atoms.ts";
import type { Certificate } from "../model/certificate.ts";
import type { Component, Model } from "../model/model.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { checkWeights } from "../schema/weights.ts";
import { splitRows } from "./atom-rows.ts";
import { bestCandidate, chooseComponents } from "./choose-components.ts";
import {
  checkChoice,
  checkSettings,
  type MixtureOptions,
  mixtureModel,
  withoutPositions,
} from "./conform-mixture.ts";
import { em, type MixtureProblem } from "./em.ts";
import { type Expectation, expectation } from "./expectation.ts";
import { fitRows, type WeightedRows } from "./fit-rows.ts";
import type { MixtureSettings } from "./mixture-settings.ts";

/** Options of {@link startMixture}. */
export interface StartOptions extends MixtureOptions {
  /** Steps over all rows at most; the sample's fit leaves little to do. Default 10. */
  readonly passes?: number;
}

/** Where the EM steps over rows that stay elsewhere begin. Plain numbers: it can be written to a file and read back. */
export interface MixtureStart {
  /** The atoms of each column. */
  readonly atoms: readonly ColumnAtoms[];
  /** Shares of the atoms in their column, what components are shrunk towards. */
  readonly overall: Float64Array;
  /** Expected counts to begin with, M × atoms. */
  readonly counts: readonly Float64Array[];
  /** The weight of all rows. */
  readonly totalWeight: number;
  /** M, as asked for. */
  readonly components: number;
  readonly settings: MixtureSettings;
  /** What the sample's fit gained: the measure of a small gain. */
  readonly gainedBefore: number;
  /** How the size was chosen, where it was. */
  readonly heldOut?: NonNullable<Certificate["mixture"]>["heldOut"];
}

/** Answers an expectation step: what all rows make of the components. */
export type Answer = (components: readonly Component[], atoms: Atoms) => Expectation | Promise<Expectation>;

/**
 * The number of components, the atoms of numeric columns and a first fit, from a sample of the rows; {@link conformRemote}
 * goes on from there over all of them.
 *
 * @param totalWeight the weight of all rows, of which the sample is a part
 */
export function startMixture(
  classifier: Classifier,
  sample: Data,
  totalWeight: number,
  options: StartOptions = {},
): MixtureStart {
  requireNumber("totalWeight", totalWeight, 0);
  const table = encode(classifier.schema, sample, options);
  const weights = checkWeights(options.weights, table.rows) ?? new Float64Array(table.rows).fill(1);
  if (!(totalWeight > 0) || table.rows === 0) {
    const message = `a mixture needs rows to learn from, got ${table.rows} with a total weight of ${totalWeight}`;
    throw new ConformantError("empty-data", message);
  }
  const rows = { table, rows: Int32Array.from({ length: table.rows }, (_, r) => r), weights };
  const settings = checkSettings(options);
  const choice = checkChoice(options);
  const heldOut = choice && chooseComponents(classifier, rows, settings, choice);
  const components = heldOut
    ? bestCandidate(heldOut).components
    : requireInteger("options.components", options.components, 1);
  const { best, problem } = fitRows(classifier, rows, components, settings);
  return {
    atoms: problem.atoms.columns,
    overall: problem.overall,
    counts: scaledCounts(problem, best.components, rows, totalWeight),
    totalWeight,
    components,
    settings: { ...settings, maxSteps: requireInteger("options.passes", options.passes ?? 10, 1) },
    gainedBefore: best.objective[best.objective.length - 1] - best.objective[0],
    ...(heldOut && { heldOut: heldOut.map(withoutPositions) }),
  };
}

/**
 * A mixture of rows that stay where they are, in files, in a database or on a cluster: EM goes on from the start, and `answer`
 * says at each step what the rows make of the components. Neither rows nor anything of their number is kept here.
 */
export async function conformRemote(
  classifier: Classifier,
  start: MixtureStart,
  answer: Answer,
): Promise<Model> {
  const { overall, counts, totalWeight, components, settings, gainedBefore, heldOut } = start;
  const atoms = createAtoms(classifier, start.atoms);
  const problem = { classifier, atoms, overall, totalWeight, components, settings, gainedBefore };
  const steps = em(problem, counts);
  let next = steps.next();
  while (!next.done) next = steps.next(await answer(next.value, atoms));
  return mixtureModel(problem, next.value, heldOut);
}

/** The sample's expected counts under its own fit, in the proportion of all rows. */
function scaledCounts(
  { classifier, atoms }: MixtureProblem,
  components: readonly Component[],
  { table, rows, weights }: WeightedRows,
  totalWeight: number,
): Float64Array[] {
  const split = splitRows(table, atoms, classifier.intercept, rows, weights);
  const { counts } = expectation(atoms, classifier.intercept, components, split);
  return counts.map((own) => own.map((count) => (count * totalWeight) / split.totalWeight));
}
