import type { Model, Row } from "conformant";
import { useMemo } from "preact/hooks";
import { useExplanation } from "../answers/use-answers.ts";
import { meanImputation } from "./mean-imputation.ts";
import { Panels } from "./panels.tsx";
import type { Image } from "./pixels.ts";
import { Rivals } from "./rivals.tsx";

interface ImageResultProps {
  readonly model: Model;
  readonly modelText: string;
  readonly image: Image;
  readonly width: number;
  /** The known pixels. */
  readonly row: Row;
  readonly probabilities: Readonly<Record<string, number>>;
}

/** What the model makes of the known pixels, beside the classifier with means in the gaps, and why. */
export function ImageResult({ model, modelText, image, width, row, probabilities }: ImageResultProps) {
  const fillWithMeans = useMemo(() => meanImputation(model), [model]);
  const mean = useMemo(() => fillWithMeans(row), [fillWithMeans, row]);
  const { explanation, complete } = useExplanation(modelText, row);
  return (
    <section id="result" class="result" aria-label="Result" data-complete={complete}>
      <div class="card">
        <h2>Expected prediction</h2>
        <p class="meaning">
          What the classifier would answer on average over all that the hidden pixels could be, beside its
          answer when they are filled with their means. {Object.keys(row).length} of {image.ink.length} pixels
          are known.
        </p>
        <Rivals classes={model.classifier.classes} ours={probabilities} mean={mean} />
      </div>
      {explanation && (
        <div class="card">
          <h2>Why {explanation.prediction}</h2>
          <p class="meaning">
            A pixel supports the prediction if not knowing it would make the prediction less likely. The
            sufficient explanation is the fewest supporting pixels that keep the prediction against all
            opposing ones; beside it as many pixels chosen by the size of their weights.
          </p>
          <Panels model={model} row={row} image={image} width={width} explanation={explanation} />
        </div>
      )}
    </section>
  );
}
