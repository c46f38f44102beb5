import type { Counted } from "conformant-workbench";
import type { Field, FieldSet } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import type { Connector } from "./connector.ts";

/** Throws for a text with a NUL character, which SQL cannot express, so that it cannot be a category. */
export async function refuseNul(
  connector: Connector,
  { from, fields }: FieldSet,
  columns: ReadonlyMap<string, Counted>,
): Promise<void> {
  for (const [name, counts] of columns) {
    if (counts.kind !== "text" || ![...counts.counts.keys()].some(hasNul)) continue;
    let before = 0;
    const query = `SELECT ${(fields.get(name) as Field).raw} FROM ${from}`;
    for await (const { rows, columns: texts } of connector.query(query, ["text"])) {
      const row = (texts[0] as readonly (string | null)[]).findIndex((text) => text !== null && hasNul(text));
      if (row >= 0)
        throw new CliError(
          "invalid-value",
          `${quoted(connector.name)}, row ${before + row + 1}, column ${quoted(name)}: expected a text without NUL characters, got ${quoted(texts[0][row] as string)}`,
          { hint: "the data may be damaged there" },
        );
      before += rows;
    }
  }
}

function hasNul(text: string): boolean {
  return text.includes("\0");
}
