import { expect, test } from "vitest";
import { Allowance, Holding } from "../../src/server/allowance.ts";

test("one client gets half, all of them the whole, and what is given back can be taken again", () => {
  const allowance = new Allowance("requests", 4);
  allowance.take("a");
  allowance.take("a");
  expect(() => allowance.take("a")).toThrow(expect.objectContaining({ status: 429 }));
  allowance.take("b");
  allowance.take("c");
  expect(() => allowance.take("d")).toThrow(expect.objectContaining({ status: 503 }));
  expect([allowance.used, allowance.exhausted]).toEqual([4, true]);
  allowance.giveBack("a");
  allowance.take("d");
});

test("a holding grows and shrinks, and is as it was where growing is refused", () => {
  const allowance = new Allowance("bytes", 100);
  const holding = new Holding(allowance, "a");
  holding.hold(40);
  holding.hold(10);
  expect(allowance.used).toBe(10);
  expect(() => holding.hold(60)).toThrow(expect.objectContaining({ status: 429 }));
  expect(allowance.used).toBe(10);
  holding.hold(0);
  expect(allowance.used).toBe(0);
});
