/** All subsets of the given size, in the order of the items. */
export function* subsets<T>(items: readonly T[], size: number, from = 0): Generator<T[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let at = from; at + size <= items.length; at++)
    for (const rest of subsets(items, size - 1, at + 1)) yield [items[at], ...rest];
}
