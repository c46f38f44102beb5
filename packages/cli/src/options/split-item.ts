/** An item `column=…` of a list. */
export interface ColumnItem {
  readonly column: string;
  /** The text after the equal sign. */
  readonly rest: string;
}

/**
 * Splits an item `column=…`. Names may contain equal signs, so the longest matching column wins; blanks around the sign are ignored.
 * Undefined where no column matches.
 */
export function splitItem(item: string, columns: readonly string[]): ColumnItem | undefined {
  return columns
    .flatMap((column): ColumnItem[] => {
      const [, rest] = (item.startsWith(column) && /^\s*=\s*(.*)$/s.exec(item.slice(column.length))) || [];
      return rest === undefined ? [] : [{ column, rest }];
    })
    .sort((a, b) => b.column.length - a.column.length)[0];
}
