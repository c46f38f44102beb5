import { createHash } from "node:crypto";
import { hostname } from "node:os";

/** This process, as it is described to others that wait for the same resource. */
export function holderName(): string {
  return `${hostname()} ${process.pid}`;
}

/** This process as part of a file name: a number for the machine and one for the process. */
export function holderTag(): string {
  return `${machineTag()}-${process.pid}`;
}

/** A regular expression for {@link holderTag}. */
export const HOLDER_TAG = "[0-9a-f]{8}-\\d+";

/** Whether the process of a tag has ended, if it ran on this machine. */
export function tagHasEnded(tag: string): boolean {
  const [machine, pid] = tag.split("-");
  return machine === machineTag() && hasEnded(`${hostname()} ${pid}`);
}

function machineTag(): string {
  return createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
}

/** Whether a holder on this machine has ended; unknown for other machines. */
export function hasEnded(holder: string): boolean {
  const [host, pid] = holder.split(" ");
  if (host !== hostname() || !(Number(pid) > 0)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ESRCH";
  }
}
