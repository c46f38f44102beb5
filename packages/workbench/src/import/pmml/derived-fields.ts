import { type Affine, columnOf, combine, constantOf, featureOf, scaled, stepped } from "../affine.ts";
import { childrenOf, type Element } from "./element.ts";
import { numberAttribute, type PmmlDocument, shown } from "./pmml-document.ts";

/** Looks up a field by name: a column, or what a derived field computes from columns. */
export type FieldLookup = (name: string) => Affine;

/** The longest chain of derived fields; a longer one is a cycle. */
const MOST_STEPS = 100;

/** Follows derived fields to their columns, as far as they are affine: `standardScaler(x)`, dummies, sums. */
export function createLookup(document: PmmlDocument): FieldLookup {
  const derived = new Map(document.derived.map((field) => [field.attributes.get("name") ?? "", field]));
  const known = new Map<string, Affine>();
  const lookUp = (name: string, steps: number): Affine => {
    const found = known.get(name);
    if (found) return found;
    if (steps > MOST_STEPS) document.refuse(`derived field ${shown(name)} is defined by itself`);
    const field = derived.get(name);
    const expression = field?.children.find((child) => child.name !== "Extension" && child.name !== "Value");
    if (field && !expression) document.refuse(`derived field ${shown(name)} has no expression`);
    const affine = expression
      ? evaluate(document, expression, (other) => lookUp(other, steps + 1))
      : featureOf(name);
    known.set(name, affine);
    return affine;
  };
  return (name) => lookUp(name, 0);
}

function evaluate(document: PmmlDocument, expression: Element, lookUp: FieldLookup): Affine {
  const { attributes, name } = expression;
  const field = attributes.get("field") ?? "";
  switch (name) {
    case "FieldRef":
      return lookUp(field);
    case "Constant":
      return constantOf(constantNumber(document, expression));
    case "NormDiscrete": {
      const column = columnOf(lookUp(field));
      if (column === undefined) return document.refuse(`NormDiscrete of ${shown(field)} needs a column`);
      return featureOf(`${column}=${attributes.get("value")}`);
    }
    case "NormContinuous":
      return normContinuous(document, expression, lookUp(field));
    case "Apply":
      return apply(document, expression, lookUp);
    default:
      return document.refuse(
        `a derived field uses ${name}, which is not understood as additive in the columns`,
      );
  }
}

function constantNumber({ refuse }: PmmlDocument, { text }: Element): number {
  const number = text.trim() ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : refuse(`a Constant must be a finite number, got ${shown(text)}`);
}

/** A line through two points, extrapolated beyond them. */
function normContinuous(document: PmmlDocument, expression: Element, x: Affine): Affine {
  const points = childrenOf(expression, "LinearNorm");
  if (points.length !== 2 || (expression.attributes.get("outliers") ?? "asIs") !== "asIs")
    document.refuse("NormContinuous is understood as one line: two LinearNorm, outliers asIs");
  const [[x0, y0], [x1, y1]] = points.map((point) => [
    numberAttribute(document, point, "orig"),
    numberAttribute(document, point, "norm"),
  ]);
  if (x0 === x1) document.refuse("NormContinuous has the same orig twice");
  const slope = (y1 - y0) / (x1 - x0);
  return stepped(x, scaled(x, slope, y0 - slope * x0), (value) => y0 + slope * (value - x0));
}

/** Sums, differences, products and quotients, where at most one side depends on columns. */
function apply(document: PmmlDocument, expression: Element, lookUp: FieldLookup): Affine {
  const operation = expression.attributes.get("function") ?? "";
  const operands = expression.children.filter((child) => child.name !== "Extension");
  const refuse = (): never =>
    document.refuse(
      `a derived field uses the function ${shown(operation)}, which is not additive in the columns`,
    );
  if (operands.length !== 2 || !["+", "-", "*", "/"].includes(operation)) return refuse();
  const [left, right] = operands.map((operand) => evaluate(document, operand, lookUp));
  const [a, b] = [left.constant, right.constant];
  if (operation === "+" || operation === "-") {
    const sign = operation === "+" ? 1 : -1;
    const sum = combine([left, right], [1, sign]);
    if (right.terms.size === 0) return stepped(left, sum, (x) => x + sign * b);
    return left.terms.size === 0 ? stepped(right, sum, (x) => a + sign * x) : sum;
  }
  if (right.terms.size === 0)
    return operation === "*"
      ? stepped(left, scaled(left, b), (x) => x * b)
      : stepped(left, scaled(left, 1 / b), (x) => x / b);
  return operation === "*" && left.terms.size === 0
    ? stepped(right, scaled(right, a), (x) => a * x)
    : refuse();
}
