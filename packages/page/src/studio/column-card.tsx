import type { AskedKind } from "conformant-workbench";
import { percent } from "../frame/numbers.ts";
import { DATA } from "../frame/studio-texts.ts";
import type { ColumnSummary } from "../worker/summarize-column.ts";
import type { Study } from "./study.ts";

interface ColumnCardProps {
  readonly column: ColumnSummary;
  readonly rows: number;
  readonly choices: Study["choices"];
  readonly onChoose: (part: Partial<Study["choices"]>) => void;
}

type Choice = "auto" | AskedKind | "out";

/** A column: what it is, where its gaps are, how its values are distributed; what it is can be changed. */
export function ColumnCard({ column, rows, choices, onChoose }: ColumnCardProps) {
  const { name, kind, gaps, note, isProblem, perhapsGap } = column;
  const { exclude, kinds } = choices;
  const isOut = exclude.includes(name);
  const choice: Choice = isOut ? "out" : Object.hasOwn(kinds, name) ? kinds[name] : "auto";
  const choose = (chosen: Choice): void => {
    const { [name]: _, ...others } = kinds;
    onChoose({
      exclude: [...exclude.filter((other) => other !== name), ...(chosen === "out" ? [name] : [])],
      kinds: chosen === "auto" || chosen === "out" ? others : { ...others, [name]: chosen },
    });
  };
  const used = !isOut && kind !== undefined;
  return (
    <li class={`column ${used ? "" : "unused"} ${isProblem ? "problem" : ""}`} data-column={name}>
      <div class="head">
        <h3>{name}</h3>
        <select
          aria-label={DATA.kindOf(name)}
          value={choice}
          onChange={({ currentTarget }) => choose(currentTarget.value as Choice)}
        >
          {(Object.keys(DATA.kinds) as Choice[]).map((option) => (
            <option key={option} value={option}>
              {DATA.kinds[option]}
            </option>
          ))}
        </select>
      </div>
      <GapMap shares={column.gapMap} />
      <p class="note">
        {DATA.foundAs(DATA.found[kind ?? "out"])} · {DATA.different(column.different)} ·{" "}
        {gaps === 0 ? DATA.noGaps : DATA.gaps(percent(gaps / rows))}
      </p>
      {perhapsGap !== undefined && !isOut && (
        <button type="button" onClick={() => onChoose({ gaps: [...choices.gaps, perhapsGap] })}>
          {DATA.meansUnknown(perhapsGap)}
        </button>
      )}
      <Bars bars={column.bars} isNumber={kind === "numeric"} />
      {note !== undefined && !isOut && <p class={isProblem ? "note warn" : "note"}>{note}</p>}
    </li>
  );
}

/** Where in the file the gaps are: a strip from the first row to the last, dark where many are. */
function GapMap({ shares }: { shares: readonly number[] }) {
  return (
    <svg class="gap-map" viewBox={`0 0 ${shares.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      {shares.map(
        (share, s) => share > 0 && <rect key={s} x={s} width="1" height="1" opacity={0.25 + 0.75 * share} />,
      )}
    </svg>
  );
}

function Bars({ bars, isNumber }: { bars: ColumnSummary["bars"]; isNumber: boolean }) {
  const most = Math.max(1, ...bars.map(({ rows }) => rows));
  if (isNumber)
    return (
      <svg class="bars" viewBox={`0 0 ${bars.length} 24`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ label, rows }, b) => (
          <rect
            key={label}
            x={b + 0.05}
            width="0.9"
            y={24 - (24 * rows) / most}
            height={(24 * rows) / most}
          />
        ))}
      </svg>
    );
  return (
    <ul class="category-bars" aria-hidden="true">
      {bars.slice(0, 4).map(({ label, rows }) => (
        <li key={label}>
          <i style={{ width: `${(100 * rows) / most}%` }} />
          <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}
