import { createHash } from "node:crypto";
import type { CommandColumns } from "../options/column-options.ts";
import type { FitOptions } from "../options/fit-options.ts";
import type { SourceOptions } from "../sources/source-options.ts";

/** What a fit is of, by name: a fit that was broken off may only be gone on with by the same. */
export function fitSettings(
  source: { readonly name: string; readonly options: SourceOptions },
  columns: CommandColumns,
  { checkpoint: _, resume: __, threads: ___, sharing: ____, ...options }: FitOptions,
  learner: { readonly label?: string | undefined; readonly classifier?: Uint8Array | undefined },
): Record<string, string> {
  const { sql, where, since, gaps } = source.options;
  const values: Record<string, unknown> = {
    source: source.name.replace(/(:\/\/)[^@/]*@/, "$1"), // whoever asks
    sql,
    where,
    since,
    na: gaps,
    label: learner.label,
    classifier: learner.classifier && hashOf(learner.classifier),
    columns: columns.columns,
    exclude: columns.exclude,
    also: columns.also,
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
