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
