import type { Model } from "conformant";
import { TIE } from "conformant/internal";
import { treesOf } from "conformant/trees";
import { UNSEEN } from "../source/cell-codes.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { encodeSql } from "./encode.ts";
import type { FieldSet } from "./fields.ts";
import { gaussianTerms } from "./gaussian-stages.ts";
import { classTerm, likelihoodTerm, missingTerm, placeSql } from "./score-terms.ts";
import { type Stage, sumSql } from "./stages.ts";
import { treeSums } from "./tree-stages.ts";

/** The names of the result columns: a probability per class, the number of unknown categories in the row, and copied columns. */
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
 * gives a component, over all classes, is how likely it is.
 *
 * The result has the probabilities, the number of unknown categories in the row, and the given expressions. A value that a
 * column cannot hold makes the probabilities NaN (NULL where an engine has no NaN).
 *
 * @param where a condition on the rows
 */
export function scoreSql(
  dialect: Dialect,
  model: Model,
  { from, fields }: FieldSet,
  texts: readonly string[],
  where?: string,
): string {
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const cells: Stage = schema.columns.map((column, i) => [
    `x${i}_`,
    encodeSql(dialect, column, fields.get(column.name)),
  ]);
  const unseen = schema.columns.flatMap(({ kind }, i) =>
    kind === "categorical" ? [`CASE WHEN x${i}_ = ${UNSEEN} THEN 1 ELSE 0 END`] : [],
  );
  const scores =
    model.components.length === 1 ? componentStages(dialect, model) : mixtureStages(dialect, model);
  const K = classes.length;
  const { stages, share } = dialect.softmax(
    model.components.flatMap((_, m) => classes.map((_, k) => `s${m * K + k}_`)),
  );
  const ensemble = treesOf(model);
  const trees = ensemble && treeSums(dialect, model, ensemble);
  const answer = (place: number): string =>
    trees
      ? sumSql(
          model.components.map((_, m) => {
            const shares = classes.map((_, k) => share(m * K + k));
            return `(${sumSql(shares)}) * ${trees.sum(place, m)}`;
          }),
        )
      : sumSql(model.components.map((_, m) => share(m * K + place)));
  const numbers: Stage = [
    ...Array.from({ length: answerCount(model) }, (_, place): Stage[number] => [
      scoreNames.probability(place),
      answer(place),
    ]),
    [scoreNames.unseen, sumSql(unseen) || "0"],
  ];
  const copies: Stage = texts.map((text, t) => [scoreNames.copy(t), text]);
  const query = { from, where, stages: [cells, ...scores, ...stages, ...(trees?.stages ?? [])] };
  return dialect.computed(query, numbers, copies);
}

/** The number of result numbers per row: one per class, or the sums of trees. */
function answerCount(model: Model): number {
  return treesOf(model)?.base.length ?? model.response.outputs.length;
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
function componentStages(dialect: Dialect, model: Model): Stage[] {
  const {
    schema,
    tilt: { intercept },
    response: { outputs: classes },
  } = model;
  const block = model.gaussianColumns && gaussianTerms(dialect, model, model.gaussianColumns);
  return [
    ...(block?.stages ?? []),
    classes.map((_, k) => {
      const terms = schema.columns.flatMap(
        (_, i) => classTerm(dialect, model, i, k, model.components[0].logZ[i * classes.length + k]) ?? [],
      );
      const worth = block?.worth(0, k) ?? [];
      return [`s${k}_`, sumSql([dialect.number(intercept[k]), ...terms].concat(worth))];
    }),
  ];
}

/**
 * s_mk = log π_m − log Z_m + b_k + Σ_{i known} ( s_ki(x_i) + log q_mi(x_i) ) + Σ_{i missing} log Z_mki, in three steps: the atom of each
 * cell, the sums per class and per component, and their total. A Gaussian adds its density to the sum of a component, relative to the
 * largest, so that small densities do not cancel the class scores.
 */
function mixtureStages(dialect: Dialect, model: Model): Stage[] {
  const { components, schema, tilt, response } = model;
  const K = response.outputs.length;
  const columns = schema.columns.map((_, i) => i);
  const block = model.gaussianColumns && gaussianTerms(dialect, model, model.gaussianColumns);
  const withAtoms = columns.filter((i) => !model.gaussianColumns?.columns.includes(i));
  const places: Stage = withAtoms.map((i) => [`j${i}_`, placeSql(dialect, model.atoms, i)]);
  const classSums: Stage = response.outputs.map((_, k) => {
    const terms = columns.flatMap((i) => classTerm(dialect, model, i, k, 0) ?? []);
    return [`c${k}_`, sumSql([dialect.number(tilt.intercept[k]), ...terms])];
  });
  const componentSums: Stage = components.map(({ logWeight, logNormaliser }, m) => {
    const terms = withAtoms.map((i) => likelihoodTerm(dialect, model, i, m));
    const density = block?.density(m) ?? [];
    return [`d${m}_`, sumSql([dialect.number(logWeight - logNormaliser), ...terms].concat(density))];
  });
  const sums = componentSums.map(([name]) => name);
  const largest: Stage[] = block ? [[["most_", dialect.greatest(sums)]]] : [];
  const scores: Stage = components.flatMap((_, m) =>
    response.outputs.map((_, k): Stage[number] => {
      const gaps = withAtoms.map((i) => missingTerm(dialect, model, i, m, k));
      const relative = block ? `(d${m}_ - most_)` : `d${m}_`;
      return [`s${m * K + k}_`, sumSql([`c${k}_`, relative, ...gaps].concat(block?.worth(m, k) ?? []))];
    }),
  );
  const placed = places.length > 0 ? [places] : [];
  return [...placed, ...(block?.stages ?? []), [...classSums, ...componentSums], ...largest, scores];
}
