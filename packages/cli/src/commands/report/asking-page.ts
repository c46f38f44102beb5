import { type AskingCurve, type AskingEvaluation, counted, drawLineChart } from "conformant-workbench";
import { askingText, enoughSentence } from "../asking-text.ts";
import { escapeHtml } from "./escape-html.ts";
import { htmlPage, legend } from "./html-page.ts";
import { seriesColor } from "./page-style.ts";

/** The picture that says whether asking pays: accuracy and log loss over the questions, or what they cost. */
export function askingPage(
  evaluation: AskingEvaluation,
  { data, label, withCosts }: { readonly data: string; readonly label: string; readonly withCosts: boolean },
): string {
  const { curves, rows, questions } = evaluation;
  const lead = enoughSentence(evaluation, withCosts);
  const method = `${counted(rows, "row")} of ${data} with all that is known of them, asked ${counted(questions, "question")} one after the other in ${counted(curves.length, "order")}. “Ours” asks each row what its answers so far make the most telling.`;
  const plots = [
    { title: "Accuracy", better: "higher", pick: ({ accuracy }: AskingCurve) => accuracy },
    { title: "Log loss", better: "lower", pick: ({ logLoss }: AskingCurve) => logLoss },
  ].map(
    ({ title, better, pick }) =>
      `<figure><figcaption><strong>${title}</strong>, ${better} is better</figcaption>${curvePlot(title, curves, pick, withCosts)}</figure>`,
  );
  return htmlPage(
    `Does asking pay? Predictions of ${label} after each question`,
    curves.length,
    `<p class="lead">${escapeHtml(lead)}</p>
<p>${escapeHtml(method)}</p>
${legend(curves.map(({ order }) => order))}
<div class="plots">
${plots.join("\n")}
</div>
<h2>The numbers</h2>
<pre>${escapeHtml(askingText(evaluation, withCosts))}</pre>
<footer>Made by conformant.</footer>`,
  );
}

function curvePlot(
  title: string,
  curves: readonly AskingCurve[],
  pick: (curve: AskingCurve) => readonly number[],
  withCosts: boolean,
): string {
  return drawLineChart({
    title: `${title} after each question`,
    x: { title: withCosts ? "cost of the questions" : "questions asked" },
    y: { title: "" },
    dots: 2,
    lines: curves.map((curve, order) => ({
      name: curve.order,
      color: seriesColor(order),
      points: pick(curve).map((y, questions) => ({ x: withCosts ? curve.cost[questions] : questions, y })),
    })),
  });
}
