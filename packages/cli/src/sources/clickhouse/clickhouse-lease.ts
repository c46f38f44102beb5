import { randomBytes } from "node:crypto";
import { clickhouseDialect } from "conformant-workbench/sql";
import { CliError } from "../../errors.ts";
import { hasEnded, holderName } from "../../output/holder.ts";
import { queryRow } from "../connector.ts";
import { isPresent } from "./clickhouse-errors.ts";
import type { ClickhouseServer } from "./clickhouse-server.ts";

const { literal } = clickhouseDialect;

/** How often a holder renews its lease, and when a lease expires without renewal, in seconds. */
const [RENEWED, EXPIRED] = [3, 20];
/** How often a waiting job checks again, in ms. */
const LOOK_MS = 500;

/** A lease, which only one job holds at a time. */
export interface Lease {
  /** Throws if another job has taken it in the meantime. */
  readonly check: () => Promise<void>;
  readonly release: () => Promise<void>;
}

/**
 * Takes a lease. ClickHouse has no locks, but of several jobs that create a table only one succeeds: that job holds the
 * lease and renews it by inserting the time. The table of an expired lease is renamed, which again only one job can do.
 */
export async function takeLease(
  server: ClickhouseServer,
  table: string,
  waiting: (holder: string) => void,
): Promise<Lease> {
  for (let told = false; ; told = true) {
    const lease = await tryLease(server, table, (holder) => told || waiting(holder));
    if (lease !== undefined) return lease;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** The same without waiting; undefined if a running job holds it. */
export async function tryLease(
  server: ClickhouseServer,
  table: string,
  taken: (holder: string) => void = () => undefined,
): Promise<Lease | undefined> {
  const holder = `${holderName()} ${randomBytes(4).toString("hex")}`;
  while (!(await make(server, table, holder))) {
    const other = await holderOf(server, table);
    if (other?.holder === holder) break; // made by a request whose answer was lost
    if (other === undefined) continue; // given free in between
    if (other.silent > EXPIRED || hasEnded(other.holder)) await takeAway(server, table, other.holder);
    else {
      taken(other.holder);
      return undefined;
    }
  }
  const renew = (): Promise<void> =>
    server.run(`INSERT INTO ${table} SELECT ${literal(holder)} AS holder, now() AS at`);
  const timer = setInterval(() => void renew().catch(() => undefined), 1000 * RENEWED);
  timer.unref();
  const isMine = async (): Promise<boolean> => (await holderOf(server, table))?.holder === holder;
  return {
    check: async () => {
      if (!(await isMine()))
        throw new CliError(
          "source",
          "another job has taken over the run, since this one did not answer for a while",
        );
    },
    release: async () => {
      clearInterval(timer);
      if (await isMine()) await server.run(`DROP TABLE IF EXISTS ${table}`);
    },
  };
}

interface Holder {
  readonly holder: string;
  /** Seconds since its last renewal, by the server's clock. */
  readonly silent: number;
}

async function make(server: ClickhouseServer, table: string, holder: string): Promise<boolean> {
  try {
    await server.run(
      `CREATE TABLE ${table} ENGINE = Log AS SELECT ${literal(holder)} AS holder, now() AS at`,
    );
    return true;
  } catch (thrown) {
    if (isPresent(thrown)) return false;
    throw thrown;
  }
}

/** The holder of the lease; a table without rows was just created. */
async function holderOf(server: ClickhouseServer, table: string): Promise<Holder | undefined> {
  const sql = `SELECT argMax(holder, at), toString(now() - max(at)), toString(count()) FROM ${table}`;
  try {
    const [holder, silent, rows] = await queryRow(
      { query: (text, shapes) => server.stream(text, shapes) },
      sql,
      3,
    );
    return { holder: holder ?? "", silent: Number(rows) === 0 ? 0 : Number(silent) };
  } catch (thrown) {
    if (thrown instanceof CliError && thrown.code === "missing-file") return undefined;
    throw thrown;
  }
}

/** Removes the table of an expired lease; if a new holder came in between, its table is put back. */
async function takeAway(server: ClickhouseServer, table: string, gone: string): Promise<void> {
  const aside = `${table.slice(0, -1)}_${randomBytes(4).toString("hex")}"`;
  try {
    await server.run(`RENAME TABLE ${table} TO ${aside}`);
  } catch {
    return; // someone else was faster
  }
  const found = await holderOf(server, aside);
  if (found !== undefined && found.holder !== gone) await server.run(`RENAME TABLE ${aside} TO ${table}`);
  else await server.run(`DROP TABLE IF EXISTS ${aside}`);
}
