import { type Affine, classifierFromLogits, featureOf, regressorFromSum } from "../affine.ts";
import { type ImportedClassifier, type ReadingContext, refuseFile } from "../imported-classifier.ts";
import { linearClassifier, linearRegressor } from "./linear-classifier.ts";
import { type GraphReading, NodeView, type OnnxValue } from "./node-view.ts";
import { ELEMENT, modelTable, type OnnxGraph, type OnnxModel, type OnnxValueInfo } from "./onnx-proto.ts";
import { operators } from "./operators.ts";
import { readTreeEnsemble, readTreeRegressor } from "./tree-ensemble.ts";
import { decodeMessage } from "./wire-message.ts";

/** The most terms of a graph: a classifier of thousands of columns or a forest needs far fewer. */
const MOST_TERMS = 16_000_000;
const MOST_COLUMNS = 100_000;

type Answer = Extract<OnnxValue, { kind: "probabilities" | "trees" | "number" }>;

/**
 * Reads the classifier or regressor from an ONNX graph such as those of skl2onnx. The graph is not run: numbers that are affine in the
 * columns are followed from node to node, until they are the logits of a LinearClassifier or a Softmax, inputs of trees, or the output.
 */
export function readOnnx(bytes: Uint8Array, context: ReadingContext): ImportedClassifier {
  const { path } = context;
  const { graph } = decodeMessage<OnnxModel>(modelTable, bytes);
  if (!graph || graph.nodes.length === 0)
    throw refuseFile(path, "this is not an ONNX model: it has no graph");
  const values = new Map<string, OnnxValue>();
  for (const tensor of graph.initializers) values.set(tensor.name ?? "", { kind: "constant", tensor });
  for (const [name, value] of columnsOf(graph, context)) values.set(name, value);
  const notes = new Set<string>();
  followGraph(graph, context, values, notes);
  return { json: toJson(answerOf(graph, values, path), path), notes: [...notes] };
}

/** The inputs that are not initializers: one column each, or several concatenated columns whose names are given. */
function columnsOf(graph: OnnxGraph, { path, names, words }: ReadingContext): Map<string, OnnxValue> {
  const initialized = new Set(graph.initializers.map(({ name }) => name));
  const inputs = graph.inputs.filter(({ name }) => !initialized.has(name));
  const wide = inputs.filter((input) => widthOf(input, path) > 1);
  if (wide.length > 0 && (inputs.length > 1 || names?.length !== widthOf(wide[0], path)))
    throw refuseFile(
      path,
      `input ${JSON.stringify(wide[0].name)} holds ${widthOf(wide[0], path)} columns without names${names ? `, ${words.columns} names ${names.length}` : ""}`,
      `convert it with one input per column, or name the columns in their order with ${words.columns} a,b,…`,
    );
  return new Map(
    inputs.map((input) => [
      input.name ?? "",
      {
        kind: "cells",
        cells: (wide.includes(input) ? (names ?? []) : [input.name ?? ""]).map(featureOf),
        single: input.type?.tensor?.element !== ELEMENT.double,
      },
    ]),
  );
}

function widthOf({ name, type }: OnnxValueInfo, path: string): number {
  const dims = type?.tensor?.shape?.dims ?? [];
  const width = dims.length < 2 ? 1 : (dims[1].value ?? 0);
  if (dims.length > 2 || !(width >= 1 && width <= MOST_COLUMNS))
    throw refuseFile(path, `input ${JSON.stringify(name)} must have the shape rows × columns`);
  return width;
}

function followGraph(
  graph: OnnxGraph,
  { path, words }: ReadingContext,
  values: Map<string, OnnxValue>,
  notes: Set<string>,
): void {
  let terms = 0;
  const spend = (more: number): void => {
    terms += more;
    if (terms > MOST_TERMS) throw refuseFile(path, `the graph is larger than ${MOST_TERMS} terms`);
  };
  const reading: GraphReading = { path, words, spend, note: (text) => notes.add(text) };
  for (const node of graph.nodes) {
    const inputs = node.inputs.map((name) => values.get(name));
    const outputs = follow(new NodeView(reading, node, inputs));
    node.outputs.forEach((name, o) => {
      values.set(name, outputs[o] ?? outputs[0]);
    });
  }
}

/** The output of a node. */
function follow(node: NodeView): readonly OnnxValue[] {
  const { operator, inputs } = node;
  if (operator === "Constant") return [constant(node)];
  if (inputs.some((value) => value?.kind === "label")) return [{ kind: "label" }];
  const answer = inputs.find(isAnswer);
  if (answer) return [afterClassifier(node, answer)];
  if (operator === "LinearClassifier") return [{ kind: "label" }, linearClassifier(node)];
  if (operator === "TreeEnsembleClassifier")
    return [{ kind: "label" }, { kind: "trees", trees: readTreeEnsemble(node) }];
  if (operator === "LinearRegressor")
    return [{ kind: "cells", cells: linearRegressor(node), single: node.single }];
  if (operator === "TreeEnsembleRegressor") return [{ kind: "number", json: readTreeRegressor(node) }];
  if (operator === "Exp")
    return [{ kind: "number", json: regressorFromSum("log", onlyOf(node, node.cells())) }];
  const [first] = inputs;
  const classes = first?.kind === "cells" && first.classes ? { classes: first.classes } : {};
  if (operator === "Softmax") return [{ kind: "probabilities", logits: node.cells(), ...classes }];
  if (operator === "Normalizer")
    node.refuse("divides a row by its length, which is not additive in its columns");
  const apply = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (!apply)
    node.refuse("is not understood: expected the operators of a model that is additive in its columns");
  const single = node.single || (operator === "Cast" && node.int("to", 0) === ELEMENT.float);
  return [{ kind: "cells", cells: (apply as NonNullable<typeof apply>)(node), single, ...classes }];
}

function isAnswer(value: OnnxValue | undefined): value is Answer {
  return value?.kind === "probabilities" || value?.kind === "trees" || value?.kind === "number";
}

/** Probabilities on their way to the output: passed on, named, or converted to the label. */
function afterClassifier(node: NodeView, answer: Answer): OnnxValue {
  switch (node.operator) {
    case "ArgMax":
      return { kind: "label" };
    case "ZipMap": {
      const classes = node.names("classlabels_strings", "classlabels_int64s");
      if (answer.kind === "number") return node.refuse("names classes after a number");
      return classes.length > 0 ? { ...answer, classes } : answer;
    }
    case "Normalizer": // they sum to 1 already
      if (node.text("norm", "MAX") === "L1") return answer;
      return node.refuse("is understood after the classifier with norm L1 only");
    case "Identity":
    case "Cast":
    case "Reshape":
    case "Flatten":
    case "Squeeze":
      return answer;
    case "Exp":
      if (answer.kind === "number" && answer.json.link === "identity")
        return { kind: "number", json: { ...answer.json, link: "log" } };
      return node.refuse("is understood after a sum of columns or trees only");
    default:
      return node.refuse("is not understood after the classifier");
  }
}

function constant(node: NodeView): OnnxValue {
  const tensor = node.node.attributes.find(({ name }) => name === "value")?.tensor;
  return tensor ? { kind: "constant", tensor } : node.refuse("has no value that is a tensor");
}

function answerOf(graph: OnnxGraph, values: ReadonlyMap<string, OnnxValue>, path: string): Answer {
  const answers = graph.outputs.map(({ name }) => values.get(name ?? ""));
  const found = answers.filter(isAnswer);
  if (found.length > 1 && found.some(({ kind }) => kind === "number"))
    throw refuseFile(path, `the graph has ${found.length} outputs that are answers, expected one`);
  if (found.length > 0) return found[0];
  const cells = answers.flatMap((value) => (value?.kind === "cells" ? value : []));
  const scores = cells.flatMap((value) => value.cells);
  if (cells.some(({ classes }) => classes) || answers.some((value) => value?.kind === "label"))
    throw refuseFile(
      path,
      "the graph answers scores, expected probabilities (post_transform SOFTMAX or LOGISTIC)",
    );
  if (scores.length === 1) return { kind: "number", json: regressorFromSum("identity", scores[0]) };
  throw refuseFile(
    path,
    scores.length > 1
      ? `the graph answers ${scores.length} numbers, expected one or the probabilities of classes`
      : "the graph has no classifier or regressor whose answer is an output",
  );
}

/** The only one of some numbers. */
function onlyOf(node: NodeView, cells: readonly Affine[]): Affine {
  return cells.length === 1 ? cells[0] : node.refuse(`of ${cells.length} numbers, expected one`);
}

function toJson(answer: Answer, path: string): ImportedClassifier["json"] {
  if (answer.kind === "number") return answer.json;
  const count = answer.kind === "trees" ? answer.trees.classes.length : answer.logits.length;
  const own = answer.kind === "trees" ? answer.trees.classes : answer.logits.map((_, k) => String(k));
  const classes = answer.classes ?? own;
  if (classes.length !== count)
    throw refuseFile(path, `the graph has ${classes.length} class names for ${count} probabilities`);
  return answer.kind === "trees"
    ? { ...answer.trees, classes }
    : classifierFromLogits(classes, answer.logits);
}
