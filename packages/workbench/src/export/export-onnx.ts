import type { AnyModel, CategoricalColumn, Distribution, LinearRegressor, Schema } from "conformant";
import { linearSums, TIE } from "conformant/internal";
import { ELEMENT, modelTable, type OnnxModel, type OnnxValueInfo } from "../import/onnx/onnx-proto.ts";
import { encodeMessage } from "../import/onnx/wire-message.ts";
import { type IndicatorColumn, isIndicatorColumn } from "../source/positions.ts";
import { gaussianScores } from "./onnx-gaussian-scores.ts";
import { describeTensor, GraphBuilder, ML } from "./onnx-graph-builder.ts";
import { constantRow, scoreTable, weightRow } from "./score-table.ts";

/** Versions of the format and of its operator sets. */
const [IR_VERSION, OPSET, ML_OPSET] = [8, 17, 3];

export interface OnnxExportOptions {
  /** Inputs and outputs are single precision; everything in between is double. */
  readonly float: boolean;
}

/**
 * A model as an ONNX graph. Each column is an input of rows × 1, in which NaN or the empty text means missing; the outputs are label and
 * probabilities, or the number of a linear regressor. Each column adds M·K scores per row; their softmax, summed over components, is the
 * prediction. A regressor has the scores of its sum.
 */
export function exportOnnx(model: AnyModel, { float }: OnnxExportOptions): Uint8Array {
  const { schema, predictor } = model;
  const { scored, unit } =
    predictor.kind === "linear" ? linearSums(predictor, model) : { scored: model, unit: 1 };
  const number = float ? ELEMENT.float : ELEMENT.double;
  const builder = new GraphBuilder(new Set(schema.columns.map(({ name }) => name)));
  const width = scored.components.length * scored.tilt.intercept.length;
  const { gaussianColumns } = scored;
  const supplied = schema.columns.filter((column) => !isIndicatorColumn(column));
  const cellsOf = new Map(
    supplied.map(({ name, kind }) => [
      name,
      float && kind !== "categorical" ? builder.add("Cast", [name], { to: ELEMENT.double }) : name,
    ]),
  );
  const cells = schema.columns.map((column) =>
    isIndicatorColumn(column)
      ? markMissing(builder, schema, column, cellsOf.get(column.gapOf) as string)
      : (cellsOf.get(column.name) as string),
  );
  const parts = schema.columns.map((_, i) => columnScores(builder, scored, i, cells[i]));
  if (gaussianColumns)
    parts.push(
      gaussianScores(
        builder,
        scored,
        gaussianColumns,
        Array.from(gaussianColumns.columns, (i) => cells[i]),
      ),
    );
  const scores = builder.add("Sum", [builder.doubles([1, width], constantRow(scored)), ...parts]);
  const inputs = supplied.map(({ name, kind }) =>
    describeTensor(name, kind === "categorical" ? ELEMENT.string : number, 1),
  );
  const outputs =
    predictor.kind === "linear"
      ? addNumber(builder, predictor, scored, unit, scores)
      : addClasses(builder, model, scores);
  return encodeMessage(modelTable, {
    irVersion: IR_VERSION,
    producer: "conformant",
    opsets: [
      { domain: "", version: OPSET },
      { domain: ML, version: ML_OPSET },
    ],
    metadata: [
      { key: "conformant.columns", value: JSON.stringify(supplied) },
      predictor.kind === "linear"
        ? { key: "conformant.output", value: predictor.output }
        : { key: "conformant.classes", value: JSON.stringify(model.response.outputs) },
    ],
    graph: builder.build("conformant", inputs, outputs.map(named(builder, float))),
  } satisfies OnnxModel);
}

/** What a column outside the Gaussian adds to the scores, rows × M·K, from its cells, which are texts or doubles. */
function columnScores(builder: GraphBuilder, model: Distribution, i: number, cells: string): string {
  const column = model.schema.columns[i];
  const table = scoreTable(model, i);
  const width = table[0].length;
  if (column.kind === "categorical") {
    // −1 selects the last row.
    return lookUp(builder, table, codeOf(builder, column, cells));
  }
  const gap = builder.add("IsNaN", [cells]);
  if (column.kind === "binary") {
    const known = builder.add("Where", [gap, builder.doubles([], [2]), cells]);
    return lookUp(builder, table, builder.add("Cast", [known], { to: ELEMENT.int64 }));
  }
  const edges = column.kind === "binned" ? column.edges : [...(model.atoms.columns[i].edges ?? [])];
  if (column.kind === "binned") return lookUp(builder, table, placeOf(builder, cells, gap, edges));
  const product = builder.add("Mul", [cells, builder.doubles([1, width], weightRow(model, i))]);
  if (model.components.length === 1 || edges.length === 0)
    return builder.add("Where", [gap, builder.doubles([1, width], table[table.length - 1]), product]);
  const linear = builder.add("Where", [gap, builder.doubles([], [0]), product]);
  return builder.add("Add", [linear, lookUp(builder, table, placeOf(builder, cells, gap, edges))]);
}

/** The code of a text, −1 for missing and unknown values. */
function codeOf(builder: GraphBuilder, { values }: CategoricalColumn, cells: string): string {
  const codes = { keys_strings: values, values_int64s: values.map((_, code) => code) };
  return builder.add("LabelEncoder", [cells], { ...codes, default_int64: -1 }, { domain: ML });
}

/** An indicator as doubles: 1 where the cells of the column that it marks are missing, else 0. */
function markMissing(
  builder: GraphBuilder,
  { columns }: Schema,
  { gapOf }: IndicatorColumn,
  cells: string,
): string {
  const marked = columns.find(({ name }) => name === gapOf);
  const isGap =
    marked?.kind === "categorical"
      ? builder.add("Less", [codeOf(builder, marked, cells), builder.ints([], [0])])
      : builder.add("IsNaN", [cells]);
  return builder.add("Cast", [isGap], { to: ELEMENT.double });
}

/** The bin of a number: the count of edges at or below it; for a missing value the number of bins. */
function placeOf(builder: GraphBuilder, x: string, gap: string, edges: readonly number[]): string {
  const none = builder.ints([], [edges.length + 1]);
  if (edges.length === 0) return builder.add("Where", [gap, none, builder.ints([], [0])]);
  const above = builder.add("GreaterOrEqual", [x, builder.doubles([1, edges.length], edges)]);
  const ones = builder.add("Cast", [above], { to: ELEMENT.int64 });
  const count = builder.add("ReduceSum", [ones, builder.ints([1], [1])], { keepdims: 1 });
  return builder.add("Where", [gap, none, count]);
}

/** The rows of a table at codes (rows × 1), rows × width. */
function lookUp(builder: GraphBuilder, table: readonly number[][], code: string): string {
  const width = table[0].length;
  const rows = builder.add("Gather", [builder.doubles([table.length, width], table.flat()), code], {
    axis: 0,
  });
  return builder.add("Reshape", [rows, builder.ints([2], [-1, width])]);
}

/** An output of the graph by its name: texts, or doubles of so many columns. */
interface Output {
  readonly name: string;
  readonly value: string;
  readonly columns?: number;
}

/** Gives an output its name and its precision. */
function named(builder: GraphBuilder, float: boolean): (output: Output) => OnnxValueInfo {
  return ({ name, value, columns }) => {
    const output = builder.name(name);
    const isFloat = float && columns !== undefined;
    builder.add(isFloat ? "Cast" : "Identity", [value], isFloat ? { to: ELEMENT.float } : {}, { output });
    const number = float ? ELEMENT.float : ELEMENT.double;
    return columns === undefined
      ? describeTensor(output, ELEMENT.string)
      : describeTensor(output, number, columns);
  };
}

/** Probabilities from scores, and the name of the most likely class, the last of tied ones. */
function addClasses(
  builder: GraphBuilder,
  { response: { outputs: classes }, components }: AnyModel,
  scores: string,
): Output[] {
  let shares = builder.add("Softmax", [scores], { axis: 1 });
  if (components.length > 1) {
    const shape = builder.ints([3], [-1, components.length, classes.length]);
    const cube = builder.add("Reshape", [shares, shape]);
    shares = builder.add("ReduceSum", [cube, builder.ints([1], [1])], { keepdims: 0 });
  }
  const most = builder.add("ReduceMax", [shares], { axes: [1], keepdims: 1 });
  const top = builder.add("GreaterOrEqual", [shares, builder.add("Sub", [most, builder.doubles([], [TIE])])]);
  const ones = builder.add("Cast", [top], { to: ELEMENT.int32 });
  const best = builder.add("ArgMax", [ones], { axis: 1, keepdims: 0, select_last_index: 1 });
  return [
    { name: "label", value: builder.add("Gather", [builder.texts(classes), best], { axis: 0 }) },
    { name: "probabilities", value: shares, columns: classes.length },
  ];
}

/** The expected number from the scores of its sum, see `linearSums`. */
function addNumber(
  builder: GraphBuilder,
  { link, intercept }: LinearRegressor,
  { components, tilt }: Distribution,
  unit: number,
  scores: string,
): Output[] {
  const [M, T] = [components.length, tilt.intercept.length];
  const cube = builder.add("Reshape", [scores, builder.ints([3], [-1, M, T])]);
  const sumOf = (t: number): string => builder.add("Gather", [cube, builder.ints([], [t])], { axis: 2 });
  const start = builder.doubles([], [intercept]);
  if (link === "log") {
    const logSum = (t: number): string =>
      builder.add("ReduceLogSumExp", [sumOf(t)], { axes: [1], keepdims: 1 });
    const difference = builder.add("Sub", [logSum(1), logSum(0)]);
    return [
      {
        name: "prediction",
        value: builder.add("Exp", [builder.add("Add", [start, difference])]),
        columns: 1,
      },
    ];
  }
  const shares = builder.add("Softmax", [sumOf(0)], { axis: 1 });
  const difference = builder.add("Sub", [sumOf(1), sumOf(T === 2 ? 0 : 2)]);
  const products = builder.add("Mul", [shares, difference]);
  const mean = builder.add("ReduceSum", [products, builder.ints([1], [1])], { keepdims: 1 });
  const scaled = builder.add("Mul", [mean, builder.doubles([], [T === 2 ? unit : unit / 2])]);
  return [{ name: "prediction", value: builder.add("Add", [start, scaled]), columns: 1 }];
}
