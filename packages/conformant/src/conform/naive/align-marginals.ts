import { ConformantError, show } from "../../errors.ts";
import { type ColumnMarginal, checkCounts, type Marginals } from "../../marginals/marginals.ts";
import { type Column, isDiscrete, type Schema, valueCount } from "../../schema/column.ts";

/** The marginals in the order of the classifier's columns, each checked to be counts of that very column. */
export function alignMarginals(schema: Schema, marginals: Marginals): Marginals {
  const places = new Map(marginals.schema.columns.map(({ name }, at) => [name, at]));
  const columns = schema.columns.map((column) => {
    const at = places.get(column.name);
    if (at === undefined) fail(column.name, "is used by the classifier, but the marginals lack it");
    const marginal = marginals.columns[at];
    checkSameColumn(column, marginals.schema.columns[at], marginal);
    checkCounts(column, marginal, marginals.rows);
    return marginal;
  });
  return { schema, rows: marginals.rows, columns };
}

function checkSameColumn(column: Column, counted: Column, marginal: ColumnMarginal): void {
  if (column !== counted && JSON.stringify(column) !== JSON.stringify(counted)) {
    fail(
      column.name,
      "was counted with another kind or other values than the classifier's; count with classifier.schema",
    );
  }
  const expected = isDiscrete(column) ? valueCount(column) : undefined;
  if (expected !== undefined && (marginal.kind !== "discrete" || marginal.counts.length !== expected)) {
    fail(column.name, `must have ${expected} counts, got ${marginal.counts.length}`);
  }
}

function fail(column: string, what: string): never {
  throw new ConformantError("incompatible-marginals", `column ${show(column)} ${what}`, { column });
}
