import { loadAnyModel } from "conformant";
import { short } from "../frame/numbers.ts";
import { FRAME, REPORT } from "../frame/studio-texts.ts";
import { FORM } from "../frame/texts.ts";
import type { StudyFile } from "../worker/study-messages.ts";
import { EvaluateStep } from "./evaluate-step.tsx";
import type { MadeModel } from "./study.ts";

/** What was trained, and whether it was chosen or imported. */
export function classifierOf({ text, choices }: MadeModel): string {
  const { kind } = loadAnyModel(text).predictor;
  return `${REPORT.kinds[kind] ?? kind}${REPORT.chosen[choices.model]}`;
}

/** Table, question, model and evaluation on two to four pages of paper; on the screen it is not shown. */
export function ModelReport({ made, file }: { made: MadeModel; file: StudyFile }) {
  const { report, choices } = made;
  const { label } = choices;
  return (
    <section class="model-report" aria-label={REPORT.title}>
      <h1>{REPORT.title}</h1>
      <dl class="figures">
        {[
          [REPORT.file, file.name],
          [REPORT.date, new Date().toLocaleDateString("en", { dateStyle: "long" })],
          ...(label === undefined ? [] : [[REPORT.question, label]]),
          [REPORT.classifier, classifierOf(made)],
          [REPORT.table, REPORT.size(report.rows, report.columns.length)],
          [REPORT.columns, report.columns.join(", ")],
          ...(report.leftOut.length > 0
            ? [[REPORT.leftOut, report.leftOut.map(({ name, why }) => `${name} (${why})`).join(", ")]]
            : []),
          report.number
            ? [REPORT.range, FORM.range(short(report.number.range[0]), short(report.number.range[1]))]
            : [
                REPORT.classes,
                report.classes
                  .map(({ name, rows }) =>
                    rows === undefined ? name : `${name} ${rows.toLocaleString("en")}`,
                  )
                  .join(", "),
              ],
        ].map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {report.warnings.map((warning) => (
        <p key={warning} class="note warn">
          {warning}
        </p>
      ))}
      <EvaluateStep made={made} evaluating={false} />
      <p class="note">{FRAME.footer}</p>
    </section>
  );
}
