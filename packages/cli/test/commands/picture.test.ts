import { expect, test } from "vitest";
import { picture } from "../../src/commands/inspect-data.ts";

test("a histogram has bars up to the most frequent bin, and a blank where there is no row", () => {
  const histogram = { minimum: 0, maximum: 4, rows: [0, 1, 4, 8] };
  expect(picture({ histogram, missing: 0 }, 13)).toBe("0  ▂▅█ 4");
});
