import type { ClassifierJson } from "conformant";
import { describe, expect, test } from "vitest";
import { COMMAND_READING } from "../../../cli/src/commands/open-classifier-file.ts";
import { describeTensor } from "../../src/export/onnx-graph-builder.ts";
import { modelTable, type OnnxAttribute, type OnnxNode } from "../../src/import/onnx/onnx-proto.ts";
import { encodeMessage } from "../../src/import/onnx/wire-message.ts";
import { parseClassifier } from "../../src/import/parse-classifier.ts";
import { bring, fixture, importedClassifier, sourceColumns } from "../export/support/fixtures.ts";

const lists = { floats: [], ints: [], strings: [] };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const floats = (name: string, values: number[]): OnnxAttribute => ({ ...lists, name, floats: values });
const text = (name: string, value: string): OnnxAttribute => ({ ...lists, name, string: bytes(value) });
const texts = (name: string, values: string[]): OnnxAttribute => ({
  ...lists,
  name,
  strings: values.map(bytes),
});

function node(
  operator: string,
  inputs: string[],
  outputs: string[],
  attributes: OnnxAttribute[] = [],
): OnnxNode {
  return { operator, inputs, outputs, attributes };
}

const linear = (input: string, transform = "LOGISTIC", classes = ["no", "yes"], rows = 1): OnnxNode =>
  node(
    "LinearClassifier",
    [input],
    ["label", "p"],
    [
      floats(
        "coefficients",
        Array.from({ length: rows }, (_, r) => 0.5 + r),
      ),
      floats(
        "intercepts",
        Array.from({ length: rows }, () => 1),
      ),
      texts("classlabels_strings", classes),
      text("post_transform", transform),
    ],
  );

/** A graph with the input age, or a wider one, and the outputs label and p. */
function graph(nodes: readonly OnnxNode[], width = 1): Uint8Array {
  return encodeMessage(modelTable, {
    irVersion: 8,
    graph: {
      nodes,
      initializers: [],
      inputs: [describeTensor(width === 1 ? "age" : "X", 1, width)],
      outputs: [describeTensor("label", 8), describeTensor("p", 1, 2)],
    },
    opsets: [],
    metadata: [],
  });
}

describe("an ONNX graph", () => {
  test("with one row of coefficients is read as the log-odds of the second class", () => {
    expect(bring("x.onnx", graph([linear("age")])).json).toEqual({
      classes: ["no", "yes"],
      features: ["age"],
      intercept: [1],
      coef: [[0.5]],
    });
  });

  test("with an Imputer is read without it, and that is said", () => {
    const imputer = node("Imputer", ["age"], ["full"], [floats("imputed_value_floats", [3])]);
    const { json, notes } = bring("x.onnx", graph([imputer, linear("full")]));
    expect(json).toMatchObject({ coef: [[0.5]] });
    expect(notes).toEqual([expect.stringContaining("imputes constants in age: ignored")]);
  });

  test.each([
    ["Normalizer", [node("Normalizer", ["age"], ["n"]), linear("n")], /operator "Normalizer": divides a row/],
    ["Relu", [node("Relu", ["age"], ["r"]), linear("r")], /operator "Relu": is not understood/],
    [
      "a tree",
      [node("TreeEnsembleClassifier", ["age"], ["label", "p"])],
      /operator "TreeEnsembleClassifier"/,
    ],
    [
      "Mul of columns",
      [node("Mul", ["age", "age"], ["m"]), linear("m")],
      /operator "Mul": input 1 must be constant/,
    ],
    [
      "two scales for one column",
      [node("Scaler", ["age"], ["s"], [floats("scale", [1, 2])]), linear("s")],
      /operator "Scaler": scale has 2 numbers for 1 columns/,
    ],
    ["one-vs-rest", [linear("age", "LOGISTIC", ["a", "b", "c"], 3)], /one-vs-rest/],
    ["PROBIT", [linear("age", "PROBIT", ["a", "b"], 2)], /post_transform "PROBIT"/],
    ["scores", [linear("age", "NONE", ["a", "b"], 2)], /answers scores, expected probabilities/],
    [
      "__proto__",
      [node("__proto__", ["age"], ["r"]), linear("r")],
      /operator "__proto__": is not understood/,
    ],
  ])("with %s is refused by the operator's name", (_, nodes, message) => {
    expect(() => bring("x.onnx", graph(nodes as OnnxNode[]))).toThrow(message as RegExp);
  });

  test("that doubles itself again and again is refused before it is too large", () => {
    const doubling = Array.from({ length: 60 }, (_, i) =>
      node("Concat", [i === 0 ? "age" : `c${i - 1}`, i === 0 ? "age" : `c${i - 1}`], [`c${i}`]),
    );
    expect(() => bring("x.onnx", graph(doubling))).toThrow(/larger than \d+ terms/);
  });

  test("with one input for many columns needs their names", () => {
    const wide = graph(
      [{ ...linear("X"), attributes: [...linear("X").attributes.slice(1), floats("coefficients", [1, 2])] }],
      2,
    );
    expect(() => bring("x.onnx", wide)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("--columns") }),
    );
    const context = { path: "x.onnx", columns: sourceColumns, names: ["age", "income"], ...COMMAND_READING };
    expect(parseClassifier(wide, context).json).toMatchObject({
      features: ["age", "income"],
      coef: [[1, 2]],
    });
  });
});

describe("a PMML document", () => {
  const document = fixture("two.pmml").toString();
  const general = fixture("two.general.pmml").toString();
  const change =
    (from: string | RegExp, to: string, of = document) =>
    () => {
      const changed = of.replace(from, to);
      expect(changed).not.toBe(of);
      return bring("x.pmml", Buffer.from(changed));
    };

  test.each<[string, () => unknown, RegExp]>([
    [
      "another model",
      change(/RegressionModel/g, "RuleSetModel"),
      /has RuleSetModel, expected one of RegressionModel/,
    ],
    ["version 3.2", change('version="4.4"', 'version="3.2"'), /PMML version "3.2", expected 4.x/],
    [
      "a document type",
      change("<PMML", '<!DOCTYPE x [<!ENTITY a "b">]><PMML'),
      /document type declaration is not allowed/,
    ],
    [
      "an exponent",
      change('name="smoker" coef', 'name="smoker" exponent="2" coef'),
      /exponent 2, expected 1/,
    ],
    [
      "an interaction",
      change(/<NumericPredictor name="smoker"/, '<PredictorTerm name="smoker"'),
      /PredictorTerm "smoker" is not additive/,
    ],
    ["a logarithm", change('function="/"', 'function="ln"'), /function "ln", which is not additive/],
    ["probit", change('"logit"', '"probit"'), /normalizationMethod "probit", expected "logit" or "softmax"/],
    [
      "clipped values",
      change('name="income"/>', 'name="income" outliers="asExtremeValues"/>'),
      /outliers="asExtremeValues" is not read/,
    ],
    [
      "a circle",
      change('<FieldRef field="age"/>', '<FieldRef field="standardScaler(age)"/>'),
      /is defined by itself/,
    ],
    ["an open tag", change("</PMML>", ""), /damaged/],
    [
      "an ordinal model",
      change("generalizedLinear", "ordinalMultinomial", general),
      /modelType "ordinalMultinomial"/,
    ],
    ["another link", change('"logit"', '"cloglog"', general), /link "cloglog"/],
    [
      "a product of parameters",
      change('parameterName="p2"', 'parameterName="p1"', general),
      /parameter "p1" is an interaction/,
    ],
  ])("with %s is refused with its name", (_, read, message) => {
    expect(read).toThrow(message);
  });

  test("with NormContinuous and NormDiscrete is read as what they are", () => {
    const line =
      '<NormContinuous field="age"><LinearNorm orig="0" norm="1"/><LinearNorm orig="10" norm="6"/></NormContinuous>';
    const { json } = change(/<Apply function="\/">.*?<\/Apply>(?=<\/DerivedField><DerivedField)/s, line)();
    const expected = bring("two.pmml").json;
    const at = json.features.indexOf("age");
    expect((json as ClassifierJson).coef[0][at]).toBeCloseTo(
      0.5 * Number(/standardScaler\(age\)" coefficient="([^"]+)"/.exec(document)?.[1]),
      12,
    );
    expect(json.features).toEqual(expected.features);
  });
});

describe("a table of coefficients", () => {
  test.each([
    ["an interaction", "name,estimate\nage:income,1\n", /"age:income" is an interaction/],
    [
      "an unknown column",
      "name,estimate\nheight,1\n",
      /"height" is neither a column of the data nor a value/,
    ],
    ["no number", "name,estimate\nage,much\n", /coefficient "age": "much" is no number/],
    ["a name twice", "name,estimate\nage,1\nage,2\n", /"age" occurs twice/],
    [
      "no reference class",
      "name,a,b\nage,1,2\n",
      /expected one reference class whose estimates are all 0, got 0/,
    ],
    ["rows of different length", "name,estimate\nage\n", /row 2 has 1 fields/],
    ["sum contrasts of patsy", "name,estimate\ncolour[S.red],1\n", /is not a treatment contrast/],
  ])("with %s is refused with its name", (_, table, message) => {
    expect(() => bring("x.csv", Buffer.from(table))).toThrow(message);
  });

  test("with other contrasts than R's default is refused, for their values do not occur", () => {
    const sums = Buffer.from("name,estimate\n(Intercept),1\ncolour1,0.5\ncolour2,-0.5\n");
    expect(() => importedClassifier("x.csv", sums)).toThrow(
      /"colour1" reads as "colour=1", a value that the data does not have/,
    );
  });

  test("may have one row per class and name, and coefficients that R dropped", () => {
    const table =
      "y.level,term,estimate,std.error\nno,(Intercept),0,0\nyes,(Intercept),1,0.1\nyes,age,2,0.1\nyes,factor(colour)red,NA,NA\n";
    const { json, notes } = bring("x.csv", Buffer.from(table));
    expect(json).toEqual({
      classes: ["no", "yes"],
      features: ["age", "colour=red"],
      intercept: [1],
      coef: [[2, 0]],
    });
    expect(notes).toEqual(["coefficients that are NA count as 0, as in R: factor(colour)red"]);
  });
});

test.each([
  [
    "a model in place of a classifier",
    '{"format":"conformant-model"}',
    /a fitted model, expected a classifier/,
  ],
  [
    "names that are no texts",
    '{"classes":["a","b"],"features":[1],"intercept":[0],"coef":[[1]]}',
    /expected "features"/,
  ],
  ["a list", "[]", /expected "classes"/],
  ["null", "null", /expected "classes"/],
  ["nothing", "", /the file is empty/],
])("JSON with %s is refused", (_, json, message) => {
  expect(() => bring("x.json", Buffer.from(json))).toThrow(message);
});
