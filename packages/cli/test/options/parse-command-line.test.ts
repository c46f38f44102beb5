import { expect, test } from "vitest";
import { inspect } from "../../src/commands/inspect.ts";
import { parseCommandLine } from "../../src/options/parse-command-line.ts";

test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
  "--%s is no option, though every object has such a property",
  (name) => {
    expect(() => parseCommandLine(inspect, ["model.json", `--${name}`])).toThrow(
      `inspect has no option --${name}`,
    );
  },
);
