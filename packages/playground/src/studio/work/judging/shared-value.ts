/** Arrays of numbers that can be handed over, in the order of their tags. */
const ARRAYS = [
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8Array,
] as const;

/** What a value is, before its content; arrays of numbers follow the last. */
const TAGS = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  number: 4,
  string: 5,
  list: 6,
  record: 7,
  numbers: 8,
} as const;

/** Bytes to begin with, and of a value at most: only what is used of them takes memory. */
const [FIRST_SIZE, MOST] = [1 << 16, 1 << 30];

/**
 * Plain data (records, lists, texts, numbers, arrays of numbers) as bytes in memory that threads share, where one of them waits and
 * so can be sent no message. The first four bytes say how many follow, none while there is no value.
 */
export class SharedValue {
  readonly buffer: SharedArrayBuffer;

  /** @param buffer that of another thread, which is to see the same value */
  constructor(buffer?: SharedArrayBuffer) {
    this.buffer = buffer ?? new SharedArrayBuffer(FIRST_SIZE, { maxByteLength: MOST });
  }

  put(value: unknown): void {
    const bytes = new Writer().write(value).finish();
    if (this.buffer.byteLength < 4 + bytes.length) this.buffer.grow(4 + bytes.length);
    new Uint8Array(this.buffer, 4).set(bytes);
    Atomics.store(new Int32Array(this.buffer, 0, 1), 0, bytes.length);
  }

  /** The value, once; undefined while there is none. */
  take(): unknown {
    const length = Atomics.exchange(new Int32Array(this.buffer, 0, 1), 0, 0);
    return length === 0 ? undefined : new Reader(new Uint8Array(this.buffer, 4, length).slice()).read();
  }
}

class Writer {
  #bytes = new Uint8Array(FIRST_SIZE);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  write(value: unknown): this {
    if (value === undefined || value === null || typeof value === "boolean")
      this.#tag(TAGS[String(value) as "undefined" | "null" | "true" | "false"]);
    else if (typeof value === "number") {
      this.#tag(TAGS.number);
      const at = this.#reserve(8);
      this.#view.setFloat64(at, value);
    } else if (typeof value === "string") {
      this.#tag(TAGS.string);
      this.#text(value);
    } else if (Array.isArray(value)) {
      this.#tag(TAGS.list);
      this.#count(value.length);
      for (const one of value) this.write(one);
    } else this.#object(value as object);
    return this;
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  #object(value: object): void {
    const kind = ARRAYS.findIndex((own) => value instanceof own);
    if (kind >= 0) {
      const { buffer, byteOffset, byteLength } = value as Uint8Array;
      this.#tag(TAGS.numbers + kind);
      this.#count(byteLength);
      const at = this.#reserve(byteLength);
      this.#bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      return;
    }
    const entries = Object.entries(value);
    this.#tag(TAGS.record);
    this.#count(entries.length);
    for (const [key, own] of entries) {
      this.#text(key);
      this.write(own);
    }
  }

  #tag(tag: number): void {
    const at = this.#reserve(1);
    this.#view.setUint8(at, tag);
  }

  #count(count: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, count);
  }

  #text(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#count(bytes.length);
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Where the next so many bytes go; the memory may be another afterwards. */
  #reserve(size: number): number {
    const at = this.#at;
    this.#at += size;
    if (this.#at > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#at);
      longer.set(this.#bytes);
      this.#bytes = longer;
      this.#view = new DataView(longer.buffer);
    }
    return at;
  }
}

class Reader {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }

  read(): unknown {
    const tag = this.#view.getUint8(this.#pass(1));
    switch (tag) {
      case TAGS.undefined:
        return undefined;
      case TAGS.null:
        return null;
      case TAGS.false:
      case TAGS.true:
        return tag === TAGS.true;
      case TAGS.number:
        return this.#view.getFloat64(this.#pass(8));
      case TAGS.string:
        return this.#text();
      case TAGS.list:
        return Array.from({ length: this.#count() }, () => this.read());
      case TAGS.record:
        return Object.fromEntries(
          Array.from({ length: this.#count() }, () => [this.#text(), this.read()] as const),
        );
      default:
        return this.#numbers(tag - TAGS.numbers);
    }
  }

  #numbers(kind: number): unknown {
    const length = this.#count();
    const at = this.#pass(length);
    return new ARRAYS[kind](this.#bytes.buffer.slice(at, at + length));
  }

  #count(): number {
    return this.#view.getUint32(this.#pass(4));
  }

  #text(): string {
    const length = this.#count();
    const at = this.#pass(length);
    return new TextDecoder().decode(this.#bytes.subarray(at, at + length));
  }

  #pass(size: number): number {
    this.#at += size;
    return this.#at - size;
  }
}
