/** The known name that is at most two edits away from a word, the nearest first. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, edits: editDistance(word, name) }))
    .sort((a, b) => a.edits - b.edits);
  return near.length > 0 && near[0].edits <= 2 ? near[0].name : undefined;
}

/** Levenshtein distance: insertions, deletions and substitutions. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}
