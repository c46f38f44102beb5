import { type NumberStyle, numberPattern, PLAIN_NUMBERS } from "conformant";
import { CliError, quoted } from "../errors.ts";
import { type Connector, queryRow } from "../sources/connector.ts";
import type { Field, FieldSet } from "../sql/fields.ts";
import { blanksAround } from "../sql/number-text.ts";
import { findRow } from "./find-row.ts";

/** What is known about the numbers of a column from all its values: how many can only be read one way. */
interface Evidence {
  readonly field: Field;
  /** `3,75`; a comma before the fraction. */
  readonly comma: number;
  /** `1.234,5` and `1.234.567`: points between groups. */
  readonly pointGroups: number;
  /** `3.75`; a point before the fraction. */
  readonly point: number;
  /** `1,234.5` and `1,234,567`: commas between groups. */
  readonly commaGroups: number;
  /** `3,750` and `3.750`, which are a group of thousands or a fraction. */
  readonly eitherComma: number;
  readonly eitherPoint: number;
}

const [comma, point] = [",", "."].map((mark) => {
  const other = mark === "," ? "[.]" : "[,]";
  const group = "[-+]?[1-9][0-9]{0,2}";
  return {
    either: `${group}[${mark}][0-9]{3}`,
    groups: `${group}(?:(?:[${mark}][0-9]{3})+${other}[0-9]*|(?:[${mark}][0-9]{3}){2,})`,
    any: numberPattern({ decimal: mark === "," ? "comma" : "point", grouped: false }),
  };
});

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
  const usesCommas = evidence.some((column) => column.comma + column.pointGroups > 0);
  const styles = new Map<string, NumberStyle>();
  for (const column of evidence) {
    const style = styleOf(column, usesCommas);
    if (style) styles.set(column.field.name, style);
    else throw await ambiguous(connector, set, column);
  }
  return styles;
}

/** Undefined where a value can be read in two ways. */
function styleOf(column: Evidence, usesCommas: boolean): NumberStyle | undefined {
  const [commas, points] = [column.comma + column.pointGroups, column.point + column.commaGroups];
  if (commas > 0) {
    if (column.eitherPoint > 0 && column.pointGroups === 0 && points === 0) return undefined;
    return { decimal: "comma", grouped: column.pointGroups > 0 };
  }
  if (points > 0) {
    if (column.eitherComma > 0 && column.commaGroups === 0) return undefined;
    return { decimal: "point", grouped: column.commaGroups > 0 };
  }
  if (column.eitherComma > 0)
    return usesCommas && column.eitherPoint === 0 ? { decimal: "comma", grouped: false } : undefined;
  return column.eitherPoint > 0 && usesCommas ? undefined : PLAIN_NUMBERS;
}

async function readEvidence(
  connector: Connector,
  { from }: FieldSet,
  fields: readonly Field[],
): Promise<Evidence[]> {
  const { dialect } = connector;
  const all = fields.flatMap(({ raw }) => {
    const matching = (pattern: string): string => dialect.matches(raw, blanksAround(pattern));
    const sum = (condition: string): string => dialect.text(`sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`);
    const [either, fraction] = [`(${matching(comma.either)})`, `${raw} LIKE '%,%'`];
    const [eitherPoint, pointed] = [`(${matching(point.either)})`, `${raw} LIKE '%.%'`];
    return [
      sum(`${fraction} AND NOT ${either} AND ${matching(comma.any)}`),
      sum(`${pointed} AND ${matching(point.groups)}`),
      sum(`${pointed} AND NOT ${eitherPoint} AND ${matching(point.any)}`),
      sum(`${fraction} AND ${matching(comma.groups)}`),
      sum(`${fraction} AND ${either}`),
      sum(`${pointed} AND ${eitherPoint}`),
    ];
  });
  if (all.length === 0) return [];
  const answer = (await queryRow(connector, `SELECT ${all.join(", ")} FROM ${from}`, all.length)).map(Number);
  return fields.map((field, f) => {
    const [commas, pointGroups, points, commaGroups, eitherComma, eitherPoint] = answer.slice(
      6 * f,
      6 * f + 6,
    );
    return { field, comma: commas, pointGroups, point: points, commaGroups, eitherComma, eitherPoint };
  });
}

/** Names the first value that can be read in two ways. */
async function ambiguous(connector: Connector, set: FieldSet, column: Evidence): Promise<CliError> {
  const { field } = column;
  const isComma = column.eitherPoint === 0;
  const pattern = blanksAround(isComma ? comma.either : point.either);
  const { row, text } = await findRow(connector, set, field, connector.dialect.matches(field.raw, pattern));
  const number = text.replace(/[.,]/, "");
  const fraction = Number(text.replace(",", "."));
  const message = `${quoted(connector.name)}, row ${row}, column ${quoted(field.name)}: ${quoted(text)} may be ${fraction} or ${number}, and the other values do not tell`;
  return new CliError("invalid-value", message, {
    hint: `--decimal ${isComma ? "comma" : "point"} reads it as ${fraction}, --decimal ${isComma ? "point" : "comma"} as ${number}`,
  });
}
