/// <reference path="../program-texts.d.ts" />
import { type AnyModel, isRegression } from "conformant";
import { TIE } from "conformant/internal";
import { treesOf } from "conformant/trees";
import { modelData, predictorInWords } from "./model-data.ts";
import { text as gaussian } from "./r-gaussian.R";
import { text as linear } from "./r-linear.R";
import { rLiteral } from "./r-literal.ts";
import { text as modelPart } from "./r-model.R";
import { text as predictNumbers } from "./r-number.R";
import { text as predictClasses } from "./r-predict.R";
import { text as rows } from "./r-rows.R";
import { text as scores } from "./r-scores.R";
import { text as treesPart } from "./r-trees.R";

/** A model as one R file that needs no package: `predict(model, newdata)`. */
export function exportR(model: AnyModel): string {
  const [trees, isNumber] = [treesOf(model), isRegression(model)];
  const { columns, components, ...rest } = modelData(model);
  const parts = [
    ...(isNumber && !trees ? [linear] : []),
    rows,
    scores,
    ...(model.gaussianColumns ? [gaussian] : []),
    ...(trees ? [treesPart] : []),
    isNumber ? predictNumbers : predictClasses,
    modelPart,
  ];
  const items = [
    ...Object.entries(rest).map(([key, own]) => `${key} = ${rLiteral(own)}`),
    `columns = list(\n${columns.map((own) => `  ${rLiteral(own)}`).join(",\n")}\n)`,
    `components = list(\n${components.map((own) => `  ${rLiteral(own)}`).join(",\n")}\n)`,
  ];
  return `# Expected predictions of ${predictorInWords(model)} on rows with gaps, written by conformant. Needs no package.
#
#   source("this_file.R")                         # makes \`model\`
${isNumber ? NUMBERS : CLASSES}

model <- local({
data <- list(
${items.join(",\n")}
)
${isNumber ? "" : `tie <- ${TIE} # probabilities that differ by no more are tied\n`}
${parts.map((part) => part.trim()).join("\n\n")}
})
`;
}

const CLASSES = `#   predict(model, newdata, type = "prob")        # rows x classes; NA is a gap
#   predict(model, newdata, type = "class")       # the most likely class`;
const NUMBERS = "#   predict(model, newdata)                       # one number per row; NA is a gap";
