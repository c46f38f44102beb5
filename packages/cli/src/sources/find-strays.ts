import type { Field, FieldSet } from "conformant-workbench/sql";
import { type Connector, queryRow } from "./connector.ts";
import { TOGETHER } from "./unseen-values.ts";

/** Different texts of a column that are told apart; with more it is not a column of numbers. */
const MOST_TEXTS = 1000;

/** The texts in columns of numbers that are not numbers, and the rows that have each; columns without any are absent. */
export async function findStrays(
  connector: Connector,
  { from, fields }: FieldSet,
  names: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const { dialect } = connector;
  const infinite = dialect.number(Number.POSITIVE_INFINITY);
  const isStray = ({ value }: Field): string => `${value} = ${infinite}`;
  // Numbers of the engine have no text; an infinite one stays an error.
  const texts = names.flatMap((name) => {
    const field = fields.get(name);
    return field?.style && field.storage === "number" ? [field] : [];
  });
  const strays = new Map<string, Map<string, number>>();
  for (let start = 0; start < texts.length; start += TOGETHER) {
    const part = texts.slice(start, start + TOGETHER);
    const counts = part.map((field) => dialect.text(`sum(CASE WHEN ${isStray(field)} THEN 1 ELSE 0 END)`));
    const answer = await queryRow(connector, `SELECT ${counts.join(", ")} FROM ${from}`, counts.length);
    for (const field of part.filter((_, c) => Number(answer[c]) > 0))
      strays.set(field.name, await countTexts(connector, from, field, isStray(field)));
  }
  return strays;
}

async function countTexts(
  { dialect, query }: Connector,
  from: string,
  { text }: Field,
  where: string,
): Promise<Map<string, number>> {
  const sql = dialect.staged(
    { from, where, stages: [[["value_", text]]] },
    `value_, ${dialect.double("count(*)")}`,
    `GROUP BY value_ ORDER BY count(*) DESC, value_ LIMIT ${MOST_TEXTS}`,
  );
  const counts = new Map<string, number>();
  for await (const { rows, columns } of query(sql, ["text", "number"]))
    for (let r = 0; r < rows; r++) counts.set(String(columns[0][r]), Number(columns[1][r]));
  return counts;
}
