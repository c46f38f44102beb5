import {
  type Classifier,
  type Column,
  conform,
  createClassifier,
  encode,
  impute,
  type Row,
  random,
} from "conformant";
import { completeTable } from "conformant/internal";
import { describe, expect, it } from "vitest";

function classifierOn(columns: readonly Column[], weights: readonly number[], intercept = 0): Classifier {
  return createClassifier({
    schema: { columns },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, intercept),
    weights: Float64Array.from(weights.flatMap((w) => [0, w])),
  });
}

describe("completeTable", () => {
  const columns: Column[] = [
    { name: "x", kind: "categorical", values: ["u", "v", "w"] },
    { name: "z", kind: "binary" },
  ];
  const g = random(2);
  const rows = Array.from(
    { length: 100 },
    (): Row => ({ x: ["u", "v", "w"][Math.min(2, g.integer(4))], z: g.integer(2) }),
  );
  const model = conform(classifierOn(columns, [1, 0, -1, 0.5]), rows);
  const count = 4000;

  it("draws what is missing in a row without a label as impute says it is distributed", () => {
    const label: Column = { name: "y", kind: "categorical", values: model.response.outputs };
    const table = encode(
      { columns: [...columns, label] },
      Array.from({ length: count }, () => ({ z: 1 })),
    );
    const completed = completeTable(model, table, random(6)).table.columns[0];
    const { x } = impute(model, { z: 1 });
    if (x.kind !== "discrete") throw new Error("a category is imputed");
    for (const [code, value] of ["u", "v", "w"].entries()) {
      const share = completed.filter((own) => own === code).length / count;
      // Five standard errors of a share.
      expect(Math.abs(share - x.probabilities[value]), value).toBeLessThan(5 * Math.sqrt(0.25 / count));
    }
  });
});
