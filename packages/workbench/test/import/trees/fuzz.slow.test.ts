import { expect, test } from "vitest";
import { TREE_FILES } from "./tree-files.ts";
import { tryMutatedFiles } from "./try-mutated-files.ts";

const MUTATIONS = 10_000;
const MOST_MEMORY = 512 * 2 ** 10; // KiB, as the system counts

test.each(Object.keys(TREE_FILES))(
  "10,000 changed files give a clear error or trees that answer: %s",
  { timeout: 600_000 },
  (format) => {
    const { refused, read } = tryMutatedFiles(format, MUTATIONS, 7);
    expect(read).toBeGreaterThan(MUTATIONS / 100);
    expect(refused).toBeGreaterThan(MUTATIONS / 5);
    expect(process.resourceUsage().maxRSS).toBeLessThan(MOST_MEMORY);
  },
);
