/** Numbers in the tables of a group at most, unless one column has more by itself: they still fit a cache, and a query. */
const MOST_NUMBERS = 8192;

/**
 * Columns whose slots are taken together: a row falls into one slot of the group, (v_1, …, v_g), in place of one in each of
 * its columns, so that it takes fewer lookups and fewer additions. The sums of a column follow from those of its group.
 */
export interface SlotGroup {
  /** The columns, and how many slots each has. */
  readonly columns: readonly number[];
  readonly sizes: readonly number[];
  /** The product of the sizes. */
  readonly count: number;
}

/**
 * Puts columns of so many slots into few groups: the largest first, each into the first group that has room.
 *
 * @param width numbers that belong to each slot
 */
export function groupSlots(sizes: readonly number[], width: number): SlotGroup[] {
  const groups: { columns: number[]; sizes: number[]; count: number }[] = [];
  const order = sizes.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a] || a - b);
  for (const i of order) {
    const group = groups.find(({ count }) => count * sizes[i] * width <= MOST_NUMBERS);
    if (group) {
      group.columns.push(i);
      group.sizes.push(sizes[i]);
      group.count *= sizes[i];
    } else groups.push({ columns: [i], sizes: [sizes[i]], count: sizes[i] });
  }
  return groups;
}

/** The slots of a group's columns, out of the slot of the group: the last column's runs fastest. */
export function slotsWithin({ sizes }: SlotGroup, slot: number): number[] {
  const within = new Array<number>(sizes.length);
  for (let c = sizes.length - 1; c >= 0; c--) {
    within[c] = slot % sizes[c];
    slot = Math.floor(slot / sizes[c]);
  }
  return within;
}
