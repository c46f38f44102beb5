/** Names and the expressions they stand for. A name ends in an underscore, so that no column of a source is likely to have it. */
export type Stage = readonly (readonly [name: string, expression: string])[];

/**
 * A computation on the rows of a relation, in stages: the first names expressions over the relation's columns, each further
 * one expressions over names that came before.
 */
export interface Staged {
  readonly from: string;
  /** A condition on the columns of the relation. */
  readonly where?: string | undefined;
  readonly stages: readonly Stage[];
}

/** Shares that add up to 1, out of their logarithms up to a constant. */
export interface Softmax {
  readonly stages: readonly Stage[];
  /** The share at a position. */
  readonly share: (position: number) => string;
  /** The logarithm of the sum that was divided by. */
  readonly logTotal: string;
}

/** How stages become one query that selects from the last of them; `tail` is what comes after. */
export type WriteStages = (query: Staged, select: string, tail?: string) => string;

/**
 * The stages as queries inside queries, each with the names that are still needed.
 *
 * @param fence what keeps the engine from writing a stage's expressions into the next one, where they would be computed again
 */
export function nestStages(fence = ""): WriteStages {
  return (query, select, tail) =>
    queriesOf(query, select, tail).reduce(
      (inner, write, s) => write(s === 0 ? inner : `(${inner}${fence}) AS stage_${s}`),
      query.from,
    );
}

/** {@link nestStages} as common table expressions, for engines that limit how deep queries may be nested. */
export function chainStages(fence = ""): WriteStages {
  return (query, select, tail) => {
    const queries = queriesOf(query, select, tail);
    const written = queries.map((write, s) => write(s === 0 ? query.from : `stage_${s}`));
    const stages = written.slice(0, -1).map((sql, s) => `stage_${s + 1} AS (${sql}${fence})`);
    return `WITH ${stages.join(",\n")}\n${written[written.length - 1]}`;
  };
}

/** One query for each stage, and the one that selects from the last; each is told what it is to read. */
function queriesOf({ where, stages }: Staged, select: string, tail = ""): ((from: string) => string)[] {
  const used = new Set(countNames(`${select} ${tail}`).keys());
  // From the last stage to the first: what a stage hands on is what those after it use.
  const handedOn = stages.map(() => new Set<string>());
  for (let s = stages.length - 1; s >= 0; s--) {
    for (const name of used) handedOn[s].add(name);
    for (const [, expression] of stages[s]) for (const name of countNames(expression).keys()) used.add(name);
  }
  let names: string[] = [];
  const queries = stages.map((stage, s) => {
    const kept = names.filter((name) => handedOn[s].has(name));
    names = [...kept, ...stage.map(([name]) => name)];
    const condition = s === 0 && where ? ` WHERE ${where}` : "";
    return (from: string) => `SELECT ${[...kept, named(stage)].join(", ")}\nFROM ${from}${condition}`;
  });
  return [...queries, (from) => `SELECT ${select}\nFROM ${from}${tail && ` ${tail}`}`];
}

/** How {@link Dialect.computed} is written in stages: doubles beside expressions over the columns of the relation. */
export function computeNumbers(write: WriteStages): (query: Staged, numbers: Stage, copies: Stage) => string {
  return (query, numbers, copies) => {
    const [first, ...rest] = query.stages;
    const select = [named(numbers), ...copies.map(([name]) => name)].join(", ");
    return write({ ...query, stages: [[...first, ...copies], ...rest] }, select);
  };
}

/** Texts and quoted names, which are passed over, and names of stages. */
const WORDS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\b[a-z]\w*_\b/g;

/** How often each name stands in an expression. */
export function countNames(sql: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of sql.matchAll(WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** An expression with what stands for some names in their place. */
export function substituteNames(sql: string, expressions: ReadonlyMap<string, string>): string {
  return sql.replace(WORDS, (word) => expressions.get(word) ?? word);
}

function named(stage: Stage): string {
  return stage.map(([name, expression]) => `${expression} AS ${name}`).join(", ");
}

/** e^{s_a} / Σ e^{s_a}, relative to the largest so that nothing overflows. */
export function softmaxOfScalars(
  {
    greatest,
    exp,
    log,
  }: Readonly<{
    greatest: (expressions: readonly string[]) => string;
    exp: (expression: string) => string;
    log: (expression: string) => string;
  }>,
  logs: readonly string[],
): Softmax {
  const powers = logs.map((log, a) => [`e${a}_`, exp(`${log} - top_`)] as const);
  return {
    stages: [[["top_", greatest(logs)]], powers, [["total_", sumSql(powers.map(([name]) => name))]]],
    share: (position) => `e${position}_ / total_`,
    logTotal: `top_ + ${log("total_")}`,
  };
}

/** Terms that stand in one sum; engines limit how deep an expression may be, and a sum is as deep as it is long. */
const MOST_TERMS = 500;

/** Terms added up. */
export function sumSql(terms: readonly string[]): string {
  if (terms.length <= MOST_TERMS) return terms.join(" + ");
  const parts = Array.from({ length: Math.ceil(terms.length / MOST_TERMS) }, (_, p) =>
    terms.slice(p * MOST_TERMS, (p + 1) * MOST_TERMS).join(" + "),
  );
  return sumSql(parts.map((part) => `(${part})`));
}
