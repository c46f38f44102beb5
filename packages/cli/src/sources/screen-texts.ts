import type { NumberStyle } from "conformant/texts";
import type { TextScreen } from "conformant-workbench";
import type { FieldSet } from "conformant-workbench/sql";
import { type Connector, queryRow } from "./connector.ts";

/** Rows at the beginning that decide whether to count the values of a column. */
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

/** Scans all values of one column without counting each. */
export async function screenText(
  connector: Connector,
  { from, fields }: FieldSet,
  name: string,
  style: NumberStyle,
): Promise<TextScreen> {
  const { dialect } = connector;
  const numbers = `count(${dialect.parseDouble("v_", style, "NULL")})`;
  const measures = [
    "count(v_)",
    dialect.distinct("v_"),
    "min(length(v_))",
    "max(length(v_))",
    numbers,
    "min(v_)",
  ].map(dialect.text);
  const texts = { from, stages: [[["v_", fields.get(name)?.text ?? "NULL"]]] } as const;
  const answer = await queryRow(connector, dialect.staged(texts, measures.join(", ")), measures.length);
  const [known, distinct, shortest, longest, numeric] = answer.slice(0, 5).map((text) => Number(text ?? 0));
  const example = answer[5] ?? "";
  return {
    name,
    known,
    distinct: Math.min(distinct, known),
    shortest,
    longest,
    numbers: numeric,
    example,
  };
}
