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
      <Bars column={column} isNumber={kind === "numeric"} />
      {note !== undefined && !isOut && <p class={isProblem ? "note warn" : "note"}>{note}</p>}
      {!isOut && (perhapsGap !== undefined || isProblem) && (
        <p class="buttons">
          {perhapsGap !== undefined && (
            <button type="button" onClick={() => onChoose({ gaps: [...choices.gaps, perhapsGap] })}>
              {DATA.meansUnknown(perhapsGap)}
            </button>
          )}
          {isProblem && (
            <>
              <button type="button" onClick={() => choose("categorical")}>
                {DATA.asCategory}
              </button>
              <button type="button" onClick={() => choose("out")}>
                {DATA.leaveOut}
              </button>
            </>
          )}
        </p>
      )}
    </li>
  );
}

/** Where in the file the gaps are: a strip from the first row to the last, as high as the share of missing values. */
function GapMap({ shares }: { shares: readonly number[] }) {
  return (
    <svg class="gap-map" viewBox={`0 0 ${shares.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      {shares.map((share, s) => share > 0 && <rect key={s} x={s} width="1" y={1 - share} height={share} />)}
    </svg>
  );
}

/** Categories that are drawn. */
const DRAWN = 4;

function Bars({ column: { bars, different }, isNumber }: { column: ColumnSummary; isNumber: boolean }) {
  const most = Math.max(1, ...bars.map(({ rows }) => rows));
  if (isNumber)
    return (
      <>
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
        {bars.length > 0 && (
          <p class="ends note">
            <span>{bars[0].label.split(" – ")[0]}</span>
            <span>{DATA.mostRows(most)}</span>
            <span>{bars[bars.length - 1].label.split(" – ")[1]}</span>
          </p>
        )}
      </>
    );
  return (
    <ul class="category-bars">
      {bars.slice(0, DRAWN).map(({ label, rows }) => (
        <li key={label}>
          <i style={{ width: `${(100 * rows) / most}%` }} />
          <span>
            {label} <span class="note">{rows.toLocaleString("en")}</span>
          </span>
        </li>
      ))}
      {different > DRAWN && <li class="note">{DATA.andMore(different - Math.min(DRAWN, bars.length))}</li>}
    </ul>
  );
}
