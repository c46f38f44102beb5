import type { Certificate } from "conformant";
import { count, counted, percent, residual, short } from "conformant-workbench";
import {
  type ColumnDescription,
  choiceSentence,
  choiceTable,
  describeVerdict,
  type ModelDescription,
  missingEffectTable,
  type RegressionDescription,
  signed,
} from "conformant-workbench/describe";
import { listed as quotedList } from "../errors.ts";
import { textTable } from "../terminal/text-table.ts";
import { verdictText } from "./verdict-text.ts";

/** A model described in words and tables. */
export function descriptionText(model: ModelDescription): string {
  const { classes, label, columns, components, rows, training, certificate } = model;
  const title = `${label ? `${label}: ` : ""}${counted(classes.length, "class", "classes")}, ${counted(columns.length, "column")}, ${counted(components, "component")}, fitted on ${counted(rows, "row")}`;
  const parts = model.trees
    ? [title, shareTable(model), kindTable(model), ...choiceTexts(certificate)]
    : [title, classTable(model), columnTable(model), weightTable(model), ...choiceTexts(certificate)];
  const facts: Fact[] = [
    ...treeFacts(model),
    ...certificateFacts(certificate),
    ...gaussianFacts(certificate),
  ];
  const likelihood = likelihoodText(model);
  if (likelihood !== undefined) facts.push(["likelihood", likelihood]);
  if (certificate.choice) facts.push(["chosen by", choiceSentence(certificate.choice)]);
  if (training)
    facts.push(["training", `${training.status}, ${counted(training.rows, "row")}, l2 ${training.l2}`]);
  const verdict =
    model.verdict &&
    verdictText(
      describeVerdict(
        model.verdict,
        classes.map(({ name }) => name),
      ),
    );
  return [
    ...(verdict ? [verdict] : []),
    ...parts,
    facts.map(([name, text]) => `${name.padEnd(12)} ${text}`).join("\n"),
  ].join("\n\n");
}

/** A model that predicts a number, described in words and tables. */
export function regressionText(model: RegressionDescription): string {
  const { output, columns, components, rows, certificate, trees, training, prior, standardDeviation, link } =
    model;
  const title = `the number ${output}: ${counted(columns.length, "column")}, ${counted(components, "component")}, fitted on ${counted(rows, "row")}`;
  const facts: Fact[] = [
    [
      "expects",
      `${short(prior)} with nothing known; answers vary by ${short(standardDeviation)} (standard deviation)`,
    ],
    ...(trees
      ? [
          [
            "trees",
            `${count(trees.count)}, ${counted(trees.leaves, "leaf", "leaves")}, link ${link}`,
          ] as const,
        ]
      : []),
    ...(model.intercept === undefined
      ? []
      : [["intercept", `${short(model.intercept, 6)}, link ${link}`] as const]),
    ...certificateFacts(certificate),
    ...gaussianFacts(certificate),
    ...(certificate.choice ? [["chosen by", choiceSentence(certificate.choice)] as const] : []),
    ...(training
      ? [
          [
            "training",
            `${training.family}, ${training.status}, ${counted(training.rows, "row")}, l2 ${training.l2}`,
          ] as const,
        ]
      : []),
  ];
  const weights = columns.flatMap(({ name, kind, weights: own }) =>
    (own ?? [{ value: undefined, weight: undefined }]).map(({ value, weight }) => [
      value === undefined ? name : `${name} = ${value}`,
      kind,
      weight === undefined ? "" : short(weight, 6),
    ]),
  );
  const shown = weights.slice(0, MOST_WEIGHTS);
  const more = weights.length - shown.length;
  const table = textTable(["column", "kind", "weight"], shown, (c) => c === 2);
  return [
    ...(model.verdict ? [verdictText(describeVerdict(model.verdict, []))] : []),
    title,
    more > 0 ? `${table}\n… and ${count(more)} more; --json shows all` : table,
    ...choiceTexts(certificate),
    facts.map(([name, text]) => `${name.padEnd(12)} ${text}`).join("\n"),
  ].join("\n\n");
}

/** Weights of the table; the JSON has all of them. */
const MOST_WEIGHTS = 40;

/** A name (empty to continue the line before) and its description. */
type Fact = readonly [name: string, text: string];

function certificateFacts(certificate: Certificate): Fact[] {
  const { status, iterations, decrement, marginalMismatch, conformityError } = certificate;
  return [
    [
      "certificate",
      `${status} after ${counted(iterations, "step")}, Newton decrement ${residual(decrement)}`,
    ],
    [
      "",
      `matches the classifier on complete rows up to ${residual(conformityError)}, frequencies up to ${residual(marginalMismatch)}`,
    ],
  ];
}

/** The columns of the Gaussian, its fit, and its regularization. */
function gaussianFacts({ gaussian }: Certificate): Fact[] {
  if (!gaussian) return [];
  const { columns, momentMismatch, ridge, singular, fewRows } = gaussian;
  const facts: Fact[] = [
    ["gaussian", `over ${listed(columns)}`],
    [
      "",
      `means and covariances match up to ${residual(momentMismatch)} (in standard deviations); ridge ${short(ridge)}`,
    ],
  ];
  if (singular.length > 0)
    facts.push([
      "",
      `constant or determined by other columns, regularized by the ridge: ${listed(singular)}`,
    ]);
  if (fewRows > 0)
    facts.push([
      "",
      `${counted(fewRows, "component")} with fewer rows than columns, regularized by shrinkage`,
    ]);
  return facts;
}

/** What is known of the likelihood without the rows: the distribution's part, or EM's final objective. */
function likelihoodText({ logLikelihood, certificate, gaussian }: ModelDescription): string | undefined {
  if (logLikelihood !== undefined)
    return `${short(logLikelihood, 6)} nats per row, without the classifier's part log Σ exp(score)`;
  const last = certificate.mixture?.objective.at(-1);
  if (last === undefined) return undefined;
  return `${short(last, 6)} nats per row of the known values${gaussian ? ", numbers by their density" : ""}, with the prior's part`;
}

/** The candidates that were compared, if any. */
function choiceTexts({ choice }: Certificate): string[] {
  if (!choice) return [];
  const { header, rows } = choiceTable(choice);
  return [textTable(header, rows, (c) => c !== 1)];
}

function classTable({ classes }: ModelDescription): string {
  return textTable(
    ["class", "share", "intercept"],
    classes.map(({ name, prior, intercept }) => [name, percent(prior), short(intercept)]),
    (c) => c > 0,
  );
}

function shareTable({ classes }: ModelDescription): string {
  return textTable(
    ["class", "share"],
    classes.map(({ name, prior }) => [name, percent(prior)]),
    (c) => c > 0,
  );
}

function kindTable({ columns }: ModelDescription): string {
  return textTable(
    ["column", "kind"],
    columns.map(({ name, kind }) => [name, kind]),
    () => false,
  );
}

/** The trees, if the predictor is made of trees. */
function treeFacts({ trees }: ModelDescription): Fact[] {
  if (!trees) return [];
  const how = {
    probability: "their probabilities are averaged",
    logistic: "their sum is a log-odds",
    softmax: "their sums per class are log-probabilities",
  }[trees.link];
  return [
    ["classifier", `${counted(trees.count, "tree")} with ${counted(trees.leaves, "leaf", "leaves")}, ${how}`],
  ];
}

function columnTable(model: ModelDescription): string {
  const { header, rows } = missingEffectTable(model);
  return textTable(header, rows, (c) => c > 1);
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

function listed(names: readonly string[]): string {
  return quotedList(names, 8).replaceAll('"', "");
}
