import { ConformantError, show } from "../errors.ts";

/** Throws: a part of some trees is not what it must be. */
export function rejectTrees(argument: string, need: string, value: unknown): never {
  const message = `trees: ${argument} must be ${need}, got ${show(value)}`;
  throw new ConformantError("invalid-weights", message, { argument, value });
}

/** Throws: tree number t is not what it must be. */
export function rejectTree(t: number, what: string, value: unknown): never {
  const argument = `trees[${t}]`;
  throw new ConformantError("invalid-weights", `${argument} ${what}, got ${show(value)}`, {
    argument,
    value,
  });
}
