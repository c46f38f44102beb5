import type { Command } from "../options/command.ts";
import { ask } from "./ask.ts";
import { calibrate } from "./calibrate.ts";
import { createCompletion } from "./completion.ts";
import { evaluate } from "./evaluate.ts";
import { explain } from "./explain.ts";
import { exportCommand } from "./export.ts";
import { fit } from "./fit.ts";
import { createHelp } from "./help.ts";
import { inspect } from "./inspect.ts";
import { predict } from "./predict.ts";
import { programs } from "./programs.ts";
import { serve } from "./serve.ts";
import { studio } from "./studio.ts";

const main: readonly Command[] = [
  fit,
  predict,
  explain,
  ask,
  evaluate,
  calibrate,
  inspect,
  serve,
  studio,
  exportCommand,
  ...programs,
];

/** The commands in the order of the help. */
export const commands: readonly Command[] = [
  ...main,
  createCompletion(() => commands),
  createHelp(
    main.map(({ name }) => name),
    () => commands,
  ),
];
