import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import type { CheckpointStore } from "conformant-workbench";
import type { CommandColumns } from "../options/column-options.ts";
import type { FitOptions } from "../options/fit-options.ts";
import { writeAtomically } from "../output/atomic-file.ts";
import { readError } from "../sources/files/input-file.ts";
import type { SourceOptions } from "../sources/source-options.ts";

/** The file of a checkpoint. */
export function checkpointFile(
  path: string,
  resume: boolean,
  identity: CheckpointStore["identity"],
): CheckpointStore {
  return {
    name: path,
    resume,
    identity,
    read: () => {
      if (!existsSync(path)) return undefined;
      try {
        return readFileSync(path, "utf8");
      } catch (thrown) {
        throw readError(path, thrown);
      }
    },
    write: (text) => writeAtomically(path, text),
    remove: () => rmSync(path, { force: true }),
  };
}

/** The settings of a fit by name: only a fit with the same settings may resume from its checkpoint. */
export function fitSettings(
  source: { readonly name: string; readonly options: SourceOptions },
  columns: CommandColumns,
  { checkpoint: _, resume: __, threads: ___, ...options }: FitOptions,
  learner: { readonly label?: string | undefined; readonly classifier?: Uint8Array | undefined },
): Record<string, string> {
  const { sql, where, since, oneHot, gaps } = source.options;
  const values: Record<string, unknown> = {
    source: source.name.replace(/(:\/\/)[^@/]*@/, "$1"), // for any user
    sql,
    where,
    since,
    ...(oneHot && { oneHot }),
    na: gaps,
    label: learner.label,
    classifier: learner.classifier && hashOf(learner.classifier),
    columns: columns.columns,
    exclude: columns.exclude,
    also: columns.also,
    group: columns.group,
    type: [...columns.types],
    classes: columns.classes,
    categories: columns.categories,
    ...options,
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, JSON.stringify(value) ?? ""]),
  );
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
