import type { Column, TreesJson } from "conformant";
import { describeTensor } from "../../../src/export/onnx-graph-builder.ts";
import { modelTable, type OnnxAttribute } from "../../../src/import/onnx/onnx-proto.ts";
import { encodeMessage } from "../../../src/import/onnx/wire-message.ts";
import { encodeUbjson } from "./encode-ubjson.ts";

/** What the trees ask about; the values of city are the codes of XGBoost and LightGBM. */
export const COLUMNS: readonly Column[] = [
  { name: "age", kind: "numeric" },
  { name: "income", kind: "numeric" },
  { name: "city", kind: "categorical", values: ["0", "1", "2"] },
];

/** Two boosted trees; every other file of this module says the same in its own way. */
const BOOSTED: TreesJson = {
  kind: "trees",
  classes: ["0", "1"],
  features: ["age", "income", "city"],
  categories: [null, null, ["0", "1", "2"]],
  link: "logistic",
  base: [0.25],
  trees: [
    {
      feature: [0, 2, 1, -1, -1, -1, -1],
      threshold: [40.5, null, 1000.5, null, null, null, null],
      left: [1, 3, 5, -1, -1, -1, -1],
      right: [2, 4, 6, -1, -1, -1, -1],
      value: [null, null, null, 0.75, -1, 0.5, 2],
      sets: [null, [1], null, null, null, null, null],
      gapsLeft: [1, 0, 0, 0, 0, 0, 0],
    },
    {
      feature: [2, -1, 0, -1, -1],
      threshold: [null, null, 60.5, null, null],
      left: [1, -1, 3, -1, -1],
      right: [2, -1, 4, -1, -1],
      value: [null, -0.5, null, 0.25, 0.125],
      sets: [[0, 2], null, null, null, null],
    },
  ],
};

/** A forest of two trees and three classes. */
const FOREST: TreesJson = {
  kind: "trees",
  classes: ["a", "b", "c"],
  features: ["age", "income"],
  link: "probability",
  trees: [0, 1].map((feature) => ({
    feature: [feature, -1, -1],
    threshold: [30.5, null, null],
    left: [1, -1, -1],
    right: [2, -1, -1],
    value: [null, [0.25, 0.125, 0.125], [0.5, 0, 0]],
  })),
};

const XGBOOST = {
  version: [1, 7, 4],
  learner: {
    feature_names: BOOSTED.features,
    feature_types: ["float", "float", "c"],
    objective: { name: "binary:logistic" },
    learner_model_param: { base_score: `${1 / (1 + Math.exp(-0.25))}`, num_class: "0", num_feature: "3" },
    gradient_booster: {
      name: "gbtree",
      model: {
        tree_info: [0, 0],
        trees: [
          {
            left_children: [1, 4, 5, -1, -1, -1, -1],
            right_children: [2, 3, 6, -1, -1, -1, -1],
            split_indices: [0, 2, 1, 0, 0, 0, 0],
            split_conditions: [40.5, 0, 1000.5, 0.75, -1, 0.5, 2],
            split_type: [0, 1, 0, 0, 0, 0, 0],
            default_left: [1, 1, 0, 0, 0, 0, 0],
            categories: [1],
            categories_nodes: [1],
            categories_segments: [0],
            categories_sizes: [1],
          },
          {
            left_children: [2, -1, 3, -1, -1],
            right_children: [1, -1, 4, -1, -1],
            split_indices: [2, 0, 0, 0, 0],
            split_conditions: [0, -0.5, 60.5, 0.25, 0.125],
            split_type: [1, 0, 0, 0, 0],
            default_left: [1, 0, 0, 0, 0],
            categories: [0, 2],
            categories_nodes: [0],
            categories_segments: [0],
            categories_sizes: [2],
          },
        ],
      },
    },
  },
};

const LIGHTGBM = `tree
version=v4
num_class=1
num_tree_per_iteration=1
max_feature_idx=2
objective=binary sigmoid:1
feature_names=age income city
feature_infos=[18:90] [0:5000] 0:1:2

Tree=0
num_leaves=4
num_cat=1
split_feature=0 2 1
threshold=40.5 0 1000.5
decision_type=10 1 8
left_child=1 -1 -3
right_child=2 -2 -4
leaf_value=1 -0.75 0.75 2.25
cat_boundaries=0 1
cat_threshold=2

Tree=1
num_leaves=3
num_cat=1
split_feature=2 0
threshold=0 60.5
decision_type=1 8
left_child=-1 -2
right_child=1 -3
leaf_value=-0.5 0.25 0.125
cat_boundaries=0 1
cat_threshold=5

end of trees

pandas_categorical:[]
`;

const NUMBERS = "nodes_treeids nodes_nodeids nodes_featureids nodes_truenodeids nodes_falsenodeids".split(
  " ",
);

/** An ONNX graph: the columns age, income and the bits of city, then the trees. */
function onnxOf(
  nodes: readonly (readonly [number, number, number, number, number, string, number])[],
  votes: readonly (readonly [number, number, number, number])[],
  { classes, post, base }: { classes: readonly string[]; post: string; base: readonly number[] },
): Uint8Array {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const empty = { floats: [], ints: [], strings: [] };
  const attributes: OnnxAttribute[] = [
    ...NUMBERS.map((name, i) => ({ ...empty, name, ints: nodes.map((node) => node[i] as number) })),
    { ...empty, name: "nodes_modes", strings: nodes.map((node) => encode(node[5])) },
    { ...empty, name: "nodes_values", floats: nodes.map((node) => node[6]) },
    ...["class_treeids", "class_nodeids", "class_ids"].map((name, i) => ({
      ...empty,
      name,
      ints: votes.map((vote) => vote[i]),
    })),
    { ...empty, name: "class_weights", floats: votes.map((vote) => vote[3]) },
    { ...empty, name: "base_values", floats: base },
    { ...empty, name: "classlabels_strings", strings: classes.map(encode) },
    { ...empty, name: "post_transform", string: encode(post) },
  ];
  const hot = { ...empty, name: "cats_strings", strings: ["0", "1", "2"].map(encode) };
  const graph = {
    name: "trees",
    initializers: [],
    nodes: [
      { operator: "OneHotEncoder", inputs: ["city"], outputs: ["bits"], attributes: [hot] },
      { operator: "Concat", inputs: ["age", "income", "bits"], outputs: ["X"], attributes: [] },
      { operator: "TreeEnsembleClassifier", inputs: ["X"], outputs: ["label", "p"], attributes },
    ],
    inputs: [describeTensor("age", 1, 1), describeTensor("income", 1, 1), describeTensor("city", 8, 1)],
    outputs: [describeTensor("label", 8), describeTensor("p", 1, classes.length)],
  };
  return encodeMessage(modelTable, { irVersion: 8, graph, opsets: [], metadata: [] });
}

// Tree, node, feature, true, false, mode, value.
const ONNX = onnxOf(
  [
    [0, 0, 0, 1, 2, "BRANCH_LT", 40.5],
    [0, 1, 3, 3, 4, "BRANCH_GT", 0.5],
    [0, 2, 1, 6, 5, "BRANCH_GTE", 1000.5],
    [0, 3, 0, 0, 0, "LEAF", 0],
    [0, 4, 0, 0, 0, "LEAF", 0],
    [0, 5, 0, 0, 0, "LEAF", 0],
    [0, 6, 0, 0, 0, "LEAF", 0],
    [1, 0, 3, 2, 1, "BRANCH_EQ", 1],
    [1, 1, 0, 0, 0, "LEAF", 0],
    [1, 2, 0, 3, 4, "BRANCH_LEQ", 60.5],
    [1, 3, 0, 0, 0, "LEAF", 0],
    [1, 4, 0, 0, 0, "LEAF", 0],
  ],
  [
    [0, 3, 0, 0.75],
    [0, 4, 0, -1],
    [0, 5, 0, 0.5],
    [0, 6, 0, 2],
    [1, 1, 0, -0.5],
    [1, 3, 0, 0.25],
    [1, 4, 0, 0.125],
  ],
  { classes: ["0", "1"], post: "LOGISTIC", base: [0.25] },
);

const ONNX_FOREST = onnxOf(
  [0, 1].flatMap((tree) => [
    [tree, 0, tree, 1, 2, "BRANCH_LEQ", 30.5] as const,
    [tree, 1, 0, 0, 0, "LEAF", 0] as const,
    [tree, 2, 0, 0, 0, "LEAF", 0] as const,
  ]),
  [0, 1].flatMap((tree) => [
    [tree, 1, 0, 0.25] as const,
    [tree, 1, 1, 0.125] as const,
    [tree, 1, 2, 0.125] as const,
    [tree, 2, 0, 0.5] as const,
  ]),
  { classes: ["a", "b", "c"], post: "NONE", base: [] },
);

const isIn = (values: string): string =>
  `<SimpleSetPredicate field="city" booleanOperator="isIn"><Array n="1" type="string">${values}</Array></SimpleSetPredicate>`;
const test = (field: string, operator: string, value: number): string =>
  `<SimplePredicate field="${field}" operator="${operator}" value="${value}"/>`;
const DICTIONARY = `<DataDictionary><DataField name="age" optype="continuous" dataType="double"/>
<DataField name="income" optype="continuous" dataType="double"/>
<DataField name="city" optype="categorical" dataType="string"><Value value="0"/><Value value="1"/><Value value="2"/></DataField></DataDictionary>`;

const PMML = `<PMML version="4.4">${DICTIONARY}
<MiningModel functionName="classification"><Segmentation multipleModelMethod="modelChain">
<Segment><True/><MiningModel functionName="regression">
<Output><OutputField name="sum"/></Output><Targets><Target rescaleConstant="0.25"/></Targets>
<Segmentation multipleModelMethod="sum">
<Segment><True/><TreeModel functionName="regression" missingValueStrategy="defaultChild"><Node id="0" defaultChild="1"><True/>
<Node id="1" defaultChild="4">${test("age", "lessOrEqual", 40.5)}
<Node id="3" score="0.75">${isIn("1")}</Node><Node id="4" score="-1">${isIn("0 2")}</Node></Node>
<Node id="2" defaultChild="6">${test("age", "greaterThan", 40.5)}
<Node id="5" score="0.5">${test("income", "lessThan", 1000.5)}</Node><Node id="6" score="2">${test("income", "greaterOrEqual", 1000.5)}</Node></Node>
</Node></TreeModel></Segment>
<Segment><True/><TreeModel functionName="regression" noTrueChildStrategy="returnLastPrediction"><Node score="0.125"><True/>
<Node score="-0.5">${isIn('"0" "2"')}</Node>
<Node score="0.25"><CompoundPredicate booleanOperator="and"><True/>${test("age", "lessOrEqual", 60.5)}</CompoundPredicate></Node>
</Node></TreeModel></Segment>
</Segmentation></MiningModel></Segment>
<Segment><True/><RegressionModel functionName="classification" normalizationMethod="logit">
<RegressionTable intercept="0" targetCategory="1"><NumericPredictor name="sum" coefficient="1"/></RegressionTable>
<RegressionTable intercept="0" targetCategory="0"/></RegressionModel></Segment>
</Segmentation></MiningModel></PMML>`;

const share = (
  field: string,
): string => `<Segment><True/><TreeModel functionName="classification"><Node><True/>
<Node>${test(field, "lessOrEqual", 30.5)}<ScoreDistribution value="a" recordCount="2"/><ScoreDistribution value="b" recordCount="1"/><ScoreDistribution value="c" recordCount="1"/></Node>
<Node score="a">${test(field, "greaterThan", 30.5)}</Node></Node></TreeModel></Segment>`;
const PMML_FOREST = `<PMML version="4.4">${DICTIONARY}
<MiningModel functionName="classification"><Segmentation multipleModelMethod="average">${share("age")}${share("income")}</Segmentation></MiningModel></PMML>`;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The same boosted trees, and the same forest, as files of each format. */
export const TREE_FILES: Readonly<
  Record<string, { boosted: Uint8Array; forest?: Uint8Array; name: string }>
> = {
  "trees JSON": {
    name: "trees.json",
    boosted: bytes(JSON.stringify(BOOSTED)),
    forest: bytes(JSON.stringify(FOREST)),
  },
  "XGBoost JSON": { name: "xgboost.json", boosted: bytes(JSON.stringify(XGBOOST)) },
  UBJSON: { name: "xgboost.ubj", boosted: encodeUbjson(XGBOOST) },
  LightGBM: { name: "lightgbm.txt", boosted: bytes(LIGHTGBM) },
  ONNX: { name: "trees.onnx", boosted: ONNX, forest: ONNX_FOREST },
  PMML: { name: "trees.pmml", boosted: bytes(PMML), forest: bytes(PMML_FOREST) },
};
