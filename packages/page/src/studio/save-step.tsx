import type { PageSettings } from "../frame/load-page.ts";
import { SAVE } from "../frame/studio-texts.ts";
import type { StudyFile } from "../worker/study-messages.ts";
import { commandLine, exportLine } from "./command-line.ts";
import { ModelReport } from "./model-report.tsx";
import { OtherSystems } from "./other-systems.tsx";
import { packedPage } from "./packed-page.ts";
import { SaveButton } from "./save-button.tsx";
import type { MadeModel } from "./study.ts";

/** The model as a file, on paper, or elsewhere. */
export function SaveStep({ made, file }: { made: MadeModel; file: StudyFile }) {
  const base = file.name.replace(/(?:\.(?:gz|csv|tsv|txt|jsonl?|ndjson|parquet))+$/i, "") || "model";
  return (
    <>
      <section class="card save" aria-labelledby="save">
        <h2 id="save">{SAVE.heading}</h2>
        <h3>{SAVE.model}</h3>
        <p>{SAVE.modelAbout}</p>
        <SaveButton
          words={SAVE.download}
          name={`${base}.model.json`}
          isPrimary
          make={async () => new Blob([made.text], { type: "application/json" })}
        />
        <h3>{SAVE.report}</h3>
        <p>{SAVE.reportAbout}</p>
        <button type="button" onClick={() => print()}>
          {SAVE.print}
        </button>
        <h3>{SAVE.page}</h3>
        <p>{SAVE.pageAbout}</p>
        <SaveButton
          words={SAVE.downloadPage}
          name={`${base}.html`}
          make={async () => new Blob([await pageOf(made, base)], { type: "text/html" })}
        />
        <OtherSystems model={made.text} base={base} />
        <h3>{SAVE.command}</h3>
        <p>{SAVE.exportAbout}</p>
        <pre>{exportLine(`${base}.model.json`, "r", `${base}.R`)}</pre>
        <p>{SAVE.commandAbout}</p>
        <pre>{commandLine(file.name, `${base}.model.json`, made)}</pre>
      </section>
      <ModelReport made={made} file={file} />
    </>
  );
}

/** The page of a model as one file. */
function pageOf({ text, report }: MadeModel, name: string): Promise<string> {
  const settings: PageSettings = { name, ranges: report.ranges };
  return packedPage({ "page.json": JSON.stringify(settings), "model.json": text });
}
