import { describe, expect, test } from "vitest";
import { TableError } from "../../../src/source/table-error.ts";
import { TREE_FILES } from "./tree-files.ts";
import { answersOf } from "./try-mutated-files.ts";

/** KiB, as the system counts: a small file may not take more than this, whatever it says. */
const MOST_MEMORY = 512 * 2 ** 10;

/** A format's boosted trees with something put in the place of something else. */
function changed(format: string, from: string | RegExp, to: string): Uint8Array {
  const text = Buffer.from(TREE_FILES[format].boosted).toString("latin1");
  expect(text).toMatch(from);
  return Buffer.from(text.replace(from, to), "latin1");
}

/** The error about a file, which must be one line that names it. */
function errorOf(format: string, bytes: Uint8Array): string {
  const { name } = TREE_FILES[format];
  try {
    answersOf(name, bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(TableError);
    const { message } = error as TableError;
    expect(message).toContain(name);
    expect(message).not.toContain("\n");
    return message;
  }
  return "no error";
}

test.each(Object.keys(TREE_FILES))("a file of which the end is missing is refused: %s", (format) => {
  const { boosted } = TREE_FILES[format];
  // What LightGBM writes after its trees is not needed.
  const trees = Buffer.from(boosted).indexOf("end of trees");
  const needed = trees < 0 ? boosted.length : trees;
  for (let part = 1; part <= 40; part++)
    expect(errorOf(format, boosted.subarray(0, Math.ceil((needed * part) / 40) - 1))).not.toBe("no error");
});

test.each([
  // Other versions and objectives.
  ["XGBoost JSON", '"binary:logistic"', '"rank:pairwise"', /objective "rank:pairwise" gives neither class/],
  ["XGBoost JSON", '"binary:logistic"', '"reg:quantileerror"', /objective "reg:quantileerror" gives neither/],
  ["XGBoost JSON", '"gbtree"', '"gblinear"', /booster "gblinear" of XGBoost is not made of trees/],
  [
    "XGBoost JSON",
    '"left_children":[1,4',
    '"tree_param":{"size_leaf_vector":"3"},"left_children":[1,4',
    /tree 0 of XGBoost's model has a number per class in its leaves/,
  ],
  ["UBJSON", "binary:logistic", "binary:logitrow", /objective "binary:logitrow" gives neither class/],
  ["LightGBM", "objective=binary", "objective=lambdarank", /objective "lambdarank" gives neither class/],
  [
    "LightGBM",
    "objective=binary",
    "objective=multiclassova",
    /objective "multiclassova" gives neither class/,
  ],
  ["LightGBM", "num_cat=1", "num_cat=1\nis_linear=1", /linear models in its leaves/],
  ["ONNX", "LOGISTIC", "PROBIT_T", /post_transform "PROBIT_T" gives no probabilities of 2 classes/],
  ["ONNX", "BRANCH_LT", "BRANCH_XX", /mode "BRANCH_XX" is not understood/],
  ["PMML", 'version="4.4"', 'version="3.2"', /PMML version "3.2", expected 4.x/],
  ["PMML", '"sum">', '"median">', /multipleModelMethod "median" is not read in a sum of trees/],
  ["PMML", '"modelChain"', '"selectFirst"', /multipleModelMethod "selectFirst" is not read/],
  ["PMML", '"logit"', '"cauchit"', /normalizationMethod "cauchit"/],
  ["PMML", '"rescaleConstant"'.slice(1, -1), "castInteger", /a Target has "castInteger", which is not read/],
  ["trees JSON", '"logistic"', '"probit"', /link must be "probability", "logistic" or "softmax"/],
  // A way that goes in circles.
  ["XGBoost JSON", '"left_children":[1,', '"left_children":[0,', /must have no cycle/],
  ["LightGBM", "left_child=1 -1", "left_child=0 -1", /must have no cycle/],
  ["trees JSON", '"left":[1,3,', '"left":[0,3,', /must have no cycle/],
  // Leaves that are no numbers.
  ["XGBoost JSON", "0.75", "NaN", /must have 1 finite number in each leaf, got null/],
  ["LightGBM", "2.25", "nan", /must have 1 finite number in each leaf, got NaN/],
  ["trees JSON", "0.75", "1e999", /must have 1 finite number in each leaf, got Infinity/],
  ["PMML", 'score="0.75"', 'score="NaN"', /Node must have a finite number as score, got "NaN"/],
  // Columns that the data lacks.
  ["XGBoost JSON", '"income"', '"height"', /"height", but the data has only "age"/],
  ["UBJSON", "income", "height", /"height", but the data has only "age"/],
  ["LightGBM", "age income", "age height", /"height", but the data has only "age"/],
  ["ONNX", /income/g, "height", /"height", but the data has only "age"/],
  ["PMML", /income/g, "height", /"height", but the data has only "age"/],
  ["trees JSON", '"income"', '"height"', /"height", but the data has only "age"/],
  // What only PMML can say.
  ["PMML", /<Node id="4".*?<\/Node>/s, "", /may meet no child of node "1"/],
  ["PMML", 'operator="lessThan"', 'operator="about"', /operator "about", which is not known/],
  [
    "PMML",
    'field="income"',
    'field="nothing"',
    /asks about "nothing", which no DataField or DerivedField defines/,
  ],
  [
    "PMML",
    'name="sum" coefficient',
    'name="age" coefficient',
    /uses "age", which no model before it predicts/,
  ],
] as const)("%s with %s → %s is refused by name", (format, from, to, message) => {
  expect(errorOf(format, changed(format, from, to))).toMatch(message);
});

test.each([
  ["\x80\x04\x95\x97", /a pickle of Python/],
  ['[\n  { "nodeid": 0, "depth": 0', /XGBoost's dump_model/],
  ["booster[0]:\n0:[age<40]", /XGBoost's dump_model/],
  ['{"name":"tree","version":"v3","num_class":1,"num_tree_per_iteration":1,', /LightGBM's dump_model/],
  ["CBM1\x98\x01", /CatBoost in its own format/],
  ['{"features_info":{},"oblivious_trees":[]}', /CatBoost in its own format/],
  ["\x1f\x8b\x08", /packed with gzip/],
  ["PK\x03\x04", /a ZIP archive/],
])("what is often taken for a classifier's file is refused by name: %j", (beginning, message) => {
  expect(errorOf("UBJSON", Buffer.from(beginning, "latin1"))).toMatch(message);
});

describe("a small file that asks for much", () => {
  const { boosted } = TREE_FILES["trees JSON"];
  const json = JSON.parse(Buffer.from(boosted).toString()) as { trees: unknown[] };

  /** A chain of nodes both of whose children are the next: 2^n ways. */
  const ladder = (n: number) => ({
    feature: [...Array.from({ length: n }, (_, i) => i % 2), -1],
    threshold: [...Array.from({ length: n }, (_, i) => i), null],
    left: [...Array.from({ length: n }, (_, i) => i + 1), -1],
    right: [...Array.from({ length: n }, (_, i) => i + 1), -1],
    value: [...new Array<null>(n).fill(null), 1],
  });

  test.each([
    [
      "trees that unfold",
      "trees JSON",
      JSON.stringify({ ...json, trees: [ladder(60)] }),
      /unfold to more than/,
    ],
    [
      "codes by the billion",
      "XGBoost JSON",
      changed("XGBoost JSON", '"categories":[1]', '"categories":[2000000000]'),
      /2000000001 codes of categories, at most 100000 /,
    ],
    [
      "codes by the billion",
      "LightGBM",
      changed("LightGBM", "[0:5000] 0:1:2", "[0:5000] 0:1:2000000000"),
      /codes of categories, at most 100000 /,
    ],
    [
      "a feature of a billion",
      "XGBoost JSON",
      changed("XGBoost JSON", '"split_indices":[0,2', '"split_indices":[0,1000000000'),
      /-1 or one of the 3 features, got 1000000000/,
    ],
    [
      "a million classes",
      "XGBoost JSON",
      Buffer.from(
        Buffer.from(changed("XGBoost JSON", '"binary:logistic"', '"multi:softprob"'))
          .toString()
          .replace('"num_class":"0"', '"num_class":"1000000"'),
      ),
      /2 trees for 1000000 classes/,
    ],
    [
      "elements inside each other",
      "PMML",
      `<PMML version="4.4"><TreeModel functionName="classification">${"<Node>".repeat(50_000)}${"</Node>".repeat(50_000)}</TreeModel></PMML>`,
      /damaged|no predicate/,
    ],
    ["lists inside each other", "trees JSON", `{"trees":${"[".repeat(100_000)}`, /damaged/],
    ["lists inside each other", "UBJSON", `{i\u0005trees${"[".repeat(100_000)}`, /lists inside each other/],
  ] as const)("is refused: %s in %s", (_, format, file, message) => {
    const before = process.resourceUsage().maxRSS;
    expect(errorOf(format, Buffer.from(file))).toMatch(message);
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(MOST_MEMORY);
  });
});
