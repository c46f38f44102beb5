import { evidencePatterns, type NumberEvidence } from "conformant-workbench";
import { blanksAround, type Field, type FieldSet } from "conformant-workbench/sql";
import { type Connector, queryRow } from "./connector.ts";

/** {@link NumberEvidence} of columns, counted by the engine in one pass. */
export async function readEvidence(
  connector: Connector,
  { from, fields: all }: FieldSet,
  names: readonly string[],
): Promise<NumberEvidence[]> {
  const fields = names.map((name) => all.get(name) as Field);
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
