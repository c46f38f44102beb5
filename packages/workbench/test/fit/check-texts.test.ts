import { readClassifier } from "conformant";
import { expect, test } from "vitest";
import { engineTable } from "../../../cli/src/sources/engine-table.ts";
import { openSource } from "../../../cli/src/sources/open-source.ts";
import { GAPS } from "../../../cli/test/support/fit-in-process.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { checkTexts } from "../../src/fit/check-texts.ts";
import { fieldsOf } from "../../src/sql/fields.ts";

const place = new Workplace();
/** Logarithms and exponentials of a few numbers. */
const ROUNDING = 1e-12;

test("a value that has lost its weight on the way from the file shows, by as much as it changes the answer", async () => {
  const file = place.write("rows.csv", "smoker,age\nyes,30\nno,40\nNA,50\nyes,\n");
  const connector = await openSource(file, { gaps: GAPS });
  try {
    const columns = [
      { name: "smoker", kind: "categorical" as const, values: ["no", "yes"] },
      { name: "age", kind: "numeric" as const },
    ];
    const json = {
      classes: ["no", "yes"],
      features: ["smoker=yes", "smoker=no", "age"],
      intercept: [0.1],
      coef: [[0.7, -0.4, 0.01]],
    };
    const fields = fieldsOf(connector, ["smoker", "age"], { gaps: GAPS });
    const same = await checkTexts(engineTable(connector), fields, json, readClassifier(json, { columns }));
    expect(same.rows).toBe(2);
    expect(same.difference).toBeLessThan(ROUNDING);
    const lost = { ...json, coef: [[0, 0, 0.01]] };
    const { difference } = await checkTexts(
      engineTable(connector),
      fields,
      json,
      readClassifier(lost, { columns }),
    );
    const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
    expect(Math.abs(difference - (sigmoid(0.1 + 0.7 + 0.3) - sigmoid(0.1 + 0.3)))).toBeLessThan(ROUNDING);
  } finally {
    await connector.close();
  }
});
