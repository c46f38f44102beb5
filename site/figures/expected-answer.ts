import { classify, conform, createClassifier, predict } from "conformant";
import type { Figure } from "./figure.ts";
import { axes, dot, type Frame, label, line, percent, picture, place } from "./plot.ts";

const WIDTH = 640;
const HEIGHT = 380;
const frame: Frame = { left: 62, right: 610, top: 48, bottom: 310, x: [90, 190], y: [0, 1] };
/** Height of the tallest bar of the histogram on the scale of the chances. */
const TALLEST = 0.35;
const BARS = 40;

/** The risk by blood pressure: one half at 140. */
const classifier = createClassifier({
  schema: { columns: [{ name: "pressure", kind: "numeric" }] },
  classes: ["low", "high"],
  intercept: Float64Array.of(0, -21),
  weights: Float64Array.of(0, 0.15),
});
const answer = (pressure: number): number => classify(classifier, { pressure }).high;

/** What "expected" means: the mean of the classifier's answers, not its answer to the mean. */
export const expectedAnswer: Figure = {
  name: "expected-answer",
  controls: [
    { name: "centre", label: "Usual blood pressure", least: 110, most: 170, step: 1, start: 128 },
    { name: "spread", label: "How much it varies", least: 1, most: 25, step: 1, start: 18 },
  ],
  draw: ({ centre, spread }) => {
    const bars = bellShares(centre, spread);
    const rows = bars.map(({ x }) => ({ pressure: x }));
    const weights = Float64Array.from(bars, ({ share }) => 1e6 * share);
    const model = conform(classifier, rows, { weights, pseudocount: 0, bins: BARS });
    const expected = predict(model, {}).high;
    const atMean = answer(centre);
    const tallest = Math.max(...bars.map(({ share }) => share));
    const half = (frame.x[1] - frame.x[0]) / BARS / 2;
    const histogram = bars.map(({ x, share }) => {
      const [left, top] = place(frame, [x - half, (TALLEST * share) / tallest]);
      const [right] = place(frame, [x + half, 0]);
      return `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(right - left - 1).toFixed(1)}" height="${(frame.bottom - top).toFixed(1)}" class="fill-rule"/>`;
    });
    const curve = Array.from({ length: 101 }, (_, i) => 90 + i).map((x) => [x, answer(x)] as const);
    const [, expectedY] = place(frame, [0, expected]);
    const [, atMeanY] = place(frame, [0, atMean]);
    // Where the two are close their words would overlap; the higher one goes up.
    const apart = Math.abs(expectedY - atMeanY) < 18;
    const svg = picture(
      WIDTH,
      HEIGHT,
      `Expected answer ${percent(expected)}, answer to the mean ${percent(atMean)}`,
      ...histogram,
      axes(
        frame,
        { x: [90, 110, 130, 150, 170, 190], y: [0, 0.25, 0.5, 0.75, 1] },
        { x: "blood pressure (unknown for this patient)", y: "chance of high risk" },
        { y: percent },
      ),
      line(frame, curve, "ink"),
      line(
        frame,
        [
          [90, atMean],
          [centre, atMean],
          [centre, 0],
        ],
        "other",
        { "stroke-dasharray": "5 5", "stroke-width": 1.5 },
      ),
      dot(frame, [centre, atMean], "other", 5),
      line(
        frame,
        [
          [90, expected],
          [190, expected],
        ],
        "ours",
      ),
      label(
        [frame.left + 8, atMeanY + (apart && atMean <= expected ? 17 : -7)],
        `answer to the mean ${percent(atMean)}`,
        { color: "other" },
      ),
      label(
        [frame.right - 8, expectedY + (apart && expected < atMean ? 17 : -7)],
        `mean of the answers ${percent(expected)}`,
        {
          color: "ours",
          "text-anchor": "end",
        },
      ),
    );
    return {
      svg,
      caption: `The grey bars are what the pressure may be. Averaged over them the classifier says ${percent(expected)}; to their mean, ${centre}, it says ${percent(atMean)}.`,
    };
  },
};

/** A bell curve in bars; the shares sum to one. */
function bellShares(centre: number, spread: number): { readonly x: number; readonly share: number }[] {
  const width = (frame.x[1] - frame.x[0]) / BARS;
  const raw = Array.from({ length: BARS }, (_, i) => {
    const x = frame.x[0] + (i + 0.5) * width;
    return { x, share: Math.exp(-(((x - centre) / spread) ** 2) / 2) };
  });
  const total = raw.reduce((sum, { share }) => sum + share, 0);
  return raw.map(({ x, share }) => ({ x, share: share / total })).filter(({ share }) => share > 1e-6);
}
