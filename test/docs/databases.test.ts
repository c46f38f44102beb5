import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../../packages/cli/test/support/clickhouse.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from "../../packages/cli/test/support/postgres.ts";
import { readText } from "../repository.ts";
import { readSnippets, type Snippet } from "./read-snippets.ts";
import { Workshop } from "./workshop.ts";

const page = "docs/databases.md";
const text = readText(page);
/** The jobs for cron and Airflow, and the lines for DuckDB. */
const recipes = readText("docs/recipes.md");
/** A day of the past on which there are rows, as Airflow would name it. */
const DAY = "2025-12-24";
const patience = 120_000;

/** The rows of `visits` as SQL, given how the engine writes 0 … 999 as n, a day and a text of several. */
const visits = (
  numbers: string,
  day: (offset: string) => string,
  pick: (values: string, place: string) => string,
) =>
  `SELECT n AS id, ${day("n % 3")} AS day, ${pick("'basic', 'plus', 'pro'", "n % 3")} AS plan, 20 + n % 41 AS spend, CASE WHEN (n * 7) % 11 > n % 3 + 3 THEN 'yes' ELSE 'no' END AS churned FROM ${numbers}`;

describe.skipIf(clickhouseProgram === undefined || postgresPrograms === undefined)(
  "the programs of the page on databases, with servers for those that it names",
  () => {
    const workshop = new Workshop();
    let cluster: Cluster;
    let server: PostgresServer;

    /** Runs a program of the page in its folder, with the addresses of the servers that are there. */
    const run = (program: string): string => {
      const placed = program
        .replaceAll(/postgres:\/\/(\w+@)?db\.example\/shop/g, server.url.replace(/\/\w*$/, "/shop"))
        .replaceAll(/clickhouses?:\/\/(\w+@)?ch\.example\/shop/g, cluster.address.replace(/\/\w*$/, "/shop"))
        .replaceAll("/srv/model.json", "model.json");
      const snippet: Snippet = {
        language: "sh",
        program: placed,
        line: 0,
        expectedOutput: undefined,
        notRunBecause: undefined,
        needs: undefined,
      };
      const { status, stdout, stderr } = workshop.run(page, snippet);
      expect(status, stderr).toBe(0);
      return stdout + stderr;
    };

    beforeAll(async () => {
      [cluster, server] = [await startCluster(1), await startPostgres()];
      const [{ run: ask }] = cluster.shards;
      await ask("CREATE DATABASE shop");
      const rows = visits(
        "(SELECT number AS n FROM numbers(1000))",
        (offset) => `toDate('${DAY}') + ${offset}`,
        (values, place) => `[${values}][${place} + 1]`,
      );
      await ask(`CREATE TABLE shop.visits ENGINE = MergeTree ORDER BY id AS ${rows}`);
      server.run("CREATE DATABASE shop");
      const inPostgres = visits(
        "generate_series(0, 999) AS n",
        (offset) => `current_date - (${offset})`, // the cron line asks for yesterday
        (values, place) => `(ARRAY[${values}])[${place} + 1]`,
      );
      server.run(`\\c shop\nCREATE TABLE visits AS ${inPostgres}`);
      const inDuckdb = visits(
        "range(1000) AS r(n)",
        (offset) => `DATE '${DAY}' + CAST(${offset} AS INTEGER)`,
        (values, place) => `[${values}][${place} + 1]`,
      );
      const files = `ATTACH 'shop.duckdb' AS shop; CREATE TABLE shop.visits AS ${inDuckdb}; COPY shop.visits TO 'visits.parquet'`;
      run(
        `node --input-type=module -e 'const { DuckDBInstance } = await import(process.argv[1]); const connection = await (await DuckDBInstance.create()).connect(); await connection.run(process.argv[2])' "${import.meta.resolve("@duckdb/node-api")}" "${files}"`,
      );
    }, patience);
    afterAll(async () => {
      workshop.close();
      server?.stop();
      await cluster?.stop();
    });

    test(
      "every block of commands runs",
      () => {
        const snippets = readSnippets(page, text).filter(({ language }) => language === "sh");
        expect(snippets.length).toBeGreaterThanOrEqual(2);
        for (const { program } of snippets) run(program);
        for (const { program } of readSnippets("docs/recipes.md", recipes))
          if (program.includes("duckdb:shop.duckdb")) run(program);
      },
      patience,
    );

    test(
      "the line for cron can be repeated: each row is there once",
      () => {
        const [, line] = /^ {4}0 3 \* \* \* {2}(.*)$/m.exec(recipes) ?? [];
        // In a crontab a percent sign is written with a backslash.
        const program = line.replaceAll("\\%", "%").replace(/ 2>> \S+$/, "");
        expect(run(program)).toMatch(/predictions written into visit_scores by run [\d-]+\n/);
        expect(run(program)).toMatch(/by run [\d-]+, before\n/);
        const counts =
          "SELECT count(*), count(DISTINCT id), min(day) >= current_date - 1 FROM visit_scores JOIN visits USING (id)";
        expect(server.run(`\\c shop\n${counts} WHERE run = to_char(current_date, 'YYYY-MM-DD')`)).toBe(
          "667|667|t\n",
        );
      },
      patience,
    );

    test(
      "the line for Airflow can be repeated: each row is there once",
      async () => {
        const [, written] = /bash_command=([\s\S]*?),\n\s*env=/.exec(recipes) ?? [];
        const { stdout: command } = spawnSync("python3", ["-c", `print(${written})`], { encoding: "utf8" });
        const program = command.trim().replaceAll("{{ ds }}", DAY);
        expect(run(program)).toMatch(/334 predictions written into visit_scores by run 2025-12-24\n/);
        expect(run(program)).toMatch(/by run 2025-12-24, before\n/);
        const [{ run: ask }] = cluster.shards;
        const counts = `SELECT count(), uniqExact(id) FROM shop.visit_scores WHERE run = '${DAY}'`;
        expect(await ask(counts)).toBe("334\t334\n");
      },
      patience,
    );
  },
);
