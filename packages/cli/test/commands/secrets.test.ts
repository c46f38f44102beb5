import { chmodSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writePenguins } from "../support/fitted-penguins.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { conformant, succeed } from "../support/run.ts";
import { expectNoSecret, expectNoSecretIn, PASSWORD, withPassword } from "../support/secrets.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** Runs a command that must not show the password, whether it succeeds or not. */
function run(
  words: readonly string[],
  env: Record<string, string> = {},
): { status: number | null; stderr: string } {
  const { status, stdout, stderr } = conformant(words, { cwd, env });
  expectNoSecret(words.join(" "), stdout, stderr);
  expect(stderr).not.toContain("error[internal]");
  return { status, stderr };
}

describe.skipIf(postgresPrograms === undefined)("a password", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    writePenguins(place, "m.json");
    succeed(
      [
        "fit",
        "penguins.csv",
        "--label",
        "species",
        "--components",
        "1",
        "--numeric",
        "atoms",
        "-o",
        "a.json",
      ],
      { cwd },
    );
    server = await startPostgres();
    server.run(`CREATE TABLE birds (species text, island text, bill_length float8, bill_depth float8, flipper_length int, body_mass int, sex text);
\\copy birds FROM '${place.path("penguins.csv")}' WITH (FORMAT csv, HEADER true)`);
  }, 60_000);
  afterAll(() => server?.stop());

  test("in an address is in no answer, report, model, log or table of any command", () => {
    for (const [form, address] of withPassword(`${server.url}#birds`).entries()) {
      const fit = ["fit", address, "--label", "species", "--components", "1"];
      for (const words of [
        [...fit, "-o", `fitted${form}.json`, "--json"],
        ["predict", "a.json", address, "--keep", "island", "-o", `p${form}.csv`],
        ["predict", "a.json", address, "--into", "scores"],
        [
          "evaluate",
          "a.json",
          address,
          "--label",
          "species",
          "--repeats",
          "1",
          "--against",
          "mean",
          "--report",
          `r${form}.html`,
        ],
      ])
        expect(run(words).status, words.join(" ")).toBe(0);
    }
    run(
      [...withPassword(`${server.url}#birds`).slice(0, 1)].flatMap((address) => [
        "explain",
        "m.json",
        address,
        "--row",
        "1",
      ]),
    );
    run(["predict", "m.json", withPassword(`${server.url}#birds`)[1], "--into", "parquet/"]);
    expectNoSecretIn(cwd);
    expectNoSecret("the tables", server.run("SELECT scores_runs::text FROM scores_runs"));
  }, 120_000);

  test("in an address is in no error, wherever the address stands and whatever is wrong", () => {
    const away = withPassword("postgres://me@127.0.0.1:1/db#t")[0];
    const [raw, encoded, parameter] = withPassword(`${server.url}#nothing`);
    for (const words of [
      ...[raw, encoded, parameter].map((address) => ["fit", address, "--label", "y", "--debug"]),
      ["fit", raw.replace("#nothing", ""), "--label", "y"],
      ["fit", raw.replace("postgres:", "mysql:"), "--label", "y"],
      ["fit", raw.replace("postgres:", "clickhouse:"), "--label", "y", "--debug"],
      ["fit", encoded.replace(/:\d+\//, ":port/"), "--label", "y"],
      ["fit", away, "--label", "y", "--debug"],
      ["predict", raw, "penguins.csv"],
      ["predict", "m.json", raw, "penguins.csv"],
      ["predict", "m.json", "penguins.csv", "-o", encoded],
      ["predict", "m.json", "penguins.csv", "--into", encoded, "--json"],
      ["predict", "m.json", "penguins.csv", `--strict=${raw}`],
      ["predict", "m.json", raw, "--sql", "SELECT oops"],
      ["fit", "penguins.csv", "--classifier", raw, "--debug"],
      ["evaluate", "m.json", "penguins.csv", "--label", "species", "--train", raw],
      ["inspect", raw],
      ["serve", encoded, "--debug"],
      ["export", raw, "--to", "sql"],
      [raw],
    ])
      expect(run(words).status, words.join(" ")).not.toBe(0);
  }, 120_000);

  test("need not be on the command line: environment, password file and service file", () => {
    server.run(
      `CREATE ROLE alice LOGIN PASSWORD '${PASSWORD.replaceAll("'", "''")}'; GRANT SELECT ON birds TO alice`,
    );
    const { hostname, port } = new URL(server.url);
    const home = place.path("home");
    const fitFrom = (address: string, env: Record<string, string>): void => {
      const { status, stderr } = run(
        ["fit", address, "--label", "species", "--components", "1", "-o", "e.json"],
        {
          HOME: home,
          ...env,
        },
      );
      expect(status, stderr).toBe(0);
    };
    server.requirePassword("alice");
    const escaped = PASSWORD.replaceAll("\\", "\\\\").replaceAll(":", "\\:");
    chmodSync(place.write("pgpass", `${hostname}:*:*:alice:${escaped}\n`), 0o600);
    place.write("service.conf", `[birds]\nhost=${hostname}\nport=${port}\nuser=alice\ndbname=postgres\n`);
    const address = `postgres://alice@${hostname}:${port}/postgres#birds`;
    expect(run(["fit", address, "--label", "species"]).stderr).toMatch(/error\[connection\]: .*password/i);
    fitFrom(address, { PGPASSWORD: PASSWORD });
    fitFrom(address, { PGPASSFILE: place.path("pgpass") });
    fitFrom("postgres:///#birds", {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: "alice",
      PGDATABASE: "postgres",
      PGPASSWORD: PASSWORD,
    });
    fitFrom("postgres:///?service=birds#birds", {
      PGSERVICEFILE: place.path("service.conf"),
      PGPASSWORD: PASSWORD,
    });
  }, 60_000);
});
