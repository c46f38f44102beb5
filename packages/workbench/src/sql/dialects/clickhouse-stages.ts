import type { ComponentResults, PerComponent } from "../per-component.ts";
import { countNames, type Softmax, type Stage, type Staged, substituteNames, sumSql } from "../stages.ts";

/** Stages as names of a WITH clause, which ClickHouse expands wherever they occur. */
export function flatten({ from, where, stages }: Staged, select: string, tail = ""): string {
  const names = stages.flat().map(([name, expression]) => `(${expression}) AS ${name}`);
  const given = names.length > 0 ? `WITH ${names.join(", ")} ` : "";
  return `${given}SELECT ${select} FROM ${from}${where ? ` WHERE ${where}` : ""}${tail && ` ${tail}`}`;
}

/**
 * A list of doubles computed in stages. Each stage is a function of the names before it, applied to lists of one element: names of a WITH
 * clause would be expanded, so that the expression would double at every stage. What occurs only once is written inline, because every list
 * and function costs a copy.
 */
export function bind(stages: readonly Stage[], values: readonly string[]): string {
  const body = `[${values.map((value) => `toFloat64(assumeNotNull(${value}))`).join(", ")}]`;
  return stages.reduceRight((inner, stage) => {
    const uses = countNames(inner);
    const isBound = ([name]: Stage[number]): boolean => (uses.get(name) ?? 0) > 1;
    const bound = stage.filter(isBound);
    const single = stage.filter((entry) => !isBound(entry));
    const written = substituteNames(inner, new Map(single.map(([name, sql]) => [name, `(${sql})`])));
    if (bound.length === 0) return written;
    const names = bound.map(([name]) => name).join(", ");
    return `arrayMap((${names}) -> ${written}, ${bound.map(([, expression]) => `[${expression}]`).join(", ")})[1]`;
  }, body);
}

/** A computation for every component as one list of lists: a function of the constants, applied to lists of them. */
export function mapComponents({ constants, stages, results }: PerComponent): ComponentResults {
  const names = constants.map(([name]) => name).join(", ");
  const lists = constants.map(([, numbers]) => `[${numbers.map((x) => x.toExponential()).join(",")}]`);
  const mapped = `arrayMap((${names}) -> ${bind(stages, results)}, ${lists.join(", ")})`;
  return {
    stages: [[["components_", mapped]]],
    result: (position, m) => `components_[${m + 1}][${position + 1}]`,
  };
}

/** e^{s_a} / Σ e^{s_a} of names, relative to the largest, without stages: inside a function a repeated expression is computed once. */
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
