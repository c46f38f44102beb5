import { random } from "conformant";
import { expect, test } from "vitest";
import { LineBlocks } from "../../src/server/line-blocks.ts";

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

test("however a text is cut into pieces, its blocks are its lines without the blank ones", () => {
  for (let n = 0; n < 200; n++) {
    const lines = Array.from(
      { length: g.integer(20) },
      () => ["", "  ", "{}", '{"é":1}\r', "x".repeat(g.integer(30))][g.integer(5)],
    );
    const text = lines.join("\n");
    const most = 1 + g.integer(4);
    const blocks = new LineBlocks(most, 100, () => undefined);
    const found = [...cut(text).flatMap((piece) => blocks.push(piece)), ...blocks.end()];
    const notBlank = (list: readonly string[]) => list.filter((line) => line.trim() !== "");
    expect(found.flatMap(({ bytes }) => notBlank(bytes.toString().split("\n")))).toEqual(notBlank(lines));
    expect(found.map(({ lines: count }) => count)).toEqual(
      found.map(({ bytes }) => notBlank(bytes.toString().split("\n")).length),
    );
    expect(Math.max(0, ...found.map(({ lines: count }) => count))).toBeLessThanOrEqual(most);
  }
});

test("a line that is too long is refused, in one piece or in many", () => {
  const long = `{}\n${"x".repeat(101)}\n`;
  for (const pieces of [[Buffer.from(long)], cut(long), cut(long.slice(0, -1))]) {
    const blocks = new LineBlocks(2, 100, () => undefined);
    expect(() => pieces.map((piece) => blocks.push(piece))).toThrow("must not be longer than 100 bytes");
  }
});

test("memory is asked for before it is taken", () => {
  const asked: number[] = [];
  const blocks = new LineBlocks(2, 1000, (bytes) => asked.push(bytes));
  for (let n = 0; n < 10; n++) blocks.push(Buffer.from("abc"));
  expect(asked).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
});
