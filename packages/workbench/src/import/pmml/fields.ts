import type { Affine } from "../affine.ts";
import { columnOf } from "../affine.ts";
import { type Comparison, FeatureList, NOTHING, questionOf } from "../trees/feature-list.ts";
import type { Question } from "../trees/tree-writer.ts";
import { createLookup, type FieldLookup } from "./derived-fields.ts";
import { childOf, childrenOf, type Element } from "./element.ts";
import { type PmmlDocument, shown } from "./pmml-document.ts";

/** The fields of predicates as features of trees: numbers, or categories with a code for each value. */
export class Fields {
  readonly features = new FeatureList();
  private readonly document: PmmlDocument;
  private readonly lookUp: FieldLookup;
  private readonly dictionary: ReadonlyMap<string, Element>;
  /** Codes by value, of each categorical column. */
  private readonly codes = new Map<string, Map<string, number>>();
  private readonly singles = new Map<string, boolean>();

  constructor(document: PmmlDocument) {
    this.document = document;
    this.lookUp = createLookup(document);
    this.dictionary = new Map(
      document.dictionary.map((field) => [field.attributes.get("name") ?? "", field]),
    );
    this.addMentioned(document.model);
  }

  /** Per feature the values in the order of their codes, null for numbers. */
  categories(): (string[] | null)[] {
    return this.features.names.map((name) => {
      const codes = this.codes.get(name);
      return codes ? [...codes.keys()] : null;
    });
  }

  codeCount(feature: number): number | undefined {
    return this.codes.get(this.features.names[feature])?.size;
  }

  /** Whether a field has one of some values. */
  oneOf(field: string, values: readonly string[], gap: boolean): readonly Question[] {
    const column = this.categorical(field);
    if (column === undefined) return values.map((value) => this.compare(field, "=", value, gap));
    const known = this.codes.get(column);
    const codes = new Set(values.flatMap((value) => known?.get(value) ?? []));
    return [{ feature: this.features.placeOf(column), codes, gap }];
  }

  /** A comparison of a number. */
  compare(field: string, operator: Comparison["operator"], text: string, gap: boolean): Question {
    const { refuse } = this.document;
    if (this.categorical(field) !== undefined)
      return refuse(`field ${shown(field)} is categorical, but a predicate compares it with ${shown(text)}`);
    const value = text.trim() ? Number(text) : Number.NaN;
    if (Number.isNaN(value))
      return refuse(`a predicate compares field ${shown(field)} with ${shown(text)}, expected a number`);
    const single = this.isSingle(field);
    const comparison = { operator, value: single && isShort(text) ? Math.fround(value) : value, single };
    return this.numberOf(field, (number) => questionOf(number, comparison, gap, this.features));
  }

  /** Whether the value of a field is missing. */
  missing(field: string): Question {
    const column = this.categorical(field);
    if (column !== undefined) return { feature: this.features.placeOf(column), codes: new Set(), gap: true };
    return this.numberOf(field, ({ terms }) =>
      terms.size === 1
        ? { feature: this.features.placeOf([...terms.keys()][0]), ...NOTHING, gap: true }
        : undefined,
    );
  }

  private numberOf(field: string, ask: (number: Affine) => Question | undefined): Question {
    const { refuse } = this.document;
    if (
      !this.dictionary.has(field) &&
      !this.document.derived.some((own) => own.attributes.get("name") === field)
    )
      return refuse(`a predicate asks about ${shown(field)}, which no DataField or DerivedField defines`);
    return (
      ask(this.lookUp(field)) ??
      refuse(`a tree asks about ${shown(field)}, which is computed from several columns`)
    );
  }

  /** The column behind a field where it is categorical. */
  private categorical(field: string): string | undefined {
    const column = columnOf(this.lookUp(field));
    const type = column === undefined ? undefined : this.dictionary.get(column)?.attributes.get("optype");
    return type === "categorical" || type === "ordinal" ? column : undefined;
  }

  /** Whether a field is in single precision, directly or through its derivation. */
  private isSingle(field: string, steps = 0): boolean {
    const known = this.singles.get(field);
    if (known !== undefined) return known;
    const own = this.document.derived.find(({ attributes }) => attributes.get("name") === field);
    const expression = own && childOf(own, "FieldRef");
    const single =
      (own ?? this.dictionary.get(field))?.attributes.get("dataType") === "float" ||
      (expression !== undefined &&
        steps < 100 &&
        this.isSingle(expression.attributes.get("field") ?? "", steps + 1));
    this.singles.set(field, single);
    return single;
  }

  /** Values in the dictionary and in predicates get a code. */
  private addMentioned(model: Element): void {
    for (const [name, field] of this.dictionary)
      if (this.categorical(name) !== undefined)
        for (const { attributes } of childrenOf(field, "Value"))
          if ((attributes.get("property") ?? "valid") === "valid")
            this.addValue(name, attributes.get("value") ?? "");
    const visit = (element: Element): void => {
      const { name, attributes } = element;
      const field = attributes.get("field") ?? "";
      if (name === "SimpleSetPredicate" || name === "SimplePredicate") {
        const column = this.categorical(field);
        const values = name === "SimplePredicate" ? [attributes.get("value")] : valuesOf(element);
        if (column !== undefined)
          for (const value of values) if (value !== undefined) this.addValue(column, value);
      } else for (const child of element.children) visit(child);
    };
    visit(model);
  }

  private addValue(column: string, value: string): void {
    const codes = this.codes.get(column) ?? new Map<string, number>();
    if (!codes.has(value)) codes.set(value, codes.size);
    this.codes.set(column, codes);
  }
}

/** A number in single precision has at most this many digits and means the nearest float; more digits are a double's. */
const SINGLE_DIGITS = 9;

function isShort(text: string): boolean {
  return (
    text
      .replace(/e.*$/i, "")
      .replace(/^[-+0.]+|\./g, "")
      .trim().length <= SINGLE_DIGITS
  );
}

/** The values of a set, separated by blanks; values with blanks are quoted. */
export function valuesOf(element: Element): string[] {
  const text = childOf(element, "Array")?.text ?? "";
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replace(/\\(.)/g, "$1"),
  );
}
