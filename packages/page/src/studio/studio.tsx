import { loadAnyModel } from "conformant";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { LoadedPage } from "../frame/load-page.ts";
import { Mark } from "../frame/mark.tsx";
import { FRAME, STEPS } from "../frame/studio-texts.ts";
import { titleOf } from "../frame/title-of.ts";
import { useLater } from "../frame/use-later.ts";
import { TablePage } from "../model/table-page.tsx";
import type { FitChoices, StudyFile } from "../worker/study-messages.ts";
import { DataStep } from "./data-step.tsx";
import { EvaluateStep } from "./evaluate-step.tsx";
import { FitStep } from "./fit-step.tsx";
import { QuestionStep } from "./question-step.tsx";
import { SaveStep } from "./save-step.tsx";
import { type MadeModel, NEW_STUDY, type Step, type Study } from "./study.ts";
import { clearStudy, restoreStudy, saveStudy } from "./study-store.ts";
import { useFit } from "./use-fit.ts";
import { useTable } from "./use-table.ts";
import "./studio.css";

/** From a file to a model: the steps, and what has been done in each. */
export function Studio() {
  const [study, setStudy] = useState<Study>();
  useEffect(() => {
    document.title = `${FRAME.title} · conformant`;
    restoreStudy().then((kept) => setStudy(kept ?? NEW_STUDY));
  }, []);
  return study && <OpenStudio initial={study} />;
}

function OpenStudio({ initial }: { initial: Study }) {
  const [study, setStudy] = useState(initial);
  const change = useCallback((part: Partial<Study>) => setStudy((before) => ({ ...before, ...part })), []);
  const { step, file, choices, made } = study;
  const go = useSteps(step, change);
  const imported = choices.model === "imported" ? study.imported : undefined;
  const table = useTable(file, choices, imported);
  const fitting = useFit(
    useCallback((next) => setStudy((before) => ({ ...before, made: next(before.made) })), []),
  );
  const isKept = useKept(study);
  const choose = (part: Partial<Study["choices"]>): void =>
    setStudy((before) => ({ ...before, choices: { ...before.choices, ...part } }));
  const take = (taken: StudyFile, label?: string): void => {
    fitting.cancel();
    setStudy(({ before, ...now }) => ({
      ...NEW_STUDY,
      file: taken,
      choices: { ...NEW_STUDY.choices, label },
      before: table.summary ? now : before,
    }));
  };
  /** Opens an empty study; the present one can be had back until it is deleted. */
  const leave = (): void => {
    fitting.cancel();
    setStudy(({ before, ...now }) => ({ ...NEW_STUDY, before: now.file ? now : before }));
    go("data");
  };
  const forget = (): void => {
    // Clear the store before showing an empty page, so that an immediate reload does not restore the old study.
    void clearStudy().then(() => setStudy(NEW_STUDY));
  };
  const start = (): void => {
    if (!file) return;
    change({ made: undefined });
    go("fit");
    fitting.start({ file, choices, imported });
  };
  const importClassifier = (taken: StudyFile): void => change({ imported: taken });
  const isImporting = step === "question" && choices.model === "imported";
  return (
    <div class="studio" {...(step !== "use" && dropOf(isImporting ? importClassifier : take))}>
      <header>
        <Mark />
        <div>
          <p class="name">conformant</p>
          <h1>{FRAME.title}</h1>
          <p class="about">{FRAME.about}</p>
        </div>
      </header>
      <Steps step={step} reachable={reachable(study, table.summary !== undefined)} onGo={go} />
      {!isKept && (
        <p class="unlike" role="status">
          {FRAME.notSaved}
        </p>
      )}
      <main data-step={step}>
        {step === "data" && (
          <DataStep
            file={file}
            table={table}
            choices={choices}
            onTake={take}
            onChoose={choose}
            onNext={() => go("question")}
            before={study.before?.file?.name}
            onBack={() => setStudy((now) => now.before ?? now)}
            onLeave={leave}
            onForget={forget}
          />
        )}
        {step === "question" && table.summary && (
          <QuestionStep
            summary={table.summary}
            imported={study.imported}
            found={table.imported}
            choices={choices}
            onImport={importClassifier}
            onChoose={choose}
            onStart={start}
          />
        )}
        {(step === "fit" || (!made && (step === "evaluate" || step === "use" || step === "save"))) && (
          <FitStep
            fitting={fitting}
            made={made}
            isStale={made !== undefined && keyOf(made.choices, made.imported) !== keyOf(choices, imported)}
            onAgain={start}
            onGo={go}
          />
        )}
        {step === "evaluate" && made && (
          <EvaluateStep made={made} evaluating={fitting.state === "evaluating"} onAgain={start} />
        )}
        {step === "use" && made && <UseStep made={made} file={file} />}
        {step === "save" && made && file && <SaveStep made={made} file={file} />}
      </main>
      <footer>{FRAME.footer}</footer>
    </div>
  );
}

/** Gives every step an address, so that the browser's Back and Forward lead through them. */
function useSteps(step: Step, change: (part: Partial<Study>) => void): (to: Step) => void {
  useEffect(() => {
    history.replaceState(undefined, "", `#${step}`);
    const follow = (): void => {
      const to = location.hash.slice(1);
      if (Object.hasOwn(STEPS, to)) change({ step: to as Step });
    };
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  return (to) => {
    change({ step: to });
    if (location.hash !== `#${to}`) history.pushState(undefined, "", `#${to}`);
    scrollTo({ top: 0 });
  };
}

/** Names of files whose rows the page of a model can read, as well. */
const ROWS = /\.(?:csv|tsv|txt)$/i;

/** The page of the fresh model. */
function UseStep({ made: { text, report }, file }: { made: MadeModel; file: StudyFile | undefined }) {
  const page = useLater<LoadedPage>(
    () => ({ settings: { ranges: report.ranges }, model: loadAnyModel(text), modelText: text }),
    [text],
  );
  if (!page) return <p class="loading">{FRAME.loading}</p>;
  return (
    <>
      <h2 class="asked">{titleOf(page)}</h2>
      <TablePage page={page} file={file && ROWS.test(file.name) ? file : undefined} />
    </>
  );
}

/** Keeps the study as it goes on; whether the browser had room for it. */
function useKept(study: Study): boolean {
  const [isKept, setKept] = useState(true);
  const before = useRef<Study | undefined>(undefined);
  useEffect(() => {
    saveStudy(study, before.current).then((kept) => {
      setKept(kept);
      if (kept) before.current = study;
    });
  }, [study]);
  return isKept;
}

/** The steps as links; one that cannot be taken yet cannot be chosen. */
function Steps(props: { step: Step; reachable: ReadonlySet<Step>; onGo: (step: Step) => void }) {
  return (
    <nav class="steps" aria-label={FRAME.steps}>
      <ol>
        {(Object.keys(STEPS) as Step[]).map((name, i) => (
          <li key={name}>
            <button
              type="button"
              disabled={!props.reachable.has(name)}
              aria-current={props.step === name ? "step" : undefined}
              onClick={() => props.onGo(name)}
            >
              <span class="count">{i + 1}</span> {STEPS[name]}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function reachable({ made, step }: Study, isRead: boolean): ReadonlySet<Step> {
  return new Set<Step>([
    "data",
    ...(isRead ? (["question"] as const) : []),
    ...(made || step === "fit" ? (["fit"] as const) : []),
    ...(made ? (["evaluate", "use", "save"] as const) : []),
  ]);
}

/** What tells the choices of a model from others. */
function keyOf(choices: FitChoices, imported: StudyFile | undefined): string {
  const { label, kinds, exclude, gaps, decimal, header, encoding, sheet, model, names, task, seed } = choices;
  const file = imported && [
    imported.name,
    imported.content.size,
    (imported.content as File).lastModified,
    names,
  ];
  return JSON.stringify([
    label,
    kinds,
    exclude,
    gaps,
    decimal,
    header,
    encoding,
    sheet,
    model,
    task,
    seed,
    file,
  ]);
}

/** Takes a file that is dropped anywhere on the page. */
function dropOf(take: (file: StudyFile) => void) {
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (dropped) take({ name: dropped.name, content: dropped });
    },
  };
}
