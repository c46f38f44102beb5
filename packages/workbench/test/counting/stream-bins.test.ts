import { countMarginals, random } from "conformant";
import { expect, test } from "vitest";
import { StreamBins } from "../../src/counting/stream-bins.ts";

const schema = { columns: [{ name: "x", kind: "numeric" as const }] };

test.each([
  ["few values", 20, 32],
  ["as many values as bins", 32, 32],
  ["many values", 5000, 32],
  ["one bin", 100, 1],
  ["no value", 0, 8],
])("one value at a time gives the library's atoms to the last bit: %s", (_, distinct, bins) => {
  const g = random(distinct);
  const x = Float64Array.from({ length: distinct * 3 }, () => Math.floor(g.uniform() ** 2 * distinct) / 7);
  const expected = countMarginals(schema, { x }, { bins }).columns[0];
  const sorted = [...new Set(x)].sort((a, b) => a - b);
  const stream = new StreamBins(bins, x.length);
  for (const value of sorted) stream.add(value, x.filter((other) => other === value).length);
  expect(stream.finish()).toEqual(expected);
});
