import { conform, createRegressor, encode, random } from "conformant";
import { expect, test } from "vitest";
import { evaluateNumbers } from "../../src/evaluate/evaluate-numbers.ts";

const silent = { warn: () => {}, note: () => {}, progress: () => {} } as unknown as Parameters<
  typeof evaluateNumbers
>[4];

test.each(["identity", "log", "logit", "probit"] as const)(
  "imputers answer complete rows as a regressor with link %s does",
  (link) => {
    const { normal } = random(2);
    const names = ["a", "b"];
    const schema = { columns: names.map((name) => ({ name, kind: "numeric" as const })) };
    const weights = Float64Array.of(0.5, -0.8);
    const regressor = createRegressor({ schema, output: "y", link, intercept: 0.3, weights });
    const rows = Array.from({ length: 40 }, () => ({ a: normal(), b: normal(), y: normal() }));
    const labeled = { columns: [...schema.columns, { name: "y", kind: "numeric" as const }] };
    const table = encode(labeled, rows);
    const { methods } = evaluateNumbers(
      conform(regressor, rows),
      table,
      table,
      {
        plan: { rates: [0.5], repeats: 1, mechanism: "mcar", blocks: [], seed: 0 },
        against: ["mean"],
        mostRows: 40,
      },
      silent,
    );
    expect(methods.map(({ name }) => name)).toEqual(["ours", "mean"]);
    for (const { unmasked } of methods) expect(unmasked.rmseToFull).toBeLessThan(1e-12);
  },
);
