import { type Classifier, createClassifier } from "../additive/classifier.ts";
import { requireFunction, requireMade } from "../errors.ts";
import { minimising } from "../math/lbfgs.ts";
import { logSumExp } from "../math/softmax.ts";
import { largestAbsolute } from "../math/vectors.ts";
import { integer, readOptions } from "../options.ts";
import { shareOfDescent, Watch } from "../progress.ts";
import { slotOffsets } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { readLabels } from "../schema/labels.ts";
import { inverseCurvature } from "./curvature.ts";
import { type DesignMatrix, designMatrix } from "./design-matrix.ts";
import { classShares, onOriginalScale, parametersOf } from "./fit-logistic.ts";
import { type PanelLayout, panelLayout, parameterIndex } from "./loss.ts";
import { type TrainOptions, train, trainOptions, usableRows } from "./train.ts";

/** What a pass over all complete rows gives. */
export interface LossSums {
  /** Σ −log P(label). */
  readonly value: number;
  /** Σ (P(k) − [label = k]): K numbers, or only the second class's where there are two. */
  readonly residuals: ArrayLike<number>;
  /** The same times each slot, of numeric columns standardised: slots × residuals. */
  readonly bySlot: ArrayLike<number>;
}

/** Answers with the sums under a classifier. */
export type LossAnswer = (classifier: Classifier) => Promise<LossSums>;

/** What is known of all rows. */
export interface RemoteTraining {
  /** Rows without a gap, and the others. */
  readonly rows: number;
  readonly rowsWithGaps: number;
  /** Mean and population standard deviation of each numeric column over the rows without a gap, by its name. */
  readonly scaling: ReadonlyMap<string, { readonly mean: number; readonly scale: number }>;
}

/** What training on the sample is of the whole work, roughly: passes over all rows take longer. */
const SAMPLE_SHARE = 0.2;

/**
 * {@link train} for rows that stay where they are: the optimum is that of all of them. A sample gives the schema, the start and
 * the curvature; each step asks for the sums of one pass, and as the sample's optimum is near few are needed.
 *
 * @param sample with the label as a column
 * @param all what is known of all rows
 */
export async function trainRemote(
  sample: Table,
  all: RemoteTraining,
  options: Omit<TrainOptions, "weights">,
  answer: LossAnswer,
): Promise<Classifier> {
  const { weights: _, ...described } = trainOptions;
  const read = readOptions(options, { ...described, maxIterations: integer(100, { least: 1 }) });
  requireMade("table", sample, "sample");
  requireMade("training", all);
  requireFunction("answer", answer);
  const { rows, rowsWithGaps, scaling } = all;
  const { l2 } = read;
  const watch = new Watch(read, "training");
  const start = train(sample, { ...options, ...watch.part(0, SAMPLE_SHARE) });
  const design = scaledDesign(sample, start, rows, scaling);
  const layout = panelLayout(design.slots, start.classes.length);
  const classifierAt = (point: Float64Array): Classifier =>
    createClassifier({ ...start, ...onOriginalScale(design, layout, start.classes.length, point) });
  const tolerance = read.tolerance * rows;
  const steps = minimising(startingPoint(start, design, layout), {
    tolerance,
    maxIterations: read.maxIterations,
    precondition: inverseCurvature(design, layout, design.shares, l2),
  });
  let first: number | undefined;
  let next = steps.next();
  while (!next.done) {
    const sums = await answer(classifierAt(next.value));
    requireMade("sums", sums, "an answer");
    const evaluation = penalised(sums, next.value, design, layout, l2);
    const now = largestAbsolute(evaluation.gradient);
    first ??= now;
    watch.step(SAMPLE_SHARE + (1 - SAMPLE_SHARE) * shareOfDescent(first, now, tolerance));
    next = steps.next(evaluation);
  }
  const { point, status, iterations, gradientNorm, value } = next.value;
  const training = {
    status,
    iterations,
    gradientNorm: gradientNorm / rows,
    objective: value,
    l2,
    rows,
    rowsWithGaps,
  };
  return createClassifier({ ...classifierAt(point), training });
}

type ScaledDesign = DesignMatrix & {
  readonly shares: Float64Array;
  /** Outputs whose class no row of the sample has. */
  readonly absent: readonly number[];
};

/** The sample's rows, weighed as if they were all, with the mean and scale that all rows have. */
function scaledDesign(
  sample: Table,
  { schema, label, classes }: Classifier,
  total: number,
  scaling: RemoteTraining["scaling"],
): ScaledDesign {
  const { codes } = readLabels(sample, label as string);
  const table = encode(schema, sample);
  const rows = usableRows(table, codes, undefined);
  const design = designMatrix(table, rows, new Float64Array(rows.length).fill(total / rows.length));
  const [mean, scale, slots] = [design.mean.slice(), design.scale.slice(), slotOffsets(schema)];
  schema.columns.forEach(({ name, kind }, i) => {
    const own = kind === "numeric" ? scaling.get(name) : undefined;
    if (own) [mean[slots[i]], scale[slots[i]]] = [own.mean, own.scale];
  });
  const labels = rows.map((r) => codes[r]);
  const shares = classShares(design, labels, classes.length);
  const occurring = new Set(labels);
  const absent = classes.flatMap((_, k) => (occurring.has(k) ? [] : [k]));
  return { ...design, mean, scale, shares, absent };
}

/**
 * The sample's optimum. A class that it has no row of would be next to impossible there, from where it takes long to come back: it
 * starts with the probability of a row among all, whatever the columns say.
 */
function startingPoint(start: Classifier, design: ScaledDesign, layout: PanelLayout): Float64Array {
  const parameters = parametersOf(start, design, layout);
  const level = (output: number): number => parameterIndex(layout, layout.slots, output);
  const occurring = Float64Array.from(
    Array.from({ length: layout.outputs }, (_, k) => k).filter((k) => !design.absent.includes(k)),
    (k) => parameters[level(k)],
  );
  for (const k of design.absent) {
    for (let slot = 0; slot < layout.slots; slot++) parameters[parameterIndex(layout, slot, k)] = 0;
    parameters[level(k)] = logSumExp(occurring) + Math.log(design.shares[k]);
  }
  return parameters;
}

/** Value and gradient with the penalty; 0/1 slots are centred here. */
function penalised(
  { value, residuals, bySlot }: LossSums,
  parameters: Float64Array,
  { mean, numeric }: DesignMatrix,
  layout: PanelLayout,
  l2: number,
): { value: number; gradient: Float64Array } {
  const { slots, outputs } = layout;
  const gradient = new Float64Array(layout.length);
  const isNumeric = new Set(numeric);
  let squares = 0;
  for (let output = 0; output < outputs; output++) {
    gradient[parameterIndex(layout, slots, output)] = residuals[output];
    for (let slot = 0; slot < slots; slot++) {
      const at = parameterIndex(layout, slot, output);
      const centred =
        bySlot[slot * outputs + output] - (isNumeric.has(slot) ? 0 : mean[slot] * residuals[output]);
      gradient[at] = centred + l2 * parameters[at];
      squares += parameters[at] ** 2;
    }
  }
  return { value: value + 0.5 * l2 * squares, gradient };
}
