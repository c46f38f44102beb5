import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { bin, conformant, csvRows, type Outcome, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const ROWS = 600;
/** The islands as bytes of LATIN1: café, cafè. */
const ISLANDS = "(ARRAY[E'caf\\xe9', E'caf\\xe8', 'plain'])";
const rows = (islands: string): string =>
  `SELECT n AS id, ${islands}[n % 3 + 1] AS island, 30 + n % 31 AS x, CASE WHEN n % 7 > 2 THEN 'yes' ELSE 'no' END AS y FROM generate_series(1, ${ROWS}) AS n`;

describe.skipIf(postgresPrograms === undefined)(
  "a PostgreSQL server whose administrator is no friend",
  () => {
    let server: PostgresServer;
    const at = (table: string, { database = "postgres", options = "" } = {}): string =>
      `${server.url.replace(/\w+$/, database)}${options && `?options=${encodeURIComponent(options)}`}#${table}`;
    const into = (target: string, table = "few", ...rest: string[]): Outcome =>
      conformant(["predict", "m.json", at(table), "--keep", "id", "--into", target, ...rest], { cwd });
    const countOf = (table: string): string =>
      server.run(`SELECT count(*), count(DISTINCT id) FROM ${table}`);
    const fit = ["--label", "y", "--exclude", "id", "--components", "1", "-o"];

    beforeAll(async () => {
      server = await startPostgres();
      server.run(`CREATE TABLE few AS ${rows("(ARRAY['café', 'cafè', 'plain'])")}`);
      succeed(["fit", at("few"), ...fit, "m.json"], { cwd });
    }, 60_000);
    afterAll(() => server?.stop());

    test("what stops the writing half-way leaves nothing: a full disk, a killed session, a column that does not fit", () => {
      expect(into("scores").status).toBe(0);
      for (const [end, says] of [
        [
          "RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'",
          /error\[disk-full\]: .*no space left/,
        ],
        ["PERFORM pg_terminate_backend(pg_backend_pid())", /error\[connection\]: .*terminat/],
        ["NEW.prediction := NULL", /error\[source\]: .*null value in column "prediction"/],
      ] as const) {
        server.run(
          `CREATE OR REPLACE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.id > 400 THEN ${end}; END IF; RETURN NEW; END $$; CREATE OR REPLACE TRIGGER stop BEFORE INSERT ON scores FOR EACH ROW EXECUTE FUNCTION stop()`,
        );
        const { status, stderr } = into("scores", "few", "--run", "other");
        expect(stderr).toMatch(says);
        expect(status).toBe(1);
        expect(countOf("scores")).toBe(`${ROWS}|${ROWS}\n`);
      }
      server.run("DROP TRIGGER stop ON scores");
      expect(into("scores", "few", "--run", "other").status).toBe(0);
      expect(countOf("scores WHERE run = 'other'")).toBe(`${ROWS}|${ROWS}\n`);
    }, 60_000);

    test("a name that leaves no room for the table of the runs is refused, and no table is made", () => {
      const name = `t${"é".repeat(31)}`;
      const { status, stderr } = into(`public.${name}`);
      expect(stderr).toContain("the name must have at most 58 bytes, got 63");
      expect(status).toBe(2);
      expect(server.run(`SELECT to_regclass('${name}') IS NULL`)).toBe("t\n");
      expect(into("t".repeat(58), "few", "--where", "id < 0").stderr).toMatch(
        /^0 predictions written into t+ by run/,
      );
      expect(into("t".repeat(58)).stderr).toMatch(/^600 predictions written into t+ by run/);
    }, 60_000);

    test("a table that another session has locked is waited for, with a word", async () => {
      const locker = spawn("psql", ["-q", server.url], { stdio: ["pipe", "pipe", "ignore"] });
      locker.stdin.write("BEGIN; LOCK TABLE scores IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n");
      await new Promise((resolve) => locker.stdout.once("data", resolve));
      const words = ["predict", "m.json", at("few"), "--keep", "id", "--into", "scores"];
      const child = spawn(process.execPath, [bin, ...words], { cwd, stdio: ["ignore", "ignore", "pipe"] });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
        if (/waiting/.test(stderr)) locker.stdin.end("COMMIT;\n");
      });
      const status = await new Promise((resolve) => child.once("close", resolve));
      expect(stderr).toMatch(/waiting: run \w+ .*locked the table\).*600 predictions .*, before/s);
      expect(status).toBe(0);
    }, 60_000);

    test("views, parts, quoted names with dots: as sources and as targets", () => {
      server.run(`CREATE SCHEMA "my.own"; CREATE TYPE "my.own".mood AS ENUM ('a', 'b');
      CREATE VIEW seen AS SELECT * FROM few; CREATE MATERIALIZED VIEW kept AS SELECT * FROM few; CREATE UNLOGGED TABLE unlogged AS SELECT * FROM few;
      CREATE TABLE parts (LIKE few) PARTITION BY LIST (island); CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN ('plain'); CREATE TABLE part_2 PARTITION OF parts DEFAULT;
      INSERT INTO parts SELECT * FROM few; CREATE TABLE "my.own"."ta.b""le" AS SELECT *, 'a'::"my.own".mood AS mood FROM few;
      CREATE TABLE by_run (prediction text, p_no float8, p_yes float8, id int, run text) PARTITION BY LIST (run); CREATE TABLE any_run PARTITION OF by_run DEFAULT`);
      const predict = (table: string): string[] =>
        csvRows(succeed(["predict", "m.json", at(table), "--keep", "id"], { cwd }).stdout)
          .map(String)
          .sort();
      const expected = predict("few");
      for (const table of ["seen", "kept", "unlogged", "parts", '"my.own"."ta.b""le"'])
        expect(predict(table), table).toEqual(expected);
      // A key of a type that is not on the search path.
      succeed(
        ["predict", "m.json", at('"my.own"."ta.b""le"'), "--keep", "id,mood", "--into", '"my.own"."to.x"'],
        { cwd },
      );
      expect(countOf('"my.own"."to.x" WHERE mood = \'a\'')).toBe(`${ROWS}|${ROWS}\n`);
      expect(into("by_run").status).toBe(0);
      expect(countOf("any_run")).toBe(`${ROWS}|${ROWS}\n`);
      server.run("CREATE TABLE rounded (prediction text, p_no real, p_yes float8, id numeric, run text)");
      expect(into("rounded").stderr).toMatch(
        /error\[wrong-table\]: --into "rounded", column "p_no": expected the type double precision, got real/,
      );
      expect(into("kept").stderr).toMatch(
        /error\[wrong-table\]: --into "kept": the table lacks "prediction"/,
      );
    }, 60_000);

    test("lines that the server writes are those of the command; a value that cannot be is named in the midst of them", () => {
      server.run(
        "CREATE TABLE many AS SELECT n AS id, CASE WHEN n % 5 = 0 THEN 'other' ELSE 'plain' END AS island, CASE WHEN n % 4 > 0 THEN n % 31 END::float8 AS x FROM generate_series(1, 300000) AS n",
      );
      const predict = (file: string): string[][] => {
        const { stderr } = succeed(["predict", "m.json", at("many"), "--keep", "id", "-o", file], { cwd });
        expect(stderr).toMatch(/"island": 60,000 rows with an unknown category.*\("other"\)/);
        return readFileSync(place.path(file), "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => line.split(/[,\t]/));
      };
      const lines = predict("many.csv");
      expect(lines).toHaveLength(300_001);
      expect(predict("many.tsv")).toEqual(lines);
      server.run("UPDATE many SET x = 'Infinity' WHERE id = 5000");
      const { status, stderr } = conformant(["predict", "m.json", at("many"), "-o", "bad.csv"], { cwd });
      expect(stderr).toMatch(/error\[invalid-value\]: .*column "x".*inf/i);
      expect(status).toBe(1);
      expect(existsSync(place.path("bad.csv"))).toBe(false);
    }, 60_000);

    test("texts are those of the database, whatever its encoding or the client's is said to be", () => {
      const island = (file: string): string => readFileSync(place.path(file), "utf8");
      for (const encoding of ["LATIN1", "SQL_ASCII"]) {
        const database = encoding.toLowerCase();
        server.run(
          `CREATE DATABASE ${database} ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
        );
        const input = `SET client_encoding = '${encoding}'; CREATE TABLE few AS ${rows(ISLANDS)}`;
        spawnSync("psql", ["-q", server.url.replace(/\w+$/, database)], { input });
      }
      const options = "-c client_encoding=LATIN1";
      succeed(["fit", at("few", { database: "latin1" }), ...fit, "latin.json"], { cwd });
      succeed(["fit", at("few", { options }), ...fit, "said.json"], { cwd });
      for (const file of ["latin.json", "said.json"]) expect(island(file)).toBe(island("m.json"));
      const bytes = conformant(["fit", at("few", { database: "sql_ascii" }), ...fit, "ascii.json"], { cwd });
      expect(bytes.stderr).toMatch(/error\[source\]: .*invalid byte sequence for encoding "UTF8": 0xe[89]/);
    }, 60_000);

    test("what cannot be is said in a line: time limits, names that clash or are too long, no rights", () => {
      server.run("CREATE VIEW slow AS SELECT few.* FROM few, (SELECT pg_sleep(0.5)) AS nap");
      const limited = at("slow", { options: "-c statement_timeout=50" });
      expect(conformant(["fit", limited, ...fit, "t.json"], { cwd }).stderr).toMatch(
        /error\[source\]: .*statement timeout\nhint: .*statement_timeout%3D0/,
      );
      const bound = `${server.url}?channel_binding=require#few`;
      expect(conformant(["fit", bound, ...fit, "t.json"], { cwd }).stderr).toMatch(
        /error\[usage\]: .*channel_binding=require cannot be promised/,
      );
      server.run(
        "CREATE TABLE clash AS SELECT *, 1 AS run FROM few; CREATE ROLE reader LOGIN; GRANT SELECT ON few TO reader",
      );
      const kept = conformant(["predict", "m.json", at("clash"), "--keep", "run", "--into", "r"], { cwd });
      expect(kept.stderr).toMatch(/error\[usage\]: --keep "run" would give two columns of that name/);
      const reader = at("few").replace("postgres@", "reader@");
      const refused = conformant(["predict", "m.json", reader, "--keep", "id", "--into", "r"], { cwd });
      expect(refused.stderr).toMatch(/error\[source\]: .*permission denied/);
      server.run(
        "CREATE TABLE long AS SELECT id, island, x, repeat('a class with a long name ', 4) || y AS y FROM few",
      );
      succeed(["fit", at("long"), ...fit, "long.json"], { cwd });
      expect(
        conformant(["predict", "long.json", at("long"), "--keep", "id", "--into", "r"], { cwd }).stderr,
      ).toMatch(/error\[usage\]: --into "r": a column of PostgreSQL has a name of at most 63 bytes/);
      expect(server.run("SELECT to_regclass('r') IS NULL")).toBe("t\n");
    }, 60_000);
  },
);
