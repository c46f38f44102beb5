import type { Command } from "../arguments/command.ts";
import { createCompletion } from "./completion.ts";
import { evaluate } from "./evaluate.ts";
import { exportCommand } from "./export.ts";
import { fit } from "./fit.ts";
import { inspect } from "./inspect.ts";
import { predict } from "./predict.ts";

const main: readonly Command[] = [fit, predict, evaluate, inspect, exportCommand];

/** The commands in the order of the help. */
export const commands: readonly Command[] = [...main, createCompletion(main)];
