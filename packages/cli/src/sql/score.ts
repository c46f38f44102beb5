import { type Column, type Model, slotOffsets } from "conformant";
import type { Dialect } from "./dialect.ts";
import { encodeSql, UNSEEN } from "./encode.ts";
import type { FieldSet } from "./fields.ts";

/**
 * The expected prediction as SQL (section 2 of the mathematics), for a model of one component:
 *
 *     p_k = softmax_k( b_k + Σ_i COALESCE( s_ki(x_i), log Z_ki ) )
 *
 * The result has p_0 … p_{K−1}, the number of unknown categories in the row, and the given expressions. A value that a
 * column cannot hold makes the probabilities NaN.
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
  const keptNames = texts.map((_, t) => `, k${t}`).join("");
  const logits = classes.map((_, k) => `${logitSql(dialect, model, k)} AS s${k}`);
  const unseen = schema.columns.flatMap(({ kind }, i) =>
    kind === "categorical" ? [`CASE WHEN x${i} = ${UNSEEN} THEN 1 ELSE 0 END`] : [],
  );
  const largest = `GREATEST(${classes.map((_, k) => `s${k}`).join(", ")})`;
  const powers = classes.map((_, k) => `${dialect.exp(`s${k} - m`)} AS e${k}`);
  const total = classes.map((_, k) => `e${k}`).join(" + ");
  const encoded = `SELECT ${[...cells, ...kept].join(", ")} FROM ${from}`;
  const scored = `SELECT ${logits.join(", ")}, ${unseen.join(" + ") || "0"} AS unseen${keptNames} FROM (${encoded}) AS encoded`;
  const shifted = `SELECT *, ${largest} AS m FROM (${scored}) AS scored`;
  const raised = `SELECT ${powers.join(", ")}, unseen${keptNames} FROM (${shifted}) AS shifted`;
  return `SELECT ${classes.map((_, k) => `e${k} / (${total}) AS p${k}`).join(", ")}, unseen${keptNames} FROM (${raised}) AS raised`;
}

/** b_k + Σ_i s_ki(x_i), with log Z_ki where x_i is a gap; a column without weight for the class adds nothing. */
function logitSql(dialect: Dialect, model: Model, k: number): string {
  const { intercept, schema } = model.classifier;
  const terms = schema.columns.map((column, i) => termSql(dialect, model, column, i, k));
  return [dialect.number(intercept[k]), ...terms.filter((term) => term !== "")].join(" + ");
}

function termSql(
  dialect: Dialect,
  { classifier, components, atoms }: Model,
  column: Column,
  i: number,
  k: number,
): string {
  const K = classifier.classes.length;
  const slot = slotOffsets(classifier.schema)[i];
  const gap = components[0].logZ[i * K + k];
  if (column.kind === "numeric") {
    const weight = classifier.weights[slot * K + k];
    // Even without a weight an infinite cell must spoil the score, so that it is noticed.
    return `COALESCE(${dialect.number(weight)} * ${dialect.nullForNan(`x${i}`)}, ${dialect.number(gap)})`;
  }
  const scores = Array.from({ length: atoms.columns[i].count }, (_, code) =>
    column.kind === "binary"
      ? code * classifier.weights[slot * K + k]
      : classifier.weights[(slot + code) * K + k],
  );
  const known = `COALESCE(${dialect.pick(`CASE WHEN x${i} >= 0 THEN x${i} END`, scores)}, ${dialect.number(gap)})`;
  return column.kind === "binary"
    ? `CASE WHEN x${i} < ${UNSEEN} THEN ${dialect.number(Number.NaN)} ELSE ${known} END`
    : known;
}
