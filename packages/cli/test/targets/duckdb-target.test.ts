import { expect, test } from "vitest";
import { openSource } from "../../src/sources/open-source.ts";
import type { ResultLines } from "../../src/sources/run-target.ts";
import { duckdbTarget } from "../../src/targets/duckdb-target.ts";
import { duckdb } from "../support/duckdb.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();

test("a run is in the table once it is published; closed before, it leaves what an earlier job has written", async () => {
  const file = place.path("visits.duckdb");
  await duckdb(`ATTACH '${file}' AS f`, "CREATE TABLE f.visits AS SELECT 1 AS id");
  const connector = await openSource(`duckdb:${file}#visits`, { gaps: [], writable: true });
  const { execute } = connector;
  if (!execute) throw new Error("a DuckDB database can be written");
  const target = duckdbTarget(connector, execute, "scores", { classes: [], added: [], kept: [] });
  const columns = [{ name: "prediction", holds: "double" }] as const;
  const record = { settings: { model: "m" }, rows: 1, checksum: "c", parts: 1, done: true };
  const write = async (value: number | string, isPublished: boolean): Promise<void> => {
    const job = await target.open("nightly", columns, () => undefined);
    await job.begin(record);
    async function* lines(): AsyncGenerator<ResultLines> {
      yield { text: `prediction\n${value}\n`, rows: 1 };
    }
    async function* batches(): AsyncGenerator<never> {}
    try {
      expect(await job.write(0, { lines, batches })).toBe(1);
      if (isPublished) await job.publish(record);
    } finally {
      await job.close();
    }
  };
  const written = async (): Promise<unknown> => {
    const job = await target.open("nightly", columns, () => undefined);
    await job.close(); // nothing was begun, so that there is nothing to roll back
    return { rows: job.rows, record: job.record, values: await valuesOf("prediction") };
  };
  const valuesOf = async (column: string): Promise<string[]> => {
    const values: string[] = [];
    for await (const { rows, columns } of connector.query(`SELECT ${column} FROM source.main.scores`, [
      "text",
    ]))
      for (let r = 0; r < rows; r++) values.push(String(columns[0][r]));
    return values;
  };
  try {
    expect(await written()).toEqual({ rows: 0, record: undefined, values: [] });
    await write(1.5, true);
    const first = { rows: 1, record, values: ["1.5"] };
    expect(await written()).toEqual(first);
    await write(2.5, false);
    expect(await written()).toEqual(first);
    await expect(write("no number", true)).rejects.toThrow("no number");
    expect(await written()).toEqual(first);
    await write(3.5, true);
    expect(await written()).toEqual({ ...first, values: ["3.5"] });
  } finally {
    await connector.close();
  }
});
