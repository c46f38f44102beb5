import { RESULT } from "../frame/texts.ts";

/** Icons in all, and in a row. */
const [ALL, ROW] = [100, 25];

/** A probability as so many of a hundred icons. */
export function IconArray({ share, name }: { share: number; name: string }) {
  // Only a certainty fills all of them.
  const filled = share < 1 ? Math.min(ALL - 1, Math.round(ALL * share)) : ALL;
  const words = RESULT.icons(filled, name);
  return (
    <figure class="icon-array">
      <svg viewBox={`0 0 ${ROW * 10} ${(ALL / ROW) * 10}`} role="img" aria-label={words}>
        {Array.from({ length: ALL }, (_, i) => (
          <circle
            key={i}
            cx={(i % ROW) * 10 + 5}
            cy={Math.floor(i / ROW) * 10 + 5}
            r="3.6"
            class={i < filled ? "yes" : ""}
          />
        ))}
      </svg>
      <figcaption class="note">{words}</figcaption>
    </figure>
  );
}
