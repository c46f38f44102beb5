import { type NumberStyle, readNumberText } from "conformant/texts";
import { cleanText } from "conformant-workbench";
import type { FieldSet } from "conformant-workbench/sql";
import type { Connector } from "./connector.ts";

/** Rows at the beginning that tell what is worth trying. */
const FIRST_ROWS = 1000;

/**
 * The text columns whose first values are all numbers. A guess that saves work and decides nothing: the values are counted as
 * numbers, and what is none comes to light with them.
 */
export async function guessNumbers(
  connector: Connector,
  { from, fields }: FieldSet,
  styles: ReadonlyMap<string, NumberStyle>,
): Promise<Map<string, NumberStyle>> {
  const texts = [...fields.values()].filter(({ name, storage }) => storage === "text" && styles.has(name));
  const states = texts.map(() => ({ numbers: 0, others: 0 }));
  if (texts.length > 0) {
    const selected = texts.map(({ raw }, c) => `${raw} AS v${c}_`).join(", ");
    const sql = `SELECT ${selected} FROM ${from} LIMIT ${FIRST_ROWS}`;
    const shapes = texts.map(() => "text" as const);
    for await (const { columns } of connector.query(sql, shapes))
      columns.forEach((column, c) => {
        const { name, gaps } = texts[c];
        for (const cell of column as readonly (string | null)[]) {
          const text = cell === null ? undefined : cleanText(cell, gaps);
          if (text === undefined) continue;
          if (readNumberText(text, styles.get(name)) === undefined) states[c].others++;
          else states[c].numbers++;
        }
      });
  }
  const found = texts.filter((_, c) => states[c].numbers > 0 && states[c].others === 0);
  return new Map(found.map(({ name }) => [name, styles.get(name) as NumberStyle]));
}
