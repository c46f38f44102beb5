import { useEffect, useState } from "preact/hooks";
import { DATA } from "../frame/studio-texts.ts";
import type { TableSummary } from "../worker/study-messages.ts";
import type { ShownRows } from "./use-table.ts";

/** Pixels of a row, of the part that is seen, and of all rows at most: browsers draw nothing higher. */
const [ROW, HEIGHT, TALLEST] = [30, 420, 10_000_000];
/** Rows that are asked for beyond those in sight. */
const MARGIN = 20;
/** Columns that are shown. */
export const PREVIEWED = 40;

interface PreviewProps {
  readonly summary: TableSummary;
  readonly shown: ShownRows | undefined;
  readonly onAsk: (from: number, to: number) => void;
}

/** The rows of a table, of which only those in sight are there. */
export function Preview({ summary: { rows, columns: all }, shown, onAsk }: PreviewProps) {
  const columns = all.slice(0, PREVIEWED);
  const [top, setTop] = useState(0);
  const tall = Math.min(TALLEST, rows * ROW);
  const inSight = Math.ceil(HEIGHT / ROW);
  const most = Math.max(0, rows - inSight + 1);
  const first = Math.min(most, Math.round((top / Math.max(1, tall - HEIGHT)) * most)) || 0;
  const from = Math.max(0, first - MARGIN);
  useEffect(() => onAsk(from, first + inSight + MARGIN), [from, rows, all]);
  const visible = Array.from({ length: Math.min(inSight, rows - first) }, (_, r) => first + r);
  return (
    <section
      class="preview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={DATA.previewLabel}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <div style={{ height: `${tall + ROW + 10}px` }}>
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <tr key={row}>
                <th scope="row">{row + 1}</th>
                {columns.map(({ name }, c) => {
                  const text = shown?.cells[row - shown.from]?.[c];
                  const isGap = text === null || text?.trim() === "";
                  return (
                    <td key={name} class={isGap ? "gap" : ""}>
                      {text}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
