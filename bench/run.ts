import { benchCli } from "./cli.ts";
import { benchClickhouse } from "./clickhouse.ts";
import { benchConform } from "./conform.ts";
import { benchDatabases } from "./databases.ts";
import { benchExplain } from "./explain.ts";
import { benchGaussian } from "./gaussian.ts";
import { benchMixture } from "./mixture.ts";
import { benchPredict } from "./predict.ts";
import { benchPython } from "./python.ts";
import { benchRegressors } from "./regressors.ts";
import { benchServe } from "./serve.ts";
import { benchServeAttacks } from "./serve-attacks.ts";
import { type BenchRow, markdownTable } from "./support/measure.ts";
import { benchTables } from "./tables.ts";
import { benchTrain } from "./train.ts";
import { benchTrees } from "./trees.ts";

const benches: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  cli: benchCli,
  clickhouse: benchClickhouse,
  conform: benchConform,
  databases: benchDatabases,
  explain: benchExplain,
  gaussian: benchGaussian,
  mixture: benchMixture,
  predict: benchPredict,
  python: benchPython,
  regressors: benchRegressors,
  serve: async () => [...(await benchServe()), ...(await benchServeAttacks())],
  tables: benchTables,
  train: benchTrain,
  trees: benchTrees,
};

const chosen = process.argv.slice(2);
const stranger = chosen.find((name) => !Object.hasOwn(benches, name));
if (stranger !== undefined) {
  console.error(`there is no bench ${stranger}; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
const rows: BenchRow[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.error(`measuring ${name} …`);
  rows.push(...(await bench()));
}
console.log(markdownTable(rows));
