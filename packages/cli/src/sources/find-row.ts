import { trimText } from "conformant/texts";
import type { Field, FieldSet } from "conformant-workbench/sql";
import type { Connector } from "./connector.ts";

/** Finds the first row that meets a condition, counted from 1, and the text of one of its fields. */
export async function findRow(
  connector: Connector,
  { from }: FieldSet,
  { raw }: Field,
  condition: string,
): Promise<{ readonly row: number; readonly text: string }> {
  let row = 0;
  const text = connector.dialect.text(raw);
  for await (const { rows, columns } of connector.query(
    `SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END AS met_, CASE WHEN ${condition} THEN ${text} END AS text_ FROM ${from}`,
    ["code", "text"],
  )) {
    const first = (columns[0] as Int32Array).indexOf(1);
    if (first >= 0) return { row: row + first + 1, text: trimText(String(columns[1][first] ?? "")) };
    row += rows;
  }
  return { row: 0, text: "" };
}
