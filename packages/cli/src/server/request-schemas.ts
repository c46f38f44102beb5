import { type AnyModel, type Column, isRegression } from "conformant";
import { listed } from "conformant-workbench";
import { z } from "zod";

/** The zod schemas of all request bodies of a model; they validate the input and describe it in OpenAPI. */
export type RequestSchemas = ReturnType<typeof requestSchemas>;

/** Larger tilts are not plausible assumptions, and longer questionnaires are not useful. */
const [LARGEST_TILT, DEEPEST_TREE] = [100, 12];

/** The requests for a model. */
export function requestSchemas(model: AnyModel) {
  const {
    schema: { columns },
    predictor: { label },
  } = model;
  const isNumber = isRegression(model);
  /** Optional members that only requests to models of classes have. */
  const forClasses = <S extends z.core.$ZodLooseShape>(shape: S): S => (isNumber ? ({} as S) : shape);
  const known = columns.map(({ name }) => name);
  const row = z
    .strictObject(
      {
        ...(label !== undefined && { [label]: z.unknown().optional().meta({ description: "passed over" }) }),
        ...Object.fromEntries(columns.map((column) => [column.name, cellSchema(column)])),
      },
      aboutKeys((keys) => `${listed(keys)} is not a column of the model; it has ${listed(known)}`),
    )
    .meta({ id: "Row", description: "What is known; a column that is null or left out is unknown." });
  const strict = z.boolean().optional().meta({
    description: "Treat an unknown category as an error instead of as missing.",
  });
  const names = z.array(z.string()).optional();
  const groups = z.record(z.string(), z.array(z.string())).optional().meta({
    description: "Columns that go together, by the name of the group.",
  });
  const set = probability().optional().meta({
    description:
      "Add a prediction set, or an interval of the outcome, with this coverage; requires a calibration set.",
  });
  const tilt = z.number().min(-LARGEST_TILT).max(LARGEST_TILT);
  const shift = z
    .record(z.string(), z.union([tilt, z.record(z.string(), tilt)]))
    .optional()
    .meta({
      description:
        "Assume non-random missingness: a tilt per column, or per value of a category. −0.5: a value is e^0.5 times as likely to be missing as one a standard deviation higher.",
    });
  /** The body of a request; columns at its top level are a common mistake. */
  const request = <S extends z.core.$ZodLooseShape>(shape: S) =>
    z.strictObject(
      shape,
      aboutKeys((keys) =>
        keys.some((key) => known.includes(key))
          ? `${listed(keys)} belongs into a row, as in {"row": {${JSON.stringify(keys[0])}: …}}`
          : `there is no ${listed(keys)} in a request; there may be ${listed(Object.keys(shape))}`,
      ),
    );
  const one = request({ row, strict, sure: z.boolean().optional(), set, shift });
  const many = request({ rows: z.array(row).min(1), strict, set, shift });
  return {
    row,
    one,
    many,
    predict: z.union([one, many]).meta({ id: "PredictRequest", description: "One row, or a batch of them." }),
    explain: request({
      row,
      strict,
      ...(isNumber ? numberGoals() : { threshold: probability().optional() }),
      groups,
      use: names,
      avoid: names,
      timeLimit: z.number().min(0).max(60).optional(),
      shift,
      shapley: z
        .strictObject({
          game: z.enum(["conditional", "interventional"]).optional(),
          ...forClasses({
            class: z.string().optional(),
            scale: z.enum(["probability", "logOdds"]).optional(),
          }),
        })
        .optional()
        .meta({ description: "Shares the prediction out among the known columns; {} is enough." }),
      sensitivity: z
        .strictObject({ limit: z.number().min(0).max(LARGEST_TILT).optional() })
        .optional()
        .meta({
          description: isNumber
            ? "Add how far non-random missingness moves the number; {} for the defaults."
            : "Add how non-random missingness must be to change the decision; {} for the defaults.",
        }),
    }).meta({
      id: "ExplainRequest",
      description: "A row, what its explanation may use, and what goes with it.",
    }),
    ask: request({
      row,
      strict,
      costs: z.record(z.string(), z.number().positive()).optional(),
      ...forClasses({ groups, ...questionPlans() }),
      shift,
    }).meta({
      id: "AskRequest",
      description: isNumber
        ? "A row with missing values."
        : "A row with missing values; `plan` requests a list of questions, `tree` a questionnaire.",
    }),
  };
}

/** What the sufficient explanation of a number keeps. */
function numberGoals() {
  return {
    threshold: z.number().optional().meta({ description: "Keep the number on its side of this." }),
    within: z.number().nonnegative().optional().meta({
      description:
        "Keep the number within this distance; default a quarter of the standard deviation of all answers.",
    }),
  };
}

/** Several questions of classes. */
function questionPlans() {
  return {
    plan: z.strictObject({ threshold: probability().optional(), most: z.int().min(1).optional() }).optional(),
    lookAhead: z.boolean().optional().meta({
      description: "Looks one question further, for answers that only help together.",
    }),
    tree: z
      .strictObject({
        depth: z.int().min(1).max(DEEPEST_TREE).optional(),
        threshold: probability().optional(),
      })
      .optional(),
  };
}

/** Words for unknown names of an object. */
function aboutKeys(words: (keys: readonly string[]) => string): z.core.$ZodObjectParams {
  return {
    error: (issue) => (issue.code === "unrecognized_keys" ? words(issue.keys as string[]) : undefined),
  };
}

function probability() {
  return z.number().gt(0).lt(1);
}

function cellSchema(column: Column): z.ZodType {
  switch (column.kind) {
    case "numeric":
    case "binned":
      return z.number().nullish();
    case "binary":
      return z.union([z.literal(0), z.literal(1), z.boolean()]).nullish();
    case "categorical":
      return z
        .union([z.string(), z.number(), z.boolean()])
        .nullish()
        .meta({ description: `one of ${shown(column.values)}`, examples: column.values.slice(0, 3) });
  }
}

function shown(values: readonly string[]): string {
  return values.length > 20 ? `${values.slice(0, 20).join(", ")}, …` : values.join(", ");
}
