import { type Column, type Imputation, impute, type Model, predict } from "conformant";
import { usualRange, valueLabels } from "conformant/internal";
import { isIndicatorColumn } from "conformant-workbench";

/** What a client needs to know of a model; weights and log q stay in the file. */
export function summarizeModel(model: Model) {
  const { schema, response, predictor, components, rows, certificate } = model;
  const [prior, marginals] = [predict(model, {}), impute(model, {})];
  return {
    ...(predictor.label !== undefined && { label: predictor.label }),
    classes: response.outputs.map((name) => ({ name, prior: prior[name] })),
    columns: schema.columns
      .filter((column) => !isIndicatorColumn(column))
      .map((column) => ({
        name: column.name,
        kind: column.kind,
        ...valuesOf(column, marginals[column.name]),
      })),
    components: components.length,
    rows,
    certificate,
  };
}

/** The values of a discrete column, or the usual range of a numeric one. */
function valuesOf(
  column: Column,
  marginal: Imputation,
): { values?: readonly string[]; range?: [number, number] } {
  if (column.kind !== "numeric") return { values: valueLabels(column) };
  return marginal.kind === "numeric" ? { range: usualRange(marginal) } : {};
}
