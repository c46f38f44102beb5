import type { Shape } from "conformant-workbench/sql";
import pg from "pg";
import type { ServerAddress } from "../address.ts";
import type { Batch, BatchColumn } from "../connector.ts";
import { CopyOut } from "./copy-out.ts";
import { postgresConfigs } from "./postgres-connection.ts";
import { isMadeMeanwhile, isTlsFailure, isTransient, lacksTls, postgresError } from "./postgres-errors.ts";

/** Rows that are fetched at a time. */
const FETCHED = 10_000;
/** How often something that a passing failure ended is tried again, and how long is waited before, in ms. */
const PAUSES: readonly number[] = [200, 1000, 3000];

/**
 * What a transaction needs, where the server has it: not to be ended for being idle while the client computes, to be ended when the
 * client is gone, and texts in one encoding, numbers with all their digits and dates in one spelling whatever the role or the
 * database says.
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
  /** Rows that were read or written. */
  readonly count: number;
}

/** A connection to a PostgreSQL server and a transaction that reads one state of the database and cannot change it. */
export class PostgresSession {
  #client: pg.Client;
  readonly #address: ServerAddress;
  /** Whether anything was read of the state that the transaction sees: then no other state may take its place. */
  #begun = false;

  private constructor(client: pg.Client, address: ServerAddress) {
    [this.#client, this.#address] = [client, address];
  }

  static async open(address: ServerAddress): Promise<PostgresSession> {
    return new PostgresSession(await connect(address), address);
  }

  /** Runs one statement, with its values; the extended protocol takes no second one behind a semicolon. */
  async run(sql: string, values: readonly unknown[] = []): Promise<Result> {
    try {
      return await run(this.#client, sql, values);
    } catch (thrown) {
      throw postgresError(thrown, this.#address.name);
    }
  }

  /** Makes something that others may be making at the same moment. */
  async make(sql: string): Promise<void> {
    try {
      await run(this.#client, sql);
    } catch (thrown) {
      if (!isMadeMeanwhile(thrown)) throw postgresError(thrown, this.#address.name);
    }
  }

  /** Begins to see the state of the database as it is now, to read it or to write next to it. */
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

  /** Streams the result of a query; a small one is read at once. */
  stream(sql: string, shapes: readonly Shape[], size?: "few"): AsyncGenerator<Batch> {
    return this.#patiently(() => (size === "few" ? this.#readAll(sql, shapes) : this.#read(sql, shapes)));
  }

  /** The one text of each row of a query, as pieces of whole lines. */
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
   * Reads something. A failure that may pass is tried again on a new connection for as long as nothing was read of the state
   * that this one sees.
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

  /** By a cursor: the reader may stop, or ask something else in between. The server computes what is asked for so by itself alone. */
  async *#read(sql: string, shapes: readonly Shape[]): AsyncGenerator<Batch> {
    const client = this.#client;
    const cursor = `conformant_${++cursors}`; // one query may be asked while another is being read
    try {
      await run(client, `DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
      const fetch = (): Promise<Result> => run(client, `FETCH ${FETCHED} FROM ${cursor}`);
      for (let next = fetch(); ; ) {
        const { rows } = await next;
        if (rows.length === 0) break;
        // The server goes on while these rows are worked on; an error of it is met at the next turn.
        next = fetch();
        next.catch(() => undefined);
        yield { rows: rows.length, columns: shapes.map((shape, c) => readColumn(rows, c, shape)) };
      }
    } finally {
      // Also where the reader has seen enough; after an error the transaction is over and the cursor with it.
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

/** Connects in the ways that the address allows; a server that is away for the moment is tried again. */
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
