import type { Explanation, Model } from "conformant";
import { useMemo } from "preact/hooks";
import { IMAGE } from "../frame/texts.ts";
import { PixelCanvas } from "./pixel-canvas.tsx";
import type { Image } from "./pixels.ts";

interface PanelsProps {
  readonly model: Model;
  readonly image: Image;
  readonly width: number;
  readonly explanation: Explanation;
}

/** Three panels: the known pixels, those that support the prediction, and the sufficient explanation. */
export function Panels({ model, image, width, explanation }: PanelsProps) {
  const panels = useMemo(() => {
    const { contributions, support, sufficient, status } = explanation;
    const places = new Map(model.schema.columns.map(({ name }, i) => [name, i]));
    const chosen = (names: readonly string[]): ReadonlySet<number> =>
      new Set(names.map((name) => places.get(name) ?? -1));
    return [
      {
        title: IMAGE.panels.known,
        count: contributions.length,
        chosen: chosen(contributions.map(({ column }) => column)),
      },
      { title: IMAGE.panels.support, count: support.length, chosen: chosen(support) },
      {
        title: status === "optimal" ? IMAGE.panels.sufficient : IMAGE.panels.fewest,
        count: sufficient.length,
        chosen: chosen(sufficient),
      },
    ];
  }, [explanation]); // the image is that of the explanation
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
