/** A document as UBJSON, as XGBoost writes it: lists of numbers are typed, keys have a length of 64 bits. */
export function encodeUbjson(value: unknown): Uint8Array {
  return Buffer.concat(pieces(value));
}

const marker = (letters: string): Buffer => Buffer.from(letters, "latin1");

function pieces(value: unknown): Buffer[] {
  if (typeof value === "string") return [marker("S"), ...text(value)];
  if (typeof value === "number") return [marker("D"), double(value)];
  if (Array.isArray(value)) {
    if (value.every(Number.isInteger))
      return [marker("[$l#"), ...length(value.length), ...value.map((x) => whole(x as number))];
    if (value.every((x) => typeof x === "number"))
      return [marker("[$D#"), ...length(value.length), ...value.map((x) => double(x as number))];
    return [marker("[#"), ...length(value.length), ...value.flatMap(pieces)];
  }
  const entries = Object.entries(value as object).flatMap(([key, own]) => [...text(key), ...pieces(own)]);
  return [marker("{"), ...entries, marker("}")];
}

function text(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  return [...length(bytes.length), bytes];
}

function length(count: number): Buffer[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(count));
  return [marker("L"), bytes];
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

function whole(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
