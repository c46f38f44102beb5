import {
  decideNumberStyle,
  evidencePatterns,
  type NumberEvidence,
  type NumberStyle,
  PLAIN_NUMBERS,
  usesCommas,
} from "conformant/texts";
import { CliError, quoted } from "../errors.ts";
import { type Connector, queryRow } from "../sources/connector.ts";
import type { Field, FieldSet } from "../sql/fields.ts";
import { blanksAround } from "../sql/number-text.ts";
import { findRow } from "./find-row.ts";

/**
 * How the numbers of text columns are written, decided from all their values: `3,750` is three and three quarters or some
 * thousands, and which of them no single value tells. Where the values do not tell either it is an error.
 *
 * @param decimal what the command line says, which leaves nothing to decide
 */
export async function findNumberStyles(
  connector: Connector,
  set: FieldSet,
  names: readonly string[],
  decimal: NumberStyle["decimal"] | undefined,
): Promise<Map<string, NumberStyle>> {
  const fields = names
    .flatMap((name) => set.fields.get(name) ?? [])
    .filter(({ storage }) => storage === "text");
  if (decimal) return new Map(fields.map(({ name }) => [name, { decimal, grouped: true }]));
  if (!connector.mayHaveCommas) return new Map(fields.map(({ name }) => [name, PLAIN_NUMBERS]));
  const evidence = await readEvidence(connector, set, fields);
  const styles = new Map<string, NumberStyle>();
  for (const [f, field] of fields.entries()) {
    const style = decideNumberStyle(evidence[f], evidence.some(usesCommas));
    if (!style) throw await ambiguous(connector, set, field, evidence[f]);
    styles.set(field.name, style);
  }
  return styles;
}

/** {@link NumberEvidence} of columns, counted by the engine in one pass. */
async function readEvidence(
  connector: Connector,
  { from }: FieldSet,
  fields: readonly Field[],
): Promise<NumberEvidence[]> {
  if (fields.length === 0) return [];
  const { dialect } = connector;
  const counts = fields.flatMap(({ raw }) => {
    const sum = (mark: "comma" | "point", condition: (is: (pattern: string) => string) => string): string => {
      const is = (pattern: string): string => `(${dialect.matches(raw, blanksAround(pattern))})`;
      const has = `${raw} LIKE '%${mark === "comma" ? "," : "."}%'`;
      return dialect.text(`sum(CASE WHEN ${has} AND ${condition(is)} THEN 1 ELSE 0 END)`);
    };
    return (["comma", "point"] as const).flatMap((mark) => {
      const { either, any, groups } = evidencePatterns[mark];
      return [
        sum(mark, (is) => `NOT ${is(either)} AND ${is(any)}`),
        sum(mark, (is) => is(groups)),
        sum(mark, (is) => is(either)),
      ];
    });
  });
  const sql = `SELECT ${counts.join(", ")} FROM ${from}`;
  const answer = (await queryRow(connector, sql, counts.length)).map(Number);
  return fields.map((_, f) => {
    const [comma, commaGroups, eitherComma, point, pointGroups, eitherPoint] = answer.slice(6 * f, 6 * f + 6);
    return { comma, commaGroups, eitherComma, point, pointGroups, eitherPoint };
  });
}

/** Names the first value that can be read in two ways. */
async function ambiguous(
  connector: Connector,
  set: FieldSet,
  field: Field,
  { eitherPoint }: NumberEvidence,
): Promise<CliError> {
  const [mark, other] = eitherPoint === 0 ? (["comma", "point"] as const) : (["point", "comma"] as const);
  const pattern = blanksAround(evidencePatterns[mark].either);
  const { row, text } = await findRow(connector, set, field, connector.dialect.matches(field.raw, pattern));
  const [fraction, thousands] = [Number(text.replace(",", ".")), text.replace(/[.,]/, "")];
  const message = `${quoted(connector.name)}, row ${row}, column ${quoted(field.name)}: ${quoted(text)} may be ${fraction} or ${thousands}, and the other values do not tell`;
  return new CliError("invalid-value", message, {
    hint: `--decimal ${mark} reads it as ${fraction}, --decimal ${other} as ${thousands}`,
  });
}
