import type { Classifier } from "../classifier/classifier.ts";
import type { TrainOptions } from "../classifier/training/train.ts";
import type { MixtureOptions } from "../conform/choosing/mixture-options.ts";
import type { MixtureShape } from "../conform/choosing/mixture-shape.ts";
import { ConformantError, requireInteger, requireOptions, show } from "../errors.ts";
import type { ChoiceOfMixture } from "../model/certificate.ts";
import type { Model } from "../model/model.ts";
import { type AlsoOptions, alsoColumns } from "../schema/also-columns.ts";
import type { Schema } from "../schema/column.ts";
import { type Data, isGapCell } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { inferSchema } from "../schema/infer-schema.ts";
import { readLabels } from "../schema/labels.ts";
import { checkWeights } from "../schema/weights.ts";
import { Watch } from "../watch.ts";
import { alternate, type LearningTask } from "./alternate.ts";
import { type GapsJudgement, type GapsOption, judgeGaps } from "./judge-gaps.ts";
import { bestRounds, inRounds } from "./try-rounds.ts";

/** Options of {@link trainWithGaps}. */
export interface TrainWithGapsOptions
  extends TrainOptions,
    AlsoOptions,
    Pick<
      MixtureOptions,
      "components" | "numeric" | "bins" | "pseudocount" | "most" | "timeLimit" | "judging" | "threads"
    > {
  /** How often a row with gaps is completed. Default 3. */
  readonly draws?: number;
  /** Rounds at most. Default 4. */
  readonly rounds?: number;
  /**
   * What gaps are taken for: "random", where the pattern of gaps says nothing; "informative", where it helps to tell what is missing: the
   * model then has a column without weight for each one that has gaps; "auto", what held-out rows favour. Default "random".
   */
  readonly gaps?: GapsOption;
  /** Seed of all that is random. Default 0. */
  readonly seed?: number;
}

/** A classifier trained on rows with gaps, and the distribution that completed them. */
export interface TrainedWithGaps {
  readonly classifier: Classifier;
  /** A model of the features that conforms with the classifier. */
  readonly model: Model;
  /**
   * Mean log loss on held-out rows, as they are, after each round of the trial that set the number of rounds. Empty where no
   * class has the five rows of which one is held out: there is one round then.
   */
  readonly heldOutLoss: readonly number[];
  /** Where the pattern of gaps came into question: what held-out rows say of it. */
  readonly gaps?: GapsJudgement;
}

/** What the trial is of the whole work, roughly. */
const TRIAL_SHARE = 0.5;

/**
 * Trains a logistic regression on all labelled rows, those with gaps too. Gaps are filled by draws given the known columns
 * and the label, first from the column's values among rows of the same class, then from a mixture that conforms with the
 * classifier so far; every draw is a row with its share of the weight. A trial that holds out a fifth of the rows says after
 * how many rounds the loss no longer falls.
 */
export function trainWithGaps(data: Data, options: TrainWithGapsOptions): TrainedWithGaps {
  requireOptions(options);
  const { label } = options;
  const watch = new Watch(options, "completing");
  const seed = requireInteger("options.seed", options.seed ?? 0, 0);
  const labels = readLabels(data, label);
  const exclude = [...(options.exclude ?? []), label];
  const schema = withoutAlso(inferSchema(data, { ...options, exclude }), options);
  const also = alsoColumns(data, options, schema, exclude);
  const table = encode({ columns: [...schema.columns, ...also] }, data);
  const weights = checkWeights(options.weights, table.rows) ?? new Float64Array(table.rows).fill(1);
  const plain: LearningTask = {
    table,
    also,
    labels,
    weights,
    labelled: Int32Array.from(labels.codes.keys()).filter((r) => labels.codes[r] >= 0 && weights[r] > 0),
    options,
    seed,
    byClass: false,
    draws: requireInteger("options.draws", options.draws ?? 3, 1),
    rounds: requireInteger("options.rounds", options.rounds ?? 4, 1),
  };
  checkColumns(plain);
  const gaps = checkGaps(options.gaps);
  const asked: MixtureShape = {
    components: options.components ?? "auto",
    numeric: options.numeric ?? "auto",
  };
  const trials = new Watch(watch.part(0, TRIAL_SHARE), "completing");
  const { way, judgement } = judgeGaps(plain, asked, gaps, trials);
  const { task, trial } = way;
  const { shape, choice, heldOutLoss } = trial;
  const best = bestRounds(trial);
  const parts = inRounds(watch, heldOutLoss.length > 0 ? TRIAL_SHARE : 0, 1, best);
  let round = 0;
  for (const model of alternate(task, task.labelled, shape, parts))
    if (++round === best)
      return {
        classifier: model.classifier,
        model: withChoice(model, choice),
        heldOutLoss,
        ...(judgement && { gaps: judgement }),
      };
  throw new Error("unreachable: the rounds do not end by themselves");
}

function checkGaps(gaps: unknown = "random"): GapsOption {
  if (gaps === "random" || gaps === "informative" || gaps === "auto") return gaps;
  const message = `options.gaps must be "random", "informative" or "auto", got ${show(gaps)}`;
  throw new ConformantError("invalid-argument", message, { argument: "options.gaps", value: gaps });
}

/** Where no columns were asked for by name: all but those that are to have no weight. */
function withoutAlso(schema: Schema, { columns, also }: TrainWithGapsOptions): Schema {
  if (columns !== undefined || !Array.isArray(also)) return schema;
  return { columns: schema.columns.filter(({ name }) => !also.includes(name)) };
}

/** Throws where a column has no value in the rows that are learned from. */
function checkColumns({ table, labels, labelled: rows }: LearningTask): void {
  if (rows.length === 0) {
    const message = `trainWithGaps needs rows with a label and a positive weight, got none of ${table.rows}`;
    throw new ConformantError("empty-data", message);
  }
  const [first] = rows;
  if (rows.every((r) => labels.codes[r] === labels.codes[first])) {
    const message = `the label must have two or more classes among the rows of positive weight, got only ${show(labels.classes[labels.codes[first]])}`;
    throw new ConformantError("single-class", message, { argument: "options.weights" });
  }
  table.columns.forEach((cells, i) => {
    if (rows.some((r) => !isGapCell(cells, r))) return;
    const { name } = table.schema.columns[i];
    const message = `column ${show(name)} has no value in any row with a label, so nothing is known about its distribution`;
    throw new ConformantError("empty-column", message, {
      column: name,
      hint: "leave the column out with { exclude }",
    });
  });
}

/** The certificate says how the size was chosen, though that was in the trial. */
function withChoice(model: Model, choice: ChoiceOfMixture | undefined): Model {
  return choice ? { ...model, certificate: { ...model.certificate, choice } } : model;
}
