import { LineChart } from "../frame/line-chart.tsx";
import { percent } from "../frame/numbers.ts";
import { EVALUATE, FIT } from "../frame/studio-texts.ts";
import type { StudyEvaluation } from "../worker/study-messages.ts";
import { ConfusionTable } from "./confusion-table.tsx";
import type { MadeModel } from "./study.ts";

/** The share of masked cells that the summary is about, and the smallest difference in accuracy that it calls one. */
const [TOLD, DIFFERENCE] = [0.5, 0.01];
/** Columns that are shown. */
const MOST_COLUMNS = 15;
/** Half the width of a band, in standard errors. */
const BAND = 2;

interface EvaluateStepProps {
  readonly made: MadeModel;
  readonly evaluating: boolean;
  /** Fits the model again. */
  readonly onAgain?: (() => void) | undefined;
}

/** The evaluation of the model on masked rows. */
export function EvaluateStep({ made, evaluating, onAgain }: EvaluateStepProps) {
  const { results, report } = made;
  if (!results) return <Unknown {...{ made, evaluating, onAgain }} />;
  const { evaluation, scored, classes, masked } = results;
  const rates = evaluation.rates;
  const counts = report.classes.map(({ rows = 0 }) => rows);
  const most = Math.max(...counts) / counts.reduce((sum, rows) => sum + rows, 0);
  return (
    <div class="evaluation">
      <section class="card" aria-labelledby="evaluate">
        <h2 id="evaluate">{EVALUATE.heading}</h2>
        <p class="verdict">
          <Verdict results={results} />
        </p>
        <p>{EVALUATE.commonest(percent(most))}</p>
        <p class="meaning">
          {EVALUATE.meaning} {EVALUATE.rows(evaluation.rows)}{" "}
          {made.imported ? EVALUATE.levelImported : EVALUATE.level}
        </p>
        <h3>{EVALUATE.accuracy}</h3>
        <LineChart
          lines={linesOf(results, "accuracy")}
          x={{ title: EVALUATE.maskedAxis, ticks: [0, ...rates], format: percent, domain: [0, 0.95] }}
          y={{ title: EVALUATE.rightAxis, format: percent }}
        />
        <h3>{EVALUATE.loss}</h3>
        <LineChart
          lines={linesOf(results, "log_loss")}
          x={{ title: EVALUATE.maskedAxis, ticks: [0, ...rates], format: percent, domain: [0, 0.95] }}
          y={{ title: EVALUATE.lossAxis }}
        />
      </section>
      <section class="card" aria-labelledby="matter">
        <h2 id="matter">{EVALUATE.columns}</h2>
        <p class="meaning">{EVALUATE.columnsMeaning}</p>
        <ul class="matter">
          {results.columns.slice(0, MOST_COLUMNS).map(({ name, changed }) => (
            <li key={name}>
              <span>{name}</span>
              <i aria-hidden="true">
                <b
                  style={{
                    width: `${Math.min(100, (100 * changed) / Math.max(1e-9, results.columns[0].changed))}%`,
                  }}
                />
              </i>
              <data value={String(changed)}>{percent(changed)}</data>
            </li>
          ))}
        </ul>
      </section>
      <section class="card" aria-labelledby="confusion">
        <h2 id="confusion">{EVALUATE.confusion(percent(masked))}</h2>
        <ConfusionTable classes={classes} confusion={scored.confusion} />
      </section>
      <section class="card" aria-labelledby="calibration">
        <h2 id="calibration">{EVALUATE.calibration}</h2>
        <p class="meaning">{EVALUATE.calibrationMeaning}</p>
        <LineChart
          lines={[
            {
              name: EVALUATE.methods.ours,
              points: scored.calibration.map(({ said, happened, rows }) => ({
                x: said,
                y: happened,
                error: Math.sqrt((happened * (1 - happened)) / rows),
              })),
            },
          ]}
          x={{ title: EVALUATE.saidAxis, format: percent, domain: [0, 1] }}
          y={{ title: EVALUATE.happenedAxis, format: percent, domain: [0, 1] }}
          diagonal
        />
      </section>
    </div>
  );
}

/** Shown instead of results: the evaluation is running, was interrupted, or has no labels. */
function Unknown({ made: { report }, evaluating, onAgain }: EvaluateStepProps) {
  if (evaluating) return <p role="status">{EVALUATE.pending}</p>;
  if (report.classes.every(({ rows }) => rows === undefined))
    return <p role="status">{EVALUATE.noAnswers}</p>;
  return (
    <>
      <p role="status">{EVALUATE.stopped}</p>
      <p class="go">
        <button type="button" class="primary" onClick={onAgain}>
          {FIT.again}
        </button>
      </p>
    </>
  );
}

function linesOf({ evaluation }: StudyEvaluation, metric: "accuracy" | "log_loss") {
  return evaluation.methods.map(({ name, unhidden, mean, standardError }) => ({
    name: EVALUATE.methods[name] ?? name,
    points: [
      { x: 0, y: unhidden[metric], error: 0 },
      ...evaluation.rates.map((rate, i) => ({
        x: rate,
        y: mean[metric][i],
        error: BAND * standardError[metric][i],
      })),
    ],
  }));
}

/** One sentence that compares the model with the best baseline. */
function Verdict({ results: { evaluation } }: { results: StudyEvaluation }) {
  const at = evaluation.rates.indexOf(TOLD);
  const [ours, ...others] = evaluation.methods;
  const own = ours.mean.accuracy[at];
  const best = others.reduce((a, b) => (b.mean.accuracy[at] > a.mean.accuracy[at] ? b : a));
  const theirs = best.mean.accuracy[at];
  const isSurer = others.every(({ mean }) => ours.mean.log_loss[at] < (1 - DIFFERENCE) * mean.log_loss[at]);
  const even = isSurer ? EVALUATE.surer : EVALUATE.even;
  const lead =
    own > theirs + DIFFERENCE ? EVALUATE.ahead : own < theirs - DIFFERENCE ? EVALUATE.behind : even;
  return (
    <>
      {EVALUATE.best(percent(TOLD), percent(own), EVALUATE.methods[best.name] ?? best.name, percent(theirs))}{" "}
      {lead}
    </>
  );
}
