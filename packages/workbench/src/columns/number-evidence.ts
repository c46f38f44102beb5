import { type NumberStyle, numberPattern, PLAIN_NUMBERS, trimText } from "conformant/texts";

/** How many numbers of a column can be read in one way only, and how many in two. */
export interface NumberEvidence {
  /** `3,75`: a comma before the fraction. */
  readonly comma: number;
  /** `1.234,5` and `1.234.567`: points between groups. */
  readonly pointGroups: number;
  /** `3.75`: a point before the fraction. */
  readonly point: number;
  /** `1,234.5` and `1,234,567`: commas between groups. */
  readonly commaGroups: number;
  /** `3,750` and `3.750`: a fraction, or a group of thousands. */
  readonly eitherComma: number;
  readonly eitherPoint: number;
}

function patternsOf(mark: "," | "."): { either: string; groups: string; any: string } {
  const other = mark === "," ? "[.]" : "[,]";
  const first = "[-+]?[1-9][0-9]{0,2}";
  return {
    either: `${first}[${mark}][0-9]{3}`,
    groups: `${first}(?:(?:[${mark}][0-9]{3})+${other}[0-9]*|(?:[${mark}][0-9]{3}){2,})`,
    any: numberPattern({ decimal: mark === "," ? "comma" : "point", grouped: false }),
  };
}

/** What the texts with a comma, and those with a point, are counted by: regular expressions for all of a text. */
export const evidencePatterns = { comma: patternsOf(","), point: patternsOf(".") };

/** The evidence of texts. */
export function numberEvidence(texts: Iterable<string>): NumberEvidence {
  const found = { comma: 0, pointGroups: 0, point: 0, commaGroups: 0, eitherComma: 0, eitherPoint: 0 };
  const { comma, point } = compiled;
  for (const text of texts) {
    const trimmed = trimText(text);
    if (trimmed.includes(",")) {
      if (comma.either.test(trimmed)) found.eitherComma++;
      else if (comma.any.test(trimmed)) found.comma++;
      if (comma.groups.test(trimmed)) found.commaGroups++;
    }
    if (trimmed.includes(".")) {
      if (point.either.test(trimmed)) found.eitherPoint++;
      else if (point.any.test(trimmed)) found.point++;
      if (point.groups.test(trimmed)) found.pointGroups++;
    }
  }
  return found;
}

const compiled = {
  comma: compile(evidencePatterns.comma),
  point: compile(evidencePatterns.point),
};

function compile({
  either,
  groups,
  any,
}: (typeof evidencePatterns)["comma"]): Record<"either" | "groups" | "any", RegExp> {
  const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
  return { either: whole(either), groups: whole(groups), any: whole(any) };
}

/** Whether a column shows that commas stand before fractions. */
export function usesCommas({ comma, pointGroups }: NumberEvidence): boolean {
  return comma + pointGroups > 0;
}

/**
 * How the numbers of a column are written, by all its values; undefined where some can be read in two ways and none tells which.
 *
 * @param commasElsewhere whether another column of the same file shows that commas stand before fractions
 */
export function decideNumberStyle(column: NumberEvidence, commasElsewhere: boolean): NumberStyle | undefined {
  const points = column.point + column.commaGroups;
  if (usesCommas(column)) {
    if (column.eitherPoint > 0 && column.pointGroups === 0 && points === 0) return undefined;
    return { decimal: "comma", grouped: column.pointGroups > 0 };
  }
  if (points > 0) {
    if (column.eitherComma > 0 && column.commaGroups === 0) return undefined;
    return { decimal: "point", grouped: column.commaGroups > 0 };
  }
  if (column.eitherComma > 0)
    return commasElsewhere && column.eitherPoint === 0 ? { decimal: "comma", grouped: false } : undefined;
  return column.eitherPoint > 0 && commasElsewhere ? undefined : PLAIN_NUMBERS;
}
