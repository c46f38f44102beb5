import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/arguments/parse-command-line.ts";
import { inspect } from "../../src/commands/inspect.ts";

test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
  "--%s is no option, though every object has such a property",
  (name) => {
    expect(() => parseCommandLine(inspect, ["model.json", `--${name}`])).toThrow(
      `inspect has no option --${name}`,
    );
  },
);
