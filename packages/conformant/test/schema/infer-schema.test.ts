import { expect, it } from "vitest";
import { inferSchema } from "../../src/index.ts";

const rowOf = (columns: number) =>
  Object.fromEntries(Array.from({ length: columns }, (_, i) => [`c${i}`, i]));

it("lists the columns there are where one is not among them, and says where the list leaves off", () => {
  const namesNone = (columns: number) => () => inferSchema([rowOf(columns)], { columns: ["x"] });
  expect(namesNone(2)).toThrow(/names "x", but the data has only "c0", "c1"$/);
  expect(namesNone(12)).toThrow(/"c10", "c11"$/);
  expect(namesNone(13)).toThrow(/"c10", "c11", …$/);
});
