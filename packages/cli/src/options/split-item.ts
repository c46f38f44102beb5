/** What an item of a list says about a column: `column=…`. */
export interface ColumnItem {
  readonly column: string;
  /** What stands behind the equal sign. */
  readonly rest: string;
}

/**
 * An item `column=…` by the column that it begins with, of several the longest, for names may hold equal signs; blanks around the sign
 * do not count. Undefined where it begins with no column.
 */
export function splitItem(item: string, columns: readonly string[]): ColumnItem | undefined {
  return columns
    .flatMap((column): ColumnItem[] => {
      const [, rest] = (item.startsWith(column) && /^\s*=\s*(.*)$/s.exec(item.slice(column.length))) || [];
      return rest === undefined ? [] : [{ column, rest }];
    })
    .sort((a, b) => b.column.length - a.column.length)[0];
}
