import { type Column, type Model, predict, valueLabels } from "conformant";

/** What a client needs to know of a model; weights and log q stay in the file. */
export function summariseModel(model: Model) {
  const { classifier, components, rows, certificate } = model;
  const prior = predict(model, {});
  return {
    ...(classifier.label !== undefined && { label: classifier.label }),
    classes: classifier.classes.map((name) => ({ name, prior: prior[name] })),
    columns: classifier.schema.columns.map((column, i) => ({
      name: column.name,
      kind: column.kind,
      ...valuesOf(column, model.atoms.columns[i]?.values),
    })),
    components: components.length,
    rows,
    certificate,
  };
}

/** The values of a discrete column, or the least and largest representative of a numeric one. */
function valuesOf(
  column: Column,
  atoms: Float64Array | undefined,
): { values?: readonly string[]; range?: [number, number] } {
  if (column.kind !== "numeric") return { values: valueLabels(column) };
  return atoms && atoms.length > 0 ? { range: [atoms[0], atoms[atoms.length - 1]] } : {};
}
