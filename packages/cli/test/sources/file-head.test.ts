import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readHead } from "../../src/sources/files/file-head.ts";
import { Workplace } from "../support/workplace.ts";

const MEBIBYTE = 2 ** 20;
const place = new Workplace();

test("of a packed file that is a thousand times as large unpacked only the beginning is unpacked", () => {
  const start = "a,b\n1,2\n";
  const zeros = Buffer.alloc(64 * MEBIBYTE, "3,4\n");
  const path = place.write("bomb.csv.gz", gzipSync(Buffer.concat([Buffer.from(start), zeros])));
  const head = readHead(path);
  expect(head.length).toBeLessThanOrEqual(16 * MEBIBYTE);
  expect(head.subarray(0, 12).toString()).toBe(`${start}3,4\n`);
});
