import type { QuestionBranch, Questionnaire, Value } from "conformant";
import { branchInWords } from "conformant/internal";
import { useRef, useState } from "preact/hooks";
import { useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { ASKING } from "../frame/texts.ts";
import type { ColumnShape } from "./column-shape.ts";
import { readNumber } from "./read-number.ts";
import { useFocusAfter } from "./use-focus-after.ts";

interface FollowQuestionnaireProps {
  readonly questionnaire: Questionnaire;
  readonly shapes: readonly ColumnShape[];
  readonly onChange: (name: string, value: Value) => void;
}

/** A questionnaire, question by question, as it would be followed on paper; values that are told go into the form as well. */
export function FollowQuestionnaire({ questionnaire, shapes, onChange }: FollowQuestionnaireProps) {
  const names = useNames();
  const [path, setPath] = useState<readonly QuestionBranch[]>([]);
  const here = path.length === 0 ? questionnaire : path[path.length - 1].next;
  const { question } = here;
  const shape = shapes.find(({ name }) => name === question?.column);
  const place = useRef<HTMLDivElement>(null);
  const focusNext = useFocusAfter(place, path);
  const take = (branch: QuestionBranch, value: Value): void => {
    focusNext();
    setPath([...path, branch]);
    if (question && value !== undefined) onChange(question.column, value);
  };
  return (
    <div class="interview" ref={place}>
      <p role="status">
        {question ? ASKING.soFar : ASKING.atEnd}: <b>{names.class(here.prediction)}</b>{" "}
        {percent(here.probability)}
      </p>
      {question && (
        <fieldset>
          <legend>
            {ASKING.question(path.length + 1)}: <b>{names.column(question.column)}</b>
          </legend>
          {shape?.description !== undefined && <p class="note">{shape.description}</p>}
          <p class="buttons">
            {question.branches.map((branch, b) => (
              <button
                key={`${path.length} ${b}`}
                type="button"
                onClick={() => take(branch, branch.values?.[0])}
              >
                {branch.values
                  ? branch.values.map((value) => names.value(question.column, value)).join(", ")
                  : branchInWords(branch)}
              </button>
            ))}
          </p>
          {shape?.kind === "number" && (
            <ExactNumber key={path.length} branches={question.branches} onTake={take} />
          )}
        </fieldset>
      )}
      <p class="buttons">
        <button type="button" disabled={path.length === 0} onClick={() => setPath(path.slice(0, -1))}>
          {ASKING.back}
        </button>
        <button type="button" disabled={path.length === 0} onClick={() => setPath([])}>
          {ASKING.again}
        </button>
      </p>
    </div>
  );
}

interface ExactNumberProps {
  readonly branches: readonly QuestionBranch[];
  readonly onTake: (branch: QuestionBranch, value: number) => void;
}

/** A number, which says by itself which range it is in. */
function ExactNumber({ branches, onTake }: ExactNumberProps) {
  const [text, setText] = useState("");
  const number = readNumber(text);
  const branch = number === undefined ? undefined : branches.find((own) => isIn(own, number));
  const enter = (): void => {
    if (branch && number !== undefined) onTake(branch, number);
  };
  return (
    <>
      <label>
        {ASKING.exact}
        <span class="number">
          <input
            type="text"
            inputMode="decimal"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={({ key }) => key === "Enter" && enter()}
          />
          <button type="button" disabled={!branch} onClick={enter}>
            {ASKING.enter}
          </button>
        </span>
      </label>
      <p class="note">{ASKING.exactNote}</p>
    </>
  );
}

function isIn(
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: QuestionBranch,
  x: number,
): boolean {
  return x >= from && x < to;
}
