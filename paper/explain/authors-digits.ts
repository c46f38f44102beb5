import { readFileSync } from "node:fs";
import {
  type Classifier,
  conform,
  createClassifier,
  type Explanation,
  explain,
  type Model,
  type Row,
  type Schema,
  type Table,
} from "conformant";
import { modelFromNaiveBayes } from "conformant-workbench/baselines";
import { binarize, threshold } from "../datasets/binarize.ts";
import { requireFile } from "../datasets/data-folder.ts";
import { readIdx } from "../datasets/idx.ts";
import { authors } from "../report/published.ts";
import { keepsDecision } from "./keeps-decision.ts";
import { supportByWeight } from "./support-by-weight.ts";

const PIXELS = 784;

/** The authors count a pixel whose effect on the probability is smaller than this on neither side. */
const NO_EFFECT = 1e-7;

/** The classes in the order of the authors' log-odds, which are those of 3. */
const DIGITS = ["5", "3"] as const;

const SCHEMA: Schema = {
  columns: Array.from({ length: PIXELS }, (_, i) => ({ name: `pixel${i}`, kind: "binary" })),
};

/** An image of the paper's figure: what the authors' files say of it and what is found here. */
export interface AuthorsExample {
  readonly test_row: number;
  readonly label: string;
  readonly prediction: string;
  readonly probability: number;
  /** Pixels that speak for the prediction, against it, and for neither. */
  readonly support: number;
  readonly opposing: number;
  readonly without_effect: number;
  /** k of the authors' files, of `explain` on their distribution, and of `explain` on the one that `conform` finds. */
  readonly published: number;
  readonly sufficient: number;
  readonly refitted: number;
  /** Whether no smaller set suffices is proved, for both. */
  readonly proved: boolean;
  /** Whether as many support pixels of the largest weight keep the decision too. */
  readonly top_k_keeps: boolean;
}

/** The images of the figure, ready to be drawn. */
export interface AuthorsDigits {
  readonly examples: readonly AuthorsExample[];
  readonly model: Model;
  readonly panels: readonly {
    readonly row: Row;
    readonly explanation: Explanation;
    readonly title: string;
  }[];
}

/** The stored solution: the weights of the logistic regression, and P(3), P(pixel | 3), P(pixel | 5) of the naive Bayes. */
interface StoredSolution {
  readonly W: readonly number[];
  readonly p: number;
  readonly A: readonly number[];
  readonly B: readonly number[];
}

const stored = JSON.parse(
  readFileSync(new URL("../published/authors-3-5.json", import.meta.url), "utf8"),
) as StoredSolution;

/** The authors' logistic regression of 3 against 5. */
export function authorsClassifier(): Classifier {
  const [bias, ...weights] = stored.W;
  return createClassifier({
    schema: SCHEMA,
    classes: DIGITS,
    intercept: Float64Array.of(0, bias),
    weights: Float64Array.from(weights.flatMap((w) => [0, w])),
  });
}

/** The naive Bayes distribution that the authors' solver found for it. */
export function authorsModel(): Model {
  const given = stored.A.flatMap((three, i) => [1 - stored.B[i], 1 - three, stored.B[i], three]);
  return modelFromNaiveBayes({
    schema: SCHEMA,
    classes: DIGITS,
    logPrior: Float64Array.of(Math.log(1 - stored.p), Math.log(stored.p)),
    logConditional: Float64Array.from(given, Math.log),
  });
}

/** Images of some digits as the authors cut them: each at its own mean + 0.05 standard deviations. */
export function readDigits(
  folders: readonly string[],
  part: "train" | "t10k",
  keep: (row: number, label: string) => boolean,
): { rows: number[]; labels: string[]; table: Table } {
  const file = (name: string): string => requireFile(folders, [`mnist/${name}.gz`, `mnist/${name}`]);
  const images = readIdx(file(`${part}-images-idx3-ubyte`)).bytes;
  const labels = Array.from(readIdx(file(`${part}-labels-idx1-ubyte`)).bytes, String);
  const rows = labels.flatMap((label, r) => (keep(r, label) ? [r] : []));
  const bits = rows.map((r) => {
    const pixels = images.subarray(r * PIXELS, (r + 1) * PIXELS);
    return binarize(pixels, threshold(pixels));
  });
  const columns = SCHEMA.columns.map((_, i) => Int8Array.from(bits, (image) => image[i]));
  return {
    rows,
    labels: rows.map((r) => labels[r]),
    table: { schema: SCHEMA, rows: rows.length, columns, unseen: [] },
  };
}

/** Explains the images of the paper's figure with the authors' distribution, and with the one that `conform` finds. */
export function explainAuthorsDigits(folders: readonly string[]): AuthorsDigits {
  const { right, wrong, sufficient } = authors.explanations;
  const shown = [...right, ...wrong];
  const { rows, labels, table } = readDigits(folders, "t10k", (r) => shown.includes(r));
  const training = readDigits(folders, "train", (_, label) => DIGITS.some((digit) => digit === label));
  const model = authorsModel();
  const refitted = conform(authorsClassifier(), training.table);
  const explained = shown.map((test_row) => {
    const at = rows.indexOf(test_row);
    const row = Object.fromEntries(SCHEMA.columns.map(({ name }, i) => [name, table.columns[i][at]]));
    const full = explain(model, row);
    const [explanation, again] = [full, explain(refitted, row)].map(leaveOutWithoutEffect);
    const byWeight = supportByWeight(model, row, full);
    return { test_row, label: labels[at], row, full, explanation, again, byWeight };
  });
  return {
    model,
    examples: explained.map(({ test_row, label, row, full, explanation, again, byWeight }) => {
      const { prediction, probability, support, opposing } = explanation;
      const k = explanation.sufficient.length;
      return {
        test_row,
        label,
        prediction,
        probability,
        support: support.length,
        opposing: opposing.length,
        without_effect: PIXELS - support.length - opposing.length,
        published: sufficient[String(test_row)],
        sufficient: k,
        refitted: again.sufficient.length,
        proved: explanation.status === "optimal" && again.status === "optimal",
        top_k_keeps: keepsDecision(model, row, full, byWeight.slice(0, k)),
      };
    }),
    panels: explained.map(({ test_row, label, row, explanation, byWeight }) => ({
      row,
      explanation,
      byWeight,
      title: titleOf(test_row, label, explanation),
    })),
  };
}

function titleOf(test_row: number, label: string, { prediction, probability }: Explanation): string {
  const verdict = label === prediction ? "correctly" : "wrongly";
  return `Test image ${test_row}: a ${label}, ${verdict} predicted ${prediction} (${probability.toFixed(3)})`;
}

/** Takes pixels without effect from the side that the paper's Definition 5 puts them on. */
function leaveOutWithoutEffect(explanation: Explanation): Explanation {
  const moved = new Set(
    explanation.contributions.flatMap(({ column, probability }) =>
      Math.abs(probability) >= NO_EFFECT ? [column] : [],
    ),
  );
  const keep = (columns: readonly string[]): string[] => columns.filter((column) => moved.has(column));
  return { ...explanation, support: keep(explanation.support), opposing: keep(explanation.opposing) };
}
