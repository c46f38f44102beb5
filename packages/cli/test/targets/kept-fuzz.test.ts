import { rmSync } from "node:fs";
import { saveModel } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { howMany } from "../../../../test/how-many.ts";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { fitQuickly } from "../support/fit-in-process.ts";
import { allCases, type FuzzPlace, fuzzKept } from "../support/kept-fuzz.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { Workplace } from "../support/workplace.ts";

const work = new Workplace();
/** Tables that stand side by side in one, and how many of these; another seed makes others. */
const TABLES = howMany(10, 75);
const PACKS = Number(process.env.CONFORMANT_ROUNDS ?? howMany(4, 134));
const SEED = Number(process.env.CONFORMANT_SEED ?? 1);
const ROWS = 6;
/** Differences that are shown. */
const SHOWN = 12;
const PATIENCE_MS = 7_200_000;

const isInstalled = postgresPrograms !== undefined && clickhouseProgram !== undefined;

describe.skipIf(!isInstalled)(
  `${TABLES * PACKS} random tables of hostile keys, numbers, times, texts and names`,
  () => {
    let cluster: Cluster;
    let postgres: PostgresServer;
    let place: FuzzPlace;

    beforeAll(async () => {
      const rows = Array.from({ length: 80 }, (_, r) => `${r % 8},${r % 8 > 3 ? "b" : "a"}\n`);
      const data = work.write("fit.csv", `x,y\n${rows.join("")}`);
      const { model } = await fitQuickly(data, { label: "y" });
      work.write("one.json", saveModel(model));
      const fit = [
        "fit",
        data,
        "--label",
        "y",
        "--components",
        "2",
        "--numeric",
        "atoms",
        "-o",
        work.path("two.json"),
      ];
      expect(await runInProcess(fit)).toMatchObject({ status: 0 });
      [cluster, postgres] = [await startCluster(1), await startPostgres()];
      place = {
        folder: work.folder,
        models: [work.path("one.json"), work.path("two.json")],
        postgres,
        clickhouse: { shard: cluster.shards[0], address: cluster.address },
      };
    }, 120_000);
    afterAll(async () => {
      await cluster?.stop();
      postgres?.stop();
      rmSync(work.path("out"), { recursive: true, force: true });
    });

    test(
      "come out of every source, through every filter, in every target as the engine's own copy of them",
      async () => {
        const cases = allCases();
        // Each pack goes through each source; together they go through every combination.
        const sources = [...new Set(cases.map(({ source }) => source))];
        const differences: string[] = [];
        let cells = 0;
        for (let pack = 0; pack < PACKS; pack++) {
          const chosen = sources.map((source) => {
            const own = cases.filter((one) => one.source === source);
            const one = own[(pack * 7 + SEED) % own.length];
            return { ...one, how: ((one.how + pack) % 3) as typeof one.how };
          });
          const found = await fuzzKept(place, SEED * 100_000 + pack, TABLES, ROWS, chosen);
          cells += found.cells;
          differences.push(...found.differences);
        }
        expect(differences.slice(0, SHOWN), `${differences.length} differences in ${cells} cells`).toEqual(
          [],
        );
        expect(cells).toBeGreaterThan(PACKS * TABLES * ROWS);
      },
      PATIENCE_MS,
    );
  },
);
