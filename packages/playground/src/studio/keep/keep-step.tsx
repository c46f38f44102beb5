import { saveFile } from "../../frame/save-file.ts";
import type { MadeModel } from "../study.ts";
import { KEEP } from "../texts.ts";
import type { StudyFile } from "../work/messages.ts";
import { WorthStep } from "../worth/worth-step.tsx";
import { commandLine } from "./command-line.ts";

/** The model as a file, on paper, or elsewhere. */
export function KeepStep({ made, file }: { made: MadeModel; file: StudyFile }) {
  const base = file.name.replace(/\.(?:gz|csv|tsv|txt|jsonl?|ndjson)$/gi, "") || "model";
  return (
    <>
      <section class="card keep" aria-labelledby="keep">
        <h2 id="keep">{KEEP.heading}</h2>
        <h3>{KEEP.model}</h3>
        <p>{KEEP.modelAbout}</p>
        <button
          type="button"
          class="primary"
          onClick={() => saveFile(`${base}.model.json`, new Blob([made.text], { type: "application/json" }))}
        >
          {KEEP.download}
        </button>
        <h3>{KEEP.report}</h3>
        <p>{KEEP.reportAbout}</p>
        <button type="button" onClick={() => print()}>
          {KEEP.print}
        </button>
        <h3>{KEEP.page}</h3>
        <p>{KEEP.pageAbout}</p>
        <pre>{`conformant export ${base}.model.json --to page -o ${base}`}</pre>
        <p>{KEEP.commandAbout}</p>
        <pre>{commandLine(file.name, `${base}.model.json`, made.choices)}</pre>
      </section>
      <div class="on-paper">{made.worth && <WorthStep made={made} judging={false} />}</div>
    </>
  );
}
