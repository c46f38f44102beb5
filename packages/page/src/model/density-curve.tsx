import { useNames } from "../frame/names.ts";
import { useQuantity } from "../frame/quantity.ts";
import { RESULT } from "../frame/texts.ts";
import type { AnswerCurve, Certainty } from "../worker/answer.ts";

const [WIDTH, HEIGHT] = [320, 64];

interface DensityCurveProps {
  readonly curve: AnswerCurve;
  readonly value: number;
  readonly range: Certainty["range"];
}

/** How likely other answers are: this row once everything is known, in front of all rows; a line is the answer, a bar below it its range. */
export function DensityCurve({ curve: { low, high, now, all }, value, range }: DensityCurveProps) {
  const { text } = useQuantity();
  const { outcome } = useNames();
  const x = (answer: number): number =>
    ((Math.min(high, Math.max(low, answer)) - low) / (high - low)) * WIDTH;
  const area = (heights: readonly number[]): string => {
    const most = Math.max(...heights, Number.MIN_VALUE);
    const points = heights.map((height, j) => {
      const across = (j / (heights.length - 1)) * WIDTH;
      return `${across.toFixed(1)} ${(HEIGHT - (height / most) * (HEIGHT - 8)).toFixed(1)}`;
    });
    return `M0 ${HEIGHT}L${points.join("L")}L${WIDTH} ${HEIGHT}Z`;
  };
  const ends = range?.map((end) => end.value);
  const words = RESULT.curve(outcome, text(value), ends?.map(text) as [string, string] | undefined);
  return (
    <figure class="density">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 6}`} preserveAspectRatio="none" role="img" aria-label={words}>
        <path class="all" d={area(all)} />
        {now && <path class="now" d={area(now)} />}
        {ends && (
          <rect class="ends" x={x(ends[0])} width={x(ends[1]) - x(ends[0])} y={HEIGHT + 1} height={5} />
        )}
        <line x1={x(value)} x2={x(value)} y1={0} y2={HEIGHT} />
      </svg>
      <p class="axis note" aria-hidden="true">
        <span>{text(low)}</span>
        <span>{text(high)}</span>
      </p>
      <figcaption class="note">{RESULT.curveLegend(now !== undefined)}</figcaption>
    </figure>
  );
}
