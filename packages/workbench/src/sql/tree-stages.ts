import type { Distribution, TreeEnsemble } from "conformant";
import type { Dialect } from "./dialects/dialect.ts";
import { type Stage, sumSql } from "./stages.ts";

/** The columns that trees ask about although a Gaussian describes them: the chance of a leaf is then no product. */
export function gaussianQuestions(
  { gaussianColumns }: Distribution,
  { nodes, schema }: TreeEnsemble,
): string[] {
  const asked = new Set(nodes.column);
  return [...(gaussianColumns?.columns ?? [])].filter((i) => asked.has(i)).map((i) => schema.columns[i].name);
}

/** How many terms the SQL of trees has: their nodes, for every component and every sum that their leaves add to. */
export function countTreeTerms({ components }: Distribution, { nodes, width }: TreeEnsemble): number {
  return nodes.column.length * components.length * width;
}

/** What trees are expected to add up to in every component: stages, and names over them. */
export interface TreeSums {
  readonly stages: readonly Stage[];
  /** E[sum s | known cells, component m]. */
  readonly sum: (s: number, m: number) => string;
}

/** Names of weights in one stage: a SELECT has 1,664 columns in PostgreSQL and 2,000 in SQLite, and others are carried along. */
const MOST_WEIGHTS = 1000;

/**
 * The expected sums of trees, from the leaves to the roots:
 *
 *     E_m(node) = w · E_m(left) + (1 − w) · E_m(right)
 *
 * with w = 1 or 0 where the node's column is known, else Q_m(left | path), the share of the atoms which go left among those that the
 * nodes above leave. Some trees at a time, the weights are named and the trees added to the sums. The cells are those of the names
 * x0_, x1_, … of the model's columns.
 */
export function treeSums(dialect: Dialect, model: Distribution, trees: TreeEnsemble): TreeSums {
  const { schema, nodes, roots, base } = trees;
  const asked = [...new Set(nodes.column)].filter((i) => i >= 0).sort((a, b) => a - b);
  const cells: Stage = asked.map((i) => [
    cell(i),
    schema.columns[i].kind === "numeric"
      ? dialect.nullForNan(`x${i}_`)
      : `CASE WHEN x${i}_ >= 0 THEN x${i}_ END`,
  ]);
  const all = model.components.flatMap((_, m) => Array.from(base, (_, s) => ({ m, s })));
  const stages: Stage[] = asked.length > 0 ? [cells] : [];
  let weights = new Weights(0);
  let open = all.map(({ s }) => [dialect.number(base[s])]);
  let group = 0;
  const close = (): void => {
    const sums = open.map((terms, a): Stage[number] => [nameOf(all[a], group), sumSql(terms)]);
    stages.push(...(weights.stage.length > 0 ? [weights.stage] : []), sums);
    open = all.map((one) => [nameOf(one, group)]);
    weights = new Weights(++group);
  };
  for (const root of roots) {
    all.forEach((sum, a) => {
      const tree = writeNode({ dialect, model, trees, sum, weights }, root, new Map());
      if (tree !== dialect.number(0)) open[a].push(tree);
    });
    if (weights.stage.length >= MOST_WEIGHTS) close();
  }
  close();
  return { stages, sum: (s, m) => nameOf({ s, m }, group - 1) };
}

/** A sum of trees in a component. */
interface TreeSum {
  readonly s: number;
  readonly m: number;
}

const cell = (i: number): string => `y${i}_`;
const nameOf = ({ s, m }: TreeSum, group: number): string => `f${m}_${s}_${group}_`;

/** The weights of a group of trees, each under a name of its own. */
class Weights {
  readonly #group: number;
  readonly #names = new Map<string, string>();

  constructor(group: number) {
    this.#group = group;
  }

  get stage(): Stage {
    return Array.from(this.#names, ([expression, name]) => [name, expression]);
  }

  name(expression: string): string {
    const name = this.#names.get(expression) ?? `w${this.#group}_${this.#names.size}_`;
    this.#names.set(expression, name);
    return name;
  }
}

interface Writing {
  readonly dialect: Dialect;
  readonly model: Distribution;
  readonly trees: TreeEnsemble;
  readonly sum: TreeSum;
  readonly weights: Weights;
}

/** @param inside per column on the path the atoms that are left, 1 or 0 each */
function writeNode(writing: Writing, n: number, inside: ReadonlyMap<number, Uint8Array>): string {
  const { dialect, model, trees, sum, weights } = writing;
  const { nodes } = trees;
  const i = nodes.column[n];
  if (i < 0) return dialect.number(leafValue(trees, nodes.left[n], sum.s));
  const { count, values } = model.atoms.columns[i];
  const before = inside.get(i) ?? new Uint8Array(count).fill(1);
  const left = before.map((open, j) => (open && goesLeft(trees, n, values?.[j] ?? j) ? 1 : 0));
  const right = before.map((open, j) => open - left[j]);
  const write = (child: number, own: Uint8Array): string =>
    writeNode(writing, child, new Map(inside).set(i, own));
  const [low, high] = [write(nodes.left[n], left), write(nodes.right[n], right)];
  if (low === high) return low; // whichever way: a tree of another class, for one
  const [massLeft, massRight] = [left, right].map((own) => massOf(model, i, sum.m, own));
  const share = massLeft === 0 ? 0 : massLeft / (massLeft + massRight);
  const [zero, one] = [0, 1].map(dialect.number);
  const weight = weights.name(
    `CASE WHEN ${cell(i)} IS NULL THEN ${dialect.number(share)} WHEN ${questionSql(dialect, trees, n)} THEN ${one} ELSE ${zero} END`,
  );
  return `(${weight} * ${low} + (${one} - ${weight}) * ${high})`;
}

/** What a leaf adds to sum s. */
function leafValue({ width, values, outputs }: TreeEnsemble, leaf: number, s: number): number {
  const place = s - outputs[leaf];
  return place >= 0 && place < width ? values[leaf * width + place] : 0;
}

function goesLeft({ nodes, sets }: TreeEnsemble, n: number, value: number): boolean {
  return nodes.set[n] >= 0 ? sets[nodes.set[n]][value] === 1 : value <= nodes.threshold[n];
}

/** Whether a known cell goes left. */
function questionSql(dialect: Dialect, { nodes, sets }: TreeEnsemble, n: number): string {
  const own = cell(nodes.column[n]);
  if (nodes.set[n] < 0) return `${own} <= ${dialect.number(nodes.threshold[n])}`;
  // Not IN, which DuckDB makes a join of.
  const codes = [...sets[nodes.set[n]].entries()].flatMap(([code, left]) => (left === 1 ? [code] : []));
  return codes.map((code) => `${own} = ${code}`).join(" OR ") || `${own} < 0`;
}

/** Q_m of some atoms of column i. */
function massOf({ components, atoms }: Distribution, i: number, m: number, inside: Uint8Array): number {
  const { logQ } = components[m];
  return inside.reduce((sum, open, j) => (open ? sum + Math.exp(logQ[atoms.offsets[i] + j]) : sum), 0);
}
