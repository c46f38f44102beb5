import type { Classifier } from "../additive/classifier.ts";
import type { Distribution } from "../distribution/distribution.ts";
import type { Predictor, PredictorKind, Response } from "../predictors/predictor.ts";
import type { TreeClassifier } from "../trees/tree-ensemble.ts";

/** The predictors of the library, told apart by `kind`. */
export type KnownPredictor = Classifier | TreeClassifier;

/** A predictor and the distribution of its inputs. Plain data: it survives structuredClone and a message to another thread. */
export interface Model<P extends Predictor = KnownPredictor> extends Distribution {
  readonly predictor: P;
  readonly response: Response;
  /** What a program stores with a model, as plain JSON; the library carries it through model files and reads none of it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Joins a predictor of a known kind with a distribution on its columns. */
export function joinModel<P extends Predictor>(
  kind: PredictorKind<P>,
  predictor: P,
  distribution: Distribution,
): Model<P> {
  return { ...distribution, predictor, response: kind.response(predictor) };
}
