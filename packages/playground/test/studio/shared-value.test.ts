import fc from "fast-check";
import { expect, test } from "vitest";
import { SharedValue } from "../../src/studio/work/judging/shared-value.ts";

const arrays = fc.oneof(
  fc.float64Array(),
  fc.int32Array(),
  fc.uint8Array(),
  fc.int16Array(),
  fc.uint32Array(),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(undefined, null, true, false, Number.NaN, -0, Number.NEGATIVE_INFINITY),
    fc.double(),
    fc.string({ unit: "grapheme" }),
    arrays,
    fc.array(tie("value")),
    fc.dictionary(fc.string(), tie("value"), { noNullPrototype: true }),
  ),
})).value;

test("any plain value is taken as it was put, once", () => {
  fc.assert(
    fc.property(values, (value) => {
      const shared = new SharedValue();
      expect(shared.take()).toBeUndefined();
      new SharedValue(shared.buffer).put({ value });
      expect(shared.take()).toEqual(structuredClone({ value }));
      expect(shared.take()).toBeUndefined();
    }),
  );
});

test("memory grows with the value, and what came before leaves nothing behind", () => {
  const shared = new SharedValue();
  const long = Float64Array.from({ length: 20_000 }, (_, i) => i / 7);
  shared.put({ long, words: "x".repeat(100_000) });
  expect(shared.take()).toEqual({ long, words: "x".repeat(100_000) });
  shared.put("short");
  expect(shared.take()).toBe("short");
});
