import { expect, test } from "vitest";
import { FairQueue } from "../../src/server/fair-queue.ts";

test("clients take turns, and each one's jobs keep their order", () => {
  const queue = new FairQueue<string>();
  for (const job of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.push(job[0], job);
  expect([...queue.heads()]).toEqual(["a1", "b1", "c1"]);
  expect(queue.remove("a", "a2")).toBe(true);
  expect(queue.remove("a", "a2")).toBe(false);
  expect(Array.from({ length: 6 }, () => queue.shift())).toEqual(["a1", "b1", "c1", "a3", "c2", undefined]);
  expect(queue.size).toBe(0);
});
