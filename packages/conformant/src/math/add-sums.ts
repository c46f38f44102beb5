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
