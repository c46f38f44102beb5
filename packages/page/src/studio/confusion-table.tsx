import { EVALUATE } from "../frame/studio-texts.ts";

interface ConfusionTableProps {
  readonly classes: readonly string[];
  /** label × prediction, rows. */
  readonly confusion: readonly (readonly number[])[];
}

/** Classes that fit in a table, those that fit by name, mistakes that are named, and the strongest shade of a cell in percent. */
const [MOST, FEW, NAMED, DARKEST] = [40, 4, 3, 45];

/** Which answers are mistaken for which: rows of the table are the truth, columns what was said, by the number of the class where there are many. */
export function ConfusionTable({ classes, confusion }: ConfusionTableProps) {
  const shown = classes.slice(0, MOST);
  const isFew = classes.length <= FEW;
  const largest = Math.max(1, ...confusion.flat());
  const never = classes.filter((_, j) => confusion.every((row) => row[j] === 0));
  return (
    <>
      <Mistakes classes={classes} confusion={confusion} />
      {never.length > 0 && <p class="unlike">{EVALUATE.never(never.join(", "))}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={EVALUATE.trueAndPredicted}>
        <table class="confusion">
          <thead>
            <tr>
              <th scope="col">{EVALUATE.trueAndPredicted}</th>
              {shown.map((name, k) => (
                <th key={name} scope="col" title={name}>
                  {isFew ? name : <abbr title={name}>{k + 1}</abbr>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((name, k) => (
              <tr key={name}>
                <th scope="row">{isFew ? name : `${k + 1} ${name}`}</th>
                {shown.map((other, j) => {
                  const rows = confusion[k][j];
                  const shade = (DARKEST * rows) / largest;
                  return (
                    <td
                      key={other}
                      style={{
                        background: `color-mix(in srgb, var(${j === k ? "--known" : "--other"}) ${shade}%, transparent)`,
                      }}
                    >
                      {rows > 0 ? rows.toLocaleString("en") : <span class="note">0</span>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < classes.length && (
        <p class="note">{EVALUATE.moreClasses(classes.length - shown.length)}</p>
      )}
    </>
  );
}

/** The most frequent mistakes, in words. */
function Mistakes({ classes, confusion }: ConfusionTableProps) {
  const mistakes = confusion
    .flatMap((row, k) => row.map((rows, j) => ({ k, j, rows, of: row.reduce((sum, n) => sum + n, 0) })))
    .filter(({ k, j, rows }) => k !== j && rows > 0)
    .sort((a, b) => b.rows - a.rows)
    .slice(0, NAMED);
  return (
    <ul>
      {mistakes.map(({ k, j, rows, of }) => (
        <li key={`${k} ${j}`}>{EVALUATE.mistake(rows, of, classes[k], classes[j])}</li>
      ))}
    </ul>
  );
}
