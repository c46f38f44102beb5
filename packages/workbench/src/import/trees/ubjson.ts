/** A value of a UBJSON document; typed arrays of numbers come as plain lists. */
export type Ubjson =
  | null
  | boolean
  | number
  | string
  | readonly Ubjson[]
  | { readonly [key: string]: Ubjson };

/** The deepest nesting of containers. */
const DEEPEST = 64;

/**
 * Reads a UBJSON document (draft 12, ubjson.org), the binary form of JSON in which XGBoost saves models. Lengths are checked against the
 * remaining bytes before memory is allocated.
 */
export function parseUbjson(bytes: Uint8Array): Ubjson {
  const reader = new Reader(bytes);
  return reader.value(reader.marker(), 0);
}

class Reader {
  private at = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly decoder = new TextDecoder("utf-8", { fatal: true });

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The next marker that is not a filler. */
  marker(): string {
    let marker = this.letter();
    while (marker === "N") marker = this.letter();
    return marker;
  }

  value(marker: string, depth: number): Ubjson {
    if (depth > DEEPEST) throw new Error(`more than ${DEEPEST} lists inside each other`);
    if (marker === "Z") return null;
    if (marker === "T" || marker === "F") return marker === "T";
    if (marker === "S" || marker === "H") return this.text(this.length());
    if (marker === "C") return this.text(1);
    if (marker === "[") return this.list(depth);
    if (marker === "{") return this.object(depth);
    return this.number(marker);
  }

  private number(marker: string): number {
    const { view } = this;
    const size = SIZES[marker];
    if (size === undefined)
      throw new Error(`unknown marker ${JSON.stringify(marker)} at byte ${this.at - 1}`);
    const at = this.take(size);
    if (marker === "i") return view.getInt8(at);
    if (marker === "U") return view.getUint8(at);
    if (marker === "I") return view.getInt16(at);
    if (marker === "l") return view.getInt32(at);
    if (marker === "L") return Number(view.getBigInt64(at));
    return marker === "d" ? view.getFloat32(at) : view.getFloat64(at);
  }

  private list(depth: number): Ubjson[] {
    const { type, count } = this.header();
    const list: Ubjson[] = [];
    if (count !== undefined) {
      this.require(count * (type === undefined ? 1 : (SIZES[type] ?? 0)));
      if (type !== undefined && SIZES[type] === undefined) this.require(count);
      for (let j = 0; j < count; j++) list.push(this.value(type ?? this.marker(), depth + 1));
      return list;
    }
    for (let next = this.marker(); next !== "]"; next = this.marker()) list.push(this.value(next, depth + 1));
    return list;
  }

  private object(depth: number): { [key: string]: Ubjson } {
    const { type, count } = this.header();
    const entries: [string, Ubjson][] = [];
    if (count !== undefined) {
      this.require(count);
      for (let j = 0; j < count; j++) {
        const key = this.text(this.length());
        entries.push([key, this.value(type ?? this.marker(), depth + 1)]);
      }
      return Object.fromEntries(entries);
    }
    for (let next = this.marker(); next !== "}"; next = this.marker()) {
      const key = this.text(this.whole(this.number(next)));
      entries.push([key, this.value(this.marker(), depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  /** The type and the number of a container's values, where it states them. */
  private header(): { type?: string; count?: number } {
    const typed = this.skip("$");
    const type = typed ? this.letter() : undefined;
    if (!this.skip("#")) {
      if (typed) throw new Error(`a typed list without a length at byte ${this.at}`);
      return {};
    }
    return { ...(type !== undefined && { type }), count: this.length() };
  }

  private length(): number {
    return this.whole(this.number(this.letter()));
  }

  private whole(length: number): number {
    if (!(Number.isSafeInteger(length) && length >= 0))
      throw new Error(`a length of ${length} at byte ${this.at}`);
    this.require(0);
    return length;
  }

  private text(length: number): string {
    const at = this.take(length);
    return this.decoder.decode(this.bytes.subarray(at, at + length));
  }

  private letter(): string {
    return String.fromCharCode(this.bytes[this.take(1)]);
  }

  /** Skips a letter if it comes next. */
  private skip(letter: string): boolean {
    const found = this.bytes[this.at] === letter.charCodeAt(0);
    if (found) this.at++;
    return found;
  }

  /** Skips this many bytes and returns where they start. */
  private take(count: number): number {
    this.require(count);
    this.at += count;
    return this.at - count;
  }

  private require(count: number): void {
    if (this.at + count > this.bytes.length)
      throw new Error(`it ends after ${this.bytes.length} bytes, ${this.at + count} are announced`);
  }
}

/** Bytes of a number by its marker. */
const SIZES: Readonly<Record<string, number | undefined>> = Object.assign(Object.create(null), {
  i: 1,
  U: 1,
  I: 2,
  l: 4,
  L: 8,
  d: 4,
  D: 8,
});
