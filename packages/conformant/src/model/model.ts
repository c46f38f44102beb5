import type { Classifier } from "../additive/classifier.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { ConformantError, requireMade, show } from "../errors.ts";
import type { LinearRegressor } from "../linear/linear-regressor.ts";
import type { Predictor, PredictorKind, Response } from "../predictors/predictor.ts";
import type { RowFunction } from "../predictors/row-function.ts";
import type { TreeClassifier, TreeRegressor } from "../trees/tree-ensemble.ts";

/** The classifiers of the library, told apart by `kind`. */
export type KnownPredictor = Classifier | TreeClassifier;

/** The regressors of the library, told apart by `kind`: predictors whose answer is a number. */
export type KnownRegressor = LinearRegressor | TreeRegressor | RowFunction;

/** A predictor and the distribution of its inputs. Plain data: it survives structuredClone and a message to another thread. */
export interface Model<P extends Predictor = KnownPredictor> extends Distribution {
  readonly predictor: P;
  readonly response: Response;
  /** What a program stores with a model, as plain JSON; the library carries it through model files and reads none of it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A model whose answer is a number. */
export type RegressionModel = Model<KnownRegressor>;

/** A model of any kind: `response.kind` says whether it answers with class probabilities or with a number. */
export type AnyModel = Model | RegressionModel;

/** Whether a model answers with a number. */
export function isRegression(model: AnyModel): model is RegressionModel {
  requireMade("model", model);
  return model.response.kind === "number";
}

/** A model of classes as it is, or an error that names what needs it. */
export function requireClasses(model: AnyModel, what: string): asserts model is Model {
  if (!isRegression(model)) return;
  const message = `${what} needs a model of classes, got one that predicts the number ${show(model.response.outputs[0])}`;
  throw new ConformantError("invalid-argument", message, { argument: "model" });
}

/** A model of a number as it is, or an error that names what needs it. */
export function requireNumber(model: AnyModel, what: string): asserts model is RegressionModel {
  if (isRegression(model)) return;
  const message = `${what} needs a model of a number, got one of the classes ${model.response.outputs.map(show).join(", ")}`;
  throw new ConformantError("invalid-argument", message, { argument: "model" });
}

/** Joins a predictor of a known kind with a distribution on its columns. */
export function joinModel<P extends Predictor>(
  kind: PredictorKind<P>,
  predictor: P,
  distribution: Distribution,
): Model<P> {
  return { ...distribution, predictor, response: kind.response(predictor) };
}
