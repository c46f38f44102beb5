/**
 * What is made of an object, made when it is first asked for and kept as long as the object is there: a question about one row
 * would otherwise spend its time on what all rows of a schema or a model have in common.
 */
export function madeOnce<Key extends object, Made extends object | string>(
  kept: WeakMap<Key, Made>,
  key: Key,
  make: (key: Key) => Made,
): Made {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  kept.set(key, made);
  return made;
}

/** Numbers that a key takes beside what was made for it, roughly: many keys of nothing are not for nothing. */
const PER_KEY = 32;

/**
 * What was made for keys, as long as it holds no more than so many numbers together; beyond that it begins anew. For what rows have in
 * common that come one after the other, such as a pattern of gaps.
 */
export class KeptWithin<Key, Made> {
  readonly #made = new Map<Key, Made>();
  readonly #most: number;
  #numbers = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Made | undefined {
    return this.#made.get(key);
  }

  /** Keeps what was made, which holds so many numbers, and gives it back. */
  keep(key: Key, made: Made, numbers: number): Made {
    const size = numbers + PER_KEY;
    if (this.#numbers + size > this.#most) {
      this.#made.clear();
      this.#numbers = 0;
    }
    this.#made.set(key, made);
    this.#numbers += size;
    return made;
  }
}
