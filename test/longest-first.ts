import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, which their size does not tell. */
const LONGEST = [
  "docs/snippets",
  "commands/predict-into",
  "sources/clickhouse",
  "studio/studio",
  "commands/secrets",
  "fitting/threads",
  "commands/help",
  "sources/same-model",
  "cli/test/datasets",
];

/**
 * Begins with the files that take longest, so that no worker is left with one of them at the end. The mutation run asks for the opposite order:
 * it ends with the first failure.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const first = LONGEST.flatMap((name) => others.filter(({ moduleId }) => moduleId.includes(name)));
    const sorted = [...new Set([...first, ...others])];
    return process.env.SHORTEST_FIRST ? sorted.reverse() : sorted;
  }
}
