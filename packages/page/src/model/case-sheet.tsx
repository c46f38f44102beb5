import type { Row } from "conformant";
import { metadataOf } from "conformant-workbench/describe";
import { useEffect, useState } from "preact/hooks";
import type { LoadedPage } from "../frame/load-page.ts";
import { useNames } from "../frame/names.ts";
import { percent, percentOf } from "../frame/numbers.ts";
import { useQuantity } from "../frame/quantity.ts";
import { RESULT, SHEET } from "../frame/texts.ts";
import { titleOf } from "../frame/title-of.ts";
import type { Answer } from "../worker/answer-to.ts";
import { becauseOf, Large } from "./answer-card.tsx";
import type { ColumnShape } from "./column-shape.ts";
import { ReasonList } from "./reason-list.tsx";
import type { Answers } from "./use-answers.ts";
import { verdictSentence } from "./verdict-note.tsx";

interface CaseSheetProps {
  readonly page: LoadedPage;
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
  readonly answer: Answer;
  readonly answers: Answers;
  readonly outside: readonly string[];
  /** Unknown columns whose absence the model takes for an observation. */
  readonly counted: readonly string[];
}

/** Other answers that have room on the sheet. */
const OTHERS = 3;

/** A case on one sheet of paper; on the screen it is not shown. */
export function CaseSheet({ page, shapes, row, answer, answers, outside, counted }: CaseSheetProps) {
  const names = useNames();
  const { model, modelText, settings } = page;
  const digest = useDigest(modelText);
  const [printed, setPrinted] = useState(() => new Date());
  useEffect(() => {
    const now = (): void => setPrinted(new Date());
    addEventListener("beforeprint", now);
    return () => removeEventListener("beforeprint", now);
  }, []);
  const { reasons, certainty } = answers;
  const quantity = useQuantity();
  const others = answer.kind === "classes" ? answer.ranked.slice(1, 1 + OTHERS) : [];
  const range = certainty?.range?.map((end) =>
    answer.kind === "number" ? quantity.text(end.value) : percentOf(end),
  );
  const { verdict } = metadataOf(model);
  const isKnown = ({ name }: ColumnShape): boolean => Object.hasOwn(row, name);
  const [known, unknown] = [shapes.filter(isKnown), shapes.filter((shape) => !isKnown(shape))];
  return (
    <section class="case-sheet" aria-label={SHEET.name}>
      <h1>{titleOf(page)}</h1>
      <p class="case-name">
        {SHEET.case} <i />
      </p>
      <p>
        {SHEET.date}: {printed.toLocaleString("en", { dateStyle: "long", timeStyle: "short" })}
      </p>
      <p class="answer">
        <Large answer={answer} />
      </p>
      {range && (
        <p>
          {RESULT.could} {range[0]} {RESULT.to} {range[1]} {RESULT.range(counted.map(names.column))}
        </p>
      )}
      {others.length > 0 && (
        <p>
          {RESULT.others}:{" "}
          {others.map(([name, share]) => `${names.class(name)} ${percent(share)}`).join(", ")}
        </p>
      )}
      {outside.length > 0 && (
        <p>
          <b>{RESULT.outside}</b> {outside.join("; ")}
        </p>
      )}
      {reasons && known.length > 0 && (
        <>
          <p>{becauseOf(reasons, names, quantity)}</p>
          <ReasonList reasons={reasons} />
        </>
      )}
      <div class="values">
        <div>
          <h2>{SHEET.known}</h2>
          <ul>
            {known.map(({ name, title }) => (
              <li key={name}>
                {title} <b>{names.value(name, row[name])}</b>
              </li>
            ))}
          </ul>
          {known.length === 0 && <p>{SHEET.none}</p>}
        </div>
        <div>
          <h2>{SHEET.unknown}</h2>
          <p>{unknown.length === 0 ? SHEET.none : unknown.map(({ title }) => title).join(", ")}</p>
        </div>
      </div>
      {verdict && <p>{verdictSentence(verdict, names)}</p>}
      <p class="note">
        {SHEET.model}: {settings.name ?? model.predictor.label ?? ""},{" "}
        {SHEET.rows(Math.round(model.rows).toLocaleString("en"))}, {SHEET.digest} <code>{digest}</code>
      </p>
      <p class="signature">{SHEET.signature}</p>
    </section>
  );
}

/** Characters of a digest that are printed. */
const DIGITS = 16;

/** The beginning of the model file's SHA-256; empty where the browser has none, outside of secure contexts. */
function useDigest(text: string): string {
  const [digest, setDigest] = useState("");
  useEffect(() => {
    globalThis.crypto?.subtle?.digest("SHA-256", new TextEncoder().encode(text)).then((bytes) => {
      const digits = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0"));
      setDigest(digits.join("").slice(0, DIGITS));
    });
  }, [text]);
  return digest;
}
