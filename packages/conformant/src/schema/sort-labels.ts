import { ConformantError, show } from "../errors.ts";

/** Distinct labels in a stable order: by number where all are numbers, else by code unit. */
export function sortLabels(labels: Iterable<string>): string[] {
  if (typeof (labels as Partial<Iterable<string>> | null)?.[Symbol.iterator] !== "function")
    rejectLabels(labels);
  const distinct = [...new Set(labels)];
  if (!distinct.every((label) => typeof label === "string")) rejectLabels(labels);
  const numeric = distinct.every((label) => label.trim() !== "" && Number.isFinite(Number(label)));
  return distinct.sort(numeric ? (a, b) => Number(a) - Number(b) || compare(a, b) : compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rejectLabels(labels: unknown): never {
  const message = `labels must be texts, got ${show(labels)}`;
  throw new ConformantError("invalid-argument", message, { argument: "labels", value: labels });
}
