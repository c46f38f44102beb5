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
const effect = z.object({ column: z.string(), logOdds: z.number(), probability: z.number() });
const value = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())]);
const shapley = z.object({
  class: z.string(),
  game: z.enum(["conditional", "interventional"]),
  scale: z.enum(["probability", "logOdds"]),
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
    surprise: z.object({ logEvidence: z.number(), expected: z.number(), share: estimate }).optional(),
  })
  .meta({
    id: "Prediction",
    description: "The expected prediction: the classifier's mean answer over what is unknown.",
  });

/** All responses; tests validate the server's answers with them. */
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
      status: z.enum(["optimal", "bounded", "impossible", "not-found"]),
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
  model: z
    .object({
      label: z.string().optional(),
      classes: z.array(z.object({ name: z.string(), prior: probability })),
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
    })
    .meta({ id: "ModelSummary" }),
  health: z.object({ status: z.literal("ok"), version: z.string() }).meta({ id: "Health" }),
  ready: z.object({ ready: z.literal(true) }).meta({ id: "Readiness" }),
  error: z
    .object({ error: z.object({ code: z.string(), message: z.string() }) })
    .meta({ id: "Error", description: "Why a request was rejected: a stable code and a message." }),
} as const;
