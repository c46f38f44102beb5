/// <reference path="../program-texts.d.ts" />
import type { Model } from "conformant";
import { TIE } from "conformant/internal";
import { treesOf } from "conformant/trees";
import { modelData } from "./model-data.ts";
import { text as gaussian } from "./r-gaussian.R";
import { rLiteral } from "./r-literal.ts";
import { text as modelPart } from "./r-model.R";
import { text as predicting } from "./r-predict.R";
import { text as rows } from "./r-rows.R";
import { text as treesPart } from "./r-trees.R";

/** A model as one R file that needs no package: `predict(model, newdata, type = "prob")`. */
export function exportR(model: Model): string {
  const { gaussianColumns } = model;
  const trees = treesOf(model);
  const { columns, components, ...rest } = modelData(model);
  const parts = [
    rows,
    predicting,
    ...(gaussianColumns ? [gaussian] : []),
    ...(trees ? [treesPart] : []),
    modelPart,
  ];
  const items = [
    ...Object.entries(rest).map(([key, own]) => `${key} = ${rLiteral(own)}`),
    `columns = list(\n${columns.map((own) => `  ${rLiteral(own)}`).join(",\n")}\n)`,
    `components = list(\n${components.map((own) => `  ${rLiteral(own)}`).join(",\n")}\n)`,
  ];
  return `# Expected predictions of ${trees ? "trees" : "a logistic regression"} on rows with gaps, written by conformant. Needs no package.
#
#   source("this_file.R")                         # makes \`model\`
#   predict(model, newdata, type = "prob")        # rows x classes; NA is a gap
#   predict(model, newdata, type = "class")       # the most likely class

model <- local({
data <- list(
${items.join(",\n")}
)
tie <- ${TIE} # probabilities that differ by no more are tied

${parts.map((part) => part.trim()).join("\n\n")}
})
`;
}
