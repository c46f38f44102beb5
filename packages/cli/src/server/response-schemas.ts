import { z } from "zod";

const probability = z.number().min(0).max(1);
const unseen = z.array(z.object({ column: z.string(), count: z.int(), examples: z.array(z.string()) }));
const estimate = z.object({
  value: z.number(),
  lower: z.number(),
  upper: z.number(),
  method: z.enum(["exact", "grid", "sampling"]),
  standardError: z.number().optional(),
});
const surprise = z.object({ logEvidence: z.number(), expected: z.number(), share: estimate });
const status = z.enum(["optimal", "bounded", "impossible", "not-found"]);
const effect = z.object({ column: z.string(), logOdds: z.number(), probability: z.number() });
const value = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())]);
const numberShapley = z.object({
  output: z.string(),
  game: z.enum(["conditional", "interventional"]),
  baseline: z.number(),
  total: z.number(),
  contributions: z.array(
    z.object({
      column: z.string(),
      value,
      contribution: z.number(),
      standardError: z.number().optional(),
    }),
  ),
  method: z.enum(["exact", "sampling"]),
  converged: z.boolean().optional(),
});
const shapley = numberShapley
  .omit({ output: true })
  .extend({ class: z.string(), scale: z.enum(["probability", "logOdds"]) });
const sensitivity = z.object({
  prediction: z.string(),
  probability,
  tilts: z.array(
    z.object({
      column: z.string(),
      value: z.string().optional(),
      tilt: z.number().nullable(),
      prediction: z.string().nullable(),
    }),
  ),
  limit: z.number(),
  words: z.string(),
});
const tree = z
  .object({
    prediction: z.string(),
    probability,
    share: probability,
    get question() {
      return z.object({ column: z.string(), branches: z.array(branch) }).optional();
    },
  })
  .meta({ id: "Questionnaire", description: "What is said so far, and what to ask then." });
const branch = z
  .object({
    values: z.array(z.string()).optional(),
    from: z.number().optional(),
    to: z.number().optional(),
    next: tree,
  })
  .meta({ id: "Branch", description: "Values, or a range from … to below …; without either all others." });
const question = { column: z.string(), informationGain: z.number(), cost: z.number() };

const summary = z.object({
  label: z.string().optional(),
  columns: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(["numeric", "binary", "categorical", "binned"]),
      values: z.array(z.string()).optional(),
      range: z.tuple([z.number(), z.number()]).optional(),
    }),
  ),
  components: z.int(),
  rows: z.number(),
  certificate: z.looseObject({ status: z.string() }),
});
const states = {
  health: z.object({ status: z.literal("ok"), version: z.string() }).meta({ id: "Health" }),
  ready: z.object({ ready: z.literal(true) }).meta({ id: "Readiness" }),
  error: z
    .object({ error: z.object({ code: z.string(), message: z.string() }) })
    .meta({ id: "Error", description: "Why a request was rejected: a stable code and a message." }),
};

const prediction = z
  .object({
    prediction: z.string(),
    probabilities: z.record(z.string(), probability),
    tied: z.array(z.string()).optional(),
    unseen: unseen.optional(),
    certainty: z
      .object({
        prediction: z.string(),
        class: z.string(),
        probability,
        sameDecision: estimate,
        coverage: probability,
        interval: z.tuple([estimate, estimate]),
      })
      .optional(),
    set: z
      .object({
        classes: z.array(z.string()),
        coverage: probability,
        pValues: z.record(z.string(), probability),
        calibrationRows: z.int(),
        enough: z.boolean(),
      })
      .optional(),
    surprise: surprise.optional(),
  })
  .meta({
    id: "Prediction",
    description: "The expected prediction: the classifier's mean answer over what is unknown.",
  });

/** All responses of a model of classes; tests validate the server's answers with them. */
export const responseSchemas = {
  prediction,
  tree,
  branch,
  predict: z
    .union([prediction, z.object({ predictions: z.array(prediction), unseen: unseen.optional() })])
    .meta({ id: "PredictResponse" }),
  explain: z
    .object({
      prediction: z.string(),
      probability,
      prior: probability,
      tied: z.array(z.string()),
      contributions: z.array(effect.extend({ value })),
      path: z.array(effect),
      support: z.array(z.string()),
      opposing: z.array(z.string()),
      sufficient: z.array(z.string()),
      sufficientProbability: probability,
      status,
      lowerBound: z.number().nullable(),
      threshold: probability.optional(),
      missing: z.array(z.string()),
      unseen,
      words: z.string(),
      shapley: shapley.optional(),
      sensitivity: sensitivity.optional(),
    })
    .meta({
      id: "Explanation",
      description: "Contributions, sides and a smallest sufficient set of columns.",
    }),
  ask: z
    .object({
      questions: z.array(
        z.object({
          ...question,
          changesDecision: probability,
          gainPerCost: z.number(),
          error: z.number().optional(),
          ahead: z
            .object({ column: z.string(), informationGain: z.number(), gainPerCost: z.number() })
            .optional(),
        }),
      ),
      plan: z
        .object({
          sameDecision: estimate,
          questions: z.array(z.object({ ...question, totalCost: z.number(), sameDecision: estimate })),
          reached: z.boolean(),
        })
        .optional(),
      tree: tree.optional(),
    })
    .meta({ id: "Questions", description: "Unknown columns, the most informative first." }),
  model: summary
    .extend({ classes: z.array(z.object({ name: z.string(), prior: probability })) })
    .meta({ id: "ModelSummary" }),
  ...states,
} as const;

const numberPrediction = z
  .object({
    prediction: z.number(),
    standardError: z.number().optional(),
    unseen: unseen.optional(),
    certainty: z
      .object({
        prediction: z.number(),
        standardDeviation: estimate,
        coverage: probability,
        interval: z.tuple([estimate, estimate]),
      })
      .optional(),
    outcome: z
      .object({
        lower: z.number().nullable(),
        upper: z.number().nullable(),
        coverage: probability,
        calibrationRows: z.int(),
        enough: z.boolean(),
      })
      .optional()
      .meta({ description: "An interval that contains the true number with the requested coverage." }),
    surprise: surprise.optional(),
  })
  .meta({
    id: "Prediction",
    description: "The expected prediction: the regressor's mean answer over what is unknown.",
  });
const numberEffect = z.object({ column: z.string(), effect: z.number() });

/** All responses of a model that predicts a number. */
export const numberSchemas = {
  prediction: numberPrediction,
  predict: z
    .union([
      numberPrediction,
      z.object({ predictions: z.array(numberPrediction), unseen: unseen.optional() }),
    ])
    .meta({ id: "PredictResponse" }),
  explain: z
    .object({
      output: z.string(),
      prediction: z.number(),
      standardError: z.number().optional(),
      prior: z.number(),
      contributions: z.array(numberEffect.extend({ value })),
      path: z.array(numberEffect.extend({ prediction: z.number() })),
      raises: z.array(z.string()),
      lowers: z.array(z.string()),
      sufficient: z.array(z.string()),
      sufficientPrediction: z.number(),
      status,
      lowerBound: z.number().nullable(),
      within: z.number().optional(),
      threshold: z.number().optional(),
      missing: z.array(z.string()),
      unseen,
      shapley: numberShapley.optional(),
      sensitivity: z
        .object({
          prediction: z.number(),
          tilts: z.array(
            z.object({
              column: z.string(),
              value: z.string().optional(),
              range: z.tuple([z.number(), z.number()]),
              tilt: z.number().nullable().optional(),
            }),
          ),
          limit: z.number(),
          threshold: z.number().optional(),
        })
        .optional(),
    })
    .meta({
      id: "Explanation",
      description: "Effects in units of the number, and a smallest sufficient set.",
    }),
  ask: z
    .object({
      questions: z.array(
        z.object({
          column: z.string(),
          varianceReduction: z.number(),
          standardDeviation: z.number(),
          cost: z.number(),
          gainPerCost: z.number(),
          error: z.number().optional(),
        }),
      ),
    })
    .meta({ id: "Questions", description: "Unknown columns, the most informative first." }),
  model: summary.extend({ output: z.string(), prior: z.number() }).meta({ id: "ModelSummary" }),
  ...states,
} as const;
