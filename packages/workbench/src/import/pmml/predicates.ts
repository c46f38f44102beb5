import type { TreeWriter } from "../trees/tree-writer.ts";
import type { Element } from "./element.ts";
import { type Fields, valuesOf } from "./fields.ts";
import { type PmmlDocument, shown } from "./pmml-document.ts";

const COMPARISONS: Readonly<Record<string, "<" | "<=" | ">" | ">=" | undefined>> = Object.assign(
  Object.create(null),
  { lessThan: "<", lessOrEqual: "<=", greaterThan: ">", greaterOrEqual: ">=" },
);

export const PREDICATES = ["True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate"];

type Branch = () => number;

/** Converts predicates to questions of a tree, given their result where a value is missing. */
export class PredicateWriter {
  private readonly document: PmmlDocument;
  private readonly fields: Fields;
  private readonly writer: TreeWriter;

  constructor(document: PmmlDocument, fields: Fields, writer: TreeWriter) {
    this.document = document;
    this.fields = fields;
    this.writer = writer;
  }

  /** Branches on a predicate; `unknown` is its result for a missing value. */
  decide(predicate: Element, unknown: boolean, yes: Branch, no: Branch): number {
    const { name, attributes } = predicate;
    const { refuse } = this.document;
    if (name === "True") return yes();
    if (name === "False") return no();
    if (name === "SimplePredicate") return this.decideSimple(predicate, unknown, yes, no);
    if (name === "CompoundPredicate") return this.decideCompound(predicate, unknown, yes, no);
    if (name !== "SimpleSetPredicate") return refuse(`predicate ${shown(name)} is not understood`);
    const operator = attributes.get("booleanOperator");
    if (operator === "isIn") return this.isIn(fieldOf(predicate), valuesOf(predicate), unknown, yes, no);
    if (operator === "isNotIn") return this.isIn(fieldOf(predicate), valuesOf(predicate), !unknown, no, yes);
    return refuse(`SimpleSetPredicate with booleanOperator ${shown(operator)}, expected "isIn" or "isNotIn"`);
  }

  private decideSimple(predicate: Element, unknown: boolean, yes: Branch, no: Branch): number {
    const { attributes } = predicate;
    const { refuse } = this.document;
    const [field, operator] = [fieldOf(predicate), attributes.get("operator") ?? ""];
    if (operator === "isMissing") return this.ifMissing(field, yes, no);
    if (operator === "isNotMissing") return this.ifMissing(field, no, yes);
    const value = attributes.get("value") ?? refuse(`a predicate on ${shown(field)} has no value`);
    if (operator === "equal") return this.isIn(field, [value], unknown, yes, no);
    if (operator === "notEqual") return this.isIn(field, [value], !unknown, no, yes);
    const comparison =
      COMPARISONS[operator] ?? refuse(`a predicate has the operator ${shown(operator)}, which is not known`);
    return this.writer.ask(this.fields.compare(field, comparison, value, unknown), yes, no);
  }

  ifMissing(field: string, yes: Branch, no: Branch): number {
    return this.writer.ask(this.fields.missing(field), yes, no);
  }

  /** One question for a category, one per value for a number. */
  private isIn(field: string, values: readonly string[], unknown: boolean, yes: Branch, no: Branch): number {
    const questions = this.fields.oneOf(field, values, unknown);
    const ask = (q: number): number =>
      q === questions.length ? no() : this.writer.ask(questions[q], yes, () => ask(q + 1));
    return ask(0);
  }

  private decideCompound(predicate: Element, unknown: boolean, yes: Branch, no: Branch): number {
    const operator = predicate.attributes.get("booleanOperator");
    const parts = predicate.children.filter(({ name }) => PREDICATES.includes(name));
    const { refuse } = this.document;
    if (parts.length === 0) return refuse("a CompoundPredicate has no predicates");
    const from = (p: number, isTrue: boolean): number => {
      const [part, last] = [parts[p], p + 1 === parts.length];
      if (operator === "and") return this.decide(part, unknown, last ? yes : () => from(p + 1, true), no);
      if (operator === "or") return this.decide(part, unknown, yes, last ? no : () => from(p + 1, true));
      if (operator === "xor") {
        const [odd, even] = isTrue ? [yes, no] : [no, yes];
        return last
          ? this.decide(part, unknown, odd, even)
          : this.decide(
              part,
              unknown,
              () => from(p + 1, !isTrue),
              () => from(p + 1, isTrue),
            );
      }
      return this.surrogate(parts, p, unknown, yes, no);
    };
    if (!["and", "or", "xor", "surrogate"].includes(operator ?? ""))
      return refuse(`CompoundPredicate with booleanOperator ${shown(operator)} is not known`);
    return from(0, true);
  }

  /** The first predicate that is known: for complete rows the first of all. */
  private surrogate(parts: readonly Element[], p: number, unknown: boolean, yes: Branch, no: Branch): number {
    const [part, next] = [parts[p], parts[p + 1]];
    if (!next || part.name === "True" || part.name === "False") return this.decide(part, unknown, yes, no);
    if (next.name === "True" || next.name === "False")
      return this.decide(part, next.name === "True", yes, no);
    const otherwise = (): number => this.surrogate(parts, p + 1, unknown, yes, no);
    const fields = fieldsOf(part);
    const known = (f: number): number =>
      f === fields.length
        ? this.decide(part, unknown, yes, no)
        : this.ifMissing(fields[f], otherwise, () => known(f + 1));
    return known(0);
  }
}

function fieldOf({ attributes }: Element): string {
  return attributes.get("field") ?? "";
}

/** The fields whose missing values leave a predicate unknown. */
export function fieldsOf(predicate: Element): string[] {
  const { name, attributes } = predicate;
  if (name === "CompoundPredicate") return [...new Set(predicate.children.flatMap(fieldsOf))];
  const asksForGaps = /^is(Not)?Missing$/.test(attributes.get("operator") ?? "");
  return name.startsWith("Simple") && !asksForGaps ? [fieldOf(predicate)] : [];
}
