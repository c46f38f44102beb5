import { conform, createClassifier } from "conformant";
import { expect, test } from "vitest";
import { duckdb } from "../../../cli/test/support/duckdb.ts";
import { exportSql } from "../../src/export/export-sql.ts";
import { dialectOf } from "./support/sql-engines.ts";

const classifier = createClassifier({
  schema: { columns: [{ name: "x", kind: "binary" }] },
  classes: ["no", "yes"],
  intercept: Float64Array.of(0, 1),
  weights: Float64Array.of(0, 2),
});
const model = conform(classifier, [{ x: 0 }, { x: 1 }]);
const write = (table: string, keep: readonly string[] = []): string =>
  exportSql(model, { dialect: dialectOf("duckdb"), table, keep });

test.each(['"my.table"', 'main."my.table"', '"say ""x"""'])(
  "a table is called as SQL calls it: %s",
  async (table) => {
    const [[prediction]] = await duckdb(`CREATE TABLE ${table} AS SELECT 1 AS x`, write(table));
    expect(prediction).toBe("yes");
  },
);

test.each(["", "a..b", ".a", "a."])("a table without a name is refused: %j", (table) => {
  expect(() => write(table)).toThrow(/the table must be a name/);
});

test.each([[["id", "id"]], [["prediction"]], [["p_no"]]])(
  "columns to keep that would give two of one name are refused: %j",
  (keep) => {
    expect(() => write("data", keep)).toThrow(/two columns of that name/);
  },
);
