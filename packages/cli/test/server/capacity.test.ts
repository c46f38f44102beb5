import { expect, test } from "vitest";
import { Capacity } from "../../src/server/exchange.ts";

test("one client can have half of the requests at a time, and all clients together no more than there are", () => {
  const capacity = new Capacity({ requests: 4, bytes: 100 });
  capacity.enter("a");
  capacity.enter("a");
  expect(() => capacity.enter("a")).toThrow("one client can have 2 requests at a time");
  capacity.enter("b");
  capacity.enter("b");
  expect(() => capacity.enter("c")).toThrow("too many requests");
  capacity.leave("a");
  capacity.enter("c");
  expect([capacity.requests, capacity.isExhausted]).toEqual([4, true]);
});

test("behind a proxy, which has one address for all clients, there is no limit per client", () => {
  const capacity = new Capacity({ requests: 4, bytes: 100 });
  for (let n = 0; n < 4; n++) capacity.enter(undefined);
  expect(() => capacity.enter(undefined)).toThrow("too many requests");
});

test("bytes in memory are limited, and can be given back", () => {
  const capacity = new Capacity({ requests: 4, bytes: 100 });
  capacity.hold(60);
  expect(() => capacity.hold(50)).toThrow("too many bytes in memory");
  capacity.hold(-60);
  capacity.hold(100);
  expect(capacity.bytes).toBe(100);
});

test("a client that has left some or all of its requests has their share again, and no more", () => {
  const capacity = new Capacity({ requests: 6, bytes: 100 });
  const refuses = (): void => expect(() => capacity.enter("a")).toThrow("3 requests at a time");
  for (let n = 0; n < 3; n++) capacity.enter("a");
  for (const left of [1, 3, 2]) {
    for (let n = 0; n < left; n++) capacity.leave("a");
    for (let n = 0; n < left; n++) capacity.enter("a");
    refuses();
  }
  expect(capacity.requests).toBe(3);
});
