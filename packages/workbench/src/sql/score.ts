import type { AnyModel, Distribution, LinearRegressor, TreeEnsemble } from "conformant";
import { linearSums, TIE } from "conformant/internal";
import { treesOf } from "conformant/trees";
import { UNSEEN } from "../source/cell-codes.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { encodeSql } from "./encode.ts";
import type { FieldSet } from "./fields.ts";
import { gaussianTerms } from "./gaussian-stages.ts";
import { classTerm, likelihoodTerm, missingTerm, placeSql } from "./score-terms.ts";
import { type Stage, sumSql } from "./stages.ts";
import { treeSums } from "./tree-stages.ts";

/** The names of the result columns: a probability per class or the number, the number of unknown categories in the row, and copied columns. */
export const scoreNames = {
  probability: (k: number): string => `p${k}_`,
  unseen: "unseen_",
  copy: (t: number): string => `k${t}_`,
};

/**
 * The expected prediction as SQL (sections 2 and 4 of the mathematics). For a model of one component
 *
 *     p_k = softmax_k( b_k + Σ_i COALESCE( s_ki(x_i), log Z_ki ) )
 *
 * and for a mixture the sum over its components of the softmax over components and classes. Trees have their expected sums in the
 * place of probabilities, which for a forest is the same: the classifier behind their rows has no weights, so that what the softmax
 * gives a component, over all classes, is how likely it is. A linear regressor has the scores of its sum ({@link linearSums}).
 *
 * The result has the probabilities or the number, the number of unknown categories in the row, and the given expressions. A value that a
 * column cannot hold makes the probabilities NaN (NULL where an engine has no NaN).
 *
 * @param where a condition on the rows
 */
export function scoreSql(
  dialect: Dialect,
  model: AnyModel,
  { from, fields }: FieldSet,
  texts: readonly string[],
  where?: string,
): string {
  const { columns } = model.schema;
  const cells: Stage = columns.map((column, i) => [
    `x${i}_`,
    encodeSql(dialect, column, fields.get(column.name)),
  ]);
  const unseen = columns.flatMap(({ kind }, i) =>
    kind === "categorical" ? [`CASE WHEN x${i}_ = ${UNSEEN} THEN 1 ELSE 0 END`] : [],
  );
  const { predictor } = model;
  const { stages, answers } =
    predictor.kind === "linear"
      ? linearAnswer(dialect, predictor, model)
      : expectedAnswers(dialect, model, treesOf(model));
  const numbers: Stage = [
    ...answers.map((answer, place): Stage[number] => [scoreNames.probability(place), answer]),
    [scoreNames.unseen, sumSql(unseen) || "0"],
  ];
  const copies: Stage = texts.map((text, t) => [scoreNames.copy(t), text]);
  return dialect.computed({ from, where, stages: [cells, ...stages] }, numbers, copies);
}

/** The numbers of a row: stages over its encoded cells, and expressions over their names. */
interface Answers {
  readonly stages: readonly Stage[];
  readonly answers: readonly string[];
}

/** Probabilities of classes, or the sums of trees. */
function expectedAnswers(dialect: Dialect, model: Distribution, ensemble: TreeEnsemble | undefined): Answers {
  const [M, K] = [model.components.length, model.tilt.intercept.length];
  const { stages, share } = dialect.softmax(namesOf(M * K, (a) => `s${a}_`));
  const trees = ensemble && treeSums(dialect, model, ensemble);
  const perComponent = (term: (m: number) => string): string => sumSql(namesOf(M, term));
  const answer = (place: number): string =>
    trees
      ? perComponent((m) => `(${sumSql(namesOf(K, (k) => share(m * K + k)))}) * ${trees.sum(place, m)}`)
      : perComponent((m) => share(m * K + place));
  return {
    stages: [...scoreStages(dialect, model), ...stages, ...(trees?.stages ?? [])],
    answers: namesOf(ensemble?.base.length ?? K, answer),
  };
}

/** The expected number of a linear regressor, from the scores of its sum. */
function linearAnswer(dialect: Dialect, regressor: LinearRegressor, distribution: Distribution): Answers {
  const { scored, unit } = linearSums(regressor, distribution);
  const [M, T] = [scored.components.length, scored.tilt.intercept.length];
  const score = (m: number, t: number): string => `s${m * T + t}_`;
  const { stages, share, logTotal } = dialect.softmax(namesOf(M, (m) => score(m, 0)));
  const start = dialect.number(regressor.intercept);
  const half = (x: string): string => (T === 2 ? x : `${dialect.number(0.5)} * ${x}`);
  const answer =
    regressor.link === "log"
      ? sumSql(namesOf(M, (m) => dialect.exp(`${start} + ${score(m, 1)} - (${logTotal})`)))
      : `${start} + ${dialect.number(unit)} * (${sumSql(
          namesOf(M, (m) => `${share(m)} * ${half(`(${score(m, 1)} - ${score(m, T === 2 ? 0 : 2)})`)}`),
        )})`;
  return { stages: [...scoreStages(dialect, scored), ...stages], answers: [answer] };
}

function namesOf(count: number, name: (place: number) => string): string[] {
  return Array.from({ length: count }, (_, place) => name(place));
}

/** The scores of components and classes, under the names s0_, s1_, …, components first. */
function scoreStages(dialect: Dialect, model: Distribution): Stage[] {
  return model.components.length === 1 ? componentStages(dialect, model) : mixtureStages(dialect, model);
}

/**
 * The class with the highest probability, the last one of those that are tied: none before it is higher by more than a tie, and those
 * after it are lower. Over the result of {@link scoreSql}.
 *
 * @param write how a class is written, by its name and its position
 */
export function labelSql(
  dialect: Dialect,
  classes: readonly string[],
  write: (name: string, k: number) => string = dialect.literal,
): string {
  const cases = classes
    .map((name, k) => {
      const before = classes
        .slice(0, k)
        .map(
          (_, j) => `${scoreNames.probability(k)} >= ${scoreNames.probability(j)} - ${dialect.number(TIE)}`,
        );
      return `WHEN ${before.join(" AND ") || `${scoreNames.probability(k)} IS NOT NULL`} THEN ${write(name, k)}`;
    })
    .reverse();
  return `CASE ${cases.join(" ")} END`;
}

/** s_k = b_k + Σ_i s_ki(x_i), with log Z_ki where x_i is missing, and the effect of the missing numbers of a Gaussian. */
function componentStages(dialect: Dialect, model: Distribution): Stage[] {
  const {
    schema,
    tilt: { intercept },
  } = model;
  const block = model.gaussianColumns && gaussianTerms(dialect, model, model.gaussianColumns);
  return [
    ...(block?.stages ?? []),
    Array.from(intercept, (b, k): Stage[number] => {
      const terms = schema.columns.flatMap(
        (_, i) => classTerm(dialect, model, i, k, model.components[0].logZ[i * intercept.length + k]) ?? [],
      );
      const worth = block?.worth(0, k) ?? [];
      return [`s${k}_`, sumSql([dialect.number(b), ...terms].concat(worth))];
    }),
  ];
}

/**
 * s_mk = log π_m − log Z_m + b_k + Σ_{i known} ( s_ki(x_i) + log q_mi(x_i) ) + Σ_{i missing} log Z_mki, in three steps: the atom of each
 * cell, the sums per class and per component, and their total. A Gaussian adds its density to the sum of a component, relative to the
 * largest, so that small densities do not cancel the class scores.
 */
function mixtureStages(dialect: Dialect, model: Distribution): Stage[] {
  const { components, schema, tilt } = model;
  const K = tilt.intercept.length;
  const columns = schema.columns.map((_, i) => i);
  const block = model.gaussianColumns && gaussianTerms(dialect, model, model.gaussianColumns);
  const withAtoms = columns.filter((i) => !model.gaussianColumns?.columns.includes(i));
  const places: Stage = withAtoms.map((i) => [`j${i}_`, placeSql(dialect, model.atoms, i)]);
  const classSums: Stage = Array.from(tilt.intercept, (b, k) => {
    const terms = columns.flatMap((i) => classTerm(dialect, model, i, k, 0) ?? []);
    return [`c${k}_`, sumSql([dialect.number(b), ...terms])];
  });
  const componentSums: Stage = components.map(({ logWeight, logNormaliser }, m) => {
    const terms = withAtoms.map((i) => likelihoodTerm(dialect, model, i, m));
    const density = block?.density(m) ?? [];
    return [`d${m}_`, sumSql([dialect.number(logWeight - logNormaliser), ...terms].concat(density))];
  });
  const sums = componentSums.map(([name]) => name);
  const largest: Stage[] = block ? [[["most_", dialect.greatest(sums)]]] : [];
  const scores: Stage = components.flatMap((_, m) =>
    Array.from(tilt.intercept, (_, k): Stage[number] => {
      const gaps = withAtoms.map((i) => missingTerm(dialect, model, i, m, k));
      const relative = block ? `(d${m}_ - most_)` : `d${m}_`;
      return [`s${m * K + k}_`, sumSql([`c${k}_`, relative, ...gaps].concat(block?.worth(m, k) ?? []))];
    }),
  );
  const placed = places.length > 0 ? [places] : [];
  return [...placed, ...(block?.stages ?? []), [...classSums, ...componentSums], ...largest, scores];
}
