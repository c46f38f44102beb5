import { beforeAll, describe, expect, test } from "vitest";
import { openSource } from "../../src/sources/open-source.ts";
import { bytesOf, fitQuickly, GAPS } from "../support/fit-in-process.ts";
import { conformant, csvCells, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

interface Writer {
  readonly exec: (sql: string) => void;
  readonly prepare: (sql: string) => { readonly run: (...values: unknown[]) => void };
  readonly close: () => void;
}

const specifier = "node:sqlite";
const sqlite: { DatabaseSync: new (path: string) => Writer } | undefined = await import(specifier).catch(
  () => undefined,
);

test.skipIf(sqlite)("without node:sqlite an SQLite database is an error that names what it requires", () => {
  place.write("old.db", `SQLite format 3\0${"\0".repeat(200)}`);
  for (const data of ["old.db", "sqlite:old.db#t"])
    expect(conformant(["inspect", data], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^error\[not-available\]: "old.db" is an SQLite database: reading it requires Node.js 22.13 or newer, this is v/,
      ),
    });
});

describe.skipIf(!sqlite)("an SQLite database", () => {
  beforeAll(() => {
    if (!sqlite) return;
    const [header, ...rows] = csvCells(place.read("penguins.csv"));
    const database = new sqlite.DatabaseSync(place.path("birds.db"));
    database.exec(`CREATE TABLE "pen guins" (${header.map((name) => `"${name}"`).join(", ")})`);
    const insert = database.prepare(`INSERT INTO "pen guins" VALUES (${header.map(() => "?").join(", ")})`);
    for (const row of rows)
      insert.run(
        ...row.map((cell) => (cell === "" ? null : Number.isNaN(Number(cell)) ? cell : Number(cell))),
      );
    database.exec("CREATE TABLE odd (mixed, raw BLOB, big, none)");
    database.exec("INSERT INTO odd VALUES (1, x'00ff', 9007199254740993, NULL), ('x', NULL, 2, NULL)");
    database.close();
  });

  test("gives the model of the same rows as CSV", async () => {
    const asked = { label: "species" };
    const [own, plain] = [
      await fitQuickly(`sqlite:${place.path("birds.db")}#pen guins`, asked),
      await fitQuickly(place.path("penguins.csv"), asked),
    ];
    expect(bytesOf(own)).toBe(bytesOf(plain));
  });

  test("has the types of its values, and is only read", async () => {
    const before = place.read("birds.db");
    const source = await openSource(`sqlite:${place.path("birds.db")}#ODD`, { gaps: GAPS });
    expect(source.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "mixed VARCHAR",
      "raw BLOB",
      "big BIGINT",
      "none VARCHAR",
    ]);
    await source.close();
    const words = (sql: string): string[] => ["inspect", "birds.db", "--sql", sql];
    expect(conformant(words("DELETE FROM odd"), { cwd }).stderr).toMatch(/^error\[source\]: "birds.db"/);
    expect(place.read("birds.db")).toBe(before);
  });

  test("runs --sql itself; --where is a condition on its result", () => {
    const words = [
      "inspect",
      "birds.db",
      "--json",
      "--sql",
      'SELECT * FROM "pen guins" WHERE body_mass > 4000;',
    ];
    const rows = (...more: string[]): number => JSON.parse(succeed([...words, ...more], { cwd }).stdout).rows;
    expect([rows(), rows("--where", "island = 'dream'")]).toEqual([172, 28]);
  });

  test("names its tables where one has to be chosen", () => {
    expect(conformant(["inspect", "birds.db"], { cwd }).stderr).toMatch(
      /"birds.db" has the tables "odd", "pen guins", expected one\nhint: .*sqlite:birds.db#TABLE/,
    );
    expect(conformant(["inspect", "sqlite:birds.db#birds"], { cwd }).stderr).toContain(
      '"birds.db" has no table "birds", there are "odd", "pen guins"',
    );
  });
});
