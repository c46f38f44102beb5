import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, which their size does not tell; the longest first. */
const LONGEST = [
  "commands/predict-into",
  "docs/snippets",
  "studio/studio",
  "python/python.test",
  "sources/clickhouse.test",
  "targets/kept-values",
  "server/overload",
  "repository/installed",
  "cli/test/datasets",
  "fitting/threads",
  "docs/databases",
  "export/injection",
  "export/programs",
  "export/trees-sql",
  "sources/same-model",
  "sources/row-digests",
  "sources/clickhouse-access",
  "sources/postgres",
  "export/indicators",
  "model/many-rows",
  "commands/secrets",
  "export/gaussian",
  "cli/test/examples",
  "process/tiny-tables",
  "checks/torture",
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
