import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Column,
  type RegressionTreesJson,
  type Row,
  readTrees,
  regress,
  type TreesJson,
} from "conformant";
import { describe, expect, it } from "vitest";
import { readLightgbm } from "../../../src/import/trees/read-lightgbm.ts";
import { largestDifference } from "./trees-answers.ts";

/** Sums of a few dozen doubles, printed with all digits. */
const DOUBLE = 1e-12;

const FOLDER = fileURLToPath(new URL("../../../../../../shared/data/trees/", import.meta.url));
const read = (name: string): string => readFileSync(`${FOLDER}${name}`, "utf8");
const numbersOf = (text: string): number[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));

describe.skipIf(!existsSync(FOLDER))("LightGBM's own models", () => {
  it("answer as LightGBM does: two classes, dart", () => {
    const rows = numbersOf(read("breast_cancer_test.tsv"));
    const answers = numbersOf(read("lg_dart_breast_cancer_true_predictions.txt")).map(([p]) => [1 - p, p]);
    const json = readLightgbm(read("lg_dart_breast_cancer.model"), "dart") as TreesJson;
    expect(difference(json, rows, answers)).toBeLessThan(DOUBLE);
  });

  it("answer as LightGBM does: five classes", () => {
    const rows = numbersOf(read("multiclass_test.tsv")).map((row) => row.slice(1));
    const answers = numbersOf(read("lgmulticlass_true_predictions.txt"));
    const json = readLightgbm(read("lgmulticlass.model"), "multiclass") as TreesJson;
    expect(difference(json, rows, answers)).toBeLessThan(DOUBLE);
  });
});

describe.skipIf(!existsSync(`${FOLDER}toy_categorical_model.txt`))("LightGBM's own regressors", () => {
  it.each([
    ["gamma_AvgClaimAmount", "gamma_AvgClaimAmount", 34],
    ["poisson_Frequency", "poisson_Frequency", 1000],
    ["tweedie_PurePremium", "poisson_Frequency", 1000],
  ])("answer as LightGBM does: %s", (name, table, count) => {
    const file = `genlin_fmtp_${name}`;
    const json = readLightgbm(read(`${file}.model`), file) as RegressionTreesJson;
    const rows = numbersOf(read(`genlin_fmtp_${table}_features.tsv`));
    const answers = numbersOf(read(`${file}_true_predictions.txt`)).map(([answer]) => answer);
    expect(rows.length).toBe(count);
    expect(relativeError(json, rows, answers)).toBeLessThan(DOUBLE);
  });

  it("answer as LightGBM does: squared error, splits by categories", () => {
    const json = readLightgbm(read("toy_categorical_model.txt"), "toy") as RegressionTreesJson;
    const rows = read("toy_categorical.test")
      .trim()
      .split("\n")
      .map((line) => [...line.matchAll(/ \d+:(\d+)/g)].map(([, value]) => Number(value)));
    const answers = numbersOf(read("toy_categorical.test.pred")).map(([answer]) => answer);
    expect(rows.length).toBe(180);
    expect(relativeError(json, rows, answers)).toBeLessThan(DOUBLE);
  });
});

/** The largest error of the answers to rows, each relative to LightGBM's. */
function relativeError(json: RegressionTreesJson, rows: number[][], answers: number[]): number {
  const columns = json.features.map((name, f): Column => {
    const values = json.categories?.[f];
    return values ? { name, kind: "categorical", values } : { name, kind: "numeric" };
  });
  const regressor = readTrees(json, { columns });
  const errors = rows.map((row, r) => {
    const cells = columns.map(({ name, kind }, i): [string, Row[string]] => [
      name,
      kind === "categorical" ? `${row[i]}` : row[i],
    ]);
    return Math.abs(regress(regressor, Object.fromEntries(cells)) / answers[r] - 1);
  });
  return Math.max(...errors);
}

function difference(
  json: Parameters<typeof largestDifference>[0],
  rows: number[][],
  answers: number[][],
): number {
  const columns = json.features.map((name): Column => ({ name, kind: "numeric" }));
  const objects = rows.map((row) => Object.fromEntries(row.map((value, i) => [`Column_${i}`, value])));
  return largestDifference(json, columns, objects, answers);
}

describe("what LightGBM's text says", () => {
  const MODEL = (type: number, threshold: number) => `tree
version=v4
num_class=1
num_tree_per_iteration=1
max_feature_idx=0
objective=binary sigmoid:1
feature_names=x
feature_infos=[-5:5]

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=${threshold}
decision_type=${type}
left_child=-1
right_child=-2
leaf_value=-1 1

end of trees
`;
  const left = (text: string, x: number | null): boolean => {
    const json = readLightgbm(text, "model") as TreesJson;
    const p = 1 / (1 + Math.E);
    return largestDifference(json, [{ name: "x", kind: "numeric" }], [{ x }], [[1 - p, p]]) < DOUBLE;
  };

  it("is followed for zeros that count as missing, also against the threshold", () => {
    for (const threshold of [-1, 2]) {
      for (const [type, goesLeft] of [
        [4 + 2, true],
        [4, false],
      ] as const) {
        const text = MODEL(type, threshold);
        expect(left(text, 0)).toBe(goesLeft);
        expect(left(text, null)).toBe(goesLeft);
        for (const x of [-3, -0.5, 1, 3]) expect(left(text, x)).toBe(x <= threshold);
      }
    }
  });

  it("is followed for NaN, and for gaps that count as 0", () => {
    expect([left(MODEL(8 + 2, -1), null), left(MODEL(8, -1), null)]).toEqual([true, false]);
    expect([left(MODEL(2, 1), null), left(MODEL(0, -1), null)]).toEqual([true, false]);
  });

  it("is refused by name where it is not known", () => {
    expect(() => readLightgbm(MODEL(2, 1).replace("objective=binary", "objective=lambdarank"), "m")).toThrow(
      /lambdarank/,
    );
    expect(() => readLightgbm(MODEL(2, 1).replace("num_cat=0", "is_linear=1"), "m")).toThrow(/linear/);
    expect(() => readLightgbm(MODEL(2, 1).replace("threshold=1", "threshold=1 2"), "m")).toThrow(
      /differ in length/,
    );
  });
});
