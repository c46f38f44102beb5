import { predict } from "conformant";
import { useMemo, useState } from "preact/hooks";
import { useAnswers } from "../answers/use-answers.ts";
import { columnShapes } from "../form/column-shape.ts";
import { LiveRegion } from "../frame/live-region.tsx";
import type { LoadedPage } from "../frame/load-page.ts";
import { percent } from "../frame/numbers.ts";
import { PhoneBar } from "../frame/phone-bar.tsx";
import { DrawingBoard } from "./drawing-board.tsx";
import { hideShare, hidingOrder } from "./hide-share.ts";
import { meanImputation } from "./mean-imputation.ts";
import { Panels } from "./panels.tsx";
import { blankImage, type Image, paint, readImage, rowOfImage } from "./pixels.ts";
import { Rivals } from "./rivals.tsx";
import { Samples } from "./samples.tsx";

interface ImagePageProps {
  readonly page: LoadedPage;
  readonly size: { readonly width: number; readonly height: number };
}

const TOOLS = { hide: "Hide", show: "Reveal", draw: "Draw", rub: "Rub out" } as const;
type Tool = keyof typeof TOOLS;

/** An image to choose or draw, parts of it to hide, and what the model makes of the rest. */
export function ImagePage({ page: { model, modelText, settings }, size: { width, height } }: ImagePageProps) {
  const samples = useMemo(
    () => (settings.samples ?? []).map(({ name, pixels }) => ({ name, image: readImage(pixels) })),
    [settings],
  );
  const shapes = useMemo(() => columnShapes(model), [model]);
  const fillWithMeans = useMemo(() => meanImputation(model), [model]);
  const [image, setImage] = useState<Image>(samples[0]?.image ?? blankImage(width * height));
  const [tool, setTool] = useState<Tool>(samples.length > 0 ? "hide" : "draw");
  const [share, setShare] = useState(0);
  const [seed, setSeed] = useState(1);
  const row = useMemo(() => rowOfImage(model, shapes, image), [model, shapes, image]);
  const ours = useMemo(() => predict(model, row), [model, row]);
  const mean = useMemo(() => fillWithMeans(row), [fillWithMeans, row]);
  const answers = useAnswers(modelText, row, false);
  const hide = (nextShare: number, nextSeed = seed): void => {
    setShare(nextShare);
    setSeed(nextSeed);
    setImage(({ ink }) => ({ ink, hidden: hideShare(hidingOrder(ink.length, nextSeed), nextShare) }));
  };
  const take = (chosen: Image): void => {
    setShare(0);
    setImage(chosen);
  };
  const known = Object.keys(row).length;
  const [best, p] = Object.entries(ours).reduce((most, one) => (one[1] > most[1] ? one : most));
  return (
    <main class="two image-page">
      <section class="card" aria-label="The image">
        {samples.length > 0 && <Samples samples={samples} width={width} onTake={take} />}
        <fieldset class="tools">
          <legend>Brush</legend>
          {Object.entries(TOOLS).map(([name, label]) => (
            <label key={name} class="choice">
              <input
                type="radio"
                name="tool"
                checked={tool === name}
                onChange={() => setTool(name as Tool)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <DrawingBoard
          image={image}
          width={width}
          onPaint={(at) =>
            setImage((before) => paint(before, width, at, tool, tool === "draw" || tool === "rub" ? 1 : 2))
          }
        />
        <div class="hide-share">
          <label for="share">
            Hide at random: <output for="share">{Math.round(100 * share)} %</output>
          </label>
          <input
            id="share"
            type="range"
            min={0}
            max={100}
            value={100 * share}
            onInput={({ currentTarget }) => hide(Number(currentTarget.value) / 100)}
          />
          <div class="buttons">
            <button type="button" onClick={() => hide(share, seed + 1)}>
              Hide others
            </button>
            <button type="button" onClick={() => hide(0)}>
              Reveal all
            </button>
            <button
              type="button"
              onClick={() => {
                take(blankImage(width * height));
                setTool("draw");
              }}
            >
              Empty page
            </button>
          </div>
        </div>
      </section>
      <section id="result" class="result" aria-label="Result" data-complete={answers.complete}>
        <div class="card">
          <h2>Expected prediction</h2>
          <p class="meaning">
            What the classifier would answer on average over all that the hidden pixels could be, beside its
            answer when they are filled with their means. {known} of {width * height} pixels are known.
          </p>
          <Rivals ours={ours} mean={mean} />
        </div>
        {answers.reasons && (
          <div class="card">
            <h2>Why {answers.reasons.explanation.prediction}</h2>
            <p class="meaning">
              A pixel supports the prediction if not knowing it would make the prediction less likely. The
              sufficient explanation is the fewest supporting pixels that keep the prediction against all
              opposing ones; beside it as many pixels chosen by the size of their weights.
            </p>
            <Panels
              model={model}
              row={row}
              image={image}
              width={width}
              explanation={answers.reasons.explanation}
            />
          </div>
        )}
      </section>
      <PhoneBar prediction={best} probability={p} hint={`${known} pixels known`} />
      <LiveRegion sentence={`Predicted ${best}, ${percent(p)}, from ${known} of ${width * height} pixels.`} />
    </main>
  );
}
