import { many, one, type WireTable } from "./wire-message.ts";

// The part of the ONNX format (onnx.proto, IR version 8) that tabular classifiers need. Field numbers are the standard's.

/** A dense array; its numbers are in `raw` (little endian) or in the list of their type. */
export interface OnnxTensor {
  readonly dims: readonly number[];
  readonly type?: number;
  readonly floats: readonly number[];
  readonly ints32: readonly number[];
  readonly strings: readonly Uint8Array[];
  readonly ints64: readonly number[];
  readonly name?: string;
  readonly raw?: Uint8Array;
  readonly doubles: readonly number[];
  /** Where the numbers are if not in the file: 1 is another file, which is never opened. */
  readonly location?: number;
}

export interface OnnxAttribute {
  readonly name?: string;
  readonly float?: number;
  readonly int?: number;
  readonly string?: Uint8Array;
  readonly tensor?: OnnxTensor;
  /** The body of a loop, written as an {@link OnnxGraph}; readers ignore it. */
  readonly graph?: Uint8Array;
  readonly floats: readonly number[];
  readonly ints: readonly number[];
  readonly strings: readonly Uint8Array[];
  readonly type?: number;
}

export interface OnnxNode {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly name?: string;
  readonly operator?: string;
  readonly attributes: readonly OnnxAttribute[];
  readonly domain?: string;
}

export interface OnnxValueInfo {
  readonly name?: string;
  readonly type?: {
    readonly tensor?: {
      readonly element?: number;
      readonly shape?: { readonly dims: readonly { readonly value?: number; readonly parameter?: string }[] };
    };
  };
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly name?: string;
  readonly initializers: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValueInfo[];
  readonly outputs: readonly OnnxValueInfo[];
}

export interface OnnxModel {
  readonly irVersion?: number;
  readonly producer?: string;
  readonly graph?: OnnxGraph;
  readonly opsets: readonly { readonly domain?: string; readonly version?: number }[];
  readonly metadata: readonly { readonly key?: string; readonly value?: string }[];
}

/** TensorProto.DataType. */
export const ELEMENT = { float: 1, int32: 6, int64: 7, string: 8, double: 11 } as const;

/** AttributeProto.AttributeType. */
export const ATTRIBUTE = { float: 1, int: 2, string: 3, graph: 5, floats: 6, ints: 7, strings: 8 } as const;

const tensorTable: WireTable = {
  dims: many(1, "int64"),
  type: one(2, "int64"),
  floats: many(4, "float"),
  ints32: many(5, "int64"),
  strings: many(6, "bytes"),
  ints64: many(7, "int64"),
  name: one(8, "string"),
  raw: one(9, "bytes"),
  doubles: many(10, "double"),
  location: one(14, "int64"),
};

const attributeTable: WireTable = {
  name: one(1, "string"),
  float: one(2, "float"),
  int: one(3, "int64"),
  string: one(4, "bytes"),
  tensor: one(5, tensorTable),
  graph: one(6, "bytes"),
  floats: many(7, "float"),
  ints: many(8, "int64"),
  strings: many(9, "bytes"),
  type: one(20, "int64"),
};

const nodeTable: WireTable = {
  inputs: many(1, "string"),
  outputs: many(2, "string"),
  name: one(3, "string"),
  operator: one(4, "string"),
  attributes: many(5, attributeTable),
  domain: one(7, "string"),
};

const dimensionTable: WireTable = { value: one(1, "int64"), parameter: one(2, "string") };
const shapeTable: WireTable = { dims: many(1, dimensionTable) };
const tensorTypeTable: WireTable = { element: one(1, "int64"), shape: one(2, shapeTable) };
const valueInfoTable: WireTable = {
  name: one(1, "string"),
  type: one(2, { tensor: one(1, tensorTypeTable) }),
};

/** GraphProto, also of the body of a loop. */
export const graphTable: WireTable = {
  nodes: many(1, nodeTable),
  name: one(2, "string"),
  initializers: many(5, tensorTable),
  inputs: many(11, valueInfoTable),
  outputs: many(12, valueInfoTable),
};

/** ModelProto, the whole file. */
export const modelTable: WireTable = {
  irVersion: one(1, "int64"),
  producer: one(2, "string"),
  graph: one(7, graphTable),
  opsets: many(8, { domain: one(1, "string"), version: one(2, "int64") }),
  metadata: many(14, { key: one(1, "string"), value: one(2, "string") }),
};
