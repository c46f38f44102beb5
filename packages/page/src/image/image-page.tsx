import { predict } from "conformant";
import { useMemo, useState } from "preact/hooks";
import { LiveRegion } from "../frame/live-region.tsx";
import type { LoadedPage } from "../frame/load-page.ts";
import { percent } from "../frame/numbers.ts";
import { PhoneBar } from "../frame/phone-bar.tsx";
import { rankClasses } from "../frame/rank-classes.ts";
import { IMAGE } from "../frame/texts.ts";
import { columnShapes } from "../model/column-shape.ts";
import { BrushChoice } from "./brush-choice.tsx";
import { DrawingBoard } from "./drawing-board.tsx";
import { ImageResult } from "./image-result.tsx";
import { MaskControls } from "./mask-controls.tsx";
import { maskOrder, maskShare } from "./mask-share.ts";
import { type Brush, blankImage, type Image, paint, readImage, rowOfImage } from "./pixels.ts";
import { Samples } from "./samples.tsx";

interface ImagePageProps {
  readonly page: LoadedPage;
  readonly size: { readonly width: number; readonly height: number };
}

/** An image to choose or draw, parts of it to hide, and what the model makes of the rest. */
export function ImagePage({ page: { model, modelText, settings }, size: { width, height } }: ImagePageProps) {
  const samples = useMemo(
    () => (settings.samples ?? []).map(({ name, pixels }) => ({ name, image: readImage(pixels) })),
    [settings],
  );
  const shapes = useMemo(() => columnShapes(model), [model]);
  const [image, setImage] = useState<Image>(samples[0]?.image ?? blankImage(width * height));
  const [brush, setBrush] = useState<Brush>(samples.length > 0 ? "hide" : "draw");
  const [share, setShare] = useState(0);
  const [seed, setSeed] = useState(1);
  const row = useMemo(() => rowOfImage(model, shapes, image), [model, shapes, image]);
  const probabilities = useMemo(() => predict(model, row), [model, row]);
  const hide = (nextShare: number, nextSeed = seed): void => {
    setShare(nextShare);
    setSeed(nextSeed);
    setImage(({ ink }) => ({ ink, hidden: maskShare(maskOrder(ink.length, nextSeed), nextShare) }));
  };
  const take = (chosen: Image): void => {
    setShare(0);
    setImage(chosen);
  };
  const empty = (): void => {
    take(blankImage(width * height));
    setBrush("draw");
  };
  const use = (places: readonly number[]): void =>
    setImage((before) => places.reduce((image, at) => paint(image, width, at, brush), before));
  const known = Object.keys(row).length;
  const [best, p] = rankClasses(model.response.outputs, probabilities)[0];
  return (
    <main class="two image-page">
      <section class="card" aria-label={IMAGE.image}>
        {samples.length > 0 && <Samples samples={samples} width={width} onTake={take} />}
        <BrushChoice brush={brush} onChoose={setBrush} />
        <DrawingBoard image={image} width={width} onPaint={use} />
        <MaskControls
          share={share}
          onHide={hide}
          onHideOthers={() => hide(share, seed + 1)}
          onEmpty={empty}
        />
      </section>
      <ImageResult {...{ model, modelText, image, width, row, probabilities }} />
      <PhoneBar prediction={best} probability={p} hint={IMAGE.pixelsKnown(known)} />
      <LiveRegion sentence={IMAGE.said(best, percent(p), known, width * height)} />
    </main>
  );
}
