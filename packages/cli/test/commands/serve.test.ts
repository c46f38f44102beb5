import { expect, test } from "vitest";
import { readServiceOptions, serve } from "../../src/commands/serve.ts";
import type { Parsed } from "../../src/options/command.ts";

const given = (text: Parsed["text"]): Parsed => ({
  positionals: [],
  text,
  flag: () => false,
  nameOf: (option) => `--${option}`,
});
const read = (text: Parsed["text"]): Promise<object> => readServiceOptions(given(text), () => undefined);

test("without options serve does what its help gives as the default", async () => {
  const help = await read((option) => serve.options[option].initially);
  const options = await read(() => undefined);
  expect(JSON.stringify(options)).toBe(JSON.stringify(help));
  expect(options).toMatchObject({
    isLocal: true,
    limits: { bytes: 1e7, milliseconds: 10_000, stream: 3_600_000 },
  });
});
