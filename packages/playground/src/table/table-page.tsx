import { predict, type Row, type Value } from "conformant";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { rankClasses } from "../answers/rank-classes.ts";
import { useAnswers } from "../answers/use-answers.ts";
import { type ColumnShape, columnShapes } from "../form/column-shape.ts";
import { useKeptValue } from "../frame/kept-value.ts";
import { LiveRegion } from "../frame/live-region.tsx";
import type { LoadedPage } from "../frame/load-page.ts";
import { percent, short } from "../frame/numbers.ts";
import { PhoneBar } from "../frame/phone-bar.tsx";
import { spaced } from "../frame/spaced.ts";
import { ResultPanel } from "../result/result-panel.tsx";
import { RowForm } from "./row-form.tsx";
import { TablePanel } from "./table-panel.tsx";

/** A form made from the model's columns, the answer beside it, and a place for many rows. */
export function TablePage({ page: { model, modelText, settings } }: { page: LoadedPage }) {
  const shapes = useMemo(() => columnShapes(model, settings.ranges), [model]);
  const [row, setRow] = useKeptValue<Row>(`row of ${digestOf(modelText)}`, {});
  const [cleared, setCleared] = useState<Row>();
  const form = useRef<HTMLFormElement>(null);
  const probabilities = useMemo(() => predict(model, row), [model, row]);
  const answers = useAnswers(modelText, row);
  const change = useCallback((name: string, value: Value) => {
    setCleared(undefined);
    setRow((before) => {
      const { [name]: _, ...rest } = before;
      return value === undefined || value === null ? rest : { ...rest, [name]: value };
    });
  }, []);
  const goTo = (column: string): void => {
    const place = form.current?.querySelector(`[data-column="${CSS.escape(column)}"]`);
    place?.scrollIntoView({ block: "center" });
    place?.querySelector<HTMLElement>("input, select")?.focus();
  };
  const open = (opened: Row): void => {
    setRow(opened);
    form.current?.scrollIntoView();
    form.current?.focus();
  };
  const outside = beyondData(shapes, row);
  const warning = outside.length === 0 ? "" : ` Beyond the training data: ${outside.join("; ")}.`;
  const ranked = rankClasses(model.classifier.classes, probabilities);
  const [best, p] = ranked[0];
  const next = answers.reasons?.questions[0]?.column;
  const question = next === undefined ? undefined : spaced(next);
  return (
    <>
      <main class="two">
        <RowForm
          shapes={shapes}
          row={row}
          reasons={answers.reasons}
          form={form}
          onChange={change}
          onClear={() => {
            setCleared(row);
            setRow({});
            form.current?.focus();
          }}
          onUndo={
            cleared &&
            (() => {
              setRow(cleared);
              setCleared(undefined);
              form.current?.focus();
            })
          }
        />
        <ResultPanel
          ranked={ranked}
          answers={answers}
          nothing={Object.keys(row).length === 0}
          outside={outside}
          onGoTo={goTo}
        />
      </main>
      <TablePanel model={model} modelText={modelText} onOpen={open} />
      <PhoneBar
        prediction={best}
        probability={p}
        hint={outside.length > 0 ? "beyond the data" : question && `ask next: ${question}`}
      />
      <LiveRegion
        sentence={`Predicted ${best}, ${percent(p)}.${warning}${question ? ` Best next question: ${question}.` : ""}`}
      />
    </>
  );
}

/** Entries that lie beyond the range of the training data, in words. */
function beyondData(shapes: readonly ColumnShape[], row: Row): string[] {
  return shapes.flatMap((shape) => {
    const value = Object.hasOwn(row, shape.name) ? row[shape.name] : undefined;
    if (shape.kind !== "number" || typeof value !== "number") return [];
    const isBeyond = value < shape.low || value > shape.high;
    return isBeyond
      ? [`${spaced(shape.name)} ${short(value)}, usually ${short(shape.low)} to ${short(shape.high)}`]
      : [];
  });
}

/** A short name for a text: what is kept of one model is nothing for another. */
function digestOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1 + (text.length >> 12))
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${text.length}.${hash}`;
}
