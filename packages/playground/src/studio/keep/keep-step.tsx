import { useState } from "preact/hooks";
import type { PageSettings } from "../../frame/load-page.ts";
import { saveFile } from "../../frame/save-file.ts";
import type { MadeModel } from "../study.ts";
import { KEEP } from "../texts.ts";
import type { StudyFile } from "../work/messages.ts";
import { sentencesOf, toFailure } from "../work/to-failure.ts";
import { WorthStep } from "../worth/worth-step.tsx";
import { commandLine, exportLine } from "./command-line.ts";
import { packedPage } from "./packed-page.ts";

/** The model as a file, on paper, or elsewhere. */
export function KeepStep({ made, file }: { made: MadeModel; file: StudyFile }) {
  const base = file.name.replace(/(?:\.(?:gz|csv|tsv|txt|jsonl?|ndjson|parquet))+$/i, "") || "model";
  return (
    <>
      <section class="card keep" aria-labelledby="keep">
        <h2 id="keep">{KEEP.heading}</h2>
        <h3>{KEEP.model}</h3>
        <p>{KEEP.modelAbout}</p>
        <SaveButton
          words={KEEP.download}
          name={`${base}.model.json`}
          make={async () => new Blob([made.text], { type: "application/json" })}
        />
        <h3>{KEEP.report}</h3>
        <p>{KEEP.reportAbout}</p>
        <button type="button" onClick={() => print()}>
          {KEEP.print}
        </button>
        <h3>{KEEP.page}</h3>
        <p>{KEEP.pageAbout}</p>
        <SaveButton
          words={KEEP.downloadPage}
          name={`${base}.html`}
          make={async () => new Blob([await pageOf(made)], { type: "text/html" })}
        />
        <h3>{KEEP.elsewhere}</h3>
        <p>{KEEP.elsewhereAbout}</p>
        <pre>{exportLine(`${base}.model.json`, "python", `${base}.py`)}</pre>
        <p>{KEEP.commandAbout}</p>
        <pre>{commandLine(file.name, `${base}.model.json`, made)}</pre>
      </section>
      <div class="on-paper">{made.worth && <WorthStep made={made} judging={false} />}</div>
    </>
  );
}

interface SaveButtonProps {
  readonly words: string;
  readonly name: string;
  readonly make: () => Promise<Blob>;
}

/** Makes a file and hands it over; what goes wrong is said beside the button. */
function SaveButton({ words, name, make }: SaveButtonProps) {
  const [problem, setProblem] = useState<string>();
  const save = (): Promise<void> =>
    make().then(
      (content) => {
        setProblem(undefined);
        saveFile(name, content);
      },
      (thrown: unknown) => setProblem(sentencesOf(toFailure(thrown))),
    );
  return (
    <>
      <button type="button" class="primary" onClick={() => void save()}>
        {words}
      </button>
      {problem !== undefined && (
        <p class="unlike" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** The page of a model as one file. */
function pageOf({ text, report }: MadeModel): Promise<string> {
  const settings: PageSettings = { ranges: report.ranges };
  return packedPage({ "page.json": JSON.stringify(settings), "model.json": text });
}
