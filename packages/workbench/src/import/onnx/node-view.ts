import type { RegressionTreesJson, RegressorJson, TreesJson } from "conformant";
import type { Affine } from "../affine.ts";
import { type ClassifierWords, refuseFile } from "../imported-classifier.ts";
import type { OnnxAttribute, OnnxNode, OnnxTensor } from "./onnx-proto.ts";
import { numbersOf, textsOf } from "./tensor.ts";

/** The values that flow through a graph, as far as additive classifiers, linear regressors and trees need them. */
export type OnnxValue =
  | { readonly kind: "constant"; readonly tensor: OnnxTensor }
  /** One row of numbers, each affine in the columns; `single` where they are in single precision. */
  | {
      readonly kind: "cells";
      readonly cells: readonly Affine[];
      readonly single: boolean;
      readonly classes?: readonly string[];
    }
  /** softmax of the logits. */
  | {
      readonly kind: "probabilities";
      readonly logits: readonly Affine[];
      readonly classes?: readonly string[];
    }
  /** The probabilities of trees. */
  | { readonly kind: "trees"; readonly trees: TreesJson; readonly classes?: readonly string[] }
  /** The answer of a regressor. */
  | { readonly kind: "number"; readonly json: RegressorJson | RegressionTreesJson }
  /** The answer on its way to the output. */
  | { readonly kind: "label" };

/** What the nodes of a graph share while it is read. */
export interface GraphReading {
  readonly path: string;
  readonly words: ClassifierWords;
  /** Counts work, and throws where a graph needs too much. */
  readonly spend: (terms: number) => void;
  /** A note for the user. */
  readonly note: (text: string) => void;
}

/** A node with its inputs; anything unexpected is an error that names the operator. */
export class NodeView {
  readonly operator: string;
  readonly node: OnnxNode;
  readonly inputs: readonly (OnnxValue | undefined)[];
  private readonly graph: GraphReading;
  private readonly attributes: ReadonlyMap<string, OnnxAttribute>;

  constructor(graph: GraphReading, node: OnnxNode, inputs: readonly (OnnxValue | undefined)[]) {
    this.graph = graph;
    this.node = node;
    this.inputs = inputs;
    this.operator = node.operator ?? "";
    this.attributes = new Map(node.attributes.map((attribute) => [attribute.name ?? "", attribute]));
  }

  get words(): ClassifierWords {
    return this.graph.words;
  }

  spend(terms: number): void {
    this.graph.spend(terms);
  }

  note(text: string): void {
    this.graph.note(text);
  }

  refuse(why: string, hint?: string): never {
    throw refuseFile(this.graph.path, `operator ${JSON.stringify(this.operator)}: ${why}`, hint);
  }

  cells(input = 0): readonly Affine[] {
    const value = this.inputs[input];
    if (value?.kind !== "cells") return this.refuse(`input ${input} must be computed from the columns`);
    this.spend(value.cells.reduce((sum, { terms }) => sum + terms.size + 1, 0));
    return value.cells;
  }

  /** A constant input, or undefined where it is computed or absent. */
  constant(input: number): OnnxTensor | undefined {
    const value = this.inputs[input];
    return value?.kind === "constant" ? value.tensor : undefined;
  }

  /** The numbers of an input that must be constant. */
  numbers(input: number): ArrayLike<number> {
    const tensor = this.constant(input);
    return tensor ? numbersOf(tensor) : this.refuse(`input ${input} must be constant`);
  }

  /** Whether an input is in single precision. */
  get single(): boolean {
    return this.inputs.some((value) => value?.kind === "cells" && value.single);
  }

  /** How numbers are rounded in this node. */
  get round(): (x: number) => number {
    return this.single ? Math.fround : (x) => x;
  }

  int(name: string, otherwise: number): number {
    return this.attributes.get(name)?.int ?? otherwise;
  }

  float(name: string, otherwise: number): number {
    return this.attributes.get(name)?.float ?? otherwise;
  }

  text(name: string, otherwise: string): string {
    const bytes = this.attributes.get(name)?.string;
    return bytes ? textsOf([bytes])[0] : otherwise;
  }

  floats(name: string): readonly number[] {
    return this.attributes.get(name)?.floats ?? [];
  }

  ints(name: string): readonly number[] {
    return this.attributes.get(name)?.ints ?? [];
  }

  /** Numbers in single precision, or in double as the tensor `name_as_tensor`. */
  floatsOrTensor(name: string): ArrayLike<number> {
    const tensor = this.attributes.get(`${name}_as_tensor`)?.tensor;
    return tensor ? numbersOf(tensor) : this.floats(name);
  }

  /** A list of names: texts, or whole numbers as texts. */
  names(texts: string, ints: string): string[] {
    const strings = this.attributes.get(texts)?.strings ?? [];
    return strings.length > 0 ? textsOf(strings) : (this.attributes.get(ints)?.ints ?? []).map(String);
  }
}
