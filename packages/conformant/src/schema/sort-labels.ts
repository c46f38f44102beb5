/** Distinct labels in a stable order: by number where all are numbers, else by code unit. */
export function sortLabels(labels: Iterable<string>): string[] {
  const distinct = [...new Set(labels)];
  const numeric = distinct.every((label) => label.trim() !== "" && Number.isFinite(Number(label)));
  return distinct.sort(numeric ? (a, b) => Number(a) - Number(b) || compare(a, b) : compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
