import { Broken } from "./world.ts";

const KINDS = [
  "Float64Array",
  "Float32Array",
  "Int32Array",
  "Uint32Array",
  "Uint16Array",
  "Uint8Array",
] as const;

/**
 * From now on a typed array of more bytes than this is a failure where it is asked for. The limit of a thread counts the objects
 * of the engine, not what lies outside of its heap, and the system gives out memory that is never touched for nothing.
 */
export function limitArrays(mostBytes: number): void {
  for (const kind of KINDS) {
    const own = globalThis[kind];
    const limited: typeof own = new Proxy(own, {
      construct(target, words, asked): object {
        const [size] = words;
        if (typeof size === "number" && size * own.BYTES_PER_ELEMENT > mostBytes)
          throw new Broken(`asks for a ${kind} of ${size} numbers`);
        return Reflect.construct(target, words, asked === limited ? target : asked);
      },
    });
    Object.assign(globalThis, { [kind]: limited });
  }
}
