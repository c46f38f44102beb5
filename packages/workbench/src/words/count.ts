/** A count with separators. */
export function count(n: number): string {
  return n.toLocaleString("en-US");
}

/** A count and its noun: 1 row, 2 rows. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${count(n)} ${n === 1 ? noun : plural}`;
}
