import { count, counted, percent, residual, short } from "../terminal/numbers.ts";
import { textTable } from "../terminal/text-table.ts";
import type { ColumnDescription, ModelDescription } from "./describe-model.ts";

/** A model in words and tables. */
export function descriptionText(model: ModelDescription): string {
  const { classes, label, columns, components, rows, training, certificate } = model;
  const title = `${label ? `${label}: ` : ""}${counted(classes.length, "class", "classes")}, ${counted(columns.length, "column")}, ${counted(components, "component")}, fitted on ${counted(rows, "row")}`;
  const parts = [title, classTable(model), columnTable(model), weightTable(model)];
  const { status, iterations, decrement, marginalMismatch, conformityError } = certificate;
  const facts: [string, string][] = [
    [
      "certificate",
      `${status} after ${counted(iterations, "step")}, Newton decrement ${residual(decrement)}`,
    ],
  ];
  facts.push([
    "",
    `equals the classifier on complete rows up to ${residual(conformityError)}, the data's counts up to ${residual(marginalMismatch)}`,
  ]);
  if (model.logLikelihood !== undefined)
    facts.push([
      "likelihood",
      `${short(model.logLikelihood, 6)} nats a row, without the classifier's own part`,
    ]);
  if (training)
    facts.push(["training", `${training.status}, ${counted(training.rows, "row")}, l2 ${training.l2}`]);
  return [...parts, facts.map(([name, text]) => `${name.padEnd(12)} ${text}`).join("\n")].join("\n\n");
}

function classTable({ classes }: ModelDescription): string {
  return textTable(
    ["class", "share", "intercept"],
    classes.map(({ name, prior, intercept }) => [name, percent(prior), short(intercept)]),
    (c) => c > 0,
  );
}

/** What a gap is worth: for two classes the value it equals or its push to the log-odds, else its push to each class. */
function columnTable({ classes, columns }: ModelDescription): string {
  if (classes.length === 2) {
    const header = ["column", "kind", "a gap equals", `log-odds of ${classes[1].name}`];
    return textTable(
      header,
      columns.map((column) => [
        column.name,
        column.kind,
        column.gapEquals === undefined ? "" : short(column.gapEquals),
        signed(column.gap[1] - column.gap[0]),
      ]),
      (c) => c > 1,
    );
  }
  const header = ["a gap in", "kind", ...classes.map(({ name }) => `to ${name}`)];
  return textTable(
    header,
    columns.map((column) => [column.name, column.kind, ...column.gap.map(signed)]),
    (c) => c > 1,
  );
}

function weightTable({ classes, columns }: ModelDescription): string {
  const two = classes.length === 2;
  const header = [
    "weight of",
    ...(two ? [`log-odds of ${classes[1].name}`] : classes.map(({ name }) => name)),
  ];
  const rows = columns.flatMap((column) =>
    column.weights.map(({ value, perClass }) => [
      featureName(column, value),
      ...(two ? [signed(perClass[1] - perClass[0])] : perClass.map(signed)),
    ]),
  );
  const shown = rows.slice(0, 60);
  const table = textTable(header, shown, (c) => c > 0);
  return rows.length > shown.length
    ? `${table}\n… and ${count(rows.length - shown.length)} more; --json shows all`
    : table;
}

function featureName({ name }: ColumnDescription, value: string | undefined): string {
  return value === undefined ? name : `${name}=${value}`;
}

function signed(x: number): string {
  return x > 0 ? `+${short(x)}` : short(x);
}
