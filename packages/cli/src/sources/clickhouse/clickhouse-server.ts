import { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { Shape } from "conformant-workbench/sql";
import { CliError, quoted, systemError } from "../../errors.ts";
import type { ServerAddress } from "../address.ts";
import type { Batch } from "../connector.ts";
import { readLines, splitLine } from "../files/tab-separated.ts";
import { clickhouseConnection } from "./clickhouse-connection.ts";
import { clickhouseError, EXCEPTION_SIGNS, isException, isTransient } from "./clickhouse-errors.ts";
import { type ClickhouseSettings, SETTING_NAMES, settingsFor } from "./clickhouse-settings.ts";

/** The most rows per batch. */
const BATCH_ROWS = 8192;
/** The number of retries of a query after a temporary failure, and the delay before each, in ms. */
const PAUSES: readonly number[] = [200, 1000, 3000];
/** A step over a large table may take hours. */
const REQUEST_MS = 24 * 3600 * 1000;

/** ClickHouse texts may hold any bytes: different texts must stay different. */
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A ClickHouse server over HTTP: any version from 18.16 on. */
export class ClickhouseServer {
  readonly #client: ClickHouseClient;
  readonly #name: string;
  #settings: ClickhouseSettings = { sent: {}, fixed: false };

  private constructor(client: ClickHouseClient, name: string) {
    [this.#client, this.#name] = [client, name];
  }

  /** Connects, and determines the settings for the queries of the run. */
  static async open(address: ServerAddress): Promise<ClickhouseServer> {
    const { authority, ...connection } = clickhouseConnection(address);
    const client = createClient({
      ...connection,
      ...(authority && { tls: { ca_cert: authority } }),
      application: "conformant",
      request_timeout: REQUEST_MS,
      log: { level: ClickHouseLogLevel.OFF },
      keep_alive: { enabled: false }, // a server that was restarted is met afresh
    });
    const server = new ClickhouseServer(client, address.name);
    try {
      server.#settings = settingsFor(await server.#profile(), address.name);
      return server;
    } catch (thrown) {
      await server.close();
      throw thrown;
    }
  }

  /** Whether the user may not change any setting. */
  get isFixed(): boolean {
    return this.#settings.fixed;
  }

  async #profile(): Promise<Map<string, string>> {
    const names = SETTING_NAMES.map((name) => `'${name}'`).join(", ");
    const profile = new Map<string, string>();
    const sql = `SELECT name, value FROM system.settings WHERE name IN (${names})`;
    for await (const { rows, columns } of this.stream(sql, ["text", "text"]))
      for (let r = 0; r < rows; r++) profile.set(String(columns[0][r]), String(columns[1][r]));
    return profile;
  }

  /** Streams the result of a query. */
  stream(sql: string, shapes: readonly Shape[]): AsyncGenerator<Batch> {
    return this.#patiently(() => this.#read(sql, shapes));
  }

  /** Streams the single text column of a query as chunks of whole lines. */
  lines(sql: string): AsyncGenerator<Uint8Array> {
    return this.#patiently(() => this.#pieces(`${sql} FORMAT TabSeparatedRaw`));
  }

  /** Reads a response. A temporary failure is retried until the first rows have been delivered; later it ends the stream. */
  async *#patiently<Piece>(read: () => AsyncIterable<Piece>): AsyncGenerator<Piece> {
    for (let attempt = 0; ; attempt++) {
      let begun = false;
      try {
        for await (const piece of read()) {
          begun = true;
          yield piece;
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

  /** Runs a statement once, under an id by which it can be killed. */
  async runOnce(sql: string, queryId: string): Promise<void> {
    try {
      for await (const lines of this.#lines(sql, queryId)) void lines;
    } catch (thrown) {
      throw clickhouseError(thrown, this.#name);
    }
  }

  /** Runs an INSERT once, with its rows as text. */
  async insert(sql: string, text: AsyncIterable<string>, queryId: string): Promise<void> {
    const values = Readable.from(text, { objectMode: false });
    try {
      const { stream } = await this.#client.exec({
        query: sql,
        values,
        query_id: queryId,
        clickhouse_settings: this.#settings.sent,
      });
      stream.resume();
    } catch (thrown) {
      throw clickhouseError(values.errored ?? thrown, this.#name);
    }
  }

  /** Names and types of the columns of a query. */
  async describe(sql: string): Promise<{ readonly names: string[]; readonly types: string[] }> {
    for (let attempt = 0; ; attempt++) {
      const lines: string[] = [];
      try {
        for await (const some of this.#lines(`${sql} FORMAT TabSeparatedWithNamesAndTypes`))
          lines.push(...some);
        const [names = [], types = []] = lines.map((line) => splitLine(line).map(String));
        return { names, types };
      } catch (thrown) {
        if (!(await this.#mayPass(thrown, attempt))) throw clickhouseError(thrown, this.#name);
      }
    }
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
    const query = shapes.length > 0 ? `${sql} FORMAT TabSeparated` : sql;
    for await (const lines of this.#lines(query))
      for (let from = 0; from < lines.length; from += BATCH_ROWS) {
        const rows = lines.slice(from, from + BATCH_ROWS);
        yield readLines(rows, shapes, (line) => {
          throw new CliError("source", `${quoted(this.#name)}: the answer ends in ${quoted(line)}`);
        });
      }
  }

  /** The lines of a response, in batches as they arrive. */
  async *#lines(query: string, queryId?: string): AsyncGenerator<string[]> {
    for await (const piece of this.#pieces(query, queryId))
      yield this.#decode(piece.subarray(0, piece.length - 1)).split("\n");
  }

  #decode(bytes: Uint8Array): string {
    try {
      return DECODER.decode(bytes);
    } catch (thrown) {
      throw new CliError("invalid-value", `${quoted(this.#name)}: a text is not in UTF-8`, {
        hint: "convert it in a query, for example --sql with convertCharset(column, 'latin1', 'utf8')",
        cause: thrown,
      });
    }
  }

  /** A response in chunks of whole lines. A late error appears in place of the next line. */
  async *#pieces(query: string, queryId?: string): AsyncGenerator<Buffer> {
    const { stream } = await this.#client.exec({
      query,
      clickhouse_settings: this.#settings.sent,
      ...(queryId !== undefined && { query_id: queryId }),
    });
    let rest: Buffer[] = [];
    for await (const piece of stream as AsyncIterable<Buffer>) {
      const end = piece.lastIndexOf("\n") + 1;
      rest.push(piece.subarray(0, end));
      if (end === 0) {
        rest = [Buffer.concat([...rest, piece])];
        continue;
      }
      const whole = Buffer.concat(rest);
      checkPiece(whole);
      yield whole;
      rest = [piece.subarray(end)];
    }
    const last = Buffer.concat(rest).toString();
    if (last !== "")
      throw new Error(isException(last) ? last : `the answer ends in ${systemError(last).message}`);
  }
}

/** Throws if one of the lines is an error. */
function checkPiece(piece: Buffer): void {
  if (!EXCEPTION_SIGNS.some((sign) => piece.includes(sign))) return;
  const lines = piece.toString().split("\n");
  const error = lines.findIndex(isException);
  if (error >= 0) throw new Error(lines.slice(error).join("\n"));
}
