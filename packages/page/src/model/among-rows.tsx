import type { Row } from "conformant";
import { useState } from "preact/hooks";
import { useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { AMONG, RESULT } from "../frame/texts.ts";
import { Heading } from "../frame/words.tsx";
import type { ColumnShape } from "./column-shape.ts";
import { Histogram } from "./histogram.tsx";

/** Entries that are shown at first. */
const SHOWN = 5;

interface AmongRowsProps {
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
}

/** Where each entry stands among the training rows, the most unusual first. */
export function AmongRows({ shapes, row }: AmongRowsProps) {
  const names = useNames();
  const [all, setAll] = useState(false);
  const places = shapes
    .flatMap((shape) => {
      const place = placeOf(shape, Object.hasOwn(row, shape.name) ? row[shape.name] : undefined);
      return place ? [{ shape, ...place }] : [];
    })
    .sort((a, b) => a.usual - b.usual);
  if (places.length === 0) return null;
  const shown = all ? places : places.slice(0, SHOWN);
  return (
    <section class="card among">
      <Heading word="This case among the training rows" />
      <ul>
        {shown.map(({ shape, value, words, share }) => (
          <li key={shape.name} data-column={shape.name}>
            <span>
              {shape.title} <b>{names.value(shape.name, value)}</b>
            </span>
            {shape.kind === "number" ? (
              <Histogram shape={shape} likely={undefined} value={Number(value)} />
            ) : (
              <span class="track" aria-hidden="true">
                <span class="bar" style={{ width: `${100 * share}%` }} />
              </span>
            )}
            <data class="note" value={String(share)}>
              {words}
            </data>
          </li>
        ))}
      </ul>
      {places.length > SHOWN && (
        <button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? RESULT.less : RESULT.more(places.length - SHOWN)}
        </button>
      )}
    </section>
  );
}

interface Place {
  readonly value: unknown;
  readonly words: string;
  /** Of the training rows, those below a number, or those with the same category. */
  readonly share: number;
  /** How usual the entry is: the share of rows that are at least as far out, or that have it. */
  readonly usual: number;
}

/** Where an entry stands; undefined where it is unknown, or the model does not have the training data of its column. */
function placeOf(shape: ColumnShape, value: unknown): Place | undefined {
  if (value === undefined || value === null) return undefined;
  if (shape.kind === "choice") {
    const text = typeof value === "boolean" ? String(Number(value)) : String(value);
    const share = shape.choices.find((choice) => choice.value === text)?.share;
    return share === undefined
      ? undefined
      : { value, words: AMONG.share(percent(share)), share, usual: share };
  }
  if (!shape.data || typeof value !== "number") return undefined;
  const share = shareBelow(shape.data, value);
  const words =
    share === 0 || share === 1
      ? AMONG.all(share === 1)
      : share < 0.5
        ? AMONG.lower(percent(1 - share))
        : AMONG.higher(percent(share));
  return { value, words, share, usual: 2 * Math.min(share, 1 - share) };
}

/** The share of a histogram below a number; within a bar rows are taken to be evenly spread. */
export function shareBelow(
  { ends, shares }: { readonly ends: readonly number[]; readonly shares: readonly number[] },
  x: number,
): number {
  if (x > ends[ends.length - 1]) return 1;
  return shares.reduce((sum, share, j) => {
    const part = (x - ends[j]) / (ends[j + 1] - ends[j]);
    return sum + share * Math.min(1, Math.max(0, part));
  }, 0);
}
