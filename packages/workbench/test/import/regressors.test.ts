import { conform, type KnownRegressor, predict, type Row, regress } from "conformant";
import { describe, expect, test } from "vitest";
import { COMMAND_READING } from "../../../cli/src/commands/open-classifier-file.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { matchClassifier } from "../../src/fit/import-classifier.ts";
import { parseClassifier } from "../../src/import/parse-classifier.ts";
import { hasPython, python } from "../export/support/python.ts";
import { numberQuestions } from "../export/support/regression-models.ts";

const place = new Workplace();

/** A file of a regressor on columns of these kinds. */
function imported(name: string, text: string, columns: KnownRegressor["schema"]["columns"]): KnownRegressor {
  const context = { path: name, columns: [], ...COMMAND_READING };
  return matchClassifier(
    parseClassifier(new TextEncoder().encode(text), context),
    name,
    columns,
  ) as KnownRegressor;
}

const NUMBERS = ["x", "z"].map((name) => ({ name, kind: "numeric" as const }));

const XGBOOST = `
import json, numpy as np, xgboost as xgb
r = np.random.RandomState(1)
X = r.normal(size=(300, 2)).round(3)
rate = np.exp(0.5 + X[:, 0] * 0.6 - (X[:, 1] > 0))
labels = {"reg:squarederror": 100000 * rate, "count:poisson": r.poisson(rate), "reg:gamma": r.gamma(2, rate), "reg:tweedie": r.poisson(rate) * r.gamma(2, 1, 300),
          "reg:squaredlogerror": rate}
answers = {}
for j, (objective, y) in enumerate(labels.items()):
    data = xgb.DMatrix(X, y, feature_names=["x", "z"])
    booster = xgb.train({"objective": objective, "max_depth": 3, "base_score": float(np.mean(y))}, data, 20)
    booster.save_model(f"{j}.json")
    answers[objective] = booster.predict(data).astype(float).tolist()
json.dump({"rows": X.tolist(), "answers": answers}, open("answers.json", "w"))
`;

describe("an imported regressor", () => {
  test.skipIf(!hasPython("xgboost"))(
    "of XGBoost answers as XGBoost does, to the precision of its file",
    () => {
      python(XGBOOST, [], place.folder);
      const { rows, answers } = JSON.parse(place.read("answers.json"));
      Object.entries<number[]>(answers).forEach(([objective, own], j) => {
        const read = () => imported(`${j}.json`, place.read(`${j}.json`), NUMBERS);
        if (objective === "reg:squaredlogerror") {
          expect(read).toThrow(/reg:squaredlogerror fits log\(1 \+ y\)/);
          return;
        }
        const regressor = read();
        // It adds up in single precision, so that small answers have the rounding of large sums.
        const unit = Math.max(...own);
        const off = own.map((answer, r) =>
          Math.abs(regress(regressor, { x: rows[r][0], z: rows[r][1] }) - answer),
        );
        expect(Math.max(...off) / unit, objective).toBeLessThan(1e-6);
      });
    },
  );

  test.each([
    ["regression", (sum: number) => sum],
    ["poisson", Math.exp],
    ["gamma", Math.exp],
    ["tweedie", Math.exp],
  ])("of LightGBM has the link of its objective: %s", (objective, link) => {
    const model = imported("model.txt", LIGHTGBM(objective), NUMBERS);
    expect(regress(model, { x: -1, z: 0 })).toBe(link(-1.5));
    expect(regress(model, { x: 2, z: 0 })).toBe(link(2.25));
  });

  test("of LightGBM with squared sums, and objectives without a number, are refused", () => {
    expect(() => imported("model.txt", LIGHTGBM("regression sqrt"), NUMBERS)).toThrow(
      /reg_sqrt squares the sums/,
    );
    expect(() => imported("model.txt", LIGHTGBM("lambdarank"), NUMBERS)).toThrow(
      /"lambdarank" gives neither class probabilities nor a number/,
    );
  });

  test("is the one that was exported as JSON: the same answers, to the last bit for trees", () => {
    for (const { name, model, rows } of numberQuestions(20).filter(({ name }) => name.endsWith("atoms, 1"))) {
      const regressor = imported("m.json", exportJson(model), model.schema.columns);
      for (const row of rows.filter((own) => Object.keys(own).length === model.schema.columns.length)) {
        const [own, expected] = [regress(regressor, row), regress(model.predictor, row)];
        if (model.predictor.kind === "linear") expect(own / expected, name).toBeCloseTo(1, 14);
        else expect(own, name).toBe(expected);
      }
    }
  });

  test("is asked about rows with missing values like any other", () => {
    const regressor = imported(
      "prices.json",
      '{"output": "price", "features": ["x", "z"], "intercept": 10, "coef": [2, -1]}',
      NUMBERS,
    );
    const rows: Row[] = [1, 2, 3, 4].map((x) => ({ x, z: x * x }));
    const model = conform(regressor, rows);
    expect(predict(model, { x: 1, z: 0 })).toBe(12);
    expect(predict(model, { x: 1 })).toBeCloseTo(12 - 30 / 4, 12);
  });

  test.each([
    ["no numbers", '{"output": "price", "features": ["x"], "intercept": 10, "coef": ["a"]}', /coef/],
    [
      "another link",
      '{"output": "p", "link": "cloglog", "features": ["x"], "intercept": 0, "coef": [1]}',
      /link/,
    ],
    ["no features", '{"output": "p", "intercept": 0, "coef": [1]}', /"features"/],
  ])("with %s is refused in one line", (_, text, message) => {
    expect(() => imported("bad.json", text, NUMBERS)).toThrow(message);
  });
});

function LIGHTGBM(objective: string): string {
  return `tree
version=v4
num_class=1
num_tree_per_iteration=1
max_feature_idx=1
objective=${objective}
feature_names=x z
feature_infos=[-5:5] [-5:5]

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=0.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=-1.5 2.25

end of trees
`;
}
