import { readFileSync } from "node:fs";
import type { Column, TreesJson } from "conformant";
import { describe, expect, it } from "vitest";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { Workplace } from "../../../../cli/test/support/workplace.ts";
import { isXgboost, parseXgboostJson, readXgboost } from "../../../src/import/trees/read-xgboost.ts";
import { parseUbjson } from "../../../src/import/trees/ubjson.ts";
import { hasPython, python } from "../../export/support/python.ts";
import { largestDifference } from "./trees-answers.ts";

/** XGBoost adds up in single precision. */
const SINGLE = 1e-6;

const PROGRAM = `
import json, sys
import numpy as np, pandas as pd, xgboost as xgb
rng = np.random.default_rng(0)
rows = 10_000
table = pd.DataFrame({f"n{i}": rng.normal(size=rows).round(3 if i % 2 else 9) for i in range(6)})
table["kind"] = pd.Categorical(rng.choice(list("uvwxyz"), rows), categories=list("uvwxyz"))
signal = table.n0 * table.n1 + 2 * (table.kind.cat.codes % 2) + table.n2
gaps = table.mask(rng.random(table.shape) < 0.2)
gaps["kind"] = pd.Categorical(gaps["kind"], categories=list("uvwxyz"))
two, five = (signal > 1).astype(int), pd.qcut(signal, 5, labels=False)
made = {}
def save(name, parameters, label, columns=None, categorical=False, **more):
    columns = columns or [f"n{i}" for i in range(6)]
    matrix = lambda data: xgb.DMatrix(data[columns], enable_categorical=categorical)
    train = matrix(gaps if name == "directions" else table); train.set_label(label)
    booster = xgb.train({"seed": 1, "nthread": 1, **parameters}, train, 12)
    booster.save_model(f"{name}.json"); booster.save_model(f"{name}.ubj")
    answer = lambda data: booster.predict(matrix(data)).astype(float)
    full, part = answer(table), answer(gaps)
    pair = lambda p: np.stack([1 - p, p], 1) if p.ndim == 1 else p
    made[name] = {"full": pair(full).tolist(), "gaps": pair(part).tolist()}
save("binary", {"objective": "binary:logistic", "max_depth": 4, "base_score": 0.3}, two)
save("multiclass", {"objective": "multi:softprob", "num_class": 5, "max_depth": 3}, five)
save("dart", {"objective": "binary:logistic", "booster": "dart", "rate_drop": 0.3, "max_depth": 4}, two)
save("directions", {"objective": "binary:logistic", "max_depth": 5}, two)
save("leafwise", {"objective": "binary:logistic", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 31}, two)
both = [f"n{i}" for i in range(3)] + ["kind"]
save("categories", {"objective": "binary:logistic", "tree_method": "approx", "max_cat_to_onehot": 1, "max_depth": 4}, two, both, True)
save("one-hot", {"objective": "binary:logistic", "tree_method": "approx", "max_cat_to_onehot": 20, "max_depth": 4}, two, both, True)
classifier = xgb.XGBClassifier(n_estimators=60, early_stopping_rounds=3, num_parallel_tree=2, subsample=0.7, n_jobs=1, random_state=1)
noisy, columns = np.where(rng.random(rows) < 0.3, rng.integers(0, 5, rows), five), [f"n{i}" for i in range(6)]
classifier.fit(table[columns][:500], noisy[:500], eval_set=[(table[columns][500:], noisy[500:])], verbose=False)
assert classifier.best_iteration + 1 < classifier.get_booster().num_boosted_rounds()
classifier.save_model("stopped.json"); classifier.save_model("stopped.ubj")
made["stopped"] = {"full": classifier.predict_proba(table[columns]).tolist(), "gaps": classifier.predict_proba(gaps[columns]).tolist()}
every = xgb.Booster(model_file="stopped.json"); every.set_attr(scikit_learn=None)
every.save_model("all-rounds.json"); every.save_model("all-rounds.ubj")
answer = lambda data: every.predict(xgb.DMatrix(data[columns])).astype(float).tolist()
made["all-rounds"] = {"full": answer(table), "gaps": answer(gaps)}
def records(data):
    out = data.copy(); out["kind"] = out["kind"].cat.codes.replace(-1, np.nan)
    return [[None if v != v else float(v) for v in row] for row in out.to_numpy(dtype=float)]
json.dump({"columns": list(table.columns), "full": records(table), "gaps": records(gaps), "answers": made}, open("answers.json", "w"))
`;

interface Answers {
  readonly columns: readonly string[];
  readonly full: readonly (readonly (number | null)[])[];
  readonly gaps: readonly (readonly (number | null)[])[];
  readonly answers: Readonly<Record<string, { full: number[][]; gaps: number[][] }>>;
}

const COLUMNS: Column[] = [
  ...Array.from({ length: 6 }, (_, i): Column => ({ name: `n${i}`, kind: "numeric" })),
  { name: "kind", kind: "categorical", values: ["0", "1", "2", "3", "4", "5"] },
];

describe.skipIf(!hasPython("xgboost, pandas"))("XGBoost's own models", () => {
  const place = new Workplace();
  let known: Answers | undefined;
  const made = (): Answers => {
    if (known) return known;
    python(PROGRAM, [], place.path("."));
    known = JSON.parse(readFileSync(place.path("answers.json"), "utf8")) as Answers;
    return known;
  };
  const rowsOf = (part: "full" | "gaps") => {
    const { columns, ...parts } = made();
    return parts[part].map((row) =>
      Object.fromEntries(
        row.map((value, i) => [columns[i], columns[i] === "kind" && value !== null ? `${value}` : value]),
      ),
    );
  };

  it("tell which rounds answer where early stopping found some best", () => {
    made();
    const notesOf = (name: string): readonly string[] =>
      readXgboost(parseXgboostJson(readFileSync(place.path(name), "utf8")) as object, {
        path: name,
        ...COMMAND_READING,
      }).notes;
    expect(notesOf("stopped.json")).toEqual([
      expect.stringMatching(/^the \d+ of \d+ rounds .*, as with XGBClassifier$/),
    ]);
    expect(notesOf("all-rounds.json")).toEqual([
      expect.stringMatching(/^all \d+ rounds answer, as with Booster\.predict/),
    ]);
    expect(notesOf("binary.json")).toEqual([]);
  });

  for (const name of [
    ...["binary", "multiclass", "dart", "directions", "leafwise", "categories", "one-hot"],
    ...["stopped", "all-rounds"],
  ]) {
    it(`answer as XGBoost does: ${name}, with and without gaps, from JSON and UBJSON`, {
      timeout: 60_000,
    }, () => {
      const { answers } = made();
      const documents = [
        parseXgboostJson(readFileSync(place.path(`${name}.json`), "utf8")),
        parseUbjson(readFileSync(place.path(`${name}.ubj`))),
      ];
      for (const document of documents) {
        if (!isXgboost(document)) throw new Error("not recognised as XGBoost's");
        const { json } = readXgboost(document, { path: name, ...COMMAND_READING });
        for (const part of ["full", "gaps"] as const)
          expect(
            largestDifference(json as TreesJson, COLUMNS, rowsOf(part), answers[name][part]),
          ).toBeLessThan(SINGLE);
      }
    });
  }
});
