import { childrenOf, type Element } from "./element.ts";
import { numberAttribute, type PmmlDocument, shown, targetValues } from "./pmml-document.ts";

/** The most nodes times classes that are read. */
const MOST_SHARES = 16_000_000;

/** The class votes or probabilities of the nodes of classification trees. */
export class ClassVotes {
  readonly classes: readonly string[];
  private readonly document: PmmlDocument;

  constructor(document: PmmlDocument) {
    this.document = document;
    const found = new Set(targetValues(document));
    let nodes = 0;
    const visit = (element: Element): void => {
      const { name, attributes } = element;
      if (name === "Node") nodes++;
      const value = attributes.get(name === "Node" ? "score" : "value");
      if ((name === "Node" || name === "ScoreDistribution") && value !== undefined) found.add(value);
      for (const child of element.children) visit(child);
    };
    visit(document.model);
    if (found.size < 2) document.refuse(`the trees answer ${found.size} classes, expected two or more`);
    if (found.size * nodes > MOST_SHARES)
      document.refuse(`the trees have ${nodes} nodes with ${found.size} classes each, which is too much`);
    this.classes = [...found];
  }

  /** The class that a node votes for, as probabilities times a weight. */
  winner(node: Element, weight: number): number[] {
    const shares = this.listed(node);
    const score = node.attributes.get("score");
    const place =
      score !== undefined ? this.classes.indexOf(score) : shares ? shares.indexOf(Math.max(...shares)) : -1;
    if (place < 0) return this.document.refuse("a leaf has neither a score nor a ScoreDistribution");
    return this.classes.map((_, k) => (k === place ? weight : 0));
  }

  /** The probabilities of a node times a weight: those of its ScoreDistribution, else 1 for its score. */
  shares(node: Element, weight: number): number[] {
    const shares = this.listed(node);
    return shares ? shares.map((share) => share * weight) : this.winner(node, weight);
  }

  /** The ScoreDistribution of a node by class, as shares of 1. */
  private listed(node: Element): number[] | undefined {
    const entries = childrenOf(node, "ScoreDistribution");
    if (entries.length === 0) return undefined;
    const { document } = this;
    const attribute = entries.every(({ attributes }) => attributes.has("probability"))
      ? "probability"
      : "recordCount";
    const counts = this.classes.map(() => 0);
    for (const entry of entries) {
      const count = numberAttribute(document, entry, attribute);
      if (count < 0) document.refuse(`a ScoreDistribution has the ${attribute} ${count}`);
      counts[this.classes.indexOf(entry.attributes.get("value") ?? "")] += count;
    }
    const total = counts.reduce((a, b) => a + b, 0);
    if (!(total > 0))
      return document.refuse(
        `the ScoreDistribution of node ${shown(node.attributes.get("id"))} sums to ${total}`,
      );
    return counts.map((count) => count / total);
  }
}
