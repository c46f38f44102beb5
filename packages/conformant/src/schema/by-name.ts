/** Numbers as an object by the names of what they are for. */
export function byName(names: readonly string[], values: ArrayLike<number>): Record<string, number> {
  // Assigned one by one there is no other object than the answer; to this name that would set a prototype.
  if (names.includes("__proto__")) return Object.fromEntries(names.map((name, j) => [name, values[j]]));
  const named: Record<string, number> = {};
  for (let j = 0; j < names.length; j++) named[names[j]] = values[j];
  return named;
}
