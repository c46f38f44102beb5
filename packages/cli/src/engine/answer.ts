import {
  type AnyModel,
  calibrate,
  isRegression,
  loadAnyModel,
  loadCalibration,
  loadNumberCalibration,
  saveCalibration,
  saveModel,
  type Table,
} from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import {
  chooseRows,
  drawContributions,
  evaluateNumbers,
  evaluateRows,
  fitAnyModel,
  memorySource,
  type Reporter,
  readLabeledNumbers,
  readLabeledRows,
  type Task,
  type TextTable,
} from "conformant-workbench";
import { fitReportJson } from "conformant-workbench/describe";
import { openClassifier } from "conformant-workbench/import";
import { checkBaselines, requireNative } from "../commands/check-baselines.ts";
import { evaluationJson, evaluationText } from "../commands/evaluation-text.ts";
import { fit } from "../commands/fit.ts";
import {
  numberEvaluationJson,
  numberEvaluationText,
  numberExplanationText,
} from "../commands/number-text.ts";
import { COMMAND_READING } from "../commands/open-classifier-file.ts";
import { CliError } from "../errors.ts";
import { readColumnOptions } from "../options/column-options.ts";
import { readFitOptions } from "../options/fit-options.ts";
import { parseCommandLine } from "../options/parse-command-line.ts";
import { readSourceOptions } from "../options/source-options.ts";
import { WorkThreads } from "../process/work-threads.ts";
import { answerRequest, type Route, type Service } from "../server/answer-request.ts";
import { ApiError } from "../server/api-error.ts";
import { requestSchemas } from "../server/request-schemas.ts";
import { renameOneHot } from "../sources/one-hot.ts";
import { REMEDIES } from "./remedies.ts";
import type { EvaluateRequest, LabelRequest, Request, SentColumn } from "./requests.ts";
import { RowsInMemory } from "./rows-in-memory.ts";
import { textTable } from "./text-table.ts";

type Warn = (text: string) => void;

/** Answers a request; warnings are told on the way. */
export async function answer(request: Request, columns: readonly SentColumn[], warn: Warn): Promise<unknown> {
  const reporter = { warn, progress: () => undefined };
  switch (request.op) {
    case "fit":
      return fitTable(request, textTable(request.table, columns), reporter);
    case "model":
      return keepModel(request);
    case "evaluate":
      return evaluate(keptOf(request.id).model, textTable(request.table, columns), request.options, reporter);
    case "calibrate": {
      const { label, rows: most, seed } = request.options;
      const { model } = keptOf(request.id);
      const rows = await readLabels(model, textTable(request.table, columns), request.options, reporter);
      return saveCalibration(calibrate(model, chooseRows(rows, most, seed), { label }));
    }
    default: {
      const asked = keptOf(request.id);
      const answered = JSON.parse(answerBody(asked, request.op, request.body));
      if (request.op !== "explain") return answered;
      return isRegression(asked.model)
        ? { ...answered, words: numberExplanationText(answered) }
        : { ...answered, svg: drawContributions(answered) };
    }
  }
}

/** Answers as the service does; a body that it refuses is the caller's fault. */
function answerBody(service: Service, op: Route, body: unknown): string {
  try {
    return answerRequest(service, op, body);
  } catch (thrown) {
    // Python has no body of a request.
    const message =
      thrown instanceof ApiError ? thrown.message.replace(/^the body: | in a request;/g, "") : "";
    if (message !== "") throw new CliError("invalid-argument", message, { cause: thrown });
    throw thrown;
  }
}

/** Fits as the command does: the same options, the same rules, and the same model. */
async function fitTable(
  { words, classifier }: Extract<Request, { op: "fit" }>,
  table: TextTable,
  reporter: Reporter,
): Promise<object> {
  const parsed = parseCommandLine(fit, [...words, "--", table.name], {});
  const training = readFitOptions(parsed);
  const columns = readColumnOptions(parsed);
  const { gaps, oneHot = [] } = readSourceOptions(parsed, {
    ...reporter,
    quiet: true,
    note: reporter.warn,
    clear: () => undefined,
  });
  const work = new WorkThreads(training.threads, { portable: true });
  try {
    const { model, report } = await fitAnyModel(
      memorySource(table, REMEDIES),
      {
        label: parsed.text("label"),
        classifier:
          classifier === undefined
            ? undefined
            : renameOneHot(
                openClassifier(parsed.text("classifier") ?? "", Buffer.from(classifier, "base64"), {
                  ...COMMAND_READING,
                  names: columns.columns,
                  classes: columns.classes,
                  categories: columns.categories,
                }),
                oneHot,
              ),
        columns,
        missingTexts: gaps,
        training,
        task: parsed.text("task") as Task | undefined,
      },
      { reporter, threads: work.threads, createRowStore: (schema) => new RowsInMemory(schema) },
    );
    for (const { name, why } of report.reading.leftOut) reporter.warn(`column '${name}' is left out: ${why}`);
    return { model: saveModel(model), report: fitReportJson(report) };
  } finally {
    await work.close();
  }
}

/** Models that were sent, the latest last. */
const kept = new Map<string, Service>();
const MOST_MODELS = 4;

function keepModel({ id, model: text, calibration }: Extract<Request, { op: "model" }>): object {
  kept.set(id, serviceOf(loadAnyModel(text), calibration));
  for (const [oldest] of kept) if (kept.size > MOST_MODELS) kept.delete(oldest);
  return {};
}

function serviceOf(model: AnyModel, text: string | undefined): Service {
  const read = isRegression(model) ? loadNumberCalibration : loadCalibration;
  return {
    model,
    schemas: requestSchemas(model),
    calibration: text === undefined ? undefined : read(text),
  };
}

function keptOf(id: string): Service {
  const found = kept.get(id);
  if (!found) throw new CliError("unknown-model", `expected a model that was sent, got ${id}`);
  return found;
}

const labelOptions = ({ label, seed, missingTexts }: LabelRequest) => ({
  ...{ modelName: "the model", label, seed },
  gaps: [...MISSING_TEXTS, ...missingTexts],
});

/** Rows with their labels or numbers. */
function readLabels(
  model: AnyModel,
  table: TextTable,
  options: LabelRequest,
  reporter: Reporter,
): Promise<Table> {
  const [source, how] = [memorySource(table, REMEDIES), labelOptions(options)];
  return isRegression(model)
    ? readLabeledNumbers(model, source, how, reporter)
    : readLabeledRows(model, source, how, reporter);
}

async function evaluate(
  model: AnyModel,
  table: TextTable,
  options: EvaluateRequest,
  reporter: Reporter,
): Promise<object> {
  const { label, rows: mostRows, seed, missing: rates, repeats, against, mechanism } = options;
  checkBaselines(against);
  const plan = { rates, repeats, mechanism, blocks: [], seed };
  const how = { label, plan, against, mostRows };
  if (!isRegression(model)) requireNative(model, against);
  const rows = await readLabels(model, table, options, reporter);
  if (isRegression(model)) {
    const evaluation = evaluateNumbers(model, rows, undefined, how, reporter);
    return { ...numberEvaluationJson(evaluation), text: numberEvaluationText(evaluation) };
  }
  const { evaluation } = evaluateRows(model, rows, undefined, how, reporter);
  return { ...evaluationJson(evaluation), text: evaluationText(evaluation) };
}
