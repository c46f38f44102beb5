import type { Knobs } from "../problem.ts";
import type { World } from "../world.ts";

/** Calls a function with options made of the knobs, and checks what must hold of its answer. */
export type Entry = (world: World, knobs: Knobs) => void | Promise<void>;
