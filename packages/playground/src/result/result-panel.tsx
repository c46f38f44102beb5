import type { RankedClass } from "../answers/rank-classes.ts";
import type { Answers } from "../answers/use-answers.ts";
import { percent } from "../frame/numbers.ts";
import { spaced } from "../frame/spaced.ts";
import { Heading } from "../frame/words.tsx";
import { ClassBars } from "./class-bars.tsx";
import { ContributionBars } from "./contribution-bars.tsx";

interface ResultPanelProps {
  readonly ranked: readonly RankedClass[];
  readonly answers: Answers;
  /** Whether no field is filled in; the answers may still be about the row before. */
  readonly nothing: boolean;
  /** Which entries lie beyond the data, in words. */
  readonly outside: readonly string[];
  readonly onGoTo: (column: string) => void;
}

const BEYOND = "Beyond the training data:";
const BEYOND_ADVICE = "The model has seen nothing like it; check the entry, and take the answer with care.";

/** A row less likely than this share of what the model expects is called unlike the data. */
const UNLIKE = 0.01;

/** Said of the best question where no answer to it can change the prediction. */
const ENOUGH = "tells the most, but enough is known: no answer to it would change the prediction.";

/** Probabilities below this are rounding. */
const NEVER = 1e-12;

/** The answer to what is in the form: prediction, how sure, what to ask next, why. */
export function ResultPanel({ ranked, answers, nothing, outside, onGoTo }: ResultPanelProps) {
  const { reasons, certainty, complete } = answers;
  const late = reasons && !complete && answers.failure === undefined;
  return (
    <section id="result" class="result" aria-label="Result" aria-busy={late} data-complete={complete}>
      <div class="card">
        <Heading word="Expected prediction" />
        {nothing && (
          <p class="note">Nothing is known yet: this is how often the model expects each answer.</p>
        )}
        <ClassBars ranked={ranked} intervals={certainty?.intervals} />
        {outside.length > 0 && (
          <p class="beyond" role="note">
            <b>{BEYOND}</b> {outside.join("; ")}. {BEYOND_ADVICE}
          </p>
        )}
        {certainty && <Outlook answers={answers} />}
      </div>
      {answers.failure !== undefined && (
        <p class="unlike" role="alert">
          The reasons could not be worked out: {answers.failure}
        </p>
      )}
      {reasons && reasons.questions.length > 0 && <NextQuestion answers={answers} onGoTo={onGoTo} />}
      {reasons && !nothing && reasons.explanation.contributions.length > 0 && (
        <div class="card reasons">
          <Heading word="Why" />
          <ContributionBars shares={reasons.shares} sufficient={reasons.explanation.sufficient} />
          <Heading word="Sufficient explanation" />
          <p class="words">{reasons.words}</p>
        </div>
      )}
      {late && <p class="late">Reasons and questions for the new entries are being worked out.</p>}
    </section>
  );
}

function Outlook({ answers: { reasons, certainty } }: { answers: Answers }) {
  if (!certainty || !reasons) return null;
  const { prediction, missing } = reasons.explanation;
  const { value: share } = certainty.surprise.share;
  return (
    <>
      {missing.length > 0 && (
        <div class="outlook">
          <Heading word="If everything were known" />
          <p>
            The prediction would still be <b>{prediction}</b> with a probability of{" "}
            <data class="same-decision" value={String(certainty.sameDecision)}>
              {percent(certainty.sameDecision)}
            </data>
            .
          </p>
        </div>
      )}
      {share < UNLIKE && (
        <p class="unlike" role="note">
          <b>Unlike the training data.</b> Fewer than {share < 0.001 ? "1 in 1000" : "1 in 100"} rows are as
          unusual as this one; check the entries, and take the prediction with care.
        </p>
      )}
    </>
  );
}

function NextQuestion({ answers: { reasons }, onGoTo }: Pick<ResultPanelProps, "answers" | "onGoTo">) {
  const [best, ...others] = reasons?.questions ?? [];
  return (
    <div class="card reasons">
      <Heading word="Best next question" />
      <p class="ask">
        <button type="button" onClick={() => onGoTo(best.column)}>
          {spaced(best.column)}
        </button>{" "}
        <span>
          {best.changesDecision > NEVER ? "changes the prediction with a probability of " : ENOUGH}
          <data class="changes-decision" value={String(best.changesDecision)}>
            {best.changesDecision > NEVER && percent(best.changesDecision)}
          </data>
        </span>
      </p>
      {others.length > 0 && (
        <p class="note">
          then{" "}
          {others
            .slice(0, 3)
            .map(({ column }) => spaced(column))
            .join(", ")}
        </p>
      )}
    </div>
  );
}
