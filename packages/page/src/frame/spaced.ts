/** A column name as people would write it. */
export function spaced(name: string): string {
  return name.replaceAll("_", " ");
}
