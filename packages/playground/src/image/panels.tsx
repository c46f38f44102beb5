import { type Explanation, type Model, type Row, topByWeight } from "conformant";
import { useMemo } from "preact/hooks";
import { IMAGE } from "../frame/texts.ts";
import { PixelCanvas } from "./pixel-canvas.tsx";
import type { Image } from "./pixels.ts";

interface PanelsProps {
  readonly model: Model;
  readonly row: Row;
  readonly image: Image;
  readonly width: number;
  readonly explanation: Explanation;
}

/** The paper's four panels: what is known, what supports the prediction, the largest weights, what suffices. */
export function Panels({ model, row, image, width, explanation }: PanelsProps) {
  const panels = useMemo(() => {
    const { contributions, support, sufficient, status } = explanation;
    const places = new Map(model.classifier.schema.columns.map(({ name }, i) => [name, i]));
    const chosen = (names: readonly string[]): ReadonlySet<number> =>
      new Set(names.map((name) => places.get(name) ?? -1));
    const k = sufficient.length;
    return [
      {
        title: IMAGE.panels.known,
        count: contributions.length,
        chosen: chosen(contributions.map(({ column }) => column)),
      },
      { title: IMAGE.panels.support, count: support.length, chosen: chosen(support) },
      { title: IMAGE.panels.weights, count: k, chosen: chosen(topByWeight(model, row, k)) },
      {
        title: status === "optimal" ? IMAGE.panels.sufficient : IMAGE.panels.fewest,
        count: k,
        chosen: chosen(sufficient),
      },
    ];
  }, [explanation]); // the image and the row are those of the explanation
  return (
    <div class="panels">
      {panels.map(({ title, count, chosen }) => (
        <figure key={title} data-panel={title} data-count={count}>
          <PixelCanvas image={image} width={width} chosen={chosen} label={IMAGE.panel(title, count)} />
          <figcaption>
            {title} <span class="note">{count}</span>
          </figcaption>
        </figure>
      ))}
    </div>
  );
}
