import { quoteLiteral } from "conformant-workbench/sql";
import type { Ask } from "../opened-source.ts";

/** A column that a query may read: its name in the query, and the column with its raw text. */
export interface ScopeColumn {
  readonly name: string;
  /** Its name in the file; names that differ only in case are numbered. */
  readonly ownName: string;
  /** The raw column that is passed through with it; undefined for computed columns. */
  readonly raw: string | undefined;
}

/** A query with additional columns after its own, and its own columns in order. */
export interface PassingQuery {
  readonly sql: string;
  readonly columns: readonly ScopeColumn[];
}

/** An expression of the parse tree. */
interface Expression {
  readonly class: string;
  readonly alias: string;
  readonly column_names?: readonly string[];
  readonly relation_name?: string;
  readonly exclude_list?: readonly string[];
  readonly qualified_exclude_list?: readonly unknown[];
  readonly rename_list?: readonly unknown[];
  readonly replace_list?: readonly { readonly key: string; readonly value: Expression }[];
  readonly columns?: boolean;
  readonly expr?: unknown;
}

interface From {
  readonly type: string;
  readonly alias: string;
  readonly schema_name?: string;
  readonly catalog_name?: string;
  readonly table_name?: string;
  readonly column_name_alias?: readonly string[];
  readonly subquery?: { readonly node: SelectNode };
}

interface SelectNode {
  readonly type: string;
  readonly modifiers: readonly { readonly type: string }[];
  readonly cte_map: { readonly map: readonly unknown[] };
  readonly select_list: readonly Expression[];
  readonly from_table: From;
  readonly group_expressions: readonly unknown[];
  readonly group_sets: readonly unknown[];
  readonly aggregate_handling: string;
}

/**
 * Rewrites a query over one table, or over such a query, so that it also returns the raw text of columns that it passes through.
 * Undefined if the query does more than select rows and columns and compute within a row.
 *
 * @param table the name of the table in the query
 * @param widened a table with the same columns and the raw ones
 */
export async function passColumns(
  ask: Ask,
  sql: string,
  table: string,
  widened: string,
  scope: readonly ScopeColumn[],
): Promise<PassingQuery | undefined> {
  const [[text]] = await ask(`SELECT json_serialize_sql(${quoteLiteral(sql)})`, 1);
  const parsed = parseTree(text ?? "{}");
  if (parsed.error || parsed.statements.length !== 1) return undefined;
  const passing = widenNode(parsed.statements[0].node, table, widened, scope);
  if (!passing) return undefined;
  const { node, columns } = passing;
  const tree = { ...parsed, statements: [{ ...parsed.statements[0], node }] };
  const [[rewritten]] = await ask(`SELECT json_deserialize_sql(${quoteLiteral(writeTree(tree))})`, 1);
  return { sql: rewritten ?? "", columns };
}

interface Tree {
  readonly error: boolean;
  readonly statements: readonly { readonly node: SelectNode }[];
}

/** Marks a number that is kept as text: constants of a query may have more digits than a double. */
const NUMBER = "number\u0001";

function parseTree(text: string): Tree {
  const withTexts = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[-+.\deE]*/gs, (token) =>
    token.startsWith('"') ? token : JSON.stringify(NUMBER + token),
  );
  return JSON.parse(withTexts) as Tree;
}

function writeTree(tree: Tree): string {
  return JSON.stringify(tree).replace(/"number\\u0001([-+.\deE]+)"/g, "$1");
}

interface WidenedNode {
  readonly node: SelectNode;
  readonly columns: readonly ScopeColumn[];
}

function widenNode(
  node: SelectNode,
  table: string,
  widened: string,
  scope: readonly ScopeColumn[],
): WidenedNode | undefined {
  const isPlain =
    node.type === "SELECT_NODE" &&
    node.cte_map.map.length === 0 &&
    node.group_expressions.length === 0 &&
    node.group_sets.length === 0 &&
    node.aggregate_handling === "STANDARD_HANDLING" &&
    node.modifiers.every(({ type }) => type !== "DISTINCT_MODIFIER");
  const from = isPlain ? widenFrom(node.from_table, table, widened, scope) : undefined;
  if (!from) return undefined;
  const items = node.select_list.map((item) => passItem(item, from.relation, from.columns));
  if (items.includes(undefined)) return undefined;
  const selected = (items as readonly Passed[][]).flat();
  const raws = selected.flatMap(({ column: { raw } }) => raw ?? []);
  return {
    node: {
      ...node,
      from_table: from.from,
      select_list: [
        ...selected.map(({ expression }) => expression),
        ...[...new Set(raws)].map((raw) => reference(from.relation, raw)),
      ],
    },
    columns: selected.map(({ column }) => column),
  };
}

interface WidenedFrom {
  readonly from: From;
  /** The qualifier of its columns. */
  readonly relation: string;
  readonly columns: readonly ScopeColumn[];
}

function widenFrom(
  from: From,
  table: string,
  widened: string,
  scope: readonly ScopeColumn[],
): WidenedFrom | undefined {
  if ((from.column_name_alias ?? []).length > 0) return undefined;
  if (from.type === "BASE_TABLE") {
    const isTable = !from.schema_name && !from.catalog_name && isSame(from.table_name ?? "", table);
    const relation = from.alias || table;
    if (!isTable) return undefined;
    return { from: { ...from, table_name: widened, alias: relation }, relation, columns: scope };
  }
  if (from.type !== "SUBQUERY" || !from.subquery) return undefined;
  const inner = widenNode(from.subquery.node, table, widened, scope);
  if (!inner) return undefined;
  const relation = from.alias || "passed_";
  const subquery = { ...from.subquery, node: inner.node };
  return { from: { ...from, subquery, alias: relation }, relation, columns: inner.columns };
}

interface Passed {
  readonly expression: Expression;
  readonly column: ScopeColumn;
}

/** The columns of an entry of the SELECT list; undefined if unknown. */
function passItem(item: Expression, relation: string, scope: readonly ScopeColumn[]): Passed[] | undefined {
  if (item.class === "STAR") return passStar(item, relation, scope);
  const names = item.column_names ?? [];
  const name = names[names.length - 1] ?? "";
  const isQualified = names.length === 2 && isSame(names[0], relation);
  const found =
    item.class === "COLUMN_REF" && (names.length === 1 || isQualified)
      ? scope.filter((column) => isSame(column.name, name))
      : [];
  const column =
    found.length === 1
      ? { name: item.alias || found[0].name, ownName: item.alias || found[0].name, raw: found[0].raw }
      : { name: item.alias, ownName: item.alias, raw: undefined };
  return [{ expression: item, column }];
}

function passStar(star: Expression, relation: string, scope: readonly ScopeColumn[]): Passed[] | undefined {
  const isKnown =
    !star.columns &&
    !star.expr &&
    (star.rename_list ?? []).length === 0 &&
    (star.qualified_exclude_list ?? []).length === 0 &&
    (!star.relation_name || isSame(star.relation_name, relation));
  const isNamedTwice = scope.some(
    ({ name }, c) => name === "" || scope.findIndex((other) => isSame(other.name, name)) !== c,
  );
  if (!isKnown || isNamedTwice) return undefined;
  const replaced = star.replace_list ?? [];
  return scope
    .filter(({ name }) => !star.exclude_list?.some((excluded) => isSame(excluded, name)))
    .map((column) => {
      const own = replaced.find(({ key }) => isSame(key, column.name));
      return own
        ? { expression: { ...own.value, alias: column.name }, column: { ...column, raw: undefined } }
        : { expression: reference(relation, column.name), column };
    });
}

function reference(relation: string, name: string): Expression {
  const column = { class: "COLUMN_REF", type: "COLUMN_REF", alias: "", query_location: `${NUMBER}0` };
  return { ...column, column_names: [relation, name] };
}

/** The engine treats names that differ only in case as one. */
function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
