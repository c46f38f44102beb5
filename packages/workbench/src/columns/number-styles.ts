import { type NumberStyle, PLAIN_NUMBERS, readNumberText } from "conformant/texts";
import { counted } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import type { Remedies } from "../source/remedies.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { decideNumberStyle, evidencePatterns, type NumberEvidence, usesCommas } from "./number-evidence.ts";

/** What is asked of a source. */
type StyleSource<Cells extends CellReading> = Pick<
  TableSource<Cells>,
  "name" | "mayHaveCommas" | "remedies" | "evidence" | "find"
>;

/**
 * How the numbers of text columns are written, decided from all their values: `3,750` is three and three quarters or some
 * thousands, and which of them no single value tells. Where the values do not tell either it is an error.
 *
 * @param decimal what the person says, which leaves nothing to decide
 */
export async function findNumberStyles<Cells extends CellReading>(
  source: StyleSource<Cells>,
  cells: Cells,
  names: readonly string[],
  decimal: NumberStyle["decimal"] | undefined,
): Promise<Map<string, NumberStyle>> {
  const texts = names.filter((name) => cells.fields.get(name)?.storage === "text");
  if (decimal) return new Map(texts.map((name) => [name, { decimal, grouped: true }]));
  if (!source.mayHaveCommas) return new Map(texts.map((name) => [name, PLAIN_NUMBERS]));
  const evidence = texts.length === 0 ? [] : await source.evidence(cells, texts);
  const styles = new Map<string, NumberStyle>();
  for (const [t, name] of texts.entries()) {
    const style = decideNumberStyle(evidence[t], evidence.some(usesCommas));
    if (!style) throw await ambiguous(source, cells, name, evidence[t]);
    styles.set(name, style);
  }
  return styles;
}

/** Names the first value that can be read in two ways. */
async function ambiguous<Cells extends CellReading>(
  source: StyleSource<Cells>,
  cells: Cells,
  name: string,
  { eitherPoint }: NumberEvidence,
): Promise<TableError> {
  const mark = eitherPoint === 0 ? "comma" : "point";
  const { row, text } = await source.find(cells, name, { pattern: evidencePatterns[mark].either });
  const [fraction, thousands] = [String(Number(text.replace(",", "."))), text.replace(/[.,]/, "")];
  const message = `${quoted(source.name)}, row ${row}, column ${quoted(name)}: ${quoted(text)} may be ${fraction} or ${thousands}, and the other values do not tell`;
  return new TableError("invalid-value", message, {
    hint: source.remedies.ambiguousNumber(mark, fraction, thousands),
  });
}

/**
 * A word about texts that a person may take for numbers: with thousands separators, a zero in front, a sign of a currency, or a
 * unit, all of them in the same way. Undefined where there are none, or others beside them.
 */
export function describeNearlyNumbers(
  counts: ReadonlyMap<string, number>,
  remedies: Remedies,
): string | undefined {
  const texts = [...counts].filter(([text]) => readNumberText(text) === undefined);
  const ways = new Map(texts.map(([text]) => [JSON.stringify(wayOf(text)), wayOf(text)]));
  const [way] = ways.values();
  if (ways.size !== 1 || way === undefined) return undefined;
  const rows = texts.reduce((sum, [, count]) => sum + count, 0);
  const remedy = remedies.nearlyNumbers(way.decimal);
  return `${counted(rows, "value")} such as ${quoted(texts[0][0])} are taken as texts, not as numbers; ${remedy}`;
}

const UNIT = /^(\p{Sc}?) ?[-+]?\d[\d.,]* ?((?:\p{Sc}|[%‰°]|\p{Letter}){0,4})$/u;

/** What keeps a text from being a number: the mark before its fraction, or what stands around the digits. */
interface Way {
  readonly decimal?: NumberStyle["decimal"];
  readonly around?: string;
}

function wayOf(text: string): Way | undefined {
  for (const decimal of ["point", "comma"] as const)
    if (readNumberText(text, { decimal, grouped: true }) !== undefined) return { decimal };
  if (/^[-+]?0\d+$/.test(text)) return { around: "a zero in front" };
  const [, before = "", behind = ""] = UNIT.exec(text) ?? [];
  return before || behind ? { around: `${before} ${behind}` } : undefined;
}
