import { useEffect, useRef, useState } from "preact/hooks";
import { LineChart } from "../frame/line-chart.tsx";
import { short } from "../frame/numbers.ts";
import { FIT, FRAME, REPORT, STEPS, WORK } from "../frame/studio-texts.ts";
import { sentencesOf } from "../worker/to-failure.ts";
import { shownShare } from "./fit-progress.ts";
import { classifierOf } from "./model-report.tsx";
import type { MadeModel, Step } from "./study.ts";
import type { Fitting } from "./use-fit.ts";

interface FitStepProps {
  readonly fitting: Fitting;
  readonly made: MadeModel | undefined;
  /** Whether the choices have changed since the model was made. */
  readonly isStale: boolean;
  readonly onAgain: () => void;
  readonly onGo: (step: Step) => void;
}

/** A model is being made, or has been. */
export function FitStep({ fitting, made, isStale, onAgain, onGo }: FitStepProps) {
  const { state, progress, tried, failure } = fitting;
  const isRunning = state === "running" || state === "evaluating";
  return (
    <section class="card" aria-labelledby="fit" data-state={made && !isRunning ? "done" : state}>
      <h2 id="fit">{made ? FIT.done : isRunning ? FIT.heading : FIT.none}</h2>
      {made && <p role="status">{FIT.doneIn(made.report.seconds)}</p>}
      {state === "evaluating" && <p>{FIT.evaluating}</p>}
      {isRunning && (
        <div class="running">
          <p role="status">{WORK[progress?.what ?? ""] ?? progress?.what ?? FIT.starting} …</p>
          <Progress key={state} share={fitting.share} since={fitting.since} />
          <button type="button" onClick={fitting.cancel}>
            {FIT.cancel}
          </button>
        </div>
      )}
      {!made && (state === "canceled" || state === "none") && (
        <p role="status">{state === "none" ? FIT.interrupted : FIT.canceled}</p>
      )}
      {failure && (
        <p class="unlike" role="alert">
          <b>{FIT.failed}.</b> {sentencesOf(failure)}
        </p>
      )}
      {isStale && !isRunning && <p class="unlike">{FIT.change}</p>}
      {made && <MadeOf made={made} />}
      {tried.length > 1 && <Sizes tried={tried} />}
      {!isRunning && (!made || isStale) && (
        <p class="go">
          <button type="button" class="primary" onClick={onAgain}>
            {FIT.again}
          </button>
        </p>
      )}
      {made && (
        <p class="go">
          <button type="button" class="primary" onClick={() => onGo("evaluate")}>
            {FRAME.next(STEPS.evaluate)}
          </button>{" "}
          <button type="button" onClick={() => onGo("use")}>
            {STEPS.use}
          </button>
        </p>
      )}
    </section>
  );
}

/** How far the work has come, and the time since a fit began, in whole seconds. The bar moves every second and never falls. */
function Progress({ share, since }: Pick<Fitting, "share" | "since">) {
  const [now, setNow] = useState(() => performance.now());
  /** The latest change of the share, in milliseconds, and the most that was shown. */
  const heard = useRef({ share, at: now });
  const most = useRef(0);
  if (heard.current.share !== share) heard.current = { share, at: performance.now() };
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const secondsSince = Math.max(0, now - heard.current.at) / 1000;
  most.current = Math.max(most.current, shownShare(share, secondsSince));
  return (
    <>
      <progress aria-label={FIT.heading} value={most.current} />
      <span class="note">{FIT.seconds(Math.max(0, Math.round((now - since) / 1000)))}</span>
    </>
  );
}

/** The sizes that were compared, as they come. */
function Sizes({ tried }: Pick<Fitting, "tried">) {
  const best = new Map<number, number>();
  for (const { components, logLikelihood } of tried)
    best.set(components, Math.max(logLikelihood, best.get(components) ?? Number.NEGATIVE_INFINITY));
  const points = [...best].sort(([a], [b]) => a - b).map(([x, y]) => ({ x, y }));
  if (points.length < 2) return null;
  return (
    <figure>
      <figcaption>
        <h3>{FIT.sizes}</h3>
        <p class="meaning">{FIT.sizesMeaning}</p>
      </figcaption>
      <LineChart
        lines={[{ name: FIT.likelihood, points }]}
        x={{ title: FIT.size, scale: "log", ticks: points.map(({ x }) => x) }}
        y={{ title: FIT.likelihood }}
      />
    </figure>
  );
}

function ClassesOf({ report: { classes } }: Pick<MadeModel, "report">) {
  return (
    <>
      <h3>{classes.some(({ rows }) => rows !== undefined) ? FIT.classes : FIT.itsClasses}</h3>
      <ul class="facts">
        {classes.slice(0, 20).map(({ name, rows }) => (
          <li key={name}>
            {name}
            {rows !== undefined && `: ${rows.toLocaleString("en")}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function MadeOf({ made }: { made: MadeModel }) {
  const { report } = made;
  return (
    <>
      <p>
        {REPORT.classifier}: {classifierOf(made)}. {FIT.madeOf(report.rows, report.columns.length)}
      </p>
      {report.number && (
        <p>
          {FIT.ofNumber(report.number.name, short(report.number.range[0]), short(report.number.range[1]))}
        </p>
      )}
      {report.classes.length > 0 && <ClassesOf report={report} />}
      {report.leftOut.length > 0 && (
        <>
          <h3>{FIT.leftOut}</h3>
          <ul class="facts">
            {report.leftOut.map(({ name, why }) => (
              <li key={name}>
                <b>{name}</b>: {why}
              </li>
            ))}
          </ul>
        </>
      )}
      {report.untried.length > 0 && <p class="note warn">{FIT.untried(report.untried.join(", "))}</p>}
      {report.warnings.map((warning) => (
        <p key={warning} class="note warn">
          {warning}
        </p>
      ))}
    </>
  );
}
