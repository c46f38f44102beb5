/**
 * Computes a value of an object once, and keeps it as long as the object exists. Questions about single rows use it for everything that
 * depends on the schema or the model alone.
 */
export function memoize<Key extends object, Made extends object | string>(
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

/** The size of an entry without its value, in numbers, so that entries with empty values count too. */
const PER_KEY = 32;

/**
 * A cache of values by key that holds at most a given total of numbers; one more entry clears it. For values that consecutive rows share,
 * such as the conditionals of a pattern of missing values.
 */
export class BoundedCache<Key, Made> {
  readonly #made = new Map<Key, Made>();
  readonly #most: number;
  #numbers = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Made | undefined {
    return this.#made.get(key);
  }

  /** Stores a value that holds so many numbers, and returns it. */
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
