import { type Connector, queryRow } from "../sources/connector.ts";
import type { Field, FieldSet } from "../sql/fields.ts";

/** A column of texts before its values are counted. */
export interface TextScreen {
  readonly name: string;
  readonly known: number;
  /** How many different ones there are, about. */
  readonly distinct: number;
  readonly shortest: number;
  readonly longest: number;
}

/** Rows at the beginning that tell whether the values of a column are worth counting. */
const FIRST_ROWS = 100_000;

/** The names of the text columns with so many different values that all of them should not be counted. */
export async function findManyValued(
  connector: Connector,
  { from, fields }: FieldSet,
  most: number,
): Promise<string[]> {
  const texts = [...fields.values()].filter(({ storage }) => storage === "text");
  if (texts.length === 0) return [];
  const { dialect } = connector;
  const inner = texts.map(({ raw }, c) => `${raw} AS v${c}_`).join(", ");
  const distinct = texts.map((_, c) => dialect.text(dialect.distinct(`v${c}_`))).join(", ");
  const answer = await queryRow(
    connector,
    `SELECT ${distinct} FROM (SELECT ${inner} FROM ${from} LIMIT ${FIRST_ROWS}) AS beginning`,
    texts.length,
  );
  return texts.filter((_, c) => Number(answer[c]) > most).map(({ name }) => name);
}

/** Looks at all values of one column without counting each. */
export async function screenText(
  connector: Connector,
  { from }: FieldSet,
  { name, value }: Field,
): Promise<TextScreen> {
  const { dialect } = connector;
  const measures = ["count(v_)", dialect.distinct("v_"), "min(length(v_))", "max(length(v_))"].map(
    dialect.text,
  );
  const texts = { from, stages: [[["v_", value]]] } as const;
  const answer = await queryRow(connector, dialect.staged(texts, measures.join(", ")), measures.length);
  const [known, distinct, shortest, longest] = answer.map((text) => Number(text ?? 0));
  return { name, known, distinct: Math.min(distinct, known), shortest, longest };
}
