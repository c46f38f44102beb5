import { createReadStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { redirectStreams } from "../../../src/output/standard-streams.ts";
import { clickhouseProgram, startCluster } from "../clickhouse.ts";
import { bytesOf, fitQuickly, predictQuickly } from "../fit-in-process.ts";
import { postgresPrograms, startPostgres } from "../postgres.ts";
import { type AwkwardTable, awkwardTable, foldsTogether } from "./awkward-table.ts";
import { writeClickhouse, writeDuckdb, writePostgres } from "./write-engines.ts";
import { hasPandas, hasR, writeWithPandas, writeWithR } from "./write-programs.ts";
import { textFiles } from "./write-text.ts";

/** Servers add up scores in an order of their own. */
const TOLERANCE = 1e-12;

/** What a table in one format gives. */
interface Outcome {
  /** The model as it is written, or why there is none. */
  readonly model: string;
  readonly probabilities: readonly number[];
}

/** The model of a table and its predictions, or why there is none: that must be the same in every format, too. */
/** @param feed makes standard input readable once more */
async function outcomeOf(
  data: string,
  { codes, hasNoGapTexts }: AwkwardTable,
  feed: () => void,
): Promise<Outcome> {
  const asked = {
    types: new Map(codes.map((name) => [name, "categorical"] as const)),
    ...(hasNoGapTexts && { gaps: [] }),
  };
  try {
    feed();
    const fitted = await fitQuickly(data, { ...asked, label: "label" });
    feed();
    return { model: bytesOf(fitted), probabilities: await predictQuickly(fitted.model, data, asked) };
  } catch (thrown) {
    const { code } = thrown as Error & { code?: string };
    if (code === undefined) throw thrown;
    return { model: code, probabilities: [] };
  }
}

/**
 * Writes generated tables in every format that there is a program for, and expects from each the same model, byte for byte, and
 * the same predictions.
 *
 * @param formatsOf which of the formats of a table are tried
 */
export async function checkSameModel(
  seeds: readonly number[],
  folder: string,
  formatsOf: (formats: readonly string[], seed: number) => readonly string[],
): Promise<{ readonly models: number; readonly formats: ReadonlySet<string> }> {
  const tables = seeds.map(awkwardTable);
  for (const { seed } of tables) mkdirSync(join(folder, String(seed)), { recursive: true });
  if (hasPandas) writeWithPandas(tables, folder);
  if (hasR) writeWithR(tables, folder);
  const postgres = postgresPrograms === undefined ? undefined : await startPostgres();
  const cluster = clickhouseProgram === undefined ? undefined : await startCluster(1);
  const seen = new Set<string>();
  let models = 0;
  try {
    if (postgres) writePostgres(tables, postgres);
    if (cluster) await writeClickhouse(tables, cluster.shards[0]);
    for (const table of tables) {
      const sources = await writeFiles(table, folder);
      if (postgres) sources.set("postgres", `${postgres.url}#t${table.seed}`);
      if (cluster) sources.set("clickhouse", `${cluster.address}#t${table.seed}`);
      const plain = sources.get("plain.csv") as string;
      sources.set("standard input", "-");
      const feed = (): void =>
        redirectStreams({ write: async () => undefined, read: () => createReadStream(plain) });
      const expected = await outcomeOf(plain, table, feed);
      if (expected.model.startsWith("{")) models++;
      for (const format of formatsOf([...sources.keys()], table.seed)) {
        seen.add(format);
        const { model, probabilities } = await outcomeOf(sources.get(format) as string, table, feed);
        expect(model, `table ${table.seed} as ${format}`).toBe(expected.model);
        expect(probabilities.length).toBe(expected.probabilities.length);
        const difference = Math.max(
          0,
          ...probabilities.map((p, j) => Math.abs(p - expected.probabilities[j])),
        );
        const most = format === "postgres" || format === "clickhouse" ? TOLERANCE : 0;
        expect(difference, `predictions of table ${table.seed} as ${format}`).toBeLessThanOrEqual(most);
      }
    }
  } finally {
    postgres?.stop();
    await cluster?.stop();
  }
  return { models, formats: seen };
}

/** Writes the files of a table; what each is called and where it is. */
async function writeFiles(table: AwkwardTable, folder: string): Promise<Map<string, string>> {
  const place = join(folder, String(table.seed));
  const sources = new Map<string, string>();
  for (const [name, content] of Object.entries(textFiles(table))) {
    writeFileSync(join(place, name), content);
    sources.set(name, join(place, name));
  }
  if (hasPandas) for (const name of ["pandas.csv", "pandas-quoted.csv"]) sources.set(name, join(place, name));
  if (hasR) for (const name of ["r.csv", "r-european.csv"]) sources.set(name, join(place, name));
  if (!foldsTogether(table)) {
    await writeDuckdb(table, place);
    sources.set("parquet", join(place, "rows.parquet"));
    sources.set("duckdb", `duckdb:${join(place, "rows.db")}#rows`);
  }
  return sources;
}
