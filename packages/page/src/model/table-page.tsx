import { isRegression, type Row, type Value } from "conformant";
import { metadataOf } from "conformant-workbench/describe";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { LiveRegion } from "../frame/live-region.tsx";
import type { LoadedPage } from "../frame/load-page.ts";
import { type Names, NamesContext, namesOf } from "../frame/names.ts";
import { short } from "../frame/numbers.ts";
import { PhoneBar } from "../frame/phone-bar.tsx";
import { numberQuantity, PROBABILITY, type Quantity, QuantityContext } from "../frame/quantity.ts";
import { FORM, FRAME, RESULT } from "../frame/texts.ts";
import { useGradually } from "../frame/use-gradually.ts";
import { useLater } from "../frame/use-later.ts";
import { useStoredValue } from "../frame/use-stored-value.ts";
import { answerScale } from "../worker/answer-scale.ts";
import { MANY_FIELDS } from "./all-fields.tsx";
import { CaseSheet } from "./case-sheet.tsx";
import { type ColumnShape, columnShapes } from "./column-shape.ts";
import { nextStep } from "./next-step.ts";
import { ResultPanel } from "./result-panel.tsx";
import { RowForm, type Way } from "./row-form.tsx";
import { type OfferedFile, TablePanel } from "./table-panel.tsx";
import { useAnswers } from "./use-answers.ts";
import { usePrediction } from "./use-prediction.ts";

interface TablePageProps {
  readonly page: LoadedPage;
  /** A file whose rows can be predicted by a click. */
  readonly file?: OfferedFile | undefined;
}

/** A form made from the model's columns, the answer beside it, and a place for many rows. */
export function TablePage(props: TablePageProps) {
  const { model, settings } = props.page;
  const names = useMemo(() => namesOf(model, settings.labels), [settings.labels, model]);
  const made = useLater(
    () => ({
      shapes: columnShapes(model, names, settings.ranges),
      quantity: isRegression(model)
        ? numberQuantity(answerScale(model), settings.labels?.outcome?.unit)
        : PROBABILITY,
    }),
    [model, names],
  );
  return made ? (
    <QuantityContext.Provider value={made.quantity}>
      <ShapedPage {...props} {...made} names={names} />
    </QuantityContext.Provider>
  ) : (
    <p class="loading">{FRAME.loading}</p>
  );
}

/** Form, answer and table, each drawn in a task of its own. */
const PARTS = 3;

interface ShapedPageProps extends TablePageProps {
  readonly names: Names;
  readonly shapes: readonly ColumnShape[];
  readonly quantity: Quantity;
}

function ShapedPage({ page, file, names, shapes, quantity }: ShapedPageProps) {
  const { model, modelText, settings } = page;
  const digest = digestOf(modelText);
  const [row, setRow] = useStoredValue<Row>(`row of ${digest}`, {});
  const [way, setWay] = useStoredValue<Way>(`way of ${digest}`, settings.questionnaire ? "tree" : "all");
  const [calibrationText, setCalibrationText] = useState(page.calibrationText);
  const [coverage, setCoverage] = useState(0.9);
  /** The row before something of it was made unknown. */
  const [before, setBefore] = useState<Row>();
  const form = useRef<HTMLFormElement>(null);
  const { answer: first, row: answered, isRough } = usePrediction(model, row);
  const found = useAnswers(modelText, answered, isRough ? undefined : first, { calibrationText, coverage });
  const answer = found.answer ?? first;
  const [best, share] = answer.kind === "classes" ? answer.ranked[0] : ["", answer.value];
  const prediction = answer.kind === "classes" ? names.class(best) : names.outcome;
  const { verdict } = metadataOf(model);
  const modelError = verdict?.task === "regression" ? verdict.rmse : undefined;
  const answers = { ...found, complete: found.complete && answered === row };
  const latest = useRef(row);
  latest.current = row;
  const change = useCallback((name: string, value: Value) => {
    const { [name]: own, ...rest } = latest.current;
    const forgets = value === undefined || value === null;
    if (forgets && own === undefined) return;
    setBefore(forgets ? latest.current : undefined);
    setRow(forgets ? rest : { ...rest, [name]: value });
  }, []);
  /** Puts another row into the form; the one that was there can be had back. */
  const replace = (next: Row, previous: Row | undefined): void => {
    setBefore(previous);
    setRow(next);
    form.current?.focus();
  };
  const goTo = (column: string): void => {
    setWay("all");
    requestAnimationFrame(() => {
      const place = form.current?.querySelector(`[data-column="${CSS.escape(column)}"]`);
      place?.scrollIntoView({ block: "center" });
      place?.querySelector<HTMLElement>("input, select")?.focus();
    });
  };
  const drawn = useGradually(PARTS, 1);
  const outside = beyondData(shapes, row, names);
  const counted = model.schema.columns.flatMap((column) =>
    column.kind === "binary" && column.gapOf !== undefined && !Object.hasOwn(answered, column.gapOf)
      ? [column.gapOf]
      : [],
  );
  const step = nextStep(answers, answer, outside.length > 0, modelError, counted);
  const question = step?.kind === "ask" ? names.column(step.best.column) : undefined;
  return (
    <NamesContext.Provider value={names}>
      <a class="skip" href="#result">
        {FRAME.toResult}
      </a>
      <div class={shapes.length > MANY_FIELDS ? "two long" : "two"}>
        <RowForm
          {...{ model, shapes, row, answers, step, way, form }}
          questionnaire={settings.questionnaire}
          onWay={setWay}
          onChange={change}
          onClear={() => replace({}, row)}
          onMany={() => document.getElementById("many")?.scrollIntoView()}
          onUndo={before && (() => replace(before, undefined))}
        />
        {drawn > 1 && (
          <ResultPanel
            row={answered}
            {...{ model, shapes, answer, answers, modelError, step, outside, counted, coverage }}
            onCoverage={setCoverage}
            onCalibration={setCalibrationText}
            onGoTo={goTo}
          />
        )}
      </div>
      {drawn > 2 && (
        <TablePanel
          model={model}
          modelText={modelText}
          file={file}
          onOpen={(opened) => {
            replace(opened, Object.keys(row).length > 0 ? row : undefined);
            form.current?.scrollIntoView();
          }}
        />
      )}
      <PhoneBar
        prediction={prediction}
        value={quantity.text(share)}
        hint={
          outside.length > 0
            ? RESULT.barBeyond
            : step?.kind === "enough"
              ? RESULT.barEnough
              : question && RESULT.barNext(question)
        }
      />
      <CaseSheet row={answered} {...{ page, shapes, answer, answers, outside, counted }} />
      <LiveRegion
        sentence={[
          RESULT.said(prediction, quantity.text(share)),
          outside.length > 0 ? RESULT.saidBeyond(outside.join("; ")) : "",
          question === undefined ? "" : RESULT.saidNext(question),
        ].join("")}
      />
    </NamesContext.Provider>
  );
}

/** Entries that lie beyond the range of the training data, in words. */
function beyondData(shapes: readonly ColumnShape[], row: Row, names: Names): string[] {
  return shapes.flatMap((shape) => {
    const value = Object.hasOwn(row, shape.name) ? row[shape.name] : undefined;
    if (shape.kind !== "number" || typeof value !== "number") return [];
    const isBeyond = value < shape.low || value > shape.high;
    const entry = `${shape.title} ${names.value(shape.name, value)}`;
    const say = shape.isOfData ? RESULT.inData : RESULT.usually;
    return isBeyond ? [say(entry, FORM.range(short(shape.low), short(shape.high)))] : [];
  });
}

/** A short name for a text: what is kept of one model is nothing for another. */
function digestOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1 + (text.length >> 12))
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${text.length}.${hash}`;
}
