/** A count with thousands separators. The engine needs about 14 ms for the first number that it formats, so small numbers avoid it. */
export function count(n: number): string {
  return Number.isInteger(n) && n < 1000 ? String(n) : n.toLocaleString("en-US");
}

/** A count and its noun: 1 row, 2 rows. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${count(n)} ${n === 1 ? noun : plural}`;
}
