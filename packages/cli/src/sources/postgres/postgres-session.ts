import type { Shape } from "conformant-workbench/sql";
import pg from "pg";
import type { ServerAddress } from "../address.ts";
import type { Batch, BatchColumn } from "../connector.ts";
import { CopyOut } from "./copy-out.ts";
import { postgresConfigs } from "./postgres-connection.ts";
import { isMadeMeanwhile, isTlsFailure, isTransient, lacksTls, postgresError } from "./postgres-errors.ts";

/** Rows fetched at a time. */
const FETCHED = 10_000;
/** The number of retries after a temporary failure, and the delay before each, in ms. */
const PAUSES: readonly number[] = [200, 1000, 3000];

/**
 * Settings of a transaction, as far as the server has them: no timeout while the client computes, an end when the
 * client is gone, and one encoding, all digits of numbers and one date format, whatever the role or the
 * database sets.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  idle_in_transaction_session_timeout: "0",
  client_connection_check_interval: "2s",
  extra_float_digits: "3",
  DateStyle: "ISO, YMD",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  client_encoding: "UTF8",
};

/** Cursors opened so far, for their names. */
let cursors = 0;

export type Texts = (string | null)[];

interface Result {
  readonly rows: Texts[];
  readonly fields: pg.FieldDef[];
  /** The number of rows read or written. */
  readonly count: number;
}

/** A connection to a PostgreSQL server and a transaction that reads one state of the database and cannot change it. */
export class PostgresSession {
  #client: pg.Client;
  readonly #address: ServerAddress;
  /** Whether anything was read in the transaction's snapshot; if so, no other snapshot may replace it. */
  #begun = false;

  private constructor(client: pg.Client, address: ServerAddress) {
    [this.#client, this.#address] = [client, address];
  }

  static async open(address: ServerAddress): Promise<PostgresSession> {
    return new PostgresSession(await connect(address), address);
  }

  /** Runs one statement with its values; the extended protocol rejects a second one after a semicolon. */
  async run(sql: string, values: readonly unknown[] = []): Promise<Result> {
    try {
      return await run(this.#client, sql, values);
    } catch (thrown) {
      throw postgresError(thrown, this.#address.name);
    }
  }

  /** Creates something that another session may be creating at the same time. */
  async make(sql: string): Promise<void> {
    try {
      await run(this.#client, sql);
    } catch (thrown) {
      if (!isMadeMeanwhile(thrown)) throw postgresError(thrown, this.#address.name);
    }
  }

  /** Starts a transaction with a snapshot of the database as it is now. */
  async begin(access: "READ ONLY" | "READ WRITE" = "READ ONLY"): Promise<void> {
    this.#begun = access === "READ WRITE"; // on another connection the lock would be lost
    await this.run(`BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ ${access}`);
    await this.run(
      `SELECT set_config(name, CASE ${Object.entries(SETTINGS)
        .map(([name, value]) => `WHEN name = '${name}' THEN '${value}'`)
        .join(" ")} END, true) FROM pg_settings WHERE name IN (${Object.keys(SETTINGS)
        .map((name) => `'${name}'`)
        .join(", ")})`,
    );
  }

  /** Streams the result of a query; a small result is read at once. */
  stream(sql: string, shapes: readonly Shape[], size?: "few"): AsyncGenerator<Batch> {
    return this.#patiently(() => (size === "few" ? this.#readAll(sql, shapes) : this.#read(sql, shapes)));
  }

  /** Streams the single text column of a query as chunks of whole lines. */
  lines(sql: string): AsyncGenerator<Uint8Array> {
    return this.#patiently(() => {
      const copy = new CopyOut(sql);
      this.#client.query(copy);
      return copy as AsyncIterable<Uint8Array>;
    });
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /**
   * Reads something. After a temporary failure it retries on a new connection, unless something was already read in this
   * transaction's snapshot.
   */
  async *#patiently<Piece>(read: () => AsyncIterable<Piece>): AsyncGenerator<Piece> {
    for (let attempt = 0; ; attempt++) {
      try {
        for await (const piece of read()) {
          this.#begun = true;
          yield piece;
        }
        this.#begun = true;
        return;
      } catch (thrown) {
        if (this.#begun || attempt >= PAUSES.length || !isTransient(thrown))
          throw postgresError(thrown, this.#address.name);
        await this.close();
        await pause(attempt);
        this.#client = await connect(this.#address);
        await this.begin();
      }
    }
  }

  async *#readAll(sql: string, shapes: readonly Shape[]): AsyncGenerator<Batch> {
    const { rows } = await run(this.#client, sql);
    yield { rows: rows.length, columns: shapes.map((shape, c) => readColumn(rows, c, shape)) };
  }

  /** Reads by a cursor, so that the consumer may stop or run other queries in between. The server runs such a query without parallel workers. */
  async *#read(sql: string, shapes: readonly Shape[]): AsyncGenerator<Batch> {
    const client = this.#client;
    const cursor = `conformant_${++cursors}`; // one query may be asked while another is being read
    try {
      await run(client, `DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
      const fetch = (): Promise<Result> => run(client, `FETCH ${FETCHED} FROM ${cursor}`);
      for (let next = fetch(); ; ) {
        const { rows } = await next;
        if (rows.length === 0) break;
        // The server continues while these rows are processed; its errors surface in the next iteration.
        next = fetch();
        next.catch(() => undefined);
        yield { rows: rows.length, columns: shapes.map((shape, c) => readColumn(rows, c, shape)) };
      }
    } finally {
      // Also if the consumer stopped early; after an error the transaction and its cursor are gone.
      await run(client, `CLOSE ${cursor}`).catch(() => undefined);
    }
  }
}

/** Arrays of texts: the driver builds no object per row and parses nothing. */
async function run(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<Result> {
  const query: pg.QueryArrayConfig & { readonly queryMode: "extended" } = {
    text,
    values: [...values],
    rowMode: "array",
    queryMode: "extended",
    types: { getTypeParser: () => (value: string) => value },
  };
  const { rows, fields, rowCount } = await client.query<Texts>(query);
  return { rows, fields, count: rowCount ?? 0 };
}

/** Connects in the ways that the address allows; retries a server that is temporarily unavailable. */
async function connect(address: ServerAddress): Promise<pg.Client> {
  const configs = postgresConfigs(address);
  let failure: unknown;
  for (let attempt = 0; ; attempt++) {
    for (const config of configs) {
      const client = new pg.Client(config);
      client.on("error", () => undefined); // a broken connection is reported by the query that meets it
      try {
        await client.connect();
        return client;
      } catch (thrown) {
        await client.end().catch(() => undefined);
        if (failure === undefined || !lacksTls(thrown)) failure = thrown;
        if (!isTlsFailure(thrown)) break;
      }
    }
    if (attempt >= PAUSES.length || !isTransient(failure)) throw postgresError(failure, address.name);
    await pause(attempt);
    failure = undefined;
  }
}

function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSES[attempt]));
}

function readColumn(rows: readonly Texts[], c: number, shape: Shape): BatchColumn {
  if (shape === "text") return rows.map((row) => row[c]);
  return shape === "number"
    ? Float64Array.from(rows, (row) => Number(row[c]))
    : Int32Array.from(rows, (row) => Number(row[c]));
}
