import { type AnyModel, isRegression, predictColumns, type Row } from "conformant";
import { decide } from "conformant/internal";
import { useMemo } from "preact/hooks";
import { useNames } from "../frame/names.ts";
import { useQuantity } from "../frame/quantity.ts";
import { ASKING } from "../frame/texts.ts";

const [WIDTH, HEIGHT, EDGE] = [320, 92, 8];
/** Room for the ends of the axes. */
const [LEFT, BELOW] = [52, 16];

/** The answer against the number of questions: with nothing known, and after each field in the order in which they became known. */
export function AnswerPath({ model, row }: { model: AnyModel; row: Row }) {
  const names = useNames();
  const { text, plain, low, high } = useQuantity();
  const { answers, prediction } = useMemo(() => answersAlong(model, row), [model, row]);
  const most = answers.length - 1;
  const [least, largest] = [Math.min(low, ...answers), Math.max(high, ...answers)];
  const x = (asked: number): number => LEFT + EDGE + (asked / most) * (WIDTH - LEFT - 2 * EDGE);
  const y = (answer: number): number =>
    HEIGHT - BELOW - EDGE - ((answer - least) / (largest - least)) * (HEIGHT - BELOW - 2 * EDGE);
  const points = answers.map((answer, asked) => ({ asked, x: x(asked), y: y(answer) }));
  const name = prediction === undefined ? names.outcome : names.class(prediction);
  const words = ASKING.path(name, answers.map(text));
  return (
    <figure class="answer-path">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
        <rect x={LEFT} width={WIDTH - LEFT} height={HEIGHT - BELOW} />
        {[least, largest].map((end) => (
          <text key={end} class="up" x={LEFT - 4} y={y(end) + 4}>
            {plain(end)}
          </text>
        ))}
        {points.map((point) => (
          <text key={point.asked} x={point.x} y={HEIGHT - 3}>
            {point.asked}
          </text>
        ))}
        <polyline points={points.map((point) => `${point.x},${point.y}`).join(" ")} />
        {points.map(({ asked, ...point }) => (
          <circle key={asked} cx={point.x} cy={point.y} r="4" />
        ))}
      </svg>
      <figcaption class="note">{words}</figcaption>
    </figure>
  );
}

/** The probability of the class that is predicted now, or the number, after each of the known fields. */
export function answersAlong(
  model: AnyModel,
  row: Row,
): { readonly answers: number[]; readonly prediction: string | undefined } {
  const known = Object.entries(row);
  const rows = Array.from({ length: known.length + 1 }, (_, n) => Object.fromEntries(known.slice(0, n)));
  if (isRegression(model))
    return { answers: Array.from(predictColumns(model, rows).values), prediction: undefined };
  const { classes, probabilities } = predictColumns(model, rows);
  const K = classes.length;
  const { class: k } = decide(probabilities.subarray(known.length * K));
  return { answers: rows.map((_, n) => probabilities[n * K + k]), prediction: classes[k] };
}
