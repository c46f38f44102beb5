import type { Model } from "conformant";
import type { Dialect } from "./dialect.ts";
import { encodeSql, UNSEEN } from "./encode.ts";
import type { FieldSet } from "./fields.ts";
import { classTerm, gapTerm, likelihoodTerm, placeSql } from "./score-terms.ts";

/**
 * The expected prediction as SQL (sections 2 and 4 of the mathematics). For a model of one component
 *
 *     p_k = softmax_k( b_k + Σ_i COALESCE( s_ki(x_i), log Z_ki ) )
 *
 * and for a mixture the sum over its components of the softmax over components and classes.
 *
 * The result has p_0 … p_{K−1}, the number of unknown categories in the row, and the given expressions. A value that a
 * column cannot hold makes the probabilities NaN (NULL where an engine has no NaN).
 */
export function scoreSql(
  dialect: Dialect,
  model: Model,
  { from, fields }: FieldSet,
  texts: readonly string[],
): string {
  const { classes, schema } = model.classifier;
  const cells = schema.columns.map(
    (column, i) => `${encodeSql(dialect, column, fields.get(column.name))} AS x${i}`,
  );
  const kept = texts.map((text, t) => `${text} AS k${t}`);
  const unseen = schema.columns.flatMap(({ kind }, i) =>
    kind === "categorical" ? [`CASE WHEN x${i} = ${UNSEEN} THEN 1 ELSE 0 END`] : [],
  );
  const rest = ["unseen", ...texts.map((_, t) => `k${t}`)];
  const encoded = `SELECT ${[...cells, ...kept].join(", ")} FROM ${from}`;
  const counted = [`${unseen.join(" + ") || "0"} AS unseen`, ...rest.slice(1)];
  const score = model.components.length === 1 ? scoreComponent : scoreMixture;
  return softmaxSql(dialect, score(dialect, model, encoded, counted, rest), model.components.length, {
    K: classes.length,
    rest,
  });
}

/** s_k = b_k + Σ_i s_ki(x_i), with log Z_ki where x_i is a gap. */
function scoreComponent(dialect: Dialect, model: Model, encoded: string, counted: readonly string[]): string {
  const { classes, intercept, schema } = model.classifier;
  const logits = classes.map((_, k) => {
    const terms = schema.columns.map((_, i) =>
      classTerm(dialect, model, i, k, dialect.number(model.components[0].logZ[i * classes.length + k])),
    );
    return `${sumSql([dialect.number(intercept[k]), ...terms])} AS s${k}`;
  });
  return `SELECT ${[...logits, ...counted].join(", ")}\nFROM (${encoded}) AS encoded`;
}

/**
 * s_mk = log π_m − log Z_m + b_k + Σ_{i known} ( s_ki(x_i) + log q_mi(x_i) ) + Σ_{i missing} log Z_mki, in three steps: the
 * atom of each cell, the sums per class and per component, and all of it together.
 */
function scoreMixture(
  dialect: Dialect,
  model: Model,
  encoded: string,
  counted: readonly string[],
  rest: readonly string[],
): string {
  const { classifier, components } = model;
  const columns = classifier.schema.columns.map((_, i) => i);
  const places = columns.map((i) => `${placeSql(dialect, model, i)} AS j${i}`);
  const placed = `SELECT ${[...columns.map((i) => `x${i}`), ...places, ...counted].join(", ")}\nFROM (${encoded}) AS encoded`;
  const classSums = classifier.classes.map((_, k) => {
    const terms = columns.map((i) => classTerm(dialect, model, i, k, dialect.number(0)));
    return `${sumSql([dialect.number(classifier.intercept[k]), ...terms])} AS c${k}`;
  });
  const componentSums = components.map(({ logWeight, logNormaliser }, m) => {
    const terms = columns.map((i) => likelihoodTerm(dialect, model, i, m));
    return `${sumSql([dialect.number(logWeight - logNormaliser), ...terms])} AS d${m}`;
  });
  const kept = [...columns.map((i) => `j${i}`), ...rest];
  const summed = `SELECT ${[...classSums, ...componentSums, ...kept].join(", ")}\nFROM (${placed}) AS placed`;
  const scores = components.flatMap((_, m) =>
    classifier.classes.map((_, k) => {
      const gaps = columns.map((i) => gapTerm(dialect, model, i, m, k));
      return `${sumSql([`c${k}`, `d${m}`, ...gaps])} AS s${m * classifier.classes.length + k}`;
    }),
  );
  return `SELECT ${[...scores, ...rest].join(", ")}\nFROM (${summed}) AS summed`;
}

/** p_k = Σ_m e^{s_mk} / Σ_mk e^{s_mk}, relative to the largest so that nothing overflows. */
function softmaxSql(
  dialect: Dialect,
  scored: string,
  M: number,
  { K, rest }: { readonly K: number; readonly rest: readonly string[] },
): string {
  const all = Array.from({ length: M * K }, (_, a) => a);
  const largest = dialect.greatest(all.map((a) => `s${a}`));
  const shifted = `SELECT ${[...all.map((a) => `s${a}`), ...rest].join(", ")}, ${largest} AS m FROM (${scored}) AS scored`;
  const powers = all.map((a) => `${dialect.exp(`s${a} - m`)} AS e${a}`);
  const raised = `SELECT ${[...powers, ...rest].join(", ")}\nFROM (${shifted}) AS shifted`;
  const total = sumSql(all.map((a) => `e${a}`));
  const shares = Array.from({ length: K }, (_, k) => {
    const own = sumSql(all.filter((a) => a % K === k).map((a) => `e${a}`));
    return `${M > 1 ? `(${own})` : own} / (${total}) AS p${k}`;
  });
  return `SELECT ${[...shares, ...rest].join(", ")}\nFROM (${raised}) AS raised`;
}

/** Terms that stand in one sum; engines limit how deep an expression may be, and a sum is as deep as it is long. */
const MOST_TERMS = 500;

function sumSql(terms: readonly string[]): string {
  if (terms.length <= MOST_TERMS) return terms.join(" + ");
  const parts = Array.from({ length: Math.ceil(terms.length / MOST_TERMS) }, (_, p) =>
    terms.slice(p * MOST_TERMS, (p + 1) * MOST_TERMS).join(" + "),
  );
  return sumSql(parts.map((part) => `(${part})`));
}
