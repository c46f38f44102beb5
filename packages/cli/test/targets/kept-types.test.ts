import { saveModel } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { duckdb } from "../support/duckdb.ts";
import { fitQuickly } from "../support/fit-in-process.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const model = place.path("m.json");
/** Computed by the server, and computed here row by row. */
const WAYS = [[], ["--surprise"]];

beforeAll(async () => {
  const rows = Array.from({ length: 40 }, (_, r) => `${r % 8},${r % 8 > 3 ? "b" : "a"}\n`);
  const { model: fitted } = await fitQuickly(place.write("fit.csv", `x,y\n${rows.join("")}`), { label: "y" });
  place.write("m.json", saveModel(fitted));
});

async function predict(...words: string[]): Promise<string> {
  const { status, stdout, said } = await runInProcess(["predict", model, ...words]);
  expect(status, said).toBe(0);
  return stdout;
}

describe.skipIf(postgresPrograms === undefined)("PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    server.run(
      `CREATE DOMAIN posint AS integer CHECK (VALUE > 0);
       CREATE TABLE t (x int, n numeric(38,10), c char(5), v varchar(7), p posint, d numeric, ts timestamp(3), tz timestamptz, f real, u uuid, i interval, day date);
       INSERT INTO t VALUES (1, 1234567890123456789012345678.0123456789, 'ab', 'a', 3, 1.000000000000000002, '2024-01-02 03:04:05.678', '2024-01-02 03:04:05+02', 0.1, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '1 mon 2 days 00:00:00.000001', '0044-03-15 BC')`,
    );
  }, 60_000);
  afterAll(() => server?.stop());
  const KEPT = "n,c,v,p,d,ts,tz,f,u,i,day";
  const typesOf = (table: string): string =>
    server.run(
      `SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND attname IN ('${KEPT.replaceAll(",", "', '")}') ORDER BY 1`,
    );

  test("modifiers and domains stay in --into, and the values with them", async () => {
    for (const [w, way] of WAYS.entries())
      for (const [f, filter] of [[], ["--where", "x > 0"]].entries()) {
        const table = `kept${w}${f}`;
        await predict(`${server.url}#t`, "--keep", KEPT, "--into", table, ...way, ...filter);
        expect(typesOf(table)).toBe(typesOf("t"));
        expect(server.run(`SELECT ${KEPT} FROM ${table}`)).toBe(server.run(`SELECT ${KEPT} FROM t`));
      }
  });

  test("a file has what the server writes, and Parquet the types that hold it", async () => {
    const csv = await predict(`${server.url}#t`, "--keep", "n,c,d,i,day", "--raw");
    expect(csv.trimEnd().split("\n")[1].split(",").slice(3)).toEqual([
      "1234567890123456789012345678.0123456789",
      '"ab   "',
      "1.000000000000000002",
      "1 mon 2 days 00:00:00.000001",
      "0044-03-15 BC",
    ]);
    const output = place.path("kept.parquet");
    await predict(`${server.url}#t`, "--keep", "n,c,p,d,ts,tz,f,u,i", "-o", output);
    const found = await duckdb(
      `SELECT typeof(n), n::VARCHAR, c, typeof(p), d, typeof(ts), ts::VARCHAR, typeof(tz), typeof(f), typeof(u), i FROM '${output}'`,
    );
    expect(found[0]).toEqual([
      "DECIMAL(38,10)",
      "1234567890123456789012345678.0123456789",
      "ab   ",
      "INTEGER",
      "1.000000000000000002",
      "TIMESTAMP",
      "2024-01-02 03:04:05.678",
      "TIMESTAMP WITH TIME ZONE",
      "FLOAT",
      "UUID",
      "1 mon 2 days 00:00:00.000001",
    ]);
  });

  test("decimals as classes and categories are not merged", async () => {
    server.run(
      "CREATE TABLE l AS SELECT n % 8 AS x, (CASE WHEN n % 2 = 0 THEN '1.000000000000000002' ELSE '1.000000000000000003' END)::numeric AS y FROM generate_series(1, 40) AS n",
    );
    const { model: fitted } = await fitQuickly(`${server.url}#l`, { label: "y" });
    expect(fitted.response.outputs).toEqual(["1.000000000000000002", "1.000000000000000003"]);
  });
});

describe.skipIf(clickhouseProgram === undefined)("ClickHouse", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(1);
    const [shard] = cluster.shards;
    await shard.run(
      "CREATE TABLE t (x Int32, day Date, zero Date, at Nullable(DateTime), d Decimal(38, 18), k UInt64, f Float64) ENGINE = MergeTree ORDER BY x",
    );
    await shard.run(
      "INSERT INTO t FORMAT TabSeparated",
      "1\t2024-01-02\t0000-00-00\t2024-01-02 03:04:05\t1.000000000000000002\t18446744073709551615\t0.1\n2\t2105-12-31\t0000-00-00\t\\N\t1.000000000000000003\t9007199254740993\t1\n",
    );
  }, 60_000);
  afterAll(() => cluster?.stop());

  test("dates, decimals and keys stay what they are in Parquet, in files and in --into", async () => {
    const [shard] = cluster.shards;
    const own = await shard.run("SELECT day, zero, at, d, k, f FROM t ORDER BY x");
    for (const [w, way] of WAYS.entries()) {
      const output = place.path("kept.parquet");
      await predict(`${cluster.address}#t`, "--keep", "x,day,zero,at,d,k,f", "-o", output, ...way);
      const found = await duckdb(
        `SELECT typeof(day), day::VARCHAR, zero::VARCHAR, typeof("at"), "at"::VARCHAR, typeof(d), d::VARCHAR, typeof(k), k::VARCHAR FROM '${output}' ORDER BY x`,
      );
      expect(found).toEqual([
        [
          "DATE",
          "2024-01-02",
          "1970-01-01",
          "TIMESTAMP",
          "2024-01-02 03:04:05",
          "DECIMAL(38,18)",
          "1.000000000000000002",
          "UBIGINT",
          "18446744073709551615",
        ],
        [
          "DATE",
          "2105-12-31",
          "1970-01-01",
          "TIMESTAMP",
          null,
          "DECIMAL(38,18)",
          "1.000000000000000003",
          "UBIGINT",
          "9007199254740993",
        ],
      ]);
      await predict(`${cluster.address}#t`, "--keep", "x,day,zero,at,d,k,f", "--into", `kept${w}`, ...way);
      expect(await shard.run(`SELECT day, zero, at, d, k, f FROM kept${w} ORDER BY x`)).toBe(own);
    }
    const csv = await predict(`${cluster.address}#t`, "--keep", "x,d,k", "--where", "x < 2");
    expect(csv.trimEnd().split("\n")[1].split(",").slice(4)).toEqual([
      "1.000000000000000002",
      "18446744073709551615",
    ]);
  });

  test("long decimals, short floats, arrays and tuples of texts stay what they are", async () => {
    const [shard] = cluster.shards;
    const long = ["99999999999999999999999999999999999999", "-98765432109876543210987654321", "-5"];
    const texts = String.raw`['a\'b','c\\N','x\ty','NULL','']`;
    await shard.run(
      "CREATE TABLE nested (x Int32, d Decimal(38, 0), n Nullable(Decimal(38, 2)), s Float32, l Array(String), m Array(Nullable(String)), t Tuple(Int8, String), g Array(Float64)) ENGINE = MergeTree ORDER BY x",
    );
    await shard.run(
      "INSERT INTO nested FORMAT TabSeparated",
      long
        .map(
          (d, r) =>
            `${r}\t${d}\t${r === 1 ? "\\N" : `-${"9".repeat(36)}.01`}\t${["1.1e-7", "-0", "3.4e38"][r]}\t${r === 0 ? texts : "[]"}\t${String.raw`[NULL,'\\N']`}\t${String.raw`(-1,'x\'y')`}\t[4.647026495795368e-19,nan,-0,-inf]\n`,
        )
        .join(""),
    );
    // Random bits, which the text of a number in version 18.16 does not bring back.
    await shard.run(
      "INSERT INTO nested SELECT number + 3, toDecimal128('1', 0), NULL, reinterpretAsFloat32(reinterpretAsString(toUInt32(cityHash64(number) % 2139095040))), [], [], (toInt8(1), ''), [reinterpretAsFloat64(reinterpretAsString(cityHash64(number) % 9218868437227405312))] FROM numbers(200)",
    );
    const kept = "x, d, n, s, l, m, t, g";
    const own = await shard.run(`SELECT ${kept} FROM nested ORDER BY x`);
    const data = `${cluster.address}#nested`;
    const words = ["--keep", kept.replaceAll(" ", ""), "--into"];
    await predict(data, ...words, "there");
    await predict(data, ...words, "here", "--surprise");
    for (const table of ["there", "here"])
      expect(await shard.run(`SELECT ${kept} FROM ${table} ORDER BY x`)).toBe(own);
    const csv = await predict(data, "--keep", "d,n", "--where", "x < 3", "--raw");
    const cells = csv
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").slice(-2));
    expect(cells.sort()).toEqual(long.map((d, r) => [d, r === 1 ? "" : `-${"9".repeat(36)}.01`]).sort());
    const again = await runInProcess(["predict", model, data, ...words, "there"]);
    expect(again).toMatchObject({ status: 0, said: expect.stringMatching(/before/) });
  });

  test("doubles that are computed here, and those that are kept, reach --into with all their bits", async () => {
    const [shard] = cluster.shards;
    const doubles = [
      "-4.794605106020798e-10",
      "4.647026495795368e-19",
      "-0",
      "nan",
      "inf",
      "-inf",
      "1e-320",
      "\\N",
    ];
    await shard.run("CREATE TABLE doubles (x Int32, f Nullable(Float64)) ENGINE = MergeTree ORDER BY x");
    await shard.run(
      "INSERT INTO doubles FORMAT TabSeparated",
      doubles.map((f, r) => `${r}\t${f}\n`).join(""),
    );
    await predict(`${cluster.address}#doubles`, "--keep", "x,f", "--into", "bits", "--surprise");
    const own = await shard.run("SELECT x, f FROM doubles ORDER BY x");
    expect(await shard.run("SELECT x, f FROM bits ORDER BY x")).toBe(own);
    const csv = await predict(`${cluster.address}#doubles`, "--keep", "x", "--surprise");
    const header = csv
      .split("\n")[0]
      .split(",")
      .filter((name) => !["prediction", "x"].includes(name));
    const held = await shard.run(`SELECT ${header.join(", ")} FROM bits ORDER BY x`);
    const rows = csv
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").slice(1, -1).map(Number));
    expect(
      held
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t").map(Number)),
    ).toEqual(rows);
  });
});
