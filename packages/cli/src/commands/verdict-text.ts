import type { VerdictTexts } from "conformant-workbench/describe";
import { textTable } from "../terminal/text-table.ts";

/** How good a model is on new rows, laid out for a terminal. */
export function verdictText({ sentence, facts, confusion }: VerdictTexts): string {
  return [
    sentence,
    "",
    ...facts.map(([name, text]) => `${name.padEnd(12)} ${text}`),
    ...(confusion ? ["", textTable(confusion.header, confusion.rows, (c) => c > 0)] : []),
  ].join("\n");
}
