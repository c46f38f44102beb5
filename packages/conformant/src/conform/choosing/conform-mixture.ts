import type { Classifier } from "../../classifier/classifier.ts";
import { ConformantError, requireMade, requireOptions } from "../../errors.ts";
import type { Certificate } from "../../model/certificate.ts";
import type { Model } from "../../model/model.ts";
import type { Data } from "../../schema/data.ts";
import { readWeightedRows } from "../../schema/rows/weighted-rows.ts";
import { certifyBlock } from "../mixture/certify-block.ts";
import { checkFit } from "../mixture/check-fit.ts";
import { conformityError } from "../naive/certify.ts";
import type { Answering } from "./answering.ts";
import { type FittedChoice, fitChosen } from "./fit-chosen.ts";
import type { MixtureOptions } from "./mixture-options.ts";

/**
 * Fits a mixture of naive conformant distributions to rows.
 *
 * @param answering what the choice of size and kind is judged by; default: the classifier
 */
export function conformMixture(
  classifier: Classifier,
  data: Data,
  options: MixtureOptions = {},
  answering?: Answering,
): Model {
  requireMade("classifier of any kind", classifier, "classifier");
  requireOptions(options);
  const all = readWeightedRows(classifier.schema, data, options);
  if (all.rows.length === 0)
    throw new ConformantError("empty-data", "conformMixture needs rows to learn from, got 0");
  return mixtureModel(fitChosen(classifier, all, options, answering));
}

/** The fitted mixture with its certificate. */
export function mixtureModel({ problem, best, choice }: FittedChoice): Model {
  checkFit({ best, problem });
  const { classifier, atoms, totalWeight, settings, frame } = problem;
  const { status, components, steps, decrement, marginalMismatch, objective, dropped } = best;
  const errors = components.map((component) =>
    conformityError(classifier, atoms, component, settings.seed, frame?.block),
  );
  const certificate: Certificate = {
    status,
    iterations: steps,
    decrement,
    marginalMismatch,
    conformityError: Math.max(...errors),
    mixture: { objective, dropped },
    ...(choice && { choice }),
    ...(frame && { gaussian: certifyBlock(problem, best, frame) }),
  };
  return {
    classifier,
    atoms,
    ...(frame && { block: frame.block }),
    components,
    rows: totalWeight,
    pseudocount: settings.pseudocount,
    certificate,
  };
}
