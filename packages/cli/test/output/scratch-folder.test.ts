import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holderTag } from "../../src/output/holder.ts";
import { scratchFolder } from "../../src/output/scratch-folder.ts";
import { startEngine } from "../../src/sources/duckdb/duckdb-engine.ts";
import { succeedAlone } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();

test("temporary files have one folder, and another where that one was tidied away", () => {
  const first = scratchFolder();
  expect(scratchFolder()).toBe(first);
  rmSync(first, { recursive: true });
  const second = scratchFolder();
  expect(second).not.toBe(first);
  expect(existsSync(second)).toBe(true);
});

test("what an engine spills goes when it closes, and the folder of all temporary files stays", async () => {
  const folder = scratchFolder();
  const before = readdirSync(folder);
  const { connection, close } = await startEngine();
  await connection.run("SET memory_limit = '40MB'");
  await connection.run("CREATE TABLE numbers AS SELECT range AS r, hash(range) AS h FROM range(8000000)");
  const spilled = await connection.run("SELECT count(*) FROM duckdb_temporary_files()");
  expect((await spilled.getRows()).map(Number)).not.toEqual([0]);
  close();
  expect(readdirSync(folder)).toEqual(before);
});

test("folders and unfinished files of runs that were killed are removed by the next run, and nothing else", () => {
  const [machine, own] = holderTag().split("-");
  const { pid: ended } = spawnSync(process.execPath, ["-e", ""]);
  const id = "0b3c2a5e-8a0e-4f0e-9d53-5d6d0f6f3a11";
  const temporary = place.path("temporary");
  const dead = `conformant-${machine}-${ended}-${id}`;
  const others = [
    `conformant-${machine}-${own}-${id}`,
    `conformant-00000000-${ended}-${id}`,
    "conformant-mine",
  ];
  for (const name of [dead, ...others]) {
    mkdirSync(join(temporary, name), { recursive: true });
    writeFileSync(join(temporary, name, "spill"), "rows");
  }
  const result = place.path("m.json");
  const kept = [`m.json.${machine}-${own}.partial`, `m.json.00000000-${ended}.partial`, "m.json.123.partial"];
  for (const name of [`m.json.${machine}-${ended}.partial`, ...kept]) place.write(name, "half");
  const words = ["fit", place.path("penguins.csv"), "--label", "species", "--components", "1", "-o", result];
  succeedAlone(words, { env: { TMPDIR: temporary } });
  expect(readdirSync(temporary).sort()).toEqual([...others].sort());
  expect(
    readdirSync(place.folder)
      .filter((name) => name.endsWith(".partial"))
      .sort(),
  ).toEqual([...kept].sort());
});
