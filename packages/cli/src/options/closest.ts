/** The closest known name within two edits that shares half of its letters with the word. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, edits: editDistance(word, name) }))
    .filter(({ name, edits }) => edits <= 2 && 2 * edits <= Math.max(word.length, name.length))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.name;
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
