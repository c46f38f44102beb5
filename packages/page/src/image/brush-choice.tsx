import { IMAGE } from "../frame/texts.ts";
import type { Brush } from "./pixels.ts";

/** What the brush does. */
export function BrushChoice({ brush, onChoose }: { brush: Brush; onChoose: (brush: Brush) => void }) {
  return (
    <fieldset class="tools">
      <legend>{IMAGE.brush}</legend>
      {(Object.keys(IMAGE.brushes) as Brush[]).map((name) => (
        <label key={name} class="choice">
          <input type="radio" name="tool" checked={brush === name} onChange={() => onChoose(name)} />
          <span>{IMAGE.brushes[name]}</span>
        </label>
      ))}
    </fieldset>
  );
}
