import { EVALUATE } from "../frame/studio-texts.ts";

interface ConfusionTableProps {
  readonly classes: readonly string[];
  /** label × prediction, rows. */
  readonly confusion: readonly (readonly number[])[];
}

/** Classes that fit in a table. */
const MOST = 15;

/** Which answers are mistaken for which: rows of the table are the truth, columns what was said. */
export function ConfusionTable({ classes, confusion }: ConfusionTableProps) {
  const shown = classes.slice(0, MOST);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={EVALUATE.confusion("")}>
      <table class="confusion">
        <thead>
          <tr>
            <td />
            {shown.map((name) => (
              <th key={name} scope="col">
                <span class="note">{EVALUATE.said}</span> {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((name, k) => {
            const rows = confusion[k].reduce((sum, n) => sum + n, 0);
            return (
              <tr key={name}>
                <th scope="row">
                  <span class="note">{EVALUATE.truth}</span> {name}
                </th>
                {shown.map((other, j) => (
                  <td key={other} class={j === k ? "right" : ""}>
                    {confusion[k][j].toLocaleString("en")}
                    <i
                      aria-hidden="true"
                      style={{ width: `${(100 * confusion[k][j]) / Math.max(1, rows)}%` }}
                    />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
