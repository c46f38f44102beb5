import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { CliError, quoted, systemError } from "../errors.ts";
import type { Shape } from "../sql/source-column.ts";
import { clickhouseError, isException, isTransient } from "./clickhouse-errors.ts";
import type { Batch } from "./connector.ts";
import { readBatch, splitLine } from "./tab-separated.ts";

/** Rows that are handed over at a time. */
const BATCH_ROWS = 8192;
/** How often a query that a passing failure ended is asked again, and how long is waited before, in ms. */
const PAUSES: readonly number[] = [200, 1000, 3000];
/** A step over a large table may take hours. */
const REQUEST_MS = 24 * 3600 * 1000;

/** What a query needs beyond the usual limits: mixtures are long expressions. */
const SETTINGS = {
  max_query_size: String(1 << 28),
  max_ast_elements: "10000000",
  max_expanded_ast_elements: "100000000",
  max_ast_depth: "10000",
};

/** A ClickHouse server over HTTP: any version from 18.16 on. */
export class ClickhouseServer {
  readonly #client: ClickHouseClient;
  readonly #name: string;

  constructor(url: string, name: string) {
    this.#name = name;
    const { protocol, host, username, password, pathname } = new URL(url);
    this.#client = createClient({
      url: `${protocol === "clickhouses:" ? "https" : "http"}://${host}`,
      username: decodeURIComponent(username) || "default",
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)) || "default",
      application: "conformant",
      request_timeout: REQUEST_MS,
      log: { level: ClickHouseLogLevel.OFF },
      keep_alive: { enabled: false }, // a server that was restarted is met afresh
    });
  }

  /**
   * Streams the result of a query. A failure that may pass is retried for as long as nothing of the result has been handed
   * over; later it ends the stream.
   */
  async *stream(sql: string, shapes: readonly Shape[]): AsyncGenerator<Batch> {
    for (let attempt = 0; ; attempt++) {
      let begun = false;
      try {
        for await (const batch of this.#read(sql, shapes)) {
          begun = true;
          yield batch;
        }
        return;
      } catch (thrown) {
        if (begun || !(await this.#mayPass(thrown, attempt))) throw clickhouseError(thrown, this.#name);
      }
    }
  }

  /** Runs a statement that may be repeated without harm. */
  async run(sql: string): Promise<void> {
    for await (const batch of this.stream(sql, [])) void batch;
  }

  /** Runs a statement once, under a name by which it can be found and ended while it runs. */
  async runOnce(sql: string, queryId: string): Promise<void> {
    try {
      for await (const line of this.#lines(sql, queryId)) void line;
    } catch (thrown) {
      throw clickhouseError(thrown, this.#name);
    }
  }

  /** Names and types of the columns of a query. */
  async describe(sql: string): Promise<{ readonly names: string[]; readonly types: string[] }> {
    const lines: string[] = [];
    try {
      for await (const line of this.#lines(`${sql} FORMAT TabSeparatedWithNamesAndTypes`)) lines.push(line);
    } catch (thrown) {
      throw clickhouseError(thrown, this.#name);
    }
    const [names = [], types = []] = lines.map((line) => splitLine(line).map(String));
    return { names, types };
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #mayPass(thrown: unknown, attempt: number): Promise<boolean> {
    if (attempt >= PAUSES.length || !isTransient(thrown)) return false;
    await new Promise((resolve) => setTimeout(resolve, PAUSES[attempt]));
    return true;
  }

  async *#read(sql: string, shapes: readonly Shape[]): AsyncGenerator<Batch> {
    let rows: (string | null)[][] = [];
    for await (const line of this.#lines(shapes.length > 0 ? `${sql} FORMAT TabSeparated` : sql)) {
      const row = splitLine(line);
      if (row.length !== shapes.length)
        throw new CliError("source", `${quoted(this.#name)}: the answer ends in ${quoted(line)}`);
      rows.push(row);
      if (rows.length < BATCH_ROWS) continue;
      yield readBatch(rows, shapes);
      rows = [];
    }
    if (rows.length > 0) yield readBatch(rows, shapes);
  }

  /** The lines of an answer. An error after its beginning stands where the next line would. */
  async *#lines(query: string, queryId?: string): AsyncGenerator<string> {
    const { stream } = await this.#client.exec({
      query,
      clickhouse_settings: SETTINGS,
      ...(queryId !== undefined && { query_id: queryId }),
    });
    let rest = "";
    for await (const piece of stream.setEncoding("utf8") as AsyncIterable<string>) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const [l, line] of lines.entries()) {
        if (isException(line)) throw new Error([...lines.slice(l), rest].join("\n"));
        yield line;
      }
    }
    if (rest !== "")
      throw new Error(isException(rest) ? rest : `the answer ends in ${systemError(rest).message}`);
  }
}
