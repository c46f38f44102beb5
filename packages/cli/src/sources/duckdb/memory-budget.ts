import { totalmem } from "node:os";
import { CliError, quoted } from "../../errors.ts";

/** The share of the machine's memory that a command may use, and the minimum in bytes. */
const [SHARE, LEAST] = [1 / 4, 640 * 10 ** 6];

/**
 * The memory budget in bytes for the engine and for the rows in this process: CONFORMANT_MEMORY if it is set (`640MB`,
 * `3GiB`), else a quarter of what the machine or its container has.
 */
export function memoryBudget(said: string | undefined = process.env.CONFORMANT_MEMORY): number {
  if (said === undefined) {
    const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    return Math.max(LEAST, machine * SHARE);
  }
  const [, digits, unit, binary] = /^\s*(\d+(?:\.\d+)?)\s*([KMGT])(i?)B\s*$/i.exec(said) ?? [];
  if (digits !== undefined)
    return Number(digits) * (binary ? 1024 : 1000) ** (1 + "KMGT".indexOf(unit.toUpperCase()));
  throw new CliError("usage", `CONFORMANT_MEMORY must be a size such as 640MB or 4GB, got ${quoted(said)}`);
}
