/** The most numbers in the tables of a group, unless one column has more: they fit a cache, and a query. */
const MOST_NUMBERS = 8192;

/**
 * Columns whose slots are combined: a row falls into one slot of the group, (v_1, …, v_g), instead of one in each column, which takes fewer
 * lookups and additions. The sums of a column follow from those of its group.
 */
export interface SlotGroup {
  /** The columns, and how many slots each has. */
  readonly columns: readonly number[];
  readonly sizes: readonly number[];
  /** The product of the sizes. */
  readonly count: number;
}

/**
 * Groups columns by their numbers of slots: largest first, each into the first group with room.
 *
 * @param width numbers per slot
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

/** The slots of a group's columns from the slot of the group; the last column varies fastest. */
export function slotsWithin({ sizes }: SlotGroup, slot: number): number[] {
  const within = new Array<number>(sizes.length);
  for (let c = sizes.length - 1; c >= 0; c--) {
    within[c] = slot % sizes[c];
    slot = Math.floor(slot / sizes[c]);
  }
  return within;
}
