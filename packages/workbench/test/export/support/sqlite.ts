import { spawnSync } from "node:child_process";

/** Whether Debian's command of SQLite is there. */
export const hasSqlite = spawnSync("sqlite3", ["--version"]).status === 0;

/** Runs SQL in a database in memory; the result of the last statement as lists. */
export function sqlite(sql: string): unknown[][] {
  const { status, stdout, stderr } = spawnSync("sqlite3", ["-batch", "-bail", ":memory:"], {
    input: `.mode json\n${sql}`,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`sqlite3 ended with ${status}: ${stderr}`);
  return (JSON.parse(stdout || "[]") as object[]).map((row) => Object.values(row));
}
