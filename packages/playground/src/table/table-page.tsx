import { predict, type Row, type Value } from "conformant";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { rankClasses } from "../answers/rank-classes.ts";
import { useAnswers } from "../answers/use-answers.ts";
import { columnShapes } from "../form/column-shape.ts";
import { LiveRegion } from "../frame/live-region.tsx";
import type { LoadedPage } from "../frame/load-page.ts";
import { percent } from "../frame/numbers.ts";
import { PhoneBar } from "../frame/phone-bar.tsx";
import { spaced } from "../frame/spaced.ts";
import { ResultPanel } from "../result/result-panel.tsx";
import { RowForm } from "./row-form.tsx";
import { TablePanel } from "./table-panel.tsx";

/** A form made from the model's columns, the answer beside it, and a place for many rows. */
export function TablePage({ page: { model, modelText } }: { page: LoadedPage }) {
  const shapes = useMemo(() => columnShapes(model), [model]);
  const [row, setRow] = useState<Row>({});
  const form = useRef<HTMLFormElement>(null);
  const probabilities = useMemo(() => predict(model, row), [model, row]);
  const answers = useAnswers(modelText, row);
  const change = useCallback((name: string, value: Value) => {
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
          onClear={() => setRow({})}
        />
        <ResultPanel
          ranked={ranked}
          answers={answers}
          nothing={Object.keys(row).length === 0}
          onGoTo={goTo}
        />
      </main>
      <TablePanel model={model} onOpen={open} />
      <PhoneBar prediction={best} probability={p} hint={question && `ask next: ${question}`} />
      <LiveRegion
        sentence={`Predicted ${best}, ${percent(p)}.${question ? ` Best next question: ${question}.` : ""}`}
      />
    </>
  );
}
