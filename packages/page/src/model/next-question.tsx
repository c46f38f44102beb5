import type { Question } from "conformant";
import { useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { RESULT } from "../frame/texts.ts";
import { Heading } from "../frame/words.tsx";

/** Probabilities below this are rounding. */
const NEVER = 1e-12;
/** Questions that are named after the best. */
const OTHERS = 3;

interface NextQuestionProps {
  /** The best first; never none. */
  readonly questions: readonly Question[];
  readonly onGoTo: (column: string) => void;
}

/** The best next question, what it may change, and what comes after it. */
export function NextQuestion({ questions: [best, ...others], onGoTo }: NextQuestionProps) {
  const names = useNames();
  const { ahead, changesDecision } = best;
  const changes = changesDecision > NEVER;
  return (
    <div class="card reasons">
      <Heading word="Best next question" />
      <p class="ask">
        <button type="button" onClick={() => onGoTo(best.column)}>
          {names.column(best.column)}
        </button>{" "}
        <span>
          {ahead && RESULT.together(names.column(ahead.column))}
          {changes || ahead ? RESULT.changes : RESULT.enough}
          <data class="changes-decision" value={String(changesDecision)}>
            {(changes || ahead) && percent(changesDecision)}
          </data>
        </span>
      </p>
      {others.length > 0 && (
        <p class="note">
          {RESULT.after}{" "}
          {others
            .slice(0, OTHERS)
            .map(({ column }) => names.column(column))
            .join(", ")}
        </p>
      )}
    </div>
  );
}
