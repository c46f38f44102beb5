import { additiveKind } from "../additive/additive-kind.ts";
import { memoize } from "../cache.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { ConformantError, requireList, requireMade, requireOptions, show } from "../errors.ts";
import { linearKind } from "../linear/linear-kind.ts";
import type { Expectation } from "../predictors/expectation.ts";
import type { Predictor, PredictorKind } from "../predictors/predictor.ts";
import { functionKind } from "../predictors/row-function.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import type { Column } from "../schema/column.ts";
import type { Data } from "../schema/data.ts";
import { type AlsoOptions, alsoColumns } from "../schema/infer-schema.ts";
import type { Marginals } from "../schema/marginals.ts";
import { regressionTreesKind, treesKind } from "../trees/trees-kind.ts";
import { type AnyModel, joinModel, type Model } from "./model.ts";

/** Every kind of predictor that the library knows. A new kind is a folder and a line here. */
const KINDS = [additiveKind, treesKind, linearKind, regressionTreesKind, functionKind] as const;

// Pure: pages that ask for no kind do not load them.
const byName = /* @__PURE__ */ listKinds();

function listKinds(): Map<string, PredictorKind> {
  return new Map(KINDS.map((kind) => [kind.kind, kind as unknown as PredictorKind]));
}

/** Adds a kind of predictor that is not the library's own, for this thread. */
export function addKind<P extends Predictor>(kind: PredictorKind<P>): void {
  byName.set(kind.kind, kind as unknown as PredictorKind);
}

/** What the library knows of the kind of a predictor. */
export function kindOf<P extends Predictor>(predictor: P, argument = "predictor"): PredictorKind<P> {
  const kind = byName.get(predictor?.kind);
  if (kind) return kind as unknown as PredictorKind<P>;
  const names = [...byName.values()].map(({ description }) => description).join(" or ");
  throw new ConformantError("invalid-argument", `${argument} must be ${names}, got ${show(predictor)}`, {
    argument,
    value: predictor,
  });
}

/** The class scores that a distribution has to carry to conform with a predictor; zeros but for additive classifiers. */
export function classTilt(predictor: Predictor): ClassTilt {
  return kindOf(predictor).tilt(predictor);
}

/**
 * Any predictor with a distribution on its columns, which must carry the scores of an additive classifier.
 *
 *     const model = createModel(classifier, distribution);
 */
export function createModel<P extends Predictor>(predictor: P, distribution: Distribution): Model<P> {
  const kind = kindOf(predictor);
  requireMade("classifier of any kind", predictor, "predictor");
  requireMade("distribution", distribution);
  requireScores(distribution.tilt, kind.tilt(predictor));
  return joinModel(kind, predictor, distribution);
}

/** Throws unless a distribution carries these scores: with others the model would not give the predictor's own answers. */
function requireScores(own: ClassTilt, needed: ClassTilt): void {
  if (own === needed) return;
  for (const part of ["intercept", "weights"] as const) {
    const [given, wanted] = [own[part], needed[part]];
    const j = wanted.findIndex((x, at) => x !== given?.[at]);
    if (j < 0 && given?.length === wanted.length) continue;
    const got = j < 0 ? `${show(given)} of another length` : `${show(given?.[j])} for ${wanted[j]}`;
    const message = `distribution.tilt.${part} must be the class scores of the predictor, got ${got}`;
    throw new ConformantError("invalid-argument", message, { argument: "distribution", value: own });
  }
}

const expectations = new WeakMap<AnyModel, Expectation>();

/** The expectation of a model, made once. */
export function expectationOf(model: AnyModel): Expectation {
  return memoize(expectations, model, makeExpectation);
}

function makeExpectation(model: AnyModel): Expectation {
  return kindOf(model.predictor, "model.predictor").expectation(model.predictor, model);
}

/**
 * The predictor on more columns, behind its own, that it does not use: its answers stay as they are, to the last bit, and a model
 * fitted to it may infer missing columns from them. {@link conform} and {@link conformMixture} do the same by their option `also`;
 * for rows in chunks or elsewhere this says what the columns are.
 */
export function addColumns<P extends Predictor>(predictor: P, columns: readonly Column[]): P {
  const kind = kindOf(predictor, "classifier");
  requireList("columns", columns);
  return columns.length === 0 ? predictor : kind.addColumns(predictor, columns);
}

/** The predictor on its own columns and those that the option names. */
export function withAlso<P extends Predictor>(predictor: P, data: Data | Marginals, options: AlsoOptions): P {
  requireOptions(options);
  requireMade("classifier of any kind", predictor, "classifier");
  const { schema, label } = predictor;
  return addColumns(predictor, alsoColumns(data as Data, options, schema, [label]));
}
