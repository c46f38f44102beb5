import {
  count,
  counted,
  type Evaluation,
  type EvaluationPlan,
  type Metric,
  maskNames,
  roundPercent,
  type SetsEvaluation,
} from "conformant-workbench";
import {
  choiceSentence,
  choiceTable,
  describeVerdict,
  type ModelDescription,
  missingEffectTable,
} from "conformant-workbench/describe";
import {
  bestScores,
  fixed,
  METRIC_WORDS,
  metricTitle,
  sampledSentence,
  scoresOf,
  withError,
} from "../evaluation-text.ts";
import { setsSentence, setsTable } from "../sets-text.ts";
import { choicePlot } from "./choice-plot.ts";
import { escapeHtml } from "./escape-html.ts";
import { htmlPage, legend } from "./html-page.ts";
import { metricPlot } from "./metric-plot.ts";
import { reliabilityPlot } from "./reliability-plot.ts";

export interface ReportContent {
  readonly evaluation: Evaluation;
  /** Present where prediction sets were scored. */
  readonly sets?: SetsEvaluation | undefined;
  readonly plan: EvaluationPlan;
  readonly model: ModelDescription;
  readonly data: string;
  readonly label: string;
  readonly trainingRows: number;
}

const MECHANISM_WORDS = {
  mcar: "completely at random",
  mar: "depending on one other column, which itself stays",
  mnar: "depending on the value that is masked",
  patterns: "where they are missing in another row",
} as const;

/** The page of an evaluation. */
export function reportPage(content: ReportContent): string {
  const { evaluation, label } = content;
  const title = `How predictions of ${label} hold up as cells go missing`;
  return htmlPage(
    title,
    evaluation.methods.length,
    `${introduction(content)}
${verdictSection(evaluation)}
<h2>As cells go missing</h2>
<div class="plots">
${evaluation.metrics.map((metric) => figure(evaluation, metric)).join("\n")}
</div>
<h2>Do probabilities mean what they say?</h2>
<p>How often answers were right over how sure they were, for each share of masked cells; on the dashed line both are the same.</p>
<div class="plots">
${evaluation.rates.map((rate, i) => reliabilityFigure(evaluation, rate, i)).join("\n")}
</div>
<h2>The numbers</h2>
<p>Mean over the repeats ± its standard error; the best of each column is in bold.</p>
${evaluation.metrics.map((metric) => numbersTable(evaluation, metric)).join("\n")}
${setsSection(content.sets)}<h2>The model</h2>
${modelTable(content.model)}
${choiceSection(content.model)}
<footer>Made by conformant. “Ours” is the expected prediction: what the classifier would answer on average over the missing values, given the known ones.</footer>`,
  );
}

function introduction({ evaluation, plan, data, model, trainingRows }: ReportContent): string {
  const last = evaluation.rates.length - 1;
  const ours = evaluation.methods[0];
  const sentence = `With no extra cells masked the model is right in ${roundPercent(ours.unmasked.accuracy)} of ${counted(evaluation.rows, "row")}; with ${evaluation.mechanism === "patterns" ? "the missing values of other rows overlaid" : `${roundPercent(evaluation.rates[last])} of the cells masked`}, in ${roundPercent(ours.mean.accuracy[last])}.`;
  const method = `Cells of ${data} were masked ${MECHANISM_WORDS[plan.mechanism]}, ${counted(plan.repeats, "time")} for each share, the same cells for every method. Baselines were trained on ${counted(trainingRows, "row")}. The model has ${counted(model.columns.length, "column")} and ${counted(model.classes.length, "class", "classes")}.`;
  const sampled = sampledSentence(evaluation);
  return `<p class="lead">${escapeHtml(sentence)}</p>\n<p>${escapeHtml(sampled ? `${method} ${sampled}.` : method)}</p>\n${legend(evaluation.methods.map(({ name }) => name))}`;
}

/** The model on the rows as they are, beside guessing. */
function verdictSection({ verdict, classes }: Evaluation): string {
  const { sentence, facts, confusion } = describeVerdict(verdict, classes);
  const table = confusion ? htmlTable(confusion.header, confusion.rows) : "";
  return `<h2>The rows as they are</h2>\n<p>${escapeHtml(sentence)}</p>\n${htmlTable(["", ""], facts)}\n${table}`;
}

function figure(evaluation: Evaluation, metric: Metric): string {
  const { better, meaning } = METRIC_WORDS[metric];
  const title = metricTitle(metric, evaluation.classes);
  return `<figure><figcaption><strong>${escapeHtml(title)}</strong>, ${better} is better<br><small>${escapeHtml(meaning)}</small></figcaption>${metricPlot(evaluation, metric)}</figure>`;
}

function reliabilityFigure(evaluation: Evaluation, rate: number, i: number): string {
  return `<figure><figcaption><strong>masked: ${maskNames([rate], evaluation.mechanism)[1]}</strong></figcaption>${reliabilityPlot(evaluation, i)}</figure>`;
}

function numbersTable(evaluation: Evaluation, metric: Metric): string {
  const { rates, mechanism, methods, classes } = evaluation;
  const title = metricTitle(metric, classes);
  const best = bestScores(evaluation, metric);
  const head = maskNames(rates, mechanism)
    .map((name) => `<th scope="col">${name}</th>`)
    .join("");
  const rows = methods.map((method) => {
    const cells = scoresOf(method, metric).map(([value, error], i) => {
      const text = `${fixed(value)}${small(withError(error))}`;
      return `<td>${value === best[i] ? `<b>${text}</b>` : text}</td>`;
    });
    return `<tr><th scope="row">${escapeHtml(method.name)}</th>${cells.join("")}</tr>`;
  });
  return `<table><caption>${escapeHtml(title)}</caption><thead><tr><th scope="col">masked</th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** The coverage of prediction sets. */
function setsSection(sets: SetsEvaluation | undefined): string {
  if (!sets) return "";
  const { header, rows } = setsTable(sets);
  return `<h2>Do sets of classes keep their promise?</h2>\n<p>${escapeHtml(setsSentence(sets))}. “Can rule out” is the share of rows for which enough calibration rows know the same columns.</p>\n${htmlTable(header, rows)}\n`;
}

/** How size and kind of the mixture were chosen, if they were. */
function choiceSection({ certificate: { choice } }: ModelDescription): string {
  if (!choice) return "";
  const { header, rows } = choiceTable(choice);
  return `<h2>How it was chosen</h2>\n<p>By ${escapeHtml(choiceSentence(choice))}.</p>\n${choice.masks > 0 ? `<figure>${choicePlot(choice)}</figure>` : ""}${htmlTable(header, rows)}`;
}

/** The effect of a missing value of each column, or of all columns of a Gaussian. */
function modelTable(model: ModelDescription): string {
  const { header, rows } = missingEffectTable(model);
  const more = rows.length > 100 ? `<p>… and ${count(rows.length - 100)} more columns.</p>` : "";
  const numbers = model.gaussian
    ? ` The numbers ${escapeHtml(model.gaussian.columns.join(", "))} are described together by a Gaussian.`
    : "";
  return `<p>Fitted on ${counted(model.rows, "row")}.${numbers} The effect of a missing value on the score of each class, with nothing else known:</p>${htmlTable(header, rows.slice(0, 100))}${more}`;
}

function htmlTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = header.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join("");
  const body = rows.map(
    ([name, ...cells]) =>
      `<tr><th scope="row">${escapeHtml(name)}</th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`,
  );
  return `<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

function small(text: string): string {
  return text === "" ? "" : `<small>${text}</small>`;
}
