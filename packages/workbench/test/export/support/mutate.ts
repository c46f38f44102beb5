import type { Random } from "conformant";

/** Pieces that are likely to hit something: numbers at the edges, structure of the formats, escapes. */
const PIECES = [
  "",
  "0",
  "-1",
  "1e308",
  "-1e999",
  "NaN",
  "null",
  "[]",
  "{}",
  '"',
  "<",
  "/>",
  "&lt;",
  "&#x110000;",
  "<!DOCTYPE a>",
  "<a>",
  "]]>",
  ",",
  "=",
  "\u0000",
  "\u00ff\u00ff\u00ff\u00ff\u0007",
  "__proto__",
  "constructor",
  "9007199254740993",
].map((text) => Buffer.from(text, "latin1"));

/** A file with one to four random changes: bytes flipped, cut out, doubled, moved, put in, or the end cut off. */
export function mutate(file: Uint8Array, draw: Random): Uint8Array {
  let bytes = Buffer.from(file);
  for (let change = draw.integer(4); change >= 0; change--) {
    const at = draw.integer(bytes.length + 1);
    const end = Math.min(bytes.length, at + 1 + draw.integer(draw.integer(10) === 0 ? 400 : 12));
    const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const put = PIECES[draw.integer(PIECES.length)];
    const repeated = Buffer.concat(Array.from({ length: 1 + draw.integer(50) }, () => piece));
    const noise = Buffer.from(piece.map((byte) => byte ^ (1 << draw.integer(8))));
    const random = Buffer.from(piece.map(() => draw.integer(256)));
    const middle = [noise, random, Buffer.alloc(0), put, repeated, Buffer.concat([put, piece])][
      draw.integer(6)
    ];
    bytes = draw.integer(40) === 0 ? before : Buffer.concat([before, middle, after]);
  }
  return bytes;
}

const NUMBERS = [
  "0",
  "-1",
  "1",
  "2",
  "7",
  "0.5",
  "-0.0",
  "1e308",
  "-1e308",
  "1e-320",
  "NaN",
  "null",
  "1000000",
  "4294967296",
];

/** A file whose form is whole but of which one to three numbers, in binary files bytes, are others. */
export function mutateNumbers(file: Uint8Array, draw: Random): Uint8Array {
  let bytes = Buffer.from(file);
  for (let change = draw.integer(3); change >= 0; change--) {
    if (bytes.includes(0)) {
      const at = draw.integer(bytes.length);
      bytes[at] = draw.integer(3) === 0 ? draw.integer(256) : bytes[at] ^ (1 << draw.integer(8));
      continue;
    }
    const text = bytes.toString("latin1");
    const found = [...text.matchAll(/-?\d+(?:\.\d+)?/g)];
    const { 0: number, index } = found[draw.integer(found.length)];
    const other = NUMBERS[draw.integer(NUMBERS.length)];
    bytes = Buffer.from(text.slice(0, index) + other + text.slice(index + number.length), "latin1");
  }
  return bytes;
}
