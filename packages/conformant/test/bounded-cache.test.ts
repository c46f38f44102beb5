import { expect, test } from "vitest";
import { BoundedCache } from "../src/cache.ts";

test("what was made is there until it is too much together, and then begins anew", () => {
  const kept = new BoundedCache<string, string>(1000);
  expect(kept.keep("a", "first", 400)).toBe("first");
  kept.keep("b", "second", 400);
  expect([kept.get("a"), kept.get("b")]).toEqual(["first", "second"]);
  kept.keep("c", "third", 400);
  expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([undefined, undefined, "third"]);
});

test("keys of nothing are limited as well", () => {
  const kept = new BoundedCache<number, number>(1000);
  for (let key = 0; key < 1e6; key++) kept.keep(key, key, 0);
  const left = Array.from({ length: 1e6 }, (_, key) => key).filter((key) => kept.get(key) !== undefined);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(1000);
});
