/** Adds sums of the same shape, number by number: numbers, lists of them, and records of either. */
export function addSums<T>(a: T, b: T): T {
  return zipNumbers(a, b, (x, y) => x + y) as T;
}

/** The same sums with every number times `factor`. */
export function scaleSums<T>(sums: T, factor: number): T {
  return zipNumbers(sums, sums, (x) => x * factor) as T;
}

function zipNumbers(a: unknown, b: unknown, f: (x: number, y: number) => number): unknown {
  if (typeof a === "number") return f(a, b as number);
  if (a instanceof Float64Array) return a.map((x, i) => f(x, (b as Float64Array)[i]));
  if (Array.isArray(a)) return a.map((own, i) => zipNumbers(own, (b as unknown[])[i], f));
  const other = b as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(a as object).map(([name, own]) => [name, zipNumbers(own, other[name], f)]),
  );
}

/** Writes all numbers of sums, in their order, and returns how many they are. */
export function writeSums(sums: unknown, out: Float64Array, at = 0): number {
  if (typeof sums === "number") {
    out[at] = sums;
    return 1;
  }
  if (sums instanceof Float64Array) {
    out.set(sums, at);
    return sums.length;
  }
  let count = 0;
  for (const part of Object.values(sums as object)) count += writeSums(part, out, at + count);
  return count;
}

/** Sums of the same shape as others, from their numbers in order. */
export function readSums<T>(shape: T, numbers: Float64Array): T {
  let at = 0;
  const next = (like: unknown): unknown => {
    if (typeof like === "number") return numbers[at++];
    if (like instanceof Float64Array) {
      at += like.length;
      return numbers.slice(at - like.length, at);
    }
    if (Array.isArray(like)) return like.map(next);
    return Object.fromEntries(Object.entries(like as object).map(([name, own]) => [name, next(own)]));
  };
  return next(shape) as T;
}

/** How many numbers there are in sums of a shape. */
export function countSums(shape: unknown): number {
  if (typeof shape === "number") return 1;
  if (shape instanceof Float64Array) return shape.length;
  return Object.values(shape as object).reduce((count: number, part) => count + countSums(part), 0);
}
