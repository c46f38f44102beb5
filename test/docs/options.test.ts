import { expect, test } from "vitest";
import { commands } from "../../packages/cli/src/commands/commands.ts";
import { referencePage } from "../../packages/cli/src/options/help.ts";

// `npm run options` writes the page anew.
test("docs/options.md is generated from the definitions of the options", async () => {
  await expect(referencePage(commands)).toMatchFileSnapshot("../../docs/options.md");
});
