import { expect, test } from "vitest";
import { columnsUsed } from "../../src/fit/import-classifier.ts";

test("a feature named as get_dummies names it is refused with the name to use, of the longest column that fits", () => {
  const columns = ["contract", "contract_type", "age"].map((name) => ({
    name,
    storage: "text" as const,
    type: "VARCHAR",
  }));
  const used = (feature: string) => () =>
    columnsUsed(
      { name: "rows.csv", columns },
      "c.json",
      { json: { classes: ["n", "y"], features: [feature], intercept: [0], coef: [[1]] }, notes: [] },
      { types: new Map() },
    );
  expect(used("contract=Two year")()).toEqual(["contract"]);
  expect(used("contract_Two year")).toThrow(
    expect.objectContaining({
      hint: expect.stringContaining('name the feature "contract=Two year" or pass --one-hot contract'),
    }),
  );
  expect(used("contract_type_new")).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('"contract_type=new"') }),
  );
  expect(used("weight")).toThrow(expect.objectContaining({ hint: undefined }));
});
