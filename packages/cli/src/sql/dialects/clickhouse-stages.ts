import { type Softmax, type Stage, type Staged, sumSql } from "../stages.ts";

/** The stages as names of a WITH clause, which ClickHouse writes out wherever they stand. */
export function flatten({ from, where, stages }: Staged, select: string, tail = ""): string {
  const names = stages.flat().map(([name, expression]) => `(${expression}) AS ${name}`);
  const given = names.length > 0 ? `WITH ${names.join(", ")} ` : "";
  return `${given}SELECT ${select} FROM ${from}${where ? ` WHERE ${where}` : ""}${tail && ` ${tail}`}`;
}

/**
 * A list of doubles that are computed in stages. Each stage is a function of the names of those before it, applied to lists of
 * one: names of a WITH clause would be written out, and an expression is named by its text, so that its size would double at
 * every stage. What stands only once is written there, since every list and every function costs a copy.
 */
export function bind(stages: readonly Stage[], values: readonly string[]): string {
  const body = `[${values.map((value) => `toFloat64(assumeNotNull(${value}))`).join(", ")}]`;
  return stages.reduceRight((inner, stage) => {
    const uses = countNames(inner);
    const isBound = ([name]: Stage[number]): boolean => (uses.get(name) ?? 0) > 1;
    const bound = stage.filter(isBound);
    const written = substitute(inner, new Map(stage.filter((entry) => !isBound(entry))));
    if (bound.length === 0) return written;
    const names = bound.map(([name]) => name).join(", ");
    return `arrayMap((${names}) -> ${written}, ${bound.map(([, expression]) => `[${expression}]`).join(", ")})[1]`;
  }, body);
}

/** Texts and quoted names, which are passed over, and names of stages. */
const WORDS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\b[a-z]\w*_\b/g;

function countNames(sql: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of sql.matchAll(WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function substitute(sql: string, expressions: ReadonlyMap<string, string>): string {
  return sql.replace(WORDS, (word) => {
    const expression = expressions.get(word);
    return expression === undefined ? word : `(${expression})`;
  });
}

/** e^{s_a} / Σ e^{s_a} of names, relative to the largest, without stages: what stands several times in a function is computed once. */
export function softmaxInPlace(logs: readonly string[]): Softmax {
  const known = logs.map((log) => `assumeNotNull(${log})`);
  const top = known.reduce((a, b) => `greatest(${a}, ${b})`);
  const powers = known.map((log) => `exp(${log} - ${top})`);
  const total = `(${sumSql(powers)})`;
  return {
    stages: [],
    share: (position) => `${powers[position]} / ${total}`,
    logTotal: `${top} + log(${total})`,
  };
}
