import type { Brush } from "./pixels.ts";

const BRUSHES: Readonly<Record<Brush, string>> = {
  hide: "Hide",
  show: "Reveal",
  draw: "Draw",
  rub: "Rub out",
};

/** What the brush does. */
export function BrushChoice({ brush, onChoose }: { brush: Brush; onChoose: (brush: Brush) => void }) {
  return (
    <fieldset class="tools">
      <legend>Brush</legend>
      {Object.entries(BRUSHES).map(([name, label]) => (
        <label key={name} class="choice">
          <input type="radio" name="tool" checked={brush === name} onChange={() => onChoose(name as Brush)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
