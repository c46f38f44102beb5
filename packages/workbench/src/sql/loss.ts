import type { Classifier, Schema } from "conformant";
import { slotOffsets } from "conformant/remote";
import type { LabeledCells } from "../source/table-source.ts";
import type { Contribution, EngineDialect } from "./dialects/engine-dialect.ts";
import { encodeSql } from "./encode.ts";
import type { Field, FieldSet } from "./fields.ts";
import { type Stage, sumSql } from "./stages.ts";

/** Mean and standard deviation of a numeric column. */
export interface Scaling {
  readonly mean: number;
  readonly scale: number;
}

/** A condition that only rows without missing values meet; undefined where all do. */
function completeSql({ fields: { fields }, withGaps }: LabeledCells<FieldSet>): string | undefined {
  if (withGaps.length === 0) return undefined;
  return withGaps.map((name) => `${(fields.get(name) as Field).value} IS NOT NULL`).join(" AND ");
}

/** The number of complete rows and, for each column, Σ (x − origin) and Σ (x − origin)², as texts. */
export function momentsSql(
  dialect: EngineDialect,
  rows: LabeledCells<FieldSet>,
  columns: readonly { readonly name: string; readonly origin: number }[],
): string {
  const { from, fields } = rows.fields;
  const stage: Stage = columns.map(({ name, origin }, i) => {
    const encoded = encodeSql(dialect, { name, kind: "numeric" }, fields.get(name));
    return [`x${i}_`, `${encoded} - ${dialect.number(origin)}`];
  });
  const sums = columns.flatMap((_, i) => [`sum(x${i}_)`, `sum(x${i}_ * x${i}_)`]);
  const selected = ["count(*)", ...sums].map(dialect.text).join(", ");
  return dialect.staged({ from, where: completeSql(rows), stages: [[["one_", "1"], ...stage]] }, selected);
}

/**
 * Loss and gradient of a logistic regression over the complete rows: by slot Σ (p_k − [label = k])·x, for each class or for the second of
 * two, and Σ −log p_label. Numeric columns are standardized; the final slot belongs to every row.
 */
export function lossSql(
  dialect: EngineDialect,
  classifier: Classifier,
  rows: LabeledCells<FieldSet>,
  scaling: ReadonlyMap<string, Scaling>,
): string {
  const { classes, schema } = classifier;
  const { from, fields } = rows.fields;
  const encoded: Stage = [
    ...schema.columns.map((column, i): Stage[number] => [
      `x${i}_`,
      encodeSql(dialect, column, fields.get(column.name)),
    ]),
    ["y_", encodeSql(dialect, rows.label, fields.get(rows.label.name))],
  ];
  const scores = scoreStage(dialect, classifier);
  const { stages, share, logTotal } = dialect.softmax(scores.map(([name]) => name));
  const trained = classes.map((_, k) => k).slice(classes.length === 2 ? 1 : 0);
  const residuals = trained.map((k) => `${share(k)} - CASE WHEN y_ = ${k} THEN 1 ELSE 0 END`);
  const own = classes.map((_, k) => `WHEN y_ = ${k} THEN s${k}_`).join(" ");
  return dialect.sumPerSlot(
    { from, where: completeSql(rows), stages: [encoded, scores, ...stages] },
    contributionsOf(dialect, schema, scaling),
    [...residuals, `${logTotal} - CASE ${own} END`],
  );
}

/** The scores of the classes from encoded cells: b_k + Σ_i s_ki(x_i). */
function scoreStage(dialect: EngineDialect, { classes, schema, intercept, weights }: Classifier): Stage {
  const [K, slots] = [classes.length, slotOffsets(schema)];
  return classes.map((_, k) => {
    const terms = schema.columns.map((column, i) => {
      const own = (slot: number): number => weights[slot * K + k];
      if (column.kind === "numeric" || column.kind === "binary")
        return `${dialect.number(own(slots[i]))} * x${i}_`;
      const list = Array.from({ length: slots[i + 1] - slots[i] }, (_, v) => own(slots[i] + v));
      return dialect.pick(`CASE WHEN x${i}_ < 0 THEN 0 ELSE x${i}_ END`, list);
    });
    return [`s${k}_`, sumSql([dialect.number(intercept[k]), ...terms])];
  });
}

/** The slot of each column's cell and its factor; last the slot of every row. */
function contributionsOf(
  dialect: EngineDialect,
  schema: Schema,
  scaling: ReadonlyMap<string, Scaling>,
): Contribution[] {
  const slots = slotOffsets(schema);
  const columns = schema.columns.map(({ name, kind }, i): Contribution => {
    if (kind === "binary") return { slot: String(slots[i]), factor: `1.0 * x${i}_` };
    if (kind !== "numeric") return { slot: `x${i}_ + ${slots[i]}` };
    const { mean, scale } = scaling.get(name) as Scaling;
    return {
      slot: String(slots[i]),
      factor: `(x${i}_ - ${dialect.number(mean)}) / ${dialect.number(scale)}`,
    };
  });
  return [...columns, { slot: String(slots[schema.columns.length]) }];
}
