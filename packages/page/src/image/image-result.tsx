import type { Model, Row } from "conformant";
import { treesOf } from "conformant/trees";
import { useMemo } from "preact/hooks";
import { IMAGE } from "../frame/texts.ts";
import { useExplanation } from "../model/use-answers.ts";
import { Baselines } from "./baselines.tsx";
import { meanImputation } from "./mean-imputation.ts";
import { Panels } from "./panels.tsx";
import type { Image } from "./pixels.ts";

interface ImageResultProps {
  readonly model: Model;
  readonly modelText: string;
  readonly image: Image;
  readonly width: number;
  /** The known pixels. */
  readonly row: Row;
  readonly probabilities: Readonly<Record<string, number>>;
}

/** The model's prediction from the known pixels, beside that of an additive classifier on mean-imputed pixels, and its explanation. */
export function ImageResult({ model, modelText, image, width, row, probabilities }: ImageResultProps) {
  const fillWithMeans = useMemo(() => (treesOf(model) ? undefined : meanImputation(model)), [model]);
  const mean = useMemo(() => fillWithMeans?.(row), [fillWithMeans, row]);
  const { explanation, complete } = useExplanation(modelText, row);
  return (
    <section id="result" class="result" aria-label={IMAGE.result} data-complete={complete}>
      <div class="card">
        <h2>{IMAGE.prediction}</h2>
        <p class="meaning">
          {IMAGE.predictionMeaning} {IMAGE.known(Object.keys(row).length, image.ink.length)}
        </p>
        <Baselines classes={model.response.outputs} ours={probabilities} mean={mean} />
      </div>
      {explanation && (
        <div class="card">
          <h2>{IMAGE.why(explanation.prediction)}</h2>
          <p class="meaning">{IMAGE.whyMeaning}</p>
          <Panels model={model} image={image} width={width} explanation={explanation} />
        </div>
      )}
    </section>
  );
}
