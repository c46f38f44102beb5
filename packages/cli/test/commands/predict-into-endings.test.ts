import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { interrupt, succeed } from "../support/run.ts";
import {
  clickhouseBench,
  duckdbBench,
  expectEachRowOnce,
  fileBench,
  killAtRandom,
  parquetBench,
  postgresBench,
} from "../support/runs.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const model = place.path("model.json");
/** Kills per target; the slow test has a hundred. */
const KILLS = 2;

beforeAll(() => {
  const words = ["--label", "species", "--columns", "island,bill_length", "--components", "1"];
  succeed(["fit", place.path("penguins.csv"), ...words, "--numeric", "atoms", "-o", model]);
});

test.each([
  ["a DuckDB file", duckdbBench],
  ["a folder of Parquet files", parquetBench],
  ["a file of CSV", fileBench],
])("jobs that are killed leave nothing in %s that the next one does not remove", (_, bench) =>
  killAtRandom(bench(place.folder), model, place.folder, KILLS, 1),
);

describe.skipIf(postgresPrograms === undefined)("with PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  test("jobs that are killed leave nothing that the next one does not remove", () =>
    killAtRandom(postgresBench(server), model, place.folder, KILLS, 1));
});

/** A server before ClickHouse that can hold a statement's answer back. */
interface Holding {
  readonly port: number;
  /** Statements that have been answered, or held back. */
  readonly seen: string[];
  /** The statement whose answer is held back; with "before" it is not even asked. */
  hold: { readonly statement: RegExp; readonly when: "before" | "after" } | undefined;
  readonly close: () => void;
}

async function holdAnswers(url: string): Promise<Holding> {
  const server = createServer(async (asked, answered) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const isHeld = holding.hold?.statement.test(body.toString());
    if (isHeld && holding.hold?.when === "before") {
      holding.seen.push(body.toString());
      return;
    }
    const options = { method: "POST", headers: { ...asked.headers, host: new URL(url).host } };
    request(`${url}${asked.url}`, options, (answer: IncomingMessage) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        holding.seen.push(body.toString());
        if (!isHeld) answered.writeHead(answer.statusCode ?? 0, answer.headers).end(Buffer.concat(parts));
      });
    }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const holding: Holding = {
    port: (server.address() as AddressInfo).port,
    seen: [],
    hold: undefined,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return holding;
}

describe.skipIf(clickhouseProgram === undefined)("with ClickHouse", () => {
  let cluster: Cluster;
  let holding: Holding;
  beforeAll(async () => {
    cluster = await startCluster(1);
    holding = await holdAnswers(cluster.shards[0].url);
  });
  afterAll(async () => {
    holding?.close();
    await cluster?.stop();
  });
  const dropTables = async (): Promise<void> => {
    for (const table of ["scores", "scores_runs"])
      await cluster.shards[0].run(`DROP TABLE IF EXISTS ${table}`);
  };
  const words = (run: string, address = cluster.address): string[] => [
    ...["predict", model, `${address}#visits`, "--keep", "id", "--into", "scores"],
    ...["--run", run, "--parts", "3"],
  ];

  test.each([
    [
      "says that all rows are there, after the swap",
      { statement: /^INSERT INTO "scores_runs" SELECT 'r', toUInt64\(2\)/, when: "before" },
      /stopped before the end; run "r" of "scores" had been written\n$/,
    ],
    [
      "says that the rows may be there, where the swap was not answered",
      { statement: /REPLACE PARTITION/, when: "after" },
      /stopped before the end; run "r" of "scores" may have been written: run it again to be sure\n$/,
    ],
    [
      "says that nothing was written, before the swap",
      { statement: /ATTACH PARTITION/, when: "before" },
      /stopped before the end; nothing was written\n$/,
    ],
  ] as const)("an interrupt %s", async (_, hold, says) => {
    const bench = clickhouseBench(cluster);
    await dropTables();
    await bench.load(2000, 0);
    Object.assign(holding, { hold, seen: Object.assign(holding.seen, { length: 0 }) });
    const isHeld = (): boolean => holding.seen.some((statement) => hold.statement.test(statement));
    const address = `clickhouse://127.0.0.1:${holding.port}/default`;
    const { status, stderr } = await interrupt(words("r", address), { cwd: place.folder }, isHeld, "SIGINT");
    expect(stderr).toMatch(says);
    expect(status).toBe(130);
    const written = await bench.written("r");
    expect(written).toHaveLength(/ATTACH/.test(hold.statement.source) ? 0 : 2000);
    expect(await bench.leftovers()).not.toEqual([]);
    holding.hold = undefined;
    // Not at once, since this process passes the statements on.
    const again = await interrupt(words("r", address), { cwd: place.folder }, () => false, "SIGINT");
    expect(again.status, again.stderr).toBe(0);
    await expectEachRowOnce(bench, model, "r");
    expect(await bench.leftovers()).toEqual([]);
  });

  test("a job of another run removes what a run that is complete has left, and a lease that nobody holds", async () => {
    const bench = clickhouseBench(cluster);
    await bench.load(2000, 0);
    await dropTables();
    holding.seen.length = 0;
    holding.hold = { statement: /^DROP TABLE IF EXISTS "scores_part_\w+_all"/, when: "before" };
    const isDropping = (): boolean =>
      holding.seen.some((statement) => /REPLACE PARTITION/.test(statement)) &&
      /^DROP TABLE/.test(holding.seen.at(-1) ?? "");
    const address = `clickhouse://127.0.0.1:${holding.port}/default`;
    await interrupt(words("first", address), { cwd: place.folder }, isDropping, "SIGKILL");
    expect((await bench.leftovers()).length).toBeGreaterThan(1);
    succeed(words("second"));
    expect(await bench.leftovers()).toEqual([]);
  });

  test("jobs that are killed leave nothing that the next one does not remove", async () => {
    mkdirSync(place.path("clickhouse"));
    await dropTables();
    await killAtRandom(clickhouseBench(cluster), model, place.path("clickhouse"), KILLS, 1);
  });
});
