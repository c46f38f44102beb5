import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Column, conform, type KnownRegressor, predict, type Row, regress } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { Workplace } from "../../../../cli/test/support/workplace.ts";
import { matchClassifier } from "../../../src/fit/import-classifier.ts";
import { parseClassifier } from "../../../src/import/parse-classifier.ts";
import { hasPython, python } from "../../export/support/python.ts";
import { hasR, rscript } from "../../export/support/rscript.ts";
import { writePrograms } from "./support/trained-classifiers.ts";

/** Sums of some dozens of products in another order, relative to the largest answer. */
const SAME = 1e-12;

/** Exponentials of such sums, and what R prints of its answers (15 digits). */
const SAME_TEXT = 1e-12;

interface Made {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean)[])[];
  readonly answers: Readonly<Record<string, readonly number[]>>;
  readonly refused: Readonly<Record<string, string>>;
}

function made(place: Workplace): Made {
  const read = (name: string) => JSON.parse(place.read(name));
  return { ...read("rows.json"), answers: read("answers.json"), refused: read("refused.json") };
}

/** A regressor that a program wrote, on the columns of its rows. */
function imported(place: Workplace, name: string, { columns, rows }: Made): [KnownRegressor, Row[]] {
  const path = `${name}.json`;
  const context = { path, columns: [], ...COMMAND_READING };
  const document = parseClassifier(readFileSync(place.path(path)), context);
  const { json, edges } = document;
  const schema = columns.flatMap((column, i): Column[] => {
    const bins = edges?.get(column);
    const isNamed = json.features.includes(column);
    const hasSets = "trees" in json && json.categories?.[json.features.indexOf(column)];
    if (bins) return [{ name: column, kind: "binned", edges: bins }];
    if (isNamed && !hasSets) return [{ name: column, kind: "numeric" }];
    if (!isNamed && !json.features.some((feature) => feature.startsWith(`${column}=`))) return [];
    return [{ name: column, kind: "categorical", values: [...new Set(rows.map((row) => textOf(row[i])))] }];
  });
  const records = rows.map((row) =>
    Object.fromEntries(
      schema.map(({ name: column, kind }): [string, string | number] => {
        const value = row[columns.indexOf(column)];
        return [column, kind === "categorical" ? textOf(value) : Number(value)];
      }),
    ),
  );
  return [matchClassifier(document, path, schema) as KnownRegressor, records];
}

/** A truth value as R writes it. */
function textOf(value: string | number | boolean): string {
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
}

/** The largest difference to the answers of the program, relative to the largest of them. */
function difference(regressor: KnownRegressor, rows: readonly Row[], answers: readonly number[]): number {
  const unit = answers.reduce((most, answer) => Math.max(most, Math.abs(answer)), 0);
  return rows.reduce(
    (most, row, r) => Math.max(most, Math.abs(regress(regressor, row) - answers[r]) / unit),
    0,
  );
}

describe.skipIf(!hasPython("sklearn, pandas"))("conformant_export.py, regressors", () => {
  const place = new Workplace();
  let own: Made;
  beforeAll(() => {
    writePrograms(place);
    python(
      readFileSync(new URL("./support/train_regressors.py", import.meta.url), "utf8"),
      [],
      place.path("."),
    );
    own = made(place);
  }, 120_000);

  test("answer complete rows as they do in Python", () => {
    expect(Object.keys(own.answers).length).toBeGreaterThan(35);
    for (const [name, answers] of Object.entries(own.answers)) {
      const [regressor, rows] = imported(place, name, own);
      const scaled = name === "sgd-sparse" ? rows.map((row) => timesHundredth(row)) : rows;
      expect(difference(regressor, scaled, answers), name).toBeLessThan(SAME);
    }
  });

  test("answer rows with missing values by the mean over the values of the others", () => {
    for (const name of ["ridge", "bins-log", "log-target", "extra", "machine-log"]) {
      const [regressor, all] = imported(place, name, own);
      const rows = all.slice(0, 24); // so few that every number is an atom;
      const model = conform(regressor, rows, { pseudocount: 0 });
      const { columns } = regressor.schema;
      for (const missing of [columns.slice(0, 1), columns.slice(-2)]) {
        const known = { ...rows[3], ...Object.fromEntries(missing.map(({ name: own }) => [own, undefined])) };
        expect(predict(model, known) / enumerated(regressor, rows, rows[3], missing), name).toBeCloseTo(
          1,
          10,
        );
      }
    }
  });

  test.each([
    ["two numbers", "predicts 2 numbers, expected one"],
    ["two numbers of a tree", "with several outputs"],
    ["several", "MultiOutputRegressor is neither a sum over columns nor made of trees"],
    ["nan", "LinearRegression has a coefficient that is nan"],
    ["expm1", "ends in expm1, expected inverse_func=np.exp"],
    ["quantiles", "ends in QuantileTransformer"],
    ["log twice", "a regressor with the link log"],
    ["kernel", "SVR is neither"],
    ["begun", "begins with another model's answers"],
    ["classes", "predicts a number, and classes names classes"],
  ])("refused by name: %s", (name, words) => {
    expect(own.refused[name]).toContain(words);
  });

  test.skipIf(!hasPython("statsmodels")).each([
    ["inverse", "with the link inverse_power, expected identity, log, logit or probit"],
    ["exposure", "Poisson with an offset or exposure"],
    ["probit of classes", "GLM of two classes with the link probit, expected logit"],
    ["negative binomial", "NegativeBinomial of statsmodels"],
  ])("refused by name, of statsmodels: %s", (name, words) => {
    expect(own.refused[name]).toContain(words);
  });

  test("all others that are not exported are refused too", () => {
    expect(Object.entries(own.refused).filter(([, said]) => said === "")).toEqual([]);
  });
});

/** E[f] where the columns are independent, each with the values of some rows. */
function enumerated(
  regressor: KnownRegressor,
  rows: readonly Row[],
  row: Row,
  missing: readonly Column[],
): number {
  const [first, ...others] = missing;
  if (!first) return regress(regressor, row);
  const answers = rows.map((own) =>
    enumerated(regressor, rows, { ...row, [first.name]: own[first.name] }, others),
  );
  return answers.reduce((sum, answer) => sum + answer, 0) / answers.length;
}

function timesHundredth(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, (value as number) / 100]));
}

describe.skipIf(!hasR("glmnet", "ranger", "MASS", "mgcv", "survival", "jsonlite"))(
  "conformant_export.R, regressors",
  () => {
    const place = new Workplace();
    let own: Made;
    beforeAll(() => {
      writePrograms(place);
      rscript(fileURLToPath(new URL("./support/train_regressors.R", import.meta.url)), [], place.path("."));
      own = made(place);
    }, 120_000);

    test("answer complete rows as they do in R", () => {
      expect(Object.keys(own.answers).length).toBe(19);
      for (const [name, answers] of Object.entries(own.answers)) {
        const [regressor, rows] = imported(place, name, own);
        expect(difference(regressor, rows, answers), name).toBeLessThan(SAME_TEXT);
      }
    });

    test.each([
      ["inverse", "glm of the family Gamma with the link inverse, expected identity, log, logit, probit"],
      ["probit", "glm of two classes with the link probit, expected logit"],
      ["several", "mlm cannot be exported"],
      ["offset", "lm with an offset"],
      ["interaction", "the interaction age:city"],
      ["computed", "the computed term poly(age, 2)"],
      ["smooth", "gam cannot be exported"],
      ["several penalized", "glmnet of the kind mrelnet"],
      ["survival", "ranger of type Survival"],
    ])("refused by name: %s", (name, words) => {
      expect(own.refused[name]).toContain(words);
    });
  },
);
