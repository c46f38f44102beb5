import { type NumberStyle, readNumberText } from "conformant/texts";
import { counted } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import type { Remedies } from "../source/remedies.ts";

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
