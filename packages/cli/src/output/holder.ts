import { createHash } from "node:crypto";
import { hostname } from "node:os";

/** This process, as others that want the same are told of it. */
export function holderName(): string {
  return `${hostname()} ${process.pid}`;
}

/** This process as part of the name of a file or folder: a number for the machine, and one for the process. */
export function holderTag(): string {
  return `${machineTag()}-${process.pid}`;
}

/** What a {@link holderTag} looks like, for regular expressions. */
export const HOLDER_TAG = "[0-9a-f]{8}-\\d+";

/** Whether the process of a tag, if it is one of this machine, has ended. */
export function tagHasEnded(tag: string): boolean {
  const [machine, pid] = tag.split("-");
  return machine === machineTag() && hasEnded(`${hostname()} ${pid}`);
}

function machineTag(): string {
  return createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
}

/** Whether a holder of this machine has ended; of another machine nobody can tell. */
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
