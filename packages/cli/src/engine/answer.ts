import { calibrate, loadCalibration, loadModel, saveCalibration, saveModel, type Table } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import {
  drawContributions,
  evaluateRows,
  fitModel,
  memorySource,
  type Reporter,
  readLabeledRows,
  type TextTable,
} from "conformant-workbench";
import { fitReportJson } from "conformant-workbench/describe";
import { openClassifier } from "conformant-workbench/import";
import { checkBaselines, requireNative } from "../commands/check-baselines.ts";
import { evaluationJson, evaluationText } from "../commands/evaluation-text.ts";
import { fit } from "../commands/fit.ts";
import { COMMAND_READING } from "../commands/open-classifier-file.ts";
import { CliError } from "../errors.ts";
import { readColumnOptions } from "../options/column-options.ts";
import { readFitOptions } from "../options/fit-options.ts";
import { parseCommandLine } from "../options/parse-command-line.ts";
import { readSourceOptions } from "../options/source-options.ts";
import { WorkThreads } from "../process/work-threads.ts";
import { answerRequest, type Service } from "../server/answer-request.ts";
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
      return evaluate(serviceOf(request.id), textTable(request.table, columns), request.options, reporter);
    case "calibrate": {
      const { label } = request.options;
      const service = serviceOf(request.id);
      const { rows } = await labeledRows(
        service,
        textTable(request.table, columns),
        request.options,
        reporter,
      );
      return saveCalibration(calibrate(service.model, rows, { label }));
    }
    default: {
      const answered = JSON.parse(answerRequest(serviceOf(request.id), request.op, request.body));
      return request.op === "explain" ? { ...answered, svg: drawContributions(answered) } : answered;
    }
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
    const { model, report } = await fitModel(
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
const services = new Map<string, Service>();
const MOST_MODELS = 4;

function keepModel({ id, model: text, calibration }: Extract<Request, { op: "model" }>): object {
  const model = loadModel(text);
  const schemas = requestSchemas(model.schema, model.predictor.label);
  const own = calibration === undefined ? undefined : loadCalibration(calibration);
  services.set(id, { model, schemas, calibration: own });
  for (const [oldest] of services) if (services.size > MOST_MODELS) services.delete(oldest);
  return {};
}

function serviceOf(id: string): Service {
  const service = services.get(id);
  if (!service) throw new CliError("unknown-model", `expected a model that was sent, got ${id}`);
  return service;
}

async function labeledRows(
  { model }: Service,
  table: TextTable,
  { label, seed, missingTexts }: LabelRequest,
  reporter: Reporter,
): Promise<{ readonly rows: Table }> {
  const options = { modelName: "the model", label, seed, gaps: [...MISSING_TEXTS, ...missingTexts] };
  return { rows: await readLabeledRows(model, memorySource(table, REMEDIES), options, reporter) };
}

async function evaluate(
  service: Service,
  table: TextTable,
  options: EvaluateRequest,
  reporter: Reporter,
): Promise<object> {
  const { label, rows: mostRows, seed, missing: rates, repeats, against, mechanism } = options;
  checkBaselines(against);
  requireNative(service.model, against);
  const { rows } = await labeledRows(service, table, options, reporter);
  const plan = { rates, repeats, mechanism, blocks: [], seed };
  const { evaluation } = evaluateRows(
    service.model,
    rows,
    undefined,
    { label, plan, against, mostRows },
    reporter,
  );
  return { ...evaluationJson(evaluation), text: evaluationText(evaluation) };
}
