import type { Classifier } from "../../classifier/classifier.ts";
import { ConformantError, requireMade, requireOptions } from "../../errors.ts";
import type { Certificate } from "../../model/certificate.ts";
import { joinParts } from "../../model/factor-parts.ts";
import type { Model } from "../../model/model.ts";
import type { Data } from "../../schema/data.ts";
import { readWeightedRows } from "../../schema/rows/weighted-rows.ts";
import { checkFit } from "../mixture/check-fit.ts";
import { factorsInFit } from "../mixture/factors-in-fit.ts";
import { otherParts } from "../mixture/fit-rows.ts";
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
  const { classifier, atoms, totalWeight, settings } = problem;
  const factors = factorsInFit(problem);
  const { status, components, steps, decrement, marginalMismatch, objective, dropped } = best;
  const outcome = {
    schema: classifier.schema,
    rows: components.map(({ logWeight }) => Math.exp(logWeight) * totalWeight),
    mismatch: best.momentMismatch ?? 0,
    ridge: settings.ridge,
  };
  const errors = components.map((component) =>
    conformityError(classifier, atoms, component, settings.seed, factors),
  );
  const certificate: Certificate = {
    status,
    iterations: steps,
    decrement,
    marginalMismatch,
    conformityError: Math.max(...errors),
    mixture: { objective, dropped },
    ...(choice && { choice }),
    ...joinParts(factors.map((factor) => factor.certify(outcome))),
  };
  return {
    classifier,
    atoms,
    ...otherParts(problem),
    components,
    rows: totalWeight,
    pseudocount: settings.pseudocount,
    certificate,
  };
}
