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
      <legend>Choose a digit, or draw one</legend>
      {samples.map(({ name, image }, i) => (
        <button key={i} type="button" aria-label={`${name}, sample ${i + 1}`} onClick={() => onTake(image)}>
          <PixelCanvas image={image} width={width} label={name} />
        </button>
      ))}
    </fieldset>
  );
}
