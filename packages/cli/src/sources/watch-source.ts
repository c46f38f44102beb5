import { count, type SourceWatch, TableError } from "conformant-workbench";
import { CHECKSUM_SHAPES, checksumSql, joinSums } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import type { Connector } from "./connector.ts";

/** A source that is checked before the first pass and after the last. */
export interface WatchedSource {
  readonly connector: Connector;
  readonly watch: SourceWatch;
}

/** Watches a source for changes. A source with one snapshot needs no check; for others, row count and checksum are compared. */
export function watchSource(source: Connector): WatchedSource {
  let columns: readonly string[] = [];
  let before: State | undefined;
  const prepare: Connector["prepare"] = async (plan) => {
    await source.prepare(plan);
    ({ columns } = plan);
    if (source.keepsRows === undefined) before = await stateOf(source, columns);
  };
  const finish: SourceWatch["finish"] = async () => {
    source.requireUnchanged?.();
    if (before === undefined) return source.keepsRows === "snapshot" ? { by: "snapshot" } : undefined;
    const after = await stateOf(source, columns);
    if (after.rows !== before.rows || after.checksum !== before.checksum)
      throw new CliError(
        "changed-data",
        `${quoted(source.name)} changed while it was read: ${describe(before, after)}`,
        {
          hint: "choose rows that stay as they are, for example --where with a date in the past; a query must give the same rows each time",
        },
      );
    return { by: "checksum", ...before };
  };
  return {
    // Properties of the source may change when it is prepared, so they are read late and not copied.
    connector: Object.assign(Object.create(source) as Connector, { prepare }),
    watch: {
      state: () => (before ? { rows: String(before.rows), checksum: before.checksum } : {}),
      finish,
      // If the rows have changed, contradictory counts are not a bug.
      afterFailure: async (thrown) => {
        if (!(thrown instanceof CliError || thrown instanceof TableError)) await finish();
      },
    },
  };
}

interface State {
  readonly rows: number;
  readonly checksum: string;
}

function describe(before: State, after: State): string {
  return before.rows === after.rows
    ? `of its ${count(before.rows)} rows some are others now`
    : `it had ${count(before.rows)} rows before and ${count(after.rows)} after`;
}

async function stateOf(connector: Connector, columns: readonly string[]): Promise<State> {
  const sql = checksumSql(connector, connector.relation(), columns, 1);
  for await (const batch of connector.query(sql, CHECKSUM_SHAPES, "few"))
    if (batch.rows > 0)
      return { rows: Number(batch.columns[1][0]), checksum: joinSums([String(batch.columns[2][0])]) };
  return { rows: 0, checksum: "" };
}
