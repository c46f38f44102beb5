import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { random } from "conformant";
import { expect, test } from "vitest";
import { cutLines, type LineBlock, readPieces } from "../../src/server/read-body.ts";

const g = random(3);
const cut = (text: string): Buffer[] => {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + g.integer(12);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
};

async function blocksOf(pieces: Buffer[], linesPerBlock: number): Promise<LineBlock[]> {
  const blocks: LineBlock[] = [];
  for await (const block of cutLines(pieces, { linesPerBlock, longestLine: 100 }, () => undefined))
    blocks.push(block);
  return blocks;
}

test("however a text is cut into pieces, its blocks are its lines, of which short ones do not count", async () => {
  for (let n = 0; n < 200; n++) {
    const lines = Array.from(
      { length: g.integer(20) },
      () => ["", "  ", "{}", '{"é":1}\r', "x".repeat(g.integer(30))][g.integer(5)],
    );
    const text = lines.join("\n");
    const most = 1 + g.integer(4);
    const found = await blocksOf(cut(text), most);
    expect(found.map(({ bytes }) => bytes.toString()).join("")).toBe(text);
    for (const { bytes, lines } of found) {
      const long = bytes
        .toString()
        .split("\n")
        .filter((line) => Buffer.byteLength(line) >= 2);
      expect(lines).toBe(bytes.at(-1) === 10 ? long.length : 1);
      expect(lines).toBeLessThanOrEqual(most);
    }
    for (const { bytes } of found.slice(0, -1)) expect(bytes.at(-1)).toBe(10);
  }
});

test("a line that is too long is refused, in one piece or in many", async () => {
  const long = `{}\n${"x".repeat(101)}\n`;
  for (const pieces of [[Buffer.from(long)], cut(long), cut(long.slice(0, -1))])
    await expect(blocksOf(pieces, 2)).rejects.toThrow("must not be longer than 100 bytes");
});

test("memory is asked for before it is taken", async () => {
  const asked: number[] = [];
  const pieces = Array.from({ length: 4 }, () => Buffer.from("abc"));
  const sizes = { linesPerBlock: 2, longestLine: 1000 };
  for await (const _ of cutLines(pieces, sizes, (bytes) => void asked.push(bytes)));
  expect(asked).toEqual([3, 6, 9, 12]);
});

test("a thread may take the memory of a block that is a whole piece", async () => {
  const piece = Buffer.from(new TextEncoder().encode("{}\n{}\n").buffer);
  const found: string[] = [];
  for await (const { bytes } of cutLines([piece], { linesPerBlock: 5, longestLine: 100 }, () => undefined)) {
    expect(bytes.length).toBe(bytes.buffer.byteLength);
    const taken = structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
    found.push(Buffer.from(taken).toString());
  }
  expect(found).toEqual(["{}\n{}\n"]);
});

test("a stream that sends no line in time is given up", async () => {
  const silent = new PassThrough();
  setTimeout(() => silent.end(), 500);
  const pieces = readPieces(silent as unknown as IncomingMessage, {
    bytes: 100,
    milliseconds: 20,
    stream: 1e6,
  });
  await expect(pieces.next()).rejects.toMatchObject({ code: "slow-request", status: 408 });
});
