import type { AnyModel } from "conformant";
import {
  describeVerdict,
  type ModelVerdict,
  metadataOf,
  regressionSentence,
} from "conformant-workbench/describe";
import { type Names, useNames } from "../frame/names.ts";
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

/** The verdict in sentences; a number has the name and the unit that the page shows. */
export function verdictSentence(
  verdict: ModelVerdict,
  { outcome, outcomeUnit }: Pick<Names, "outcome" | "outcomeUnit">,
): string {
  return verdict.task === "classification"
    ? verdict.sentence
    : regressionSentence(verdict, outcome, outcomeUnit);
}
