import { hostname } from "node:os";

/** This process, as others that want the same are told of it. */
export function holderName(): string {
  return `${hostname()} ${process.pid}`;
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
