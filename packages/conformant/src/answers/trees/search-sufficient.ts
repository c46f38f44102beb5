import { subsets } from "../../math/subsets.ts";

/**
 * A small subset of `free` that keeps the decision together with `given`: the shortest prefix that does, thinned out from its end;
 * then all sets of 0, 1, 2, … features as long as there is time, which proves how many are needed.
 */
export function searchSufficient(
  given: readonly number[],
  free: readonly number[],
  keeps: (known: readonly number[]) => boolean,
  late: () => boolean,
): { chosen: readonly number[] | undefined; lowerBound: number } {
  const best = thinnedPrefix(given, free, keeps);
  if (!best) return { chosen: undefined, lowerBound: 0 };
  for (let size = 0; size < best.length; size++)
    for (const subset of subsets(free, size)) {
      if (late()) return { chosen: best, lowerBound: size };
      if (keeps([...given, ...subset])) return { chosen: subset, lowerBound: size };
    }
  return { chosen: best, lowerBound: best.length };
}

function thinnedPrefix(
  given: readonly number[],
  free: readonly number[],
  keeps: (known: readonly number[]) => boolean,
): readonly number[] | undefined {
  let length = 0;
  while (length <= free.length && !keeps([...given, ...free.slice(0, length)])) length++;
  if (length > free.length) return undefined;
  let chosen = free.slice(0, length);
  for (const f of [...chosen].reverse()) {
    const without = chosen.filter((g) => g !== f);
    if (keeps([...given, ...without])) chosen = without;
  }
  return chosen;
}
