import type { Questionnaire } from "conformant";
import { branchInWords } from "conformant/internal";
import { element, picture, shorten, text } from "./svg.ts";

const COLORS = { line: "#c9ced4", ink: "#1d2330", faint: "#6b7280", ask: "#2b7a9b" };
/** The width of a level and of the answer text in it, and the height of a leaf. */
const [LEVEL, WORDS, ROW] = [270, 110, 44];
const [LEFT, TOP] = [16, 56];

/** A node of the picture: its position, and the answer that leads to it. */
interface Place {
  readonly node: Questionnaire;
  readonly answer: string;
  readonly level: number;
  readonly y: number;
  readonly below: readonly Place[];
}

/**
 * A questionnaire as a tree from left to right: nodes show the current prediction and the next question, edges the answers.
 *
 * @returns the text of an SVG file
 */
export function drawQuestionnaire(questionnaire: Questionnaire): string {
  let ends = 0;
  const placed = (node: Questionnaire, answer: string, level: number): Place => {
    const below = (node.question?.branches ?? []).map((branch) =>
      placed(branch.next, branchInWords(branch), level + 1),
    );
    const y = below.length === 0 ? TOP + ROW * (ends++ + 0.5) : (below[0].y + below[below.length - 1].y) / 2;
    return { node, answer, level, y, below };
  };
  const root = placed(questionnaire, "", 0);
  const levels = deepest(root) + 1;
  const title = "What to ask, and what the answers say";
  return picture(LEFT + levels * LEVEL, TOP + ends * ROW + 16, title, [
    text(title, { x: LEFT, y: 28, "font-size": 15, "font-weight": 600, fill: COLORS.ink }),
    ...drawn(root),
  ]);
}

function deepest({ level, below }: Place): number {
  return Math.max(level, ...below.map(deepest));
}

function left({ level }: Place): number {
  return LEFT + level * LEVEL + (level > 0 ? WORDS : 0);
}

function drawn(place: Place): string[] {
  const { node, y, below } = place;
  const x = left(place);
  const said = `${shorten(node.prediction, 16)} ${node.probability.toFixed(2)}`;
  const share = node.share < 1 ? `, ${(100 * node.share).toFixed(node.share < 0.1 ? 1 : 0)} %` : "";
  return [
    text(said + share, { x, y: y - 2, fill: COLORS.ink }),
    ...(node.question
      ? [
          text(`${shorten(node.question.column, 18)}?`, {
            x,
            y: y + 14,
            fill: COLORS.ask,
            "font-weight": 600,
          }),
        ]
      : []),
    ...below.flatMap((child) => [
      ...edge(x + LEVEL - WORDS - 30, y, LEFT + child.level * LEVEL, child.y),
      text(shorten(child.answer, 17), {
        x: LEFT + child.level * LEVEL + 4,
        y: child.y - 2,
        fill: COLORS.faint,
      }),
      ...drawn(child),
    ]),
  ];
}

/** A curve with horizontal ends. */
function edge(fromX: number, fromY: number, toX: number, toY: number): string[] {
  const middle = (fromX + toX) / 2;
  const d = `M ${fromX} ${fromY} C ${middle} ${fromY}, ${middle} ${toY}, ${toX} ${toY}`;
  return [element("path", { d, fill: "none", stroke: COLORS.line, "stroke-width": 1.5 })];
}
