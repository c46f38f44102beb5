import { useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { RESULT } from "../frame/texts.ts";
import type { Change } from "../worker/find-changes.ts";

/** Other values of single fields that lead to another answer. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const names = useNames();
  if (changes.length === 0) return <p>{RESULT.noChange}</p>;
  return (
    <ul class="changes">
      {changes.map(({ column, value, side, prediction, probability }) => (
        <li key={column} data-column={column}>
          {RESULT.change(names.column(column), names.value(column, value), side)}:{" "}
          <b>{names.class(prediction)}</b> {percent(probability)}
        </li>
      ))}
    </ul>
  );
}
