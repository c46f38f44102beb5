import {
  type AnyModel,
  type Certificate,
  type Column,
  type IndicatorComparison,
  isRegression,
  type RegressionReport,
  type TrainingReport,
} from "conformant";
import { MASKED, type ModelChoice } from "../fit/choose-model.ts";
import type { FitReport } from "../fit/fit-model.ts";
import type { TrainingSummary } from "../fit/training-summary.ts";
import { count, counted } from "../source/count.ts";
import { percent, residual, roundPercent, short } from "../source/format-number.ts";
import { isIndicatorColumn } from "../source/positions.ts";
import { listed, quoted } from "../source/quoted.ts";
import type { SteadySource } from "../source/table-source.ts";
import { describeVerdict, type VerdictTexts } from "../verdict/verdict-text.ts";

/** Columns that are listed one by one. */
const LISTED = 40;
/** Columns that are named in a sentence. */
const NAMED = 6;

/** The report of a fit for people: a heading, a table of the columns, and facts by name. */
export interface FitSummary {
  /** How good the model is on new rows, where that was computed. */
  readonly verdict?: VerdictTexts;
  readonly heading: string;
  readonly columns: { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] };
  /** Columns that the table leaves out. */
  readonly moreColumns: number;
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** The report of a fit as texts. */
export function summarizeFit(report: FitReport): FitSummary {
  const { reading, model } = report;
  const { certificate } = model;
  const { label } = model.predictor;
  const what = label ? `${label} from ` : "";
  const facts: [string, string][] = [
    isRegression(model) ? ["predicts", rangeLine(report)] : ["classes", classLine(report)],
  ];
  if (report.unlabeled) facts.push(["skipped", `${counted(report.unlabeled, "row")} without a label`]);
  if (report.training) facts.push(["training", trainingText(model, report.training)]);
  if (report.training?.choice) facts.push(["model", choiceOfModelText(report.training.choice)]);
  const { group } = reading;
  if (group)
    facts.push([
      "groups",
      `${count(group.values.length)} of ${group.name}; the rows of each are held out together`,
    ]);
  if (report.samples) {
    const rows = counted(report.samples.mixtureRows, "random row");
    facts.push(["samples", `the mixture is chosen on and fitted to ${rows}`]);
  }
  if ((report.training || report.unscored) && !report.verdict)
    facts.push(["verdict", `none: ${report.unscored ?? "--no-cross-validation"}`]);
  if (reading.also.length > 0) {
    const names = reading.also.map(({ name }) => name);
    facts.push(["also", `${listed(names, 8)}: not used by the classifier, only to infer missing values`]);
  }
  const missing = report.training?.gaps ?? report.missing;
  if (missing) facts.push(["missingness", indicatorsText(missing)]);
  const { status, iterations, marginalMismatch, conformityError, gaussian } = certificate;
  facts.push([
    "distribution",
    `${counted(model.components.length, "component")}${choiceText(report)}; ${status} in ${counted(iterations, "step")}`,
  ]);
  const largest = Math.max(conformityError, marginalMismatch);
  facts.push(["certificate", certificateText(largest, gaussian?.momentMismatch)]);
  if (report.steady) facts.push(["source", steadyText(report.steady)]);
  const columns = ownColumns(model);
  return {
    ...(report.verdict && { verdict: describeVerdict(report.verdict, model.response.outputs) }),
    heading: `${what}${counted(columns.length, "column")}, ${counted(reading.rows, "row")}`,
    columns: {
      header: ["column", "kind", "missing", "values"],
      rows: columnRows(report, columns.slice(0, LISTED)),
    },
    moreColumns: Math.max(0, columns.length - LISTED),
    facts,
  };
}

/** How closely the model matches the classifier and the data. */
function certificateText(largest: number, momentMismatch: number | undefined): string {
  const [counts, moments] = [residual(largest), residual(momentMismatch ?? 0)];
  const gaussian = momentMismatch !== undefined;
  if (counts === "rounding" && moments === "rounding")
    return `checks passed: classifier${gaussian ? ", frequencies, means and covariances" : " and frequencies"} match`;
  const rest = gaussian
    ? `; means and covariances to ${moments}${moments === "rounding" ? "" : " standard deviations"}`
    : "";
  return `classifier and frequencies match to ${counts}${rest}`;
}

/** What was trained, on what. */
function trainingText({ predictor }: AnyModel, summary: TrainingSummary): string {
  if (predictor.kind === "linear") {
    if (!predictor.training) return "linear regression";
    const { rows, rowsCompleted = 0, l2 } = predictor.training;
    return `linear regression on ${counted(rows - rowsCompleted, "complete row")}, l2 ${l2}${gapText(predictor.training)}`;
  }
  if (predictor.kind === "function") return "a function of a row";
  if (predictor.kind === "trees" || predictor.kind === "regression-trees")
    return `${counted(predictor.roots.length, "boosted tree")} from ${counted(summary.rows ?? 0, "row")}`;
  if (!predictor.training) return "logistic regression";
  const { l2, rows, rowsCompleted = 0, status } = predictor.training;
  const chosen = summary.penalties.length > 1 ? " chosen by cross-validation" : "";
  const unfinished = status === "converged" ? "" : ` (${status})`;
  return `logistic regression on ${counted(rows - rowsCompleted, "complete row")}, l2 ${l2}${chosen}${unfinished}${gapText(predictor.training)}`;
}

/** Which model was chosen, with the losses of both. */
function choiceOfModelText(choice: ModelChoice): string {
  if ("untried" in choice) return `logistic regression; boosted trees not tried: ${choice.untried}`;
  const { chosen, rows, logLoss, maskedLogLoss, difference } = choice;
  const [own, other] =
    chosen === "trees" ? (["trees", "logistic"] as const) : (["logistic", "trees"] as const);
  const masked = maskedLogLoss
    ? ` (with ${roundPercent(MASKED)} of the values masked ${short(maskedLogLoss[own], 3)} and ${short(maskedLogLoss[other], 3)})`
    : "";
  const close = chosen === "logistic" && difference.mean < 0 ? ", within a standard error" : "";
  return `${MODEL_NAMES[own]}: log loss on ${counted(rows, "new row")} ${short(logLoss[own], 3)}, ${MODEL_NAMES[other]} ${short(logLoss[other], 3)}${masked}${close}`;
}

const MODEL_NAMES = { logistic: "logistic regression", trees: "boosted trees" } as const;

/** Whether the classifier has weights for missing values, and what held-out rows without a value show. */
function indicatorsText({ taken, columns, effects, difference, rows }: IndicatorComparison): string {
  if (difference === undefined)
    return taken
      ? `used as evidence for ${listed(columns, NAMED)}`
      : `not used as evidence: rows without a value differ no more than chance explains (${counted(rows, "held-out row")})`;
  const change = `log loss ${difference.mean < 0 ? "lower" : "higher"} by ${short(Math.abs(difference.mean))} ± ${short(difference.standardError)} on ${counted(rows, "held-out row")}`;
  if (!taken) return `not used as evidence: ${change} if it is`;
  const [first] = effects;
  const often = first.observed < first.expected ? "less" : "more";
  const others = columns.filter((name) => name !== first.column);
  const more = others.length > 0 ? `; also used: ${listed(others, NAMED)}` : "";
  return `used as evidence: rows without ${quoted(first.column)} are ${quoted(first.class)} ${often} often (${percent(first.observed)}) than their other values explain (${percent(first.expected)})${more}; ${change}`;
}

/** Why the counts and the steps are of the same rows. */
function steadyText(steady: SteadySource): string {
  return steady.by === "snapshot"
    ? "all passes saw one snapshot of the database"
    : `the same ${counted(steady.rows, "row")} before the first pass and after the last (checksum ${steady.checksum})`;
}

/** How incomplete rows were used. */
function gapText({ rowsCompleted = 0, rowsWithGaps }: TrainingReport | RegressionReport): string {
  if (rowsCompleted > 0)
    return `; ${counted(rowsCompleted, "incomplete row")} used, missing values imputed by sampling`;
  return rowsWithGaps > 0 ? `; ${counted(rowsWithGaps, "incomplete row")} not used` : "";
}

/** The form of a Gaussian's covariances, where they are not any. */
function rankText({ gaussian }: Certificate): string {
  return gaussian?.rank === undefined ? "" : ` with covariances of rank ${gaussian.rank} plus diagonal`;
}

/** The chosen mixture, and its error against complete-row predictions, beside that of the paper's single component. */
function choiceText({ model }: FitReport): string {
  const numbers = model.gaussianColumns
    ? `, a Gaussian over ${counted(model.gaussianColumns.columns.length, "number")}${rankText(model.certificate)}`
    : "";
  const { choice } = model.certificate;
  if (!choice) return numbers;
  const { curve, chosen, untried } = choice;
  const sizes = [...new Set(curve.map(({ components }) => components))].join(", ");
  const late = [...new Set(untried.map(({ components }) => components))].join(", ");
  const paper = curve.find(({ components, gaussian = [] }) => components === 1 && gaussian.length === 0);
  const own = curve[chosen];
  const gain =
    own !== paper && own.crossEntropy !== undefined && paper?.crossEntropy !== undefined
      ? `; error against complete-row predictions: ${short(own.crossEntropy)} (one component: ${short(paper.crossEntropy)})`
      : "";
  return `${numbers}, chosen from ${sizes} on held-out rows${gain}${late ? `; ${late} not tried` : ""}`;
}

/** The columns of the table, without indicators of missing values, which are computed from them. */
function ownColumns({ schema }: AnyModel): Column[] {
  return schema.columns.filter((column) => !isIndicatorColumn(column));
}

function columnRows({ reading }: FitReport, columns: readonly Column[]): string[][] {
  const read = new Map(reading.chosen.map((chosen) => [chosen.column.name, chosen]));
  return columns.map((column) => {
    const chosen = read.get(column.name);
    const gaps = 1 - (chosen?.known ?? 0) / reading.rows;
    return [column.name, column.kind, gaps > 0 ? percent(gaps) : "none", valuesOf(column, chosen?.range)];
  });
}

function valuesOf(column: Column, range: readonly [number, number] | undefined): string {
  if (column.kind === "categorical") {
    const shown = column.values.slice(0, 4).join(", ");
    return column.values.length > 4 ? `${shown}, … (${count(column.values.length)})` : shown;
  }
  if (column.kind === "binary") return "0, 1";
  return range ? `${short(range[0])} … ${short(range[1])}` : "";
}

/** The name and range of a number. */
function rangeLine({ model, range }: FitReport): string {
  const values = range ? `, ${short(range.least)} … ${short(range.most)} in the data` : "";
  return `the number ${model.response.outputs[0]}${values}`;
}

function classLine({ model, classCounts }: FitReport): string {
  const {
    response: { outputs: classes },
  } = model;
  const parts = classes
    .slice(0, 12)
    .map((name, k) => (classCounts ? `${name} ${count(classCounts[k])}` : name));
  return parts.join(", ") + (classes.length > 12 ? `, … (${classes.length})` : "");
}

/** The report of a fit for programs. */
export function fitReportJson(report: FitReport): object {
  const { source, reading, model, classCounts, training, verdict, steady, range } = report;
  const { predictor, response, certificate, components } = model;
  const known = new Map(reading.chosen.map((chosen) => [chosen.column.name, chosen.known]));
  return {
    task: isRegression(model) ? "regression" : "classification",
    ...(training && {
      model: modelName(predictor),
      missing: training.gaps?.taken ? "informative" : "random",
    }),
    ...(report.missing && { missing: report.missing.taken ? "informative" : "random" }),
    ...(verdict && { verdict }),
    source,
    rows: reading.rows,
    ...(classCounts && { unlabeledRows: report.unlabeled ?? 0 }),
    columns: ownColumns(model).map(({ name, kind }) => ({
      name,
      kind,
      missing: reading.rows - (known.get(name) ?? 0),
      ...(reading.also.some((column) => column.name === name) && { also: true }),
    })),
    ignored: reading.leftOut.map(({ name, why }) => ({ column: name, reason: why })),
    notes: reading.notes.map(({ name, note }) => ({ column: name, ...note })),
    label: predictor.label,
    ...(reading.group && { group: reading.group.name }),
    ...(isRegression(model)
      ? { output: response.outputs[0], ...(range && { range: [range.least, range.most] }) }
      : {
          classes: response.outputs.map((name, k) => ({
            name,
            ...(classCounts && { rows: classCounts[k] }),
          })),
        }),
    ...(training && {
      training: {
        ...((predictor.kind === "additive" || predictor.kind === "linear") && predictor.training),
        sampled: training.sampled,
        ...(training.gaps && { missing: training.gaps }),
        ...(training.choice && { choice: training.choice }),
        ...(report.samples && { samples: report.samples }),
        crossValidation: training.penalties.map(({ l2, logLoss, folds, rows }) => ({
          l2,
          logLoss,
          folds,
          rows,
        })),
      },
    }),
    components: components.length,
    certificate,
    ...(steady && { sourceCheck: steady }),
  };
}

/** What was trained, as `--model` calls it; a linear regression has the place of the logistic one. */
function modelName({ kind }: AnyModel["predictor"]): string {
  if (kind === "linear") return "linear";
  return kind === "trees" || kind === "regression-trees" ? "trees" : "logistic";
}
