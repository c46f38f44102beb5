import { type Explanation, type Model, predictColumns, type Row } from "../../src/index.ts";

/** Log-odds that differ by less are a tie: sums of up to 16 terms of ordinary size round far below it. */
const TIE = 1e-11;

/** What the definitions say, by trying every subset of the known columns. */
export interface BruteForce {
  readonly prediction: string;
  readonly support: readonly string[];
  /** Columns that must be in the set. */
  readonly use: readonly string[];
  /** Size of a smallest sufficient set; undefined if no allowed set suffices. */
  readonly size: number | undefined;
  /** Whether the given support columns, with all opposing ones, keep the goal. */
  readonly keeps: (columns: readonly string[]) => boolean;
}

export interface BruteForceOptions {
  readonly threshold?: number;
  readonly use?: readonly string[];
  readonly avoid?: readonly string[];
  /** Sets of columns that come and go together; default every column alone. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
}

/** Definitions 5 and 6 of the paper and their form for more classes, by enumeration with nothing but predictColumns. */
export function bruteForce(model: Model, row: Row, options: BruteForceOptions = {}): BruteForce {
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const K = classes.length;
  const grouped = new Set(Object.values(options.groups ?? {}).flat());
  const known = schema.columns.map(({ name }) => name).filter((name) => row[name] !== undefined);
  const features = [
    ...known.filter((name) => !grouped.has(name)).map((name) => ({ name, columns: [name] })),
    ...Object.entries(options.groups ?? {}).map(([name, columns]) => ({ name, columns })),
  ];
  const n = features.length;
  const data = Object.fromEntries(
    features.flatMap(({ columns }, f) =>
      columns.map((name) => [
        name,
        Array.from({ length: 2 ** n }, (_, mask) => ((mask >> f) & 1 ? row[name] : null)),
      ]),
    ),
  );
  const { probabilities } = predictColumns(model, n === 0 ? [{}] : data);
  const p = (mask: number, k: number): number => probabilities[mask * K + k];
  const all = 2 ** n - 1;
  const ahead = (mask: number, k: number, r: number): number => Math.log(p(mask, k)) - Math.log(p(mask, r));
  const isTop = (mask: number, k: number): boolean => classes.every((_, r) => ahead(mask, k, r) >= -TIE);
  const c = Math.max(...classes.flatMap((_, k) => (isTop(all, k) ? [k] : [])));
  const tie = classes.some((_, k) => k !== c && isTop(all, k));
  const logit = (mask: number): number => {
    const rest = classes.reduce((sum, _, k) => (k === c ? sum : sum + p(mask, k)), 0);
    return Math.log(p(mask, c)) - Math.log(rest);
  };
  const strict = K === 2 && c === 0;
  const supports = features.map((_, f) => {
    const effect = logit(all) - logit(all & ~(1 << f));
    return strict ? effect > TIE : effect >= -TIE;
  });
  const reaches = (mask: number): boolean => {
    if (options.threshold !== undefined) return p(mask, c) >= options.threshold - TIE;
    return classes.every((_, r) => r === c || ahead(mask, c, r) > (tie ? -TIE : TIE));
  };
  const maskOf = (names: readonly string[]): number =>
    features.reduce((mask, { name }, f) => (names.includes(name) ? mask | (1 << f) : mask), 0);
  const opposing = features.reduce((mask, _, f) => (supports[f] ? mask : mask | (1 << f)), 0);
  const asked = maskOf(options.use ?? []);
  const use = asked & ~opposing;
  const avoid = maskOf(options.avoid ?? []) & ~opposing;
  let size: number | undefined;
  const free = all & ~opposing;
  for (let set = free; ; set = (set - 1) & free) {
    const allowed = (set & use) === use && (set & avoid) === 0;
    if (allowed && bits(set) + bits(asked & opposing) < (size ?? n + 1) && reaches(set | opposing))
      size = bits(set) + bits(asked & opposing);
    if (set === 0) break;
  }
  return {
    prediction: classes[c],
    support: features.filter((_, f) => supports[f]).map(({ name }) => name),
    use: features.filter((_, f) => asked & (1 << f)).map(({ name }) => name),
    size,
    keeps: (columns) => reaches(maskOf(columns) | opposing),
  };
}

/** The first thing in which an explanation differs from the definitions; undefined if nothing does. */
export function differenceFrom(truth: BruteForce, given: Explanation): string | undefined {
  if (given.prediction !== truth.prediction) return `prediction ${given.prediction}, not ${truth.prediction}`;
  if ([...given.support].sort().join() !== [...truth.support].sort().join())
    return `support ${given.support}, not ${truth.support}`;
  if (truth.size === undefined) return given.status === "impossible" ? undefined : `status ${given.status}`;
  if (given.status !== "optimal") return `status ${given.status}`;
  if (given.sufficient.length !== truth.size) return `size ${given.sufficient.length}, not ${truth.size}`;
  if (given.lowerBound !== truth.size) return `lower bound ${given.lowerBound}, not ${truth.size}`;
  if (!truth.use.every((name) => given.sufficient.includes(name)))
    return "a column that is not used as asked";
  const allowed = [...truth.support, ...truth.use];
  if (!given.sufficient.every((name) => allowed.includes(name))) return "a column that is no support";
  return truth.keeps(given.sufficient) ? undefined : "the set does not keep the goal";
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
