import { type AnyModel, type Column, isRegression, type Questionnaire } from "conformant";
import { requireClasses, valueLabels } from "conformant/internal";
import { z } from "zod";
import { CliError, listed, quoted } from "../errors.ts";
import { requireModelColumn } from "../options/unknown-column.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";
import { responseSchemas } from "./response-schemas.ts";

/** How a model is displayed. */
export interface PageOptions {
  /** The name of the model's file. */
  readonly name?: string | undefined;
  /** A line above the form. */
  readonly title?: string | undefined;
  /** A JSON file with display names of columns, values and classes. */
  readonly labels?: string | undefined;
  /** A JSON file with a questionnaire. */
  readonly questionnaire?: string | undefined;
}

/** The file `page.json`, which the page reads first. */
export interface PageSettings {
  readonly name?: string;
  readonly title?: string;
  readonly labels?: Labels;
  readonly questionnaire?: Questionnaire;
  /** Whether `calibration.json` has calibration rows for the page. */
  readonly calibration?: true;
}

/**
 * Reads the files of the options and checks them against the model.
 *
 * @param calibrated whether the page gets calibration rows
 */
export function pageSettings(model: AnyModel, options: PageOptions, calibrated: boolean): PageSettings {
  const { name, title, labels, questionnaire } = options;
  return {
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(labels !== undefined && { labels: readLabels(labels, model) }),
    ...(questionnaire !== undefined && { questionnaire: readQuestionnaire(questionnaire, model) }),
    ...(calibrated && { calibration: true as const }),
  };
}

/** Display names of columns, values and classes; every value is listed. */
const labelsSchema = z.strictObject({
  columns: z
    .record(
      z.string(),
      z.strictObject({
        label: z.string().min(1).optional(),
        unit: z.string().min(1).optional(),
        description: z.string().min(1).optional(),
        group: z.string().min(1).optional(),
        range: z
          .tuple([z.number(), z.number()])
          .refine(([low, high]) => low < high, "the first must be less than the second")
          .optional(),
        minimum: z.number().optional(),
        maximum: z.number().optional(),
        values: z
          .array(
            z.union([
              z.string().transform((value) => ({ value })),
              z.strictObject({ value: z.string(), label: z.string().min(1).optional() }),
            ]),
          )
          .optional(),
      }),
    )
    .optional(),
  classes: z.record(z.string(), z.string().min(1)).optional(),
  outcome: z
    .strictObject({ label: z.string().min(1).optional(), unit: z.string().min(1).optional() })
    .optional(),
});

/** Display names of columns, values and classes, and of the number that is predicted. */
type Labels = z.infer<typeof labelsSchema>;

/** Reads a labels file, and checks that its names exist in the model. */
function readLabels(path: string, model: AnyModel): Labels {
  const labels = parseLabels(path, readTextFile(path));
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const names = schema.columns.map(({ name }) => name);
  for (const [name, { values = [], range, minimum, maximum }] of Object.entries(labels.columns ?? {})) {
    requireModelColumn(`--labels ${quoted(path)} names`, name, names);
    const column = schema.columns[names.indexOf(name)];
    for (const { value } of values) requireValue(path, column, value);
    const isNumber = column.kind === "numeric" || column.kind === "binned";
    if (!isNumber && (range || minimum !== undefined || maximum !== undefined))
      throw wrong(path, `${quoted(name)} is not a number and cannot have a range`);
    if (minimum !== undefined && maximum !== undefined && minimum >= maximum)
      throw wrong(path, `${quoted(name)}: minimum must be less than maximum, got ${minimum} and ${maximum}`);
  }
  if (isRegression(model) && labels.classes)
    throw wrong(path, `the model predicts the number ${quoted(classes[0])} and has no classes`);
  if (!isRegression(model) && labels.outcome)
    throw wrong(path, "outcome is for a model that predicts a number, and this one predicts classes");
  const stranger = Object.keys(labels.classes ?? {}).find((name) => !classes.includes(name));
  if (stranger !== undefined)
    throw wrong(path, `${quoted(stranger)} is not a class of the model, which has ${listed(classes)}`);
  requireDifferent(path, [
    ...names.map((name) => labels.columns?.[name]?.label ?? name.replaceAll("_", " ")),
  ]);
  requireDifferent(
    path,
    classes.map((name) => labels.classes?.[name] ?? name),
  );
  return labels;
}

function parseLabels(path: string, text: string): Labels {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw wrong(path, "it is not JSON");
  }
  const outcome = labelsSchema.safeParse(read);
  if (outcome.success) return outcome.data;
  const [{ path: place, message }] = outcome.error.issues;
  throw wrong(path, `${place.length > 0 ? place.map(String).join(".") : "the file"}: ${message}`);
}

function requireValue(path: string, column: Column, value: string): void {
  if (column.kind === "categorical" || column.kind === "binary") {
    const values = valueLabels(column);
    if (values.includes(value)) return;
    throw wrong(
      path,
      `${quoted(value)} is not a value of ${quoted(column.name)}, which has ${listed(values)}`,
    );
  }
  throw wrong(path, `${quoted(column.name)} is a number and has no values to list`);
}

/** Two with the same name could not be told apart. */
function requireDifferent(path: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw wrong(path, `two of them would be called ${quoted(twice)}`);
}

function wrong(path: string, what: string): CliError {
  const hint = 'as in { "columns": { "bill_length": { "label": "Bill length", "unit": "mm" } } }';
  return new CliError("invalid-value", `--labels ${quoted(path)}: ${what}`, { hint });
}

/** Reads a questionnaire of `ask --tree --json`, and checks that its columns and values exist in the model. */
function readQuestionnaire(path: string, model: AnyModel): Questionnaire {
  requireClasses(model, "--questionnaire");
  const tree = parseQuestionnaire(readTextFile(path));
  if (!tree)
    throw new CliError("invalid-value", `--questionnaire ${quoted(path)} is not a questionnaire`, {
      hint: "create one with conformant ask MODEL --tree 3 --json > FILE",
    });
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const names = schema.columns.map(({ name }) => name);
  const check = ({ prediction, question }: Questionnaire): void => {
    if (!classes.includes(prediction)) throw otherModel(path, prediction);
    if (!question) return;
    requireModelColumn(`--questionnaire ${quoted(path)} asks for`, question.column, names);
    const column = schema.columns[names.indexOf(question.column)];
    const known = column.kind === "numeric" ? [] : valueLabels(column);
    for (const { values = [], next } of question.branches) {
      const stranger = values.find((value) => !known.includes(value));
      if (stranger !== undefined) throw otherModel(path, `${column.name} = ${stranger}`);
      check(next);
    }
  };
  check(tree);
  return tree;
}

function parseQuestionnaire(text: string): Questionnaire | undefined {
  try {
    return responseSchemas.tree.safeParse(JSON.parse(text)).data as Questionnaire | undefined;
  } catch {
    return undefined;
  }
}

function otherModel(path: string, what: string): CliError {
  const message = `--questionnaire ${quoted(path)} uses ${quoted(what)}, which is not in the model`;
  return new CliError("invalid-value", message);
}
