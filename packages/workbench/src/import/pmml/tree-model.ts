import type { TreeJson } from "conformant";
import { type LeafValue, TreeWriter } from "../trees/tree-writer.ts";
import { childrenOf, type Element } from "./element.ts";
import type { Fields } from "./fields.ts";
import type { PmmlDocument } from "./pmml-document.ts";
import { fieldsOf, PREDICATES, PredicateWriter } from "./predicates.ts";

/** What the readers of trees share: the document, its fields, and notes for the user. */
export interface TreeReading {
  readonly document: PmmlDocument;
  readonly fields: Fields;
  readonly notes: Set<string>;
}

/**
 * A TreeModel: the first child whose predicate is true is taken. Where none is, the row ends in the node itself (returnLastPrediction) or
 * has no answer, which is an error where a complete row can reach it.
 *
 * @param leafValue what a node adds as a leaf
 */
export function readTreeModel(
  reading: TreeReading,
  model: Element,
  output: number,
  leafValue: (node: Element) => LeafValue,
): TreeJson {
  const { document, fields } = reading;
  const [root] = childrenOf(model, "Node");
  if (!root) return document.refuse("a TreeModel has no Node");
  const writer = new TreeWriter((feature) => fields.codeCount(feature), document.refuse);
  new NodeWriter(reading, model, writer, leafValue).write(root);
  return writer.finish(output);
}

/** Strategies for missing values that a tree of two-way splits can express; the others average several leaves. */
const FOLLOWED = ["none", "defaultChild", "lastPrediction"];

class NodeWriter {
  private readonly document: PmmlDocument;
  private readonly writer: TreeWriter;
  private readonly predicates: PredicateWriter;
  private readonly leafValue: (node: Element) => LeafValue;
  /** What happens for a missing value, and where no child is true. */
  private readonly onGap: string;
  private readonly keepsLast: boolean;

  constructor(
    { document, fields, notes }: TreeReading,
    model: Element,
    writer: TreeWriter,
    leafValue: (node: Element) => LeafValue,
  ) {
    this.document = document;
    this.writer = writer;
    this.predicates = new PredicateWriter(document, fields, writer);
    this.leafValue = leafValue;
    this.onGap = model.attributes.get("missingValueStrategy") ?? "none";
    this.keepsLast = model.attributes.get("noTrueChildStrategy") === "returnLastPrediction";
    if (!FOLLOWED.includes(this.onGap) || (this.onGap === "none" && !this.keepsLast))
      notes.add(
        `what the file's own software does with gaps (missingValueStrategy="${this.onGap}") is no branch of a tree: "native" takes the last one`,
      );
  }

  write(node: Element): number {
    const children = childrenOf(node, "Node");
    if (children.length === 0) return this.writer.leaf(this.leafValue(node));
    return this.choose(node, children, 0);
  }

  /** The first true one of the children from i on. */
  private choose(node: Element, children: readonly Element[], i: number): number {
    const { document, predicates } = this;
    if (i === children.length) {
      if (this.keepsLast) return this.writer.leaf(this.leafValue(node));
      return document.refuse(
        `a row may meet no child of node ${JSON.stringify(node.attributes.get("id") ?? "")}, and has no answer then (noTrueChildStrategy)`,
      );
    }
    const child = children[i];
    const predicate =
      child.children.find(({ name }) => PREDICATES.includes(name)) ??
      document.refuse("a Node has no predicate that is understood");
    const decide = (): number =>
      predicates.decide(
        predicate,
        this.gapCounts(node, children, i),
        () => this.write(child),
        () => this.choose(node, children, i + 1),
      );
    if (this.onGap !== "lastPrediction") return decide();
    const fields = fieldsOf(predicate);
    const known = (f: number): number =>
      f === fields.length
        ? decide()
        : predicates.ifMissing(
            fields[f],
            () => this.writer.leaf(this.leafValue(node)),
            () => known(f + 1),
          );
    return known(0);
  }

  /** Whether a missing value counts as if the predicate of a child were true. */
  private gapCounts(node: Element, children: readonly Element[], i: number): boolean {
    const chosen = this.onGap === "defaultChild" ? node.attributes.get("defaultChild") : undefined;
    if (chosen !== undefined) return children[i].attributes.get("id") === chosen;
    // Where a missing value has no answer, the last child takes it.
    const hasAnswer = this.keepsLast && this.onGap === "none";
    return !hasAnswer && i + 1 === children.length;
  }
}
