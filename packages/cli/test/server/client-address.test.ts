import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress, network } from "../../src/server/client-address.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:2::9", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("%s counts as %s", (address, client) => {
  expect(network(address)).toBe(client);
});

test("behind a proxy the last address of X-Forwarded-For counts, which no client can choose", () => {
  const from = (forwarded?: string): IncomingMessage =>
    ({
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
      socket: { remoteAddress: "127.0.0.1" },
    }) as unknown as IncomingMessage;
  expect(clientAddress(from("10.9.9.9, 192.0.2.7"), true)).toBe("192.0.2.7");
  expect(clientAddress(from("10.9.9.9, 192.0.2.7"), false)).toBe("127.0.0.1");
  expect(clientAddress(from(), true)).toBe("127.0.0.1");
  expect(clientAddress(from(" , "), true)).toBe("127.0.0.1");
});
