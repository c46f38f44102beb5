import type { AnyModel } from "conformant";
import { describeVerdict, type ModelVerdict, metadataOf, rowsText } from "conformant-workbench/describe";
import { type Names, useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { VERDICT } from "../frame/texts.ts";

/** How good the model is on new rows, where its file says so. */
export function VerdictNote({ model }: { model: AnyModel }) {
  const { verdict } = metadataOf(model);
  const names = useNames();
  if (!verdict) return null;
  const { facts } = describeVerdict(verdict, model.response.outputs, {
    className: names.class,
    unit: names.outcomeUnit,
  });
  return (
    <section class="verdict-note" aria-labelledby="verdict">
      <h2 id="verdict">{VERDICT.heading}</h2>
      <p class={verdict.better ? "" : "beyond"}>{verdictSentence(verdict, names)}</p>
      <dl class="figures">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Significant digits of an error. */
const DIGITS = 2;

/** The verdict in sentences; the errors of a number are in its unit. */
export function verdictSentence(
  verdict: ModelVerdict,
  { outcome, outcomeUnit }: Pick<Names, "outcome" | "outcomeUnit">,
): string {
  if (verdict.task === "classification") return verdict.sentence;
  const { rmse, rmseStandardError, baselineRmse, better, r2 } = verdict;
  const plain = (x: number): string => x.toLocaleString("en", { maximumSignificantDigits: DIGITS });
  const text = (x: string): string => (outcomeUnit === undefined ? x : `${x} ${outcomeUnit}`);
  return [
    VERDICT.ofNumber(
      rowsText(verdict, "regressor"),
      text(`${plain(rmse)} ± ${plain(rmseStandardError)}`),
      text(plain(baselineRmse)),
    ),
    better ? VERDICT.explains(percent(Math.max(0, r2)), outcome) : VERDICT.useless,
  ].join(" ");
}
