/** A table of the bench, and what its engine does with it in plain SQL. */
export interface BenchSource {
  readonly name: string;
  /** DATA of the command. */
  readonly data: string;
  /** The same with the first hundred rows alone: what the command takes whatever the number of rows. */
  readonly few: string;
  /** --into of the command, and what the engine's own result is called. */
  readonly into: string;
  readonly ownResult: string;
  /** The dialect in which `export --to sql` writes the model for the engine, and the table that it is to score. */
  readonly dialect: string;
  readonly table: string;
  /** Counts the values of each of the columns, as fast as the engine can. */
  readonly count: (columns: readonly string[]) => Promise<void>;
  /** Keeps the result of a query where `--into` would. */
  readonly keep: (query: string) => Promise<void>;
  /** Writes the result of a query to a file of CSV. */
  readonly toCsv: (query: string, file: string) => Promise<void>;
  /** Takes away what {@link keep} or the command has written. */
  readonly clear: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What the rows are counted by; the label last. The key of a row is `id`. */
export const COLUMNS = ["age", "visits", "spend", "member", "plan", "region", "product", "churned"];

/** The rows as a query of DuckDB, from hashes of their number: the same everywhere. In two columns one cell in 50 is missing. */
export function rowsSql(rows: number): string {
  const share = (salt: number): string => `((hash(i * 97 + ${salt}) % 1000003) / 1000003.0)`;
  const normal = `sqrt(-2 * ln(1 - ${share(1)})) * cos(6.283185307179586 * ${share(2)})`;
  const known = (salt: number): string => `hash(i * 31 + ${salt}) % 50 > 0`;
  return `SELECT id, age, visits, CASE WHEN ${known(1)} THEN spend END AS spend, member, plan, CASE WHEN ${known(2)} THEN region END AS region, product,
    CASE WHEN ${share(9)} < 1 / (1 + exp(-(0.03 * (age - 50) - 0.1 * visits + 0.02 * (spend - 40) + member + (plan = 'basic')::INT - (region = 'r3')::INT))) THEN 'yes' ELSE 'no' END AS churned
  FROM (SELECT i, i + 9007199254740000 AS id, (18 + hash(i * 7) % 70)::INT AS age, ((hash(i * 11) % 8) * (hash(i * 13) % 6))::INT AS visits,
    round(40 + 15 * ${normal}, 2) AS spend, (hash(i * 17) % 3 = 0)::INT AS member, ['basic', 'plus', 'pro'][1 + (hash(i * 19) % 3)::INT] AS plan,
    'r' || (hash(i * 23) % 12) AS region, 'product ' || (hash(i * 29) % 50) AS product FROM range(${rows}) t(i))`;
}
