import { LineChart } from "../frame/line-chart.tsx";
import { percent } from "../frame/numbers.ts";
import { FIT, WORTH } from "../frame/studio-texts.ts";
import type { StudyEvaluation } from "../worker/study-messages.ts";
import { ConfusionTable } from "./confusion-table.tsx";
import type { MadeModel } from "./study.ts";

/** The share of hidden cells that the sentence is about; a difference that is one. */
const [TOLD, DIFFERENCE] = [0.5, 0.01];
/** Columns that are shown. */
const MOST_COLUMNS = 15;
/** Standard errors that a band is wide, to both sides. */
const BAND = 2;

interface WorthStepProps {
  readonly made: MadeModel;
  readonly judging: boolean;
  /** Makes the model once more. */
  readonly onAgain?: (() => void) | undefined;
}

/** What the model is worth when cells are missing. */
export function EvaluateStep({ made, judging, onAgain }: WorthStepProps) {
  const { worth, report } = made;
  if (!worth) return <Unknown {...{ made, judging, onAgain }} />;
  const { evaluation, judged, classes, hidden } = worth;
  const rates = evaluation.rates;
  const counts = report.classes.map(({ rows = 0 }) => rows);
  const most = Math.max(...counts) / counts.reduce((sum, rows) => sum + rows, 0);
  return (
    <div class="worth">
      <section class="card" aria-labelledby="worth">
        <h2 id="worth">{WORTH.heading}</h2>
        <p class="verdict">
          <Verdict worth={worth} />
        </p>
        <p>{WORTH.commonest(percent(most))}</p>
        <p class="meaning">
          {WORTH.meaning} {WORTH.rows(evaluation.rows)} {made.brought ? WORTH.levelBrought : WORTH.level}
        </p>
        <h3>{WORTH.accuracy}</h3>
        <LineChart
          lines={linesOf(worth, "accuracy")}
          x={{ title: WORTH.hiddenAxis, ticks: [0, ...rates], format: percent, domain: [0, 0.95] }}
          y={{ title: WORTH.rightAxis, format: percent }}
        />
        <h3>{WORTH.loss}</h3>
        <LineChart
          lines={linesOf(worth, "logLoss")}
          x={{ title: WORTH.hiddenAxis, ticks: [0, ...rates], format: percent, domain: [0, 0.95] }}
          y={{ title: WORTH.lossAxis }}
        />
      </section>
      <section class="card" aria-labelledby="matter">
        <h2 id="matter">{WORTH.columns}</h2>
        <p class="meaning">{WORTH.columnsMeaning}</p>
        <ul class="matter">
          {worth.columns.slice(0, MOST_COLUMNS).map(({ name, changed }) => (
            <li key={name}>
              <span>{name}</span>
              <i aria-hidden="true">
                <b
                  style={{
                    width: `${Math.min(100, (100 * changed) / Math.max(1e-9, worth.columns[0].changed))}%`,
                  }}
                />
              </i>
              <data value={String(changed)}>{percent(changed)}</data>
            </li>
          ))}
        </ul>
      </section>
      <section class="card" aria-labelledby="confusion">
        <h2 id="confusion">{WORTH.confusion(percent(hidden))}</h2>
        <ConfusionTable classes={classes} confusion={judged.confusion} />
      </section>
      <section class="card" aria-labelledby="calibration">
        <h2 id="calibration">{WORTH.calibration}</h2>
        <p class="meaning">{WORTH.calibrationMeaning}</p>
        <LineChart
          lines={[
            {
              name: WORTH.methods.ours,
              points: judged.calibration.map(({ said, happened, rows }) => ({
                x: said,
                y: happened,
                error: Math.sqrt((happened * (1 - happened)) / rows),
              })),
            },
          ]}
          x={{ title: WORTH.saidAxis, format: percent, domain: [0, 1] }}
          y={{ title: WORTH.happenedAxis, format: percent, domain: [0, 1] }}
          diagonal
        />
      </section>
    </div>
  );
}

/** Why nobody knows what it is worth: it is being found out, that was stopped, or nothing tells what is right. */
function Unknown({ made: { report }, judging, onAgain }: WorthStepProps) {
  if (judging) return <p role="status">{WORTH.pending}</p>;
  if (report.classes.every(({ rows }) => rows === undefined)) return <p role="status">{WORTH.noAnswers}</p>;
  return (
    <>
      <p role="status">{WORTH.stopped}</p>
      <p class="go">
        <button type="button" class="primary" onClick={onAgain}>
          {FIT.again}
        </button>
      </p>
    </>
  );
}

function linesOf({ evaluation }: StudyEvaluation, metric: "accuracy" | "logLoss") {
  return evaluation.methods.map(({ name, unhidden, mean, standardError }) => ({
    name: WORTH.methods[name] ?? name,
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

/** In a sentence: how much better than the best of the others. */
function Verdict({ worth: { evaluation } }: { worth: StudyEvaluation }) {
  const at = evaluation.rates.indexOf(TOLD);
  const [ours, ...others] = evaluation.methods;
  const own = ours.mean.accuracy[at];
  const best = others.reduce((a, b) => (b.mean.accuracy[at] > a.mean.accuracy[at] ? b : a));
  const theirs = best.mean.accuracy[at];
  const isSurer = others.every(({ mean }) => ours.mean.logLoss[at] < (1 - DIFFERENCE) * mean.logLoss[at]);
  const even = isSurer ? WORTH.surer : WORTH.even;
  const lead = own > theirs + DIFFERENCE ? WORTH.ahead : own < theirs - DIFFERENCE ? WORTH.behind : even;
  return (
    <>
      {WORTH.best(percent(TOLD), percent(own), WORTH.methods[best.name] ?? best.name, percent(theirs))} {lead}
    </>
  );
}
