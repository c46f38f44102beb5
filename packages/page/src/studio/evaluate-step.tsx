import { loadAnyModel } from "conformant";
import type { ChartPoint, NumberEvaluation } from "conformant-workbench";
import { metadataOf } from "conformant-workbench/describe";
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { LineChart } from "../frame/line-chart.tsx";
import { NamesContext, namesOf } from "../frame/names.ts";
import { percent, short } from "../frame/numbers.ts";
import { EVALUATE, FIT } from "../frame/studio-texts.ts";
import { VerdictNote } from "../model/verdict-note.tsx";
import type { ClassEvaluation } from "../worker/study-messages.ts";
import { ConfusionTable } from "./confusion-table.tsx";
import type { MadeModel } from "./study.ts";

/** The share of masked cells that the summary is about, and the smallest difference in accuracy that it calls one. */
const [TOLD, DIFFERENCE] = [0.5, 0.01];
/** Significant digits of an error. */
const ERROR_DIGITS = 3;
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
  if (!made.results) return <Unknown {...{ made, evaluating, onAgain }} />;
  const { results } = made;
  if ("numbers" in results) return <EvaluatedNumbers made={made} numbers={results.numbers} />;
  return <Evaluated made={made} results={results} />;
}

/** How good a model of a number is on new rows, and as values are masked. */
function EvaluatedNumbers({ made, numbers }: { made: MadeModel; numbers: NumberEvaluation }) {
  const model = useMemo(() => loadAnyModel(made.text), [made.text]);
  const { rates, methods, rows } = numbers;
  const charts = [
    { title: EVALUATE.rmse, axis: EVALUATE.rmseAxis, metric: "rmse" },
    { title: EVALUATE.r2, axis: EVALUATE.r2Axis, metric: "r2" },
  ] as const;
  return (
    <div class="evaluation">
      <div class="card">
        <NamesContext.Provider value={namesOf(model, undefined)}>
          <VerdictNote model={model} />
        </NamesContext.Provider>
      </div>
      <section class="card" aria-labelledby="evaluate">
        <h2 id="evaluate">{EVALUATE.errorHeading}</h2>
        <p class="verdict">{numberVerdict(numbers)}</p>
        <p class="meaning">
          {EVALUATE.meaningOfNumbers} {EVALUATE.rows(rows)} {EVALUATE.levelOfNumbers}
        </p>
        {charts.map(({ title, axis, metric }) => (
          <Fragment key={metric}>
            <h3>{title}</h3>
            <LineChart
              lines={methods.map(({ name, unmasked, mean, standardError }) => ({
                name: EVALUATE.methods[name] ?? name,
                points: [
                  { x: 0, y: unmasked[metric], error: 0 },
                  ...rates.map((x, i) => ({ x, y: mean[metric][i], error: BAND * standardError[metric][i] })),
                ],
              }))}
              x={{ title: EVALUATE.maskedAxis, ticks: [0, ...rates], format: percent, domain: [0, 0.95] }}
              y={{ title: axis, format: short }}
            />
          </Fragment>
        ))}
      </section>
    </div>
  );
}

/** One sentence that compares the errors of the model with those of the best baseline. */
function numberVerdict({ rates, methods: [ours, ...others] }: NumberEvaluation): string {
  const at = rates.indexOf(TOLD);
  const best = others.reduce((a, b) => (b.mean.rmse[at] < a.mean.rmse[at] ? b : a));
  const [own, theirs] = [ours, best].map(({ mean }) => mean.rmse[at]);
  // Where the bands in the chart overlap there is no difference.
  const least = BAND * (ours.standardError.rmse[at] + best.standardError.rmse[at]);
  const lead =
    own < theirs - least
      ? EVALUATE.lowerError
      : own > theirs + least
        ? EVALUATE.higherError
        : EVALUATE.evenError;
  const name = EVALUATE.methods[best.name] ?? best.name;
  const [ownText, theirText] = [own, theirs].map((x) =>
    x.toLocaleString("en", { maximumSignificantDigits: ERROR_DIGITS }),
  );
  return `${EVALUATE.bestError(percent(TOLD), ownText, name, theirText)} ${lead}`;
}

function Evaluated({ made, results }: { made: MadeModel; results: ClassEvaluation }) {
  const { evaluation, scored, classes, masked } = results;
  const model = useMemo(() => loadAnyModel(made.text), [made.text]);
  const { verdict: found } = metadataOf(model);
  const verdict = found?.task === "classification" ? found : undefined;
  const shown = results.columns.slice(0, MOST_COLUMNS);
  const rates = evaluation.rates;
  return (
    <div class="evaluation">
      {verdict && (
        <div class="card">
          <NamesContext.Provider value={namesOf(model, undefined)}>
            <VerdictNote model={model} />
          </NamesContext.Provider>
        </div>
      )}
      <section class="card" aria-labelledby="evaluate">
        <h2 id="evaluate">{EVALUATE.heading}</h2>
        <p class="verdict">
          <Verdict results={results} />
        </p>
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
          lines={linesOf(results, "logLoss")}
          x={{ title: EVALUATE.maskedAxis, ticks: [0, ...rates], format: percent, domain: [0, 0.95] }}
          y={{ title: EVALUATE.lossAxis }}
        />
      </section>
      <section class="card" aria-labelledby="matter">
        <h2 id="matter">{EVALUATE.columns}</h2>
        <p class="meaning">{EVALUATE.columnsMeaning}</p>
        <ul class="matter">
          {shown.map(({ name, changed }) => (
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
        {shown.length < results.columns.length && (
          <p class="note">{EVALUATE.moreColumns(results.columns.length - shown.length)}</p>
        )}
      </section>
      <section class="card" aria-labelledby="confusion">
        <h2 id="confusion">{EVALUATE.confusion}</h2>
        <p class="meaning">{verdict ? EVALUATE.asTheyAre : EVALUATE.withMasked(percent(masked))}</p>
        <ConfusionTable classes={classes} confusion={verdict?.confusion ?? scored.confusion} />
      </section>
      <section class="card" aria-labelledby="calibration">
        <h2 id="calibration">{EVALUATE.calibration}</h2>
        <p class="meaning">
          {EVALUATE.calibrationMeaning} {verdict ? EVALUATE.asTheyAre : EVALUATE.withMasked(percent(masked))}
        </p>
        <LineChart
          lines={[
            {
              name: EVALUATE.methods.ours,
              points: verdict
                ? verdict.calibration.map(({ confidence, accuracy, rows }) =>
                    binPoint(confidence, accuracy, rows),
                  )
                : scored.calibration.map(({ said, happened, rows }) => binPoint(said, happened, rows)),
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

/** A point of the calibration chart, with the half width of Agresti and Coull's 95% interval, which also has one at 0% and 100%. */
function binPoint(x: number, y: number, rows: number): ChartPoint {
  const n = rows + BAND ** 2;
  const p = (y * rows + BAND ** 2 / 2) / n;
  return { x, y, error: Math.abs(y - p) + BAND * Math.sqrt((p * (1 - p)) / n) };
}

/** Shown instead of results: the evaluation is running, was interrupted, or has no labels. */
function Unknown({ made: { report }, evaluating, onAgain }: EvaluateStepProps) {
  if (evaluating) return <p role="status">{EVALUATE.pending}</p>;
  if (!report.number && report.classes.every(({ rows }) => rows === undefined))
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

function linesOf({ evaluation }: ClassEvaluation, metric: "accuracy" | "logLoss") {
  return evaluation.methods.map(({ name, unmasked, mean, standardError }) => ({
    name: EVALUATE.methods[name] ?? name,
    points: [
      { x: 0, y: unmasked[metric], error: 0 },
      ...evaluation.rates.map((rate, i) => ({
        x: rate,
        y: mean[metric][i],
        error: BAND * standardError[metric][i],
      })),
    ],
  }));
}

/** One sentence that compares the model with the best baseline. */
function Verdict({ results: { evaluation } }: { results: ClassEvaluation }) {
  const at = evaluation.rates.indexOf(TOLD);
  const [ours, ...others] = evaluation.methods;
  const own = ours.mean.accuracy[at];
  const best = others.reduce((a, b) => (b.mean.accuracy[at] > a.mean.accuracy[at] ? b : a));
  const theirs = best.mean.accuracy[at];
  const isSurer = others.every(({ mean }) => ours.mean.logLoss[at] < (1 - DIFFERENCE) * mean.logLoss[at]);
  const even = isSurer ? EVALUATE.surer : EVALUATE.even;
  // Where the bands in the chart overlap there is no difference.
  const noise = BAND * (ours.standardError.accuracy[at] + best.standardError.accuracy[at]);
  const least = Math.max(DIFFERENCE, noise);
  const lead = own > theirs + least ? EVALUATE.ahead : own < theirs - least ? EVALUATE.behind : even;
  return (
    <>
      {EVALUATE.best(percent(TOLD), percent(own), EVALUATE.methods[best.name] ?? best.name, percent(theirs))}{" "}
      {lead}
    </>
  );
}
