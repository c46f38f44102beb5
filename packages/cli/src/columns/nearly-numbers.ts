import { readNumberText } from "conformant/texts";
import { quoted } from "../errors.ts";
import { counted } from "../terminal/numbers.ts";

/**
 * A word about texts that a person may take for numbers: with thousands separators, a zero in front, a sign of a currency, or a
 * unit, all of them in the same way. Undefined where there are none, or others beside them.
 */
export function describeNearlyNumbers(counts: ReadonlyMap<string, number>): string | undefined {
  const texts = [...counts].filter(([text]) => readNumberText(text) === undefined);
  const ways = new Set(texts.map(([text]) => wayOf(text)));
  const [way] = ways;
  if (ways.size !== 1 || way === undefined) return undefined;
  const rows = texts.reduce((sum, [, count]) => sum + count, 0);
  const remedy = way.startsWith("--") ? `${way} reads them as numbers` : "--sql computes numbers from them";
  return `${counted(rows, "value")} such as ${quoted(texts[0][0])} are taken as texts, not as numbers; ${remedy}`;
}

const UNIT = /^(\p{Sc}?) ?[-+]?\d[\d.,]* ?((?:\p{Sc}|[%‰°]|\p{Letter}){0,4})$/u;

/** What keeps a text from being a number: an option that would settle it, or what stands around the digits. */
function wayOf(text: string): string | undefined {
  for (const decimal of ["point", "comma"] as const)
    if (readNumberText(text, { decimal, grouped: true }) !== undefined) return `--decimal ${decimal}`;
  if (/^[-+]?0\d+$/.test(text)) return "a zero in front";
  const [, before = "", behind = ""] = UNIT.exec(text) ?? [];
  return before || behind ? `${before} ${behind}` : undefined;
}
