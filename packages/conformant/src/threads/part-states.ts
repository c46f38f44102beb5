/** What a part is: nobody's yet, somebody's, written, or given up because of an error. */
export const [OPEN, TAKEN, DONE, FAILED] = [0, 1, 2, 3] as const;

/** Takes the first part from `from` on that is nobody's; −1 where there is none. */
export function takePart(states: Int32Array, from: number): number {
  for (let part = from; part < states.length; part++)
    if (Atomics.compareExchange(states, part, OPEN, TAKEN) === OPEN) return part;
  return -1;
}

/** Says what became of a part, also to who waits for it. */
export function settlePart(states: Int32Array, part: number, state: typeof DONE | typeof FAILED): void {
  Atomics.store(states, part, state);
  Atomics.notify(states, part);
}
