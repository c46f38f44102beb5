import {
  ATTRIBUTE,
  graphTable,
  type OnnxAttribute,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValueInfo,
} from "../import/onnx/onnx-proto.ts";
import { tensorOfDoubles, tensorOfInts, tensorOfTexts } from "../import/onnx/tensor.ts";
import { encodeMessage } from "../import/onnx/wire-message.ts";

/** An attribute of a node: whole numbers, one or many, texts, or the body of a loop. */
type AttributeValue = number | readonly number[] | readonly string[] | OnnxGraph;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** The domain of the operators for classical machine learning. */
export const ML = "ai.onnx.ml";

/** Collects the nodes and constants of a graph under unique names. */
export class GraphBuilder {
  private readonly nodes: OnnxNode[] = [];
  private readonly constants: OnnxTensor[] = [];
  private readonly taken: Set<string>;

  /** @param taken names that are in use; new names are added */
  constructor(taken: Set<string>) {
    this.taken = taken;
  }

  /** A builder for the body of a loop, with names unique in both graphs. */
  inner(): GraphBuilder {
    return new GraphBuilder(this.taken);
  }

  /** The name, with underscores appended where it is in use. */
  name(wanted: string): string {
    let name = wanted;
    while (this.taken.has(name)) name += "_";
    this.taken.add(name);
    return name;
  }

  /** Adds a node and returns the name of its output. */
  add(
    operator: string,
    inputs: readonly string[],
    attributes: Attributes = {},
    { domain = "", output = "" } = {},
  ): string {
    const name = output || this.name(`${operator}_${this.nodes.length}`);
    this.nodes.push({
      inputs,
      outputs: [name],
      name: `${operator}_${this.nodes.length}`,
      operator,
      domain,
      attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    });
    return name;
  }

  doubles(dims: readonly number[], values: readonly number[]): string {
    return this.keep(tensorOfDoubles(this.name(`constant_${this.constants.length}`), dims, values));
  }

  ints(dims: readonly number[], values: readonly number[]): string {
    return this.keep(tensorOfInts(this.name(`constant_${this.constants.length}`), dims, values));
  }

  texts(texts: readonly string[]): string {
    return this.keep(tensorOfTexts(this.name(`constant_${this.constants.length}`), texts));
  }

  build(name: string, inputs: readonly OnnxValueInfo[], outputs: readonly OnnxValueInfo[]): OnnxGraph {
    return { name, nodes: this.nodes, initializers: this.constants, inputs, outputs };
  }

  private keep(tensor: OnnxTensor): string {
    this.constants.push(tensor);
    return tensor.name as string;
  }
}

function attribute(name: string, value: AttributeValue): OnnxAttribute {
  const lists = { floats: [], ints: [], strings: [] };
  if (typeof value === "number") return { ...lists, name, int: value, type: ATTRIBUTE.int };
  if ("nodes" in value)
    return { ...lists, name, graph: encodeMessage(graphTable, value), type: ATTRIBUTE.graph };
  const encoder = new TextEncoder();
  if (isTexts(value))
    return { ...lists, name, strings: value.map((text) => encoder.encode(text)), type: ATTRIBUTE.strings };
  return { ...lists, name, ints: value as readonly number[], type: ATTRIBUTE.ints };
}

function isTexts(value: readonly unknown[]): value is readonly string[] {
  return typeof value[0] === "string";
}

/** An input or output: a tensor with any number of rows. */
export function describeTensor(name: string, element: number, ...widths: readonly number[]): OnnxValueInfo {
  const dims = [{ parameter: "rows" }, ...widths.map((value) => ({ value }))];
  return { name, type: { tensor: { element, shape: { dims } } } };
}
