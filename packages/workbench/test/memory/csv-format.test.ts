import { expect, test } from "vitest";
import { detectCsv } from "../../src/memory/csv-format.ts";

const detect = (text: string, expected: readonly string[] = []) =>
  detectCsv(text, true, "table.csv", { expected, twiceNamed: "rename one" });

test("two columns of one name above numbers are named twice, and no row of texts", () => {
  expect(() => detect("value,value,class\n1,2,x\n,NA,y\n")).toThrow(
    '"table.csv": "value" is the name of two columns, expected a different one for each',
  );
});

test("texts that come twice above texts are a row like the others", () => {
  const { names, skip } = detect("b,b,a\na,b,a\nb,a,a\n");
  expect({ names, skip }).toEqual({ names: ["column0", "column1", "column2"], skip: 0 });
});
