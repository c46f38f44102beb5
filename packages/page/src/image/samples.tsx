import { IMAGE } from "../frame/texts.ts";
import { PixelCanvas } from "./pixel-canvas.tsx";
import type { Image } from "./pixels.ts";

/** Images to choose from. */
export function Samples({
  samples,
  width,
  onTake,
}: {
  samples: readonly { readonly name: string; readonly image: Image }[];
  width: number;
  onTake: (image: Image) => void;
}) {
  return (
    <fieldset class="samples">
      <legend>{IMAGE.choose}</legend>
      {samples.map(({ name, image }, i) => (
        <button key={i} type="button" aria-label={IMAGE.sample(name, i + 1)} onClick={() => onTake(image)}>
          <PixelCanvas image={image} width={width} label={name} />
        </button>
      ))}
    </fieldset>
  );
}
