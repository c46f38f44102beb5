/**
 * Explanations and questionnaires as SVG.
 *
 * @module
 */

export { type DrawContributionsOptions, drawContributions } from "../queries/pictures/draw-contributions.ts";
export { type DrawPanelsOptions, drawPanels, type ExplainedImage } from "../queries/pictures/draw-panels.ts";
export { drawQuestionnaire } from "../queries/pictures/draw-questionnaire.ts";
