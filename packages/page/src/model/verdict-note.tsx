import type { Model } from "conformant";
import { metadataOf } from "conformant-workbench/describe";
import { percent, short } from "../frame/numbers.ts";
import { VERDICT } from "../frame/texts.ts";

/** How good the model is on new rows, where its file says so. */
export function VerdictNote({ model }: { model: Model }) {
  const { verdict } = metadataOf(model);
  if (!verdict) return null;
  const figures =
    verdict.task === "classification"
      ? [
          [VERDICT.accuracy, `${percent(verdict.accuracy)} ± ${percent(2 * verdict.accuracyStandardError)}`],
          [VERDICT.baseline, percent(verdict.baselineAccuracy)],
        ]
      : [
          [VERDICT.rmse, `${short(verdict.rmse)} ± ${short(2 * verdict.rmseStandardError)}`],
          [VERDICT.baselineRmse, short(verdict.baselineRmse)],
        ];
  return (
    <section class="verdict-note" aria-labelledby="verdict">
      <h2 id="verdict">{VERDICT.heading}</h2>
      <p class={verdict.better ? "" : "beyond"}>{verdict.sentence}</p>
      <dl class="figures">
        {[...figures, [VERDICT.rows, verdict.rows.toLocaleString("en")]].map(([term, figure]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
