import { IMAGE } from "../frame/texts.ts";

interface HideControlsProps {
  /** From 0 to 1. */
  readonly share: number;
  readonly onHide: (share: number) => void;
  /** Hides as many other pixels. */
  readonly onHideOthers: () => void;
  readonly onEmpty: () => void;
}

/** Hides a random share of the pixels, reveals all, or takes them all away. */
export function MaskControls({ share, onHide, onHideOthers, onEmpty }: HideControlsProps) {
  return (
    <div class="hide-share">
      <label for="share">
        {IMAGE.hideAtRandom} <output for="share">{Math.round(100 * share)} %</output>
      </label>
      <input
        id="share"
        type="range"
        min={0}
        max={100}
        value={100 * share}
        onInput={({ currentTarget }) => onHide(Number(currentTarget.value) / 100)}
      />
      <div class="buttons">
        <button type="button" onClick={onHideOthers}>
          {IMAGE.hideOthers}
        </button>
        <button type="button" onClick={() => onHide(0)}>
          {IMAGE.revealAll}
        </button>
        <button type="button" onClick={onEmpty}>
          {IMAGE.empty}
        </button>
      </div>
    </div>
  );
}
