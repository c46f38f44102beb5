import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writePenguins } from "../support/fitted-penguins.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { bin, conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** Values of types that are read; columns of all other types are left out by name. */
const READ: Readonly<Record<string, string>> = {
  int2: "n % 5",
  int4: "n % 5",
  int8: "n % 5",
  float4: "n % 5",
  float8: "n % 5",
  numeric: "n % 5 + 0.5",
  text: "'t' || n % 3",
  varchar: "'v' || n % 3",
  bpchar: "chr(97 + n % 3)",
  name: "('n' || n % 3)::name",
  bool: "n % 2 = 0",
  date: "'2024-01-01'::date + (n % 5)::int",
  time: "'12:00'::time + (n % 5) * interval '1 hour'",
  timetz: "'12:00+00'::timetz + (n % 5) * interval '1 hour'",
  timestamp: "'2024-01-01'::timestamp + (n % 5) * interval '1 hour'",
  timestamptz: "'2024-01-01 00:00+00'::timestamptz + (n % 5) * interval '1 hour'",
  uuid: "('00000000-0000-0000-0000-00000000000' || n % 3)::uuid",
};

describe.skipIf(postgresPrograms === undefined)("access to PostgreSQL", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    writePenguins(place, "m.json");
    server = await startPostgres();
    server.run(
      "CREATE TABLE few AS SELECT n AS id, (ARRAY['biscoe', 'dream'])[n % 2 + 1] AS island, n % 7 AS x FROM generate_series(1, 500) AS n",
    );
  }, 60_000);
  afterAll(() => server?.stop());

  test("a table that another session has locked is waited for, with a word", async () => {
    server.run("CREATE TABLE held AS SELECT * FROM few");
    const locking = spawn("psql", ["-qAt", server.url], { stdio: ["pipe", "ignore", "ignore"] });
    locking.stdin.write("BEGIN; LOCK TABLE held IN ACCESS EXCLUSIVE MODE;\n");
    const held = "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted";
    while (server.run(held) === "0\n") await new Promise((resolve) => setTimeout(resolve, 50));
    const child = spawn(
      process.execPath,
      [bin, "fit", `${server.url}#held`, "--label", "island", "-o", "held.json"],
      {
        cwd,
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      if (/waiting/.test(stderr)) locking.stdin.end("COMMIT;\n");
    });
    const status = await new Promise((resolve) => child.once("close", resolve));
    expect(stderr).toMatch(/^note: waiting: the data is locked by another session of the database\n/);
    expect(status, stderr).toBe(0);
  });

  test("every type of the manual is read, or left out by name with the reason", () => {
    const types = server
      .run(
        "SELECT format_type(oid, NULL) || E'\\t' || typname FROM pg_type AS t WHERE typtype IN ('b', 'r', 'm') AND typnamespace = 'pg_catalog'::regnamespace AND typname NOT LIKE 'pg\\_%' AND typname NOT IN ('gtsvector', '_gtsvector') AND NOT EXISTS (SELECT FROM pg_type AS e WHERE e.oid = t.typelem AND e.typtype IN ('c', 'p'))",
      )
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    expect(types.length).toBeGreaterThan(100); // arrays and ranges too
    server.run("CREATE TYPE mood AS ENUM ('sad', 'happy')");
    const columns = types.map(([type, name]) => `(${READ[name] ?? "NULL"})::${type} AS "t_${name}"`);
    server.run(
      `CREATE TABLE types AS SELECT ${columns.join(", ")}, (ARRAY['sad', 'happy'])[n % 2 + 1]::mood AS mood, CASE WHEN n % 11 > n % 3 THEN 'yes' ELSE 'no' END AS y FROM generate_series(1, 300) AS n`,
    );
    const words = [
      "fit",
      `${server.url}#types`,
      "--label",
      "y",
      "--components",
      "1",
      "-o",
      "types.json",
      "--json",
    ];
    const report = JSON.parse(succeed(words, { cwd }).stdout) as {
      columns: { name: string }[];
      ignored: { column: string; reason: string }[];
    };
    expect(new Set(report.columns.map(({ name }) => name))).toEqual(
      new Set([...Object.keys(READ).map((name) => `t_${name}`), "mood"]),
    );
    expect(report.columns.length + report.ignored.length).toBe(types.length + 1);
    for (const { column, reason } of report.ignored)
      expect(reason, column).toMatch(/it is a date or time|its type .* is not a number, text or boolean/);
    // All of them can be kept, in a table and in a Parquet file.
    const all = ["--keep", types.map(([, name]) => `t_${name}`).join(",")];
    succeed(["predict", "types.json", `${server.url}#types`, ...all, "--into", "typed"], { cwd });
    succeed(["predict", "types.json", `${server.url}#types`, ...all, "-o", "typed.parquet"], { cwd });
  }, 60_000);

  test("--sql is one query that reads: it cannot leave the transaction", () => {
    for (const sql of [
      "SELECT 1) AS r; COMMIT; DROP TABLE few; SELECT * FROM (SELECT 1",
      "SELECT 1) AS r; DROP TABLE few; --",
      "SELECT set_config('transaction_read_only', 'off', false)) AS r, (SELECT 1",
    ])
      expect(conformant(["fit", server.url, "--sql", sql, "--label", "x"], { cwd }).status).not.toBe(0);
    expect(server.run("SELECT count(*) FROM few").trim()).toBe("500");
  });

  test("time-outs for idle sessions do not end a fit", () => {
    server.run("ALTER DATABASE postgres SET idle_in_transaction_session_timeout = '300ms'");
    try {
      succeed(
        [
          "fit",
          `${server.url}#few`,
          "--label",
          "island",
          "--exclude",
          "id",
          "--components",
          "2",
          "--sample",
          "100",
          "-o",
          "idle.json",
        ],
        { cwd },
      );
    } finally {
      server.run("ALTER DATABASE postgres RESET idle_in_transaction_session_timeout");
    }
  }, 60_000);

  test("sslmode has libpq's meanings: TLS is tried first, and without it where the server has none", () => {
    const sql =
      "SELECT CASE WHEN ssl THEN 'dream' ELSE 'biscoe' END AS island FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    const seen = (mode: string): string => {
      const words = ["predict", "m.json", `${server.url}${mode}`, "--sql", sql, "--keep", "island"];
      const { stdout, stderr } = conformant(words, { cwd });
      return /dream|biscoe/.exec(stdout)?.[0] ?? stderr;
    };
    expect(seen("")).toBe("biscoe");
    expect(seen("?sslmode=require")).toMatch(/error\[connection\]: .*does not support SSL/);
    expect(seen("?sslmode=bogus")).toMatch(/error\[usage\]: .*sslmode must be one of/);
    const certificate = server.startTls();
    expect(seen("")).toBe("dream");
    expect(seen("?sslmode=disable")).toBe("biscoe");
    expect(seen("?sslmode=require")).toBe("dream");
    expect(seen("?sslmode=verify-full")).toMatch(/error\[connection\]: .*self-signed/);
    expect(seen(`?sslmode=verify-full&sslrootcert=${certificate}`)).toBe("dream");
    expect(seen(`?sslmode=verify-ca&sslrootcert=${certificate}`)).toBe("dream");
  }, 60_000);
});
