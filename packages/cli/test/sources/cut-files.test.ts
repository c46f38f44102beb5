import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { howMany } from "../../../../test/how-many.ts";
import { duckdb } from "../support/duckdb.ts";
import { fitQuickly } from "../support/fit-in-process.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
/** Places at which each file is cut. */
const CUTS = howMany(12, 50);
const hasZstd = spawnSync("zstd", ["--version"]).status === 0;

const ROWS = Array.from({ length: 3000 }, (_, i) => ({
  x: (i * 7919) % 1009,
  c: `c${(i * 31) % 7}`,
  y: i % 3 === 0 ? "no" : "yes",
}));
const CSV = `x,c,y\n${ROWS.map(({ x, c, y }) => `${x},${c},${y}\n`).join("")}`;
const JSONL = ROWS.map((row) => `${JSON.stringify(row)}\n`).join("");

function zstd(text: string): Buffer {
  return spawnSync("zstd", ["-q", "-c"], { input: text }).stdout;
}

/** Fits each beginning of the file; each must be refused with its name. */
async function refusesCuts(whole: Uint8Array, name: string, data = place.path(name)): Promise<void> {
  place.write(name, whole);
  const before = (await fitQuickly(data, { label: "y" })).report.reading.rows;
  expect(before).toBeGreaterThanOrEqual(ROWS.length);
  for (let cut = 1; cut <= CUTS; cut++) {
    place.write(name, whole.subarray(0, Math.floor((whole.length * cut) / (CUTS + 1))));
    await expect(fitQuickly(data, { label: "y" }), `cut at ${cut}/${CUTS + 1}`).rejects.toThrow(
      name.split("/").at(-1) ?? name,
    );
  }
  place.write(name, whole);
}

describe(`a file that was cut off at any of ${CUTS} places is an error with its name:`, () => {
  test.each([
    ["csv.gz", () => gzipSync(CSV)],
    [
      "csv.gz of two members",
      () => Buffer.concat([gzipSync(CSV), gzipSync(ROWS.map(({ x }) => `${x},c0,no\n`).join(""))]),
    ],
    ["jsonl.gz", () => gzipSync(JSONL)],
  ])(
    "%s",
    async (ending, whole) => {
      await refusesCuts(whole(), `cut.${ending.split(" ")[0]}`);
    },
    60_000,
  );

  test.skipIf(!hasZstd).each([
    ["csv.zst", CSV],
    ["jsonl.zst", JSONL],
  ])(
    "%s",
    async (ending, text) => {
      await refusesCuts(zstd(text), `cut.${ending}`);
    },
    60_000,
  );

  test.each(["uncompressed", "snappy", "gzip", "zstd", "lz4_raw", "brotli"])(
    "Parquet, %s",
    async (codec) => {
      place.write("rows.csv", CSV);
      const file = place.path(`${codec}.parquet`);
      await duckdb(`COPY (FROM '${place.path("rows.csv")}') TO '${file}' (COMPRESSION ${codec})`);
      await refusesCuts(readFileSync(file), `${codec}.parquet`);
    },
    60_000,
  );

  test("one of the files of a pattern or a folder", async () => {
    mkdirSync(place.path("many"), { recursive: true });
    place.write("many/a.csv.gz", gzipSync(CSV));
    await refusesCuts(gzipSync(CSV), "many/b.csv.gz", place.path("many/*.csv.gz"));
    await refusesCuts(gzipSync(CSV), "many/b.csv.gz", place.path("many"));
  }, 60_000);
});

test("files of a folder that are packed in different ways are refused, and not read in part", async () => {
  mkdirSync(place.path("mixed"), { recursive: true });
  place.write("mixed/a.csv", CSV);
  place.write("mixed/b.csv.gz", gzipSync(CSV));
  await expect(fitQuickly(place.path("mixed"), { label: "y" })).rejects.toThrow(
    /mixed.*gzip.*expected all of them packed alike/s,
  );
});
