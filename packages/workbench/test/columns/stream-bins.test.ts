import { random } from "conformant";
import { countMarginals } from "conformant/remote";
import { expect, test } from "vitest";
import { StreamBins } from "../../src/columns/stream-bins.ts";

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

test("of more values than are kept, bins of about equal weight are cut from the least on", () => {
  const stream = new StreamBins(4, 400, 50);
  for (let value = 0; value < 400; value++) stream.add(value, 1);
  expect(stream.finish()).toEqual({
    kind: "numeric",
    exact: false,
    values: Float64Array.of(49.5, 149.5, 249.5, 349.5),
    edges: Float64Array.of(99.5, 199.5, 299.5),
    counts: Float64Array.of(100, 100, 100, 100),
  });
});

test("a number that the library does not take is counted: it is refused later, with its row", () => {
  const stream = new StreamBins(2, 4);
  for (const value of [1, 2, 3, Number.MAX_VALUE]) stream.add(value, 1);
  expect(stream.finish().counts).toEqual(Float64Array.of(2, 2));
});
