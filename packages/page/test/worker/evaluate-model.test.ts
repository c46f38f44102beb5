import { encode, loadModel, random } from "conformant";
import { USUAL_TRAINING } from "conformant-workbench";
import { expect, test } from "vitest";
import { fitInMemory } from "../../../cli/test/support/fit-in-memory.ts";
import { evaluateModel } from "../../src/worker/evaluate-model.ts";

/** What 90% masked values may cost, beside always answering the most common class. */
const BELOW_GUESSING = 0.05;

test("masked values are missing at random also where the model counts missing values", async () => {
  const g = random(7);
  const rows = Array.from({ length: 400 }, () => {
    const sick = g.normal() < -0.3;
    const isMissing = Math.abs(g.normal()) < (sick ? 1.2 : 0.15);
    return {
      age: 50 + 5 * g.normal(),
      marker: isMissing ? undefined : g.normal(),
      sick: sick ? "yes" : "no",
    };
  });
  const lines = rows.map(({ age, marker = "", sick }) => `${age},${marker},${sick}`);
  const model = loadModel(
    await fitInMemory("rows.csv", ["age,marker,sick", ...lines].join("\n"), {
      label: "sick",
      options: { ...USUAL_TRAINING, model: "logistic", gaps: "informative" },
    }),
  );
  expect(model.schema.columns.map(({ name }) => name)).toContain("marker is missing");
  const label = { name: "sick", kind: "categorical", values: model.response.outputs } as const;
  // As a fit has them: without the column that says what is missing.
  const labeled = encode({ columns: [...model.schema.columns.slice(0, 2), label] }, rows);
  const silent = { warn: () => undefined, progress: () => undefined };
  const fitted = { model, labeled } as Parameters<typeof evaluateModel>[0];
  const results = evaluateModel(fitted, { label: "sick", seed: 0 }, silent);
  if (!results || "numbers" in results) throw new Error("expected classes");
  const { evaluation, columns } = results;
  expect(columns.map(({ name }) => name).sort()).toEqual(["age", "marker"]);
  const [ours] = evaluation.methods;
  const healthy = rows.filter(({ sick }) => sick === "no").length / rows.length;
  expect(ours.mean.accuracy[evaluation.rates.indexOf(0.9)]).toBeGreaterThan(healthy - BELOW_GUESSING);
});
