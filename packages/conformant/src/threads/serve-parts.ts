import { ConformantError, show } from "../errors.ts";
import type { PartsMessage } from "./create-threads.ts";
import { countSteps, DONE, FAILED, type PartedWork, settlePart, takePart } from "./threads.ts";

/** Where a thread receives messages: `parentPort` of Node, `self` of a browser's worker, or a `MessagePort`. */
export interface HelperPort {
  /** Listens in Node. */
  on?(event: "message", listener: (message: unknown) => void): unknown;
  /** Listens in a browser. */
  addEventListener?(event: "message", listener: (event: object) => void): unknown;
  /** Starts the messages of a `MessagePort`. */
  start?(): void;
}

/** Computes parts of work of these kinds on request. */
export function helpWith(kinds: readonly PartedWork<never, never>[], port: HelperPort): void {
  const lasting = new Map<string, { readonly number: number; readonly value: object }>();
  const help = (message: unknown): void => {
    const { name, lasting: number, value, given, states, out } = (message ?? {}) as PartsMessage;
    if (!(states instanceof Int32Array)) return; // a message of someone else
    if (value) lasting.set(name, { number, value });
    const work = kinds.find((kind) => kind.name === name);
    const known = lasting.get(name);
    if (!work || known?.number !== number) return;
    const numbers = out.length / states.length;
    for (let part = takePart(states, 0); part >= 0; part = takePart(states, part + 1)) {
      const own = out.subarray(part * numbers, (part + 1) * numbers);
      settlePart(
        states,
        part,
        attempt(() => work.doPart(known.value as never, given as never, part, own, countSteps(states, part))),
      );
    }
  };
  if (typeof port?.on === "function") port.on("message", help);
  else if (typeof port?.addEventListener === "function") {
    port.addEventListener("message", (event) => help((event as { readonly data: unknown }).data));
    port.start?.();
  } else {
    const message = `port must be what a worker hears messages through, got ${show(port)}`;
    throw new ConformantError("invalid-argument", message, { argument: "port", value: port });
  }
}

/** The calling thread reproduces and reports the error. */
function attempt(action: () => void): typeof DONE | typeof FAILED {
  try {
    action();
    return DONE;
  } catch {
    return FAILED;
  }
}
