import { chmodSync, existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { QUICKEST, writePenguins } from "../support/fitted-penguins.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { conformant, interrupt } from "../support/run.ts";
import { expectNoSecret, expectNoSecretIn, PASSWORD, withPassword } from "../support/secrets.ts";
import { post, startServe } from "../support/server.ts";
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

/** Commands that read a table from an address, by the name their files have; all of them succeed. */
function readers(address: string, name: string): string[][] {
  const fit = ["fit", address, "--label", "species", "--numeric", "atoms"];
  const evaluate = [
    "evaluate",
    "a.json",
    address,
    "--label",
    "species",
    "--repeats",
    "1",
    "--against",
    "mean",
    "--allow-training-rows",
  ];
  return [
    [...fit, "--components", "1", "-o", `${name}.json`, "--json"],
    [...fit, "--components", "2", "--sample", "100", "-o", `${name}-2.json`],
    ["predict", "a.json", address, "--keep", "island", "-o", `${name}.csv`],
    ["predict", "a.json", address, "--explain", "--json"],
    ["predict", "a.json", address, "--into", `${name}_scores`],
    ["predict", "a.json", address, "--into", `${name}-parquet/`],
    [...evaluate, "--report", `${name}.html`],
    [...evaluate, "--train", address, "--json"],
    ["explain", "a.json", address, "--row", "1", "--svg", `${name}.svg`],
    ["explain", "a.json", address, "--row", "1", "--json"],
    ["inspect", address, "--label", "species"],
    ["inspect", address, "--json"],
  ];
}

/** Commands about a model that was fitted to a table at an address. */
function questions(model: string): string[][] {
  const formats = ["sql", "js", "json", "onnx", "page"];
  return [
    ["inspect", model],
    ["inspect", model, "--json"],
    ["ask", model],
    ["ask", model, "--plan", "--json"],
    ...formats.map((format) => ["export", model, "--to", format, "-o", `${model}.${format}`]),
  ];
}

/** Addresses that lead nowhere, or are none. */
function wrongAddresses(address: string): string[] {
  return [
    address.replace("birds", "nothing"),
    address.replace("#birds", ""),
    address.replace(/^\w+:/, "mysql:"),
    address.replace(/^\w+:/, "jdbc:postgresql:"),
    address.replace("://", ":/"),
    address.replace("://", ":"),
    address.replace("://", ":///"),
    address.replace(/:\d+(?=[/?#])/, ":port"),
    address.replace(/:\d+(?=[/?#])/, ":1"),
    `${address}@`,
  ];
}

/** An address where it does not belong, or with a question that cannot be answered. */
function mistakes(address: string): string[][] {
  const into = ["predict", "a.json", "penguins.csv", "--into", address];
  return [
    ["fit", address, "--label", "no-such-column"],
    ["fit", address, "--label", "species", "--type", `${address}=numeric`],
    ["fit", "penguins.csv", "--classifier", address, "--debug"],
    ["predict", address, "penguins.csv"],
    ["predict", "a.json", address, "penguins.csv"],
    ["predict", "a.json", address.replace("birds", "nothing"), "--json"],
    ["predict", "a.json", address, "--sql", "SELECT oops", "--debug"],
    ["predict", "a.json", address, "--where", "oops ("],
    ["predict", "a.json", "penguins.csv", "-o", address],
    ["predict", "a.json", "penguins.csv", `--strict=${address}`],
    ["predict", "a.json", "penguins.csv", `--no-such-option=${address}`],
    into,
    [...into, "--json"],
    ["predict", "a.json", address, "--into", address],
    [
      "evaluate",
      "a.json",
      "penguins.csv",
      "--label",
      "species",
      "--train",
      address.replace("birds", "nothing"),
    ],
    ["evaluate", "a.json", address, "--label", "no-such-column"],
    ["explain", "a.json", address, "--row", "99999999"],
    ["explain", address, "penguins.csv"],
    ["ask", address],
    ["ask", "a.json", "--given", address],
    ["ask", "a.json", "--costs", address],
    ["inspect", address, "--label", "no-such-column"],
    ["inspect", address.replace("birds", "nothing"), "--json"],
    ["inspect", "a.json", address],
    ["serve", address, "--debug"],
    ["serve", "a.json", "--token-file", address],
    ["serve", "a.json", "--host", address],
    ["export", address, "--to", "sql"],
    ["completion", address],
    ...["port", "threads", "time-limit"].map((option) => ["serve", "a.json", `--${option}`, address]),
    ...["level", "digits", "into=x/ --run"].map((option) => [
      "predict",
      "a.json",
      "penguins.csv",
      ...`--${option}`.split(" "),
      address,
    ]),
    ...["against", "missing", "mechanism"].map((option) => [
      "evaluate",
      "a.json",
      "penguins.csv",
      "--label",
      "species",
      `--${option}`,
      address,
    ]),
    ...["row", "threshold", "groups"].map((option) => [
      "explain",
      "a.json",
      "penguins.csv",
      `--${option}`,
      address,
    ]),
    ["ask", "a.json", "--threshold", address],
    ["export", "a.json", "--to", address],
    [address],
  ];
}

describe.skipIf(postgresPrograms === undefined)("a password", () => {
  let server: PostgresServer;
  let addresses: readonly string[];

  beforeAll(async () => {
    writePenguins(place, "m.json");
    writePenguins(place, "a.json", ...QUICKEST);
    server = await startPostgres();
    server.run(`CREATE TABLE birds (species text, island text, bill_length float8, bill_depth float8, flipper_length int, body_mass int, sex text);
\\copy birds FROM '${place.path("penguins.csv")}' WITH (FORMAT csv, HEADER true)`);
    addresses = withPassword(`${server.url}#birds`);
  }, 60_000);
  afterAll(() => server?.stop());

  test("in an address is in no answer, report, model, picture or table of any command", () => {
    const [first, ...others] = addresses.map((address, form) => readers(address, `f${form}`));
    const shown = others
      .flat()
      .filter(([command, ...words]) => command === "fit" || /html|scores/.test(words.join()));
    for (const words of [...first, ...shown]) expect(run(words).status, words.join(" ")).toBe(0);
    for (const words of questions("f0.json")) expect(run(words).status, words.join(" ")).toBe(0);
    expectNoSecretIn(cwd);
    for (const form of addresses.keys())
      expectNoSecret("the tables", server.run(`SELECT r::text FROM f${form}_scores_runs r`));
  }, 240_000);

  test("in an address is not in the checkpoint of an interrupted fit, nor in the refusal to resume it", async () => {
    const fit = [
      "fit",
      addresses[0],
      "--label",
      "species",
      "--components",
      "8",
      "--sample",
      "100",
      "--numeric",
      "atoms",
    ];
    const path = place.path("broken.json.checkpoint");
    const there = (): boolean => existsSync(path);
    const { stdout, stderr } = await interrupt([...fit, "-o", "broken.json"], { cwd }, there, "SIGKILL");
    expectNoSecret("the fit", stdout, stderr);
    expectNoSecret("the checkpoint", place.read("broken.json.checkpoint"));
    const other = run([...fit, "--seed", "7", "-o", "broken.json", "--resume"]);
    expect(other.stderr).toContain("cannot resume, it has another");
  }, 60_000);

  test("in an address is not in the log of a service", async () => {
    const served = await startServe(["a.json", "--debug"], { cwd });
    await post(`${served.url}/predict`, { row: { island: addresses[0] } });
    await post(`${served.url}/predict?address=${encodeURIComponent(addresses[0])}`, {
      row: { [addresses[0]]: 1 },
    });
    await fetch(`${served.url}/${encodeURIComponent(addresses[0])}`);
    expect(await served.stop()).toBe(0);
    expect(served.log()).toContain('"route":"/predict"');
    expectNoSecret("the log", served.log());
  }, 60_000);

  test("in an address is in no error, wherever the address stands and whatever is wrong", () => {
    const byForm = addresses.map((address) => [
      ...wrongAddresses(address).map((wrong) => ["fit", wrong, "--label", "y", "--debug"]),
      ...mistakes(address),
    ]);
    // The forms of an address by turns: each mistake is made once, and each form meets with many.
    for (const words of byForm[0].map((_, m) => byForm[m % byForm.length][m]))
      expect(run(words).status, words.join(" ")).not.toBe(0);
    expectNoSecretIn(cwd);
  }, 240_000);

  test("need not be on the command line: environment, password file and service file", () => {
    server.run(
      `CREATE ROLE alice LOGIN PASSWORD '${PASSWORD.replaceAll("'", "''")}'; GRANT SELECT ON birds TO alice`,
    );
    const { hostname, port } = new URL(server.url);
    const home = place.path("home");
    const fitFrom = (address: string, env: Record<string, string>): void => {
      const { status, stderr } = run(["fit", address, "--label", "species", ...QUICKEST, "-o", "e.json"], {
        HOME: home,
        ...env,
      });
      expect(status, stderr).toBe(0);
      expect(stderr).not.toMatch(/warning/i);
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

describe.skipIf(clickhouseProgram === undefined)("a password for ClickHouse", () => {
  let cluster: Cluster;
  const words = (address: string): string[] => [
    "fit",
    address,
    "--label",
    "y",
    "--components",
    "1",
    "-o",
    "c.json",
  ];

  beforeAll(async () => {
    cluster = await startCluster(1);
    await cluster.shards[0].run(
      "CREATE TABLE birds ENGINE = MergeTree ORDER BY x AS SELECT number % 5 AS x, if(number % 7 > number % 3, 'yes', 'no') AS y FROM numbers(300)",
    );
  }, 60_000);
  afterAll(() => cluster?.stop());

  test("is taken from the address and the environment, and shown nowhere", () => {
    const right = withPassword(`${cluster.address.replace("//", "//alice@")}#birds`);
    const wrong = withPassword(`${cluster.address.replace("//", "//locked@")}#birds`);
    const bare = `${cluster.address}#birds`;
    const env = { CLICKHOUSE_USER: "alice", CLICKHOUSE_PASSWORD: PASSWORD };
    for (const address of right) expect(run(words(address)).status, address).toBe(0);
    expect(run(words(bare), env).status).toBe(0);
    for (const address of wrong) expect(run([...words(address), "--debug"]).status, address).toBe(1);
    expect(run(words(bare), { ...env, CLICKHOUSE_USER: "locked" }).status).toBe(1);
    expect(run(words(right[0].replace("birds", "nothing"))).status).toBe(1);
    expectNoSecret("the model", place.read("c.json"));
  }, 120_000);
});
