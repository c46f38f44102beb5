import {
  conform,
  conformMixture,
  type KnownPredictor,
  type MixtureOptions,
  type Model,
  type Table,
} from "conformant";
import { mixtureShape } from "conformant/internal";
import { isIndicatorColumn } from "../columns/indicator-column.ts";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import { type ColumnReading, marginalsOf } from "./read-columns.ts";
import type { TrainingOptions } from "./training-options.ts";

/** What a distribution is learned by. */
export interface DistributionRequest {
  readonly options: TrainingOptions;
  readonly messages: Pick<Reporter, "progress" | "tried">;
}

/**
 * Learns the distribution of the rows. One component of atoms is the paper's method and needs only the counts per column; a
 * mixture needs the rows, wherever they are.
 *
 * @param fitMixture fits one to the rows, or has it already
 * @param sized a mixture of other rows that the size was chosen by
 */
export async function fitDistribution(
  { options, messages }: DistributionRequest,
  classifier: KnownPredictor,
  reading: Pick<ColumnReading, "chosen" | "rows">,
  fitMixture: () => Model | Promise<Model>,
  sized?: Model,
): Promise<Model> {
  const { pseudocount, seed, components, numeric } = options;
  const paper = (): Model =>
    conform(classifier, marginalsOf(reading, classifier.schema), {
      pseudocount,
      seed,
      ...watchWork(messages),
    });
  const anyNumber = classifier.schema.columns.some(({ kind }) => kind === "numeric");
  if (components === 1 && (numeric !== "gaussian" || !anyNumber)) return paper();
  const mixture = await fitMixture();
  const marked = mixture.schema.columns.some(isIndicatorColumn);
  const model = mixture.components.length === 1 && !mixture.block && !marked ? paper() : mixture;
  const choice = mixture.certificate.choice ?? sized?.certificate.choice;
  return choice ? { ...model, certificate: { ...model.certificate, choice } } : model;
}

/** How a mixture is fitted: in the shape of one that was chosen before, where there is one. */
export function mixtureSettings({ options, messages }: DistributionRequest, sized?: Model): MixtureOptions {
  const { pseudocount, bins, seed, timeLimit, sharing, components, numeric } = options;
  return {
    pseudocount,
    bins,
    seed,
    timeLimit,
    threads: sharing,
    ...(sized ? mixtureShape(sized) : { components, numeric }),
    ...watchWork(messages),
  };
}

/** A mixture of rows in memory. */
export function fitMixtureOfRows(classifier: KnownPredictor, rows: Table, settings: MixtureOptions): Model {
  return conformMixture(classifier, { ...rows, schema: classifier.schema }, settings);
}
