import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { bin, conformant, interrupt, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** Columns of every type of the manual of 18.16: type, value, whether it is read. */
const TYPES: readonly (readonly [type: string, value: string, isRead: boolean])[] = [
  ...["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"].flatMap(
    (type) =>
      [
        [type, `to${type}(n % 5)`, true],
        [`Nullable(${type})`, `if(n % 4 = 0, NULL, to${type}(n % 5))`, true],
      ] as const,
  ),
  ["Decimal(9, 2)", "toDecimal32(n % 5 + 0.5, 2)", true],
  ["Nullable(Decimal(18, 4))", "if(n % 4 = 0, NULL, toDecimal64(n % 5 + 0.5, 4))", true],
  ["Decimal(38, 6)", "toDecimal128(n % 5, 6)", true],
  ["String", "concat('s', toString(n % 3))", true],
  ["Nullable(String)", "if(n % 4 = 0, NULL, concat('s', toString(n % 3)))", true],
  ["FixedString(2)", "toFixedString(toString(10 + n % 3), 2)", true],
  ["Nullable(FixedString(2))", "if(n % 4 = 0, NULL, toFixedString(toString(10 + n % 3), 2))", true],
  ["UUID", "toUUID(concat('00000000-0000-0000-0000-00000000000', toString(n % 3)))", true],
  ["Enum8('a' = 1, 'b' = 2)", "['a', 'b'][n % 2 + 1]", true],
  ["Nullable(Enum8('a' = 1, 'b' = 2))", "if(n % 4 = 0, NULL, ['a', 'b'][n % 2 + 1])", true],
  ["Enum16('c' = 1, 'd' = 2)", "['c', 'd'][n % 2 + 1]", true],
  ["LowCardinality(String)", "concat('l', toString(n % 3))", true],
  ["LowCardinality(Nullable(String))", "if(n % 4 = 0, NULL, concat('l', toString(n % 3)))", true],
  ["LowCardinality(UInt8)", "toUInt8(n % 5)", true],
  ["LowCardinality(Nullable(Float64))", "if(n % 4 = 0, NULL, toFloat64(n % 5))", true],
  ["Date", "toDate(n)", true],
  ["Nullable(DateTime)", "if(n % 4 = 0, NULL, toDateTime(n))", true],
  ["DateTime", "toDateTime(n)", true],
  ["Array(Float64)", "[toFloat64(n)]", false],
  ["Array(Decimal(9, 2))", "[toDecimal32(n, 2)]", false],
  ["Array(Nullable(String))", "[toNullable('x')]", false],
  ["Tuple(Int8, String)", "(toInt8(1), 'x')", false],
  ["AggregateFunction(sum, UInt64)", "arrayReduce('sumState', [n])", false],
];
/** Families of types that no column of a table has, or that are names of others; a Nested is columns of lists. */
const NO_COLUMN = /^(Interval\w+|Nothing|Nested|Decimal(32|64|128))$/;

describe.skipIf(clickhouseProgram === undefined)("access to ClickHouse", () => {
  let cluster: Cluster;
  const as = (user: string, table: string): string =>
    `${cluster.address.replace("//", `//${user}@`)}#${table}`;

  beforeAll(async () => {
    cluster = await startCluster();
    await Promise.all(
      cluster.shards.map(async (shard, s) => {
        await shard.run(
          `CREATE TABLE part ENGINE = MergeTree ORDER BY id AS SELECT toUInt32(2 * number + ${s}) AS id, number % 5 AS x, ['p', 'q'][intDiv(number, 2) % 2 + 1] AS c, if(number % 7 > number % 3, 'yes', 'no') AS y FROM numbers(300)`,
        );
        await shard.run("CREATE TABLE whole AS part ENGINE = Distributed(both, default, part)");
      }),
    );
  }, 60_000);
  afterAll(() => cluster?.stop());

  test("every type of the manual is read, or left out by name with the reason", async () => {
    const [shard] = cluster.shards;
    const families = await shard.run("SELECT name FROM system.data_type_families WHERE alias_to = ''");
    const tried = TYPES.flatMap(([type]) => type.match(/[A-Z]\w*/g) ?? []);
    expect(
      families
        .trimEnd()
        .split("\n")
        .filter((name) => !NO_COLUMN.test(name) && !tried.includes(name)),
    ).toEqual([]);
    await shard.run(
      `CREATE TABLE types (${TYPES.map(([type], t) => `t${t} ${type}`).join(", ")}, nested Nested(a Int8, b String), y String) ENGINE = MergeTree ORDER BY tuple()`,
    );
    await shard.run(
      `INSERT INTO types SELECT ${TYPES.map(([, value]) => value).join(", ")}, [toInt8(1)], ['x'], if(n % 11 > n % 3, 'yes', 'no') FROM (SELECT number AS n FROM numbers(300))`,
    );
    const words = [
      "fit",
      `${cluster.address}#types`,
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
    const named = (isRead: boolean): string[] =>
      TYPES.flatMap(([, , read], t) => (read === isRead ? [`t${t}`] : []));
    expect(report.columns.map(({ name }) => name)).toEqual(named(true));
    expect(report.ignored.map(({ column }) => column).sort()).toEqual(
      [...named(false), "nested.a", "nested.b"].sort(),
    );
    for (const { reason } of report.ignored)
      expect(reason).toMatch(/its type .* is not a number, text or boolean/);
    const kept = TYPES.flatMap(([type], t) => (type.startsWith("Aggregate") ? [] : [`t${t}`]));
    const keep = ["--keep", kept.join(",")];
    for (const output of [
      ["--into", "typed"],
      ["-o", "typed.parquet"],
      ["-o", "typed.csv"],
      ["-o", "typed.jsonl"],
    ])
      succeed(["predict", "types.json", `${cluster.address}#types`, ...keep, ...output], { cwd });
  }, 60_000);

  test("a user who may only read, and may not change settings, can fit and predict", () => {
    const fit = ["--label", "y", "--exclude", "id", "--components", "1"];
    for (const user of ["reader", "guest"]) {
      succeed(["fit", as(user, "whole"), ...fit, "-o", "read.json"], { cwd });
      const { stdout } = succeed(["predict", "read.json", as(user, "whole"), "--keep", "id"], { cwd });
      expect(stdout.trimEnd().split("\n")).toHaveLength(601);
    }
  }, 60_000);

  test("the password comes from the address, its parameters, the environment or the client's file", () => {
    const query = (address: string, env: Record<string, string> = {}): number | null =>
      conformant(["predict", "read.json", address, "-o", "x.csv"], { cwd, env }).status;
    const home = place.path("home");
    const bare = `${cluster.address}#whole`;
    expect(query(as("locked", "whole"))).toBe(1);
    expect(query(as("locked:p%40ss", "whole"))).toBe(0);
    expect(query(`${cluster.address}?user=locked&password=p%40ss#whole`)).toBe(0);
    expect(query(bare, { CLICKHOUSE_USER: "locked", CLICKHOUSE_PASSWORD: "p@ss" })).toBe(0);
    place.write("clickhouse-client.xml", "<config><user>locked</user><password>p@ss</password></config>");
    expect(query(bare, { HOME: home, CLICKHOUSE_USER: "locked" })).toBe(0);
    place.write("clickhouse-client.xml", "<config></config>");
  }, 60_000);

  test("rows that are not there are said under every setting: servers down, queries that end early", async () => {
    const fitAs = (user: string): ReturnType<typeof conformant> =>
      conformant(
        ["fit", as(user, "whole"), "--label", "y", "--exclude", "id", "--components", "1", "-o", "less.json"],
        { cwd },
      );
    expect(fitAs("skipper").status).toBe(0);
    expect(fitAs("hasty").stderr).toMatch(/error\[source\]: .*(exceeded|Limit for rows)/i);
    const slipped = `${cluster.address}?skip_unavailable_shards=1#whole`;
    expect(conformant(["fit", slipped, "--label", "y", "-o", "less.json"], { cwd }).stderr).toMatch(
      /error\[usage\]: .*no parameter "skip_unavailable_shards"/,
    );
    const sealed = fitAs("sealed");
    expect(sealed.stderr).toMatch(/error\[source\]: .*skip_unavailable_shards = 1/);
    await cluster.shards[1].stop();
    try {
      for (const user of ["default", "skipper", "guest"]) {
        const { status, stderr } = fitAs(user);
        expect(stderr, user).toMatch(/error\[connection\]/);
        expect(status).toBe(1);
      }
    } finally {
      await cluster.shards[1].start();
    }
  }, 120_000);

  test.each([
    ["tight", /memory/i],
    ["brief", /timeout|time limit/i],
    ["rationed", /quota/i],
  ])("a limit of the user's own ends a fit with one line that names it: %s", (user, named) => {
    const slowly = [
      "--sql",
      "SELECT * FROM whole WHERE id < (SELECT max(number) FROM (SELECT number FROM system.numbers LIMIT 9000000000))",
    ];
    const source =
      user === "brief" ? [as(user, "whole").replace("#whole", ""), ...slowly] : [as(user, "whole")];
    const words = ["fit", ...source, "--label", "y", "-o", `${user}.json`, "--quiet"];
    const { status, stderr } = conformant(words, { cwd });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error\[(source|out-of-memory)\]: /);
    expect(stderr).toMatch(named);
    expect(stderr.split("\n").filter((line) => line.startsWith("error"))).toHaveLength(1);
    expect(existsSync(place.path(`${user}.json`))).toBe(false);
  });

  test("keys are not cut to fit into a table that is there, and bytes that are no text are an error", async () => {
    const [{ run }] = cluster.shards;
    const words = ["predict", "read.json", as("default", "whole"), "--keep", "id", "--into"];
    for (const [type, says] of [
      ["UInt8", /error\[wrong-table\]: --into "t_UInt8", column "id": expected the type UInt32, got UInt8/],
      ["Int32", /column "id": expected the type UInt32, got Int32/],
      ["UInt64", /600 predictions written/],
      ["String", /600 predictions written/],
    ] as const) {
      await run(
        `CREATE TABLE t_${type} (prediction LowCardinality(String), p_no Float64, p_yes Float64, id ${type}, run String) ENGINE = MergeTree PARTITION BY run ORDER BY tuple()`,
      );
      expect(conformant([...words, `t_${type}`], { cwd }).stderr).toMatch(says);
    }
    await run(
      "CREATE TABLE bytes ENGINE = Log AS SELECT [unhex('636166E9'), unhex('636166E8')][number % 2 + 1] AS c, if(number % 3 = 0, 'yes', 'no') AS y FROM numbers(100)",
    );
    expect(
      conformant(["fit", as("default", "bytes"), "--label", "y", "-o", "bytes.json"], { cwd }).stderr,
    ).toMatch(/error\[invalid-value\]: .*#bytes": a text is not in UTF-8\nhint: .*convertCharset/);
  }, 60_000);

  test("a table that grows during a fit, and a query that is random, are noticed", async () => {
    const fit = ["--label", "y", "--components", "1", "-o", "changed.json"];
    const random = ["--sql", "SELECT x, c, y FROM whole ORDER BY rand() LIMIT 100"];
    expect(conformant(["fit", cluster.address, ...random, ...fit], { cwd }).stderr).toMatch(
      /error\[changed-data\]: .*of its 100 rows some are others now/,
    );
    await cluster.shards[0].run("CREATE TABLE grows ENGINE = MergeTree ORDER BY id AS SELECT * FROM part");
    const insert = setInterval(
      () =>
        void cluster.shards[0].run("INSERT INTO grows SELECT * FROM part LIMIT 10").catch(() => undefined),
      20,
    );
    const child = spawn(
      process.execPath,
      [bin, "fit", `${cluster.address}#grows`, "--exclude", "id", ...fit],
      { cwd },
    );
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const status = await new Promise((resolve) => child.once("close", resolve));
    clearInterval(insert);
    expect(stderr).toMatch(/error\[changed-data\]: .*it had [\d,]+ rows/);
    expect(status).toBe(1);
  }, 60_000);

  test("--resume goes on only with the same fit, and names what differs", async () => {
    const words = [
      "fit",
      as("default", "whole"),
      "--label",
      "y",
      "--exclude",
      "id",
      "--components",
      "2",
      "--sample",
      "100",
    ];
    const path = place.path("begun.checkpoint");
    await interrupt(
      [...words, "-o", "begun.json", "--checkpoint", path],
      { cwd },
      () => existsSync(path),
      "SIGKILL",
    );
    for (const [option, value] of [
      ["--components", "3"],
      ["--l2", "5"],
      ["--seed", "9"],
      ["--bins", "4"],
      ["--pseudocount", "2"],
      ["--label", "c"],
      ["--where", "x > 0"],
    ]) {
      const again = ["--resume", "--checkpoint", path, "-o", "begun.json", option, value];
      const { status, stderr } = conformant([...words, ...again], { cwd });
      expect(stderr, option).toContain(`cannot resume, it has another`);
      expect(stderr).toContain(option.slice(2));
      expect(status).toBe(1);
    }
    succeed([...words, "--resume", "--checkpoint", path, "-o", "begun.json"], { cwd });
  }, 60_000);
});
