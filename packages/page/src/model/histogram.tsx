import { BINS, binHeights } from "./bin-heights.ts";
import type { NumberShape } from "./column-shape.ts";

const [WIDTH, HEIGHT] = [160, 24];

/** How a number was distributed in the training data and, as a line, what it is likely to be now. */
export function Histogram({
  shape,
  likely,
  value,
}: {
  shape: NumberShape;
  likely: ArrayLike<number> | undefined;
  value: number | undefined;
}) {
  const { ends, shares } = shape.data ?? shape;
  const trained = binHeights(shape, ends, shares);
  const now =
    likely && likely.length === shape.shares.length ? binHeights(shape, shape.ends, likely) : undefined;
  const most = Math.max(Number.MIN_VALUE, ...trained, ...(now ?? []));
  const x = (bin: number): number => (bin / BINS) * WIDTH;
  const y = (share: number): number => HEIGHT - (share / most) * (HEIGHT - 2);
  const line = now && Array.from(now, (share, bin) => `${x(bin)} ${y(share)}H${x(bin + 1)}`).join("L");
  const share = value === undefined ? 0 : (value - shape.low) / (shape.high - shape.low);
  const at = value === undefined ? undefined : Math.min(1, Math.max(0, share)) * WIDTH;
  return (
    <svg class="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {Array.from(trained, (share, bin) => (
        <rect key={bin} x={x(bin)} y={y(share)} width={WIDTH / BINS - 0.6} height={HEIGHT - y(share)} />
      ))}
      {line !== undefined && value === undefined && <path d={`M${line}`} />}
      {at !== undefined && <line x1={at} x2={at} y1="0" y2={HEIGHT} />}
    </svg>
  );
}
