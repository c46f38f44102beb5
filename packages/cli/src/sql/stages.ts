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

/**
 * The stages as queries inside queries, each with the names that are still needed.
 *
 * @param fence what keeps the engine from writing a stage's expressions into the next one, where they would be computed again
 */
export function nestStages(
  { from, where, stages }: Staged,
  select: string,
  tail: string,
  fence = "",
): string {
  const [first, ...rest] = stages;
  const needed = (after: number): Set<string> =>
    new Set(
      [...stages.slice(after).flatMap((stage) => stage.map(([, expression]) => expression)), select, tail]
        .join(" ")
        .match(/\b[a-z]\w*_\b/gi),
    );
  let names = first.map(([name]) => name);
  let sql = `SELECT ${named(first)}\nFROM ${from}${where ? ` WHERE ${where}` : ""}`;
  rest.forEach((stage, s) => {
    const used = needed(s + 1);
    const kept = names.filter((name) => used.has(name));
    sql = `SELECT ${[...kept, named(stage)].join(", ")}\nFROM (${sql}${fence}) AS stage_${s + 1}`;
    names = [...kept, ...stage.map(([name]) => name)];
  });
  return `SELECT ${select}\nFROM (${sql}${fence}) AS staged${tail && ` ${tail}`}`;
}

/** {@link nestStages} for doubles, beside expressions over the columns of the relation. */
export function nestNumbers(query: Staged, numbers: Stage, copies: Stage, fence = ""): string {
  const [first, ...rest] = query.stages;
  const select = [named(numbers), ...copies.map(([name]) => name)].join(", ");
  return nestStages({ ...query, stages: [[...first, ...copies], ...rest] }, select, "", fence);
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
