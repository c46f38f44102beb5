/** A point of a line, with the range that it may lie in. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** How far it may be off, to both sides. */
  readonly error?: number;
}

export interface ChartLine {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

interface Axis {
  readonly title: string;
  readonly scale?: "linear" | "log";
  readonly ticks?: readonly number[];
  readonly format?: (value: number) => string;
  /** Ends that are always in sight. */
  readonly domain?: readonly [number, number];
}

interface LineChartProps {
  readonly lines: readonly ChartLine[];
  readonly x: Axis;
  readonly y: Axis;
  /** A line from corner to corner, which points are compared with. */
  readonly diagonal?: boolean;
}

const [WIDTH, HEIGHT] = [560, 300];
const EDGE = { left: 58, right: 24, top: 12, bottom: 44 };

/** Lines with bands of how far they may be off; the same numbers as a table for those who do not see it. */
export function LineChart({ lines, x, y, diagonal = false }: LineChartProps) {
  const points = lines.flatMap((line) => line.points);
  const across = createScale(
    x,
    points.map((point) => point.x),
    EDGE.left,
    WIDTH - EDGE.right,
  );
  const up = createScale(
    y,
    points.flatMap((point) => [point.y - (point.error ?? 0), point.y + (point.error ?? 0)]),
    HEIGHT - EDGE.bottom,
    EDGE.top,
  );
  return (
    <>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {up.ticks.map((tick) => (
          <g key={tick} class="tick">
            <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={up.at(tick)} y2={up.at(tick)} />
            <text x={EDGE.left - 8} y={up.at(tick)} dy="0.32em" text-anchor="end">
              {up.format(tick)}
            </text>
          </g>
        ))}
        {across.ticks.map((tick) => (
          <text
            key={tick}
            class="tick"
            x={across.at(tick)}
            y={HEIGHT - EDGE.bottom + 18}
            text-anchor="middle"
          >
            {across.format(tick)}
          </text>
        ))}
        <text class="axis" x={(EDGE.left + WIDTH - EDGE.right) / 2} y={HEIGHT - 6} text-anchor="middle">
          {x.title}
        </text>
        {diagonal && (
          <line class="diagonal" x1={across.at(0)} y1={up.at(0)} x2={across.at(1)} y2={up.at(1)} />
        )}
        {lines.map(({ name, points: own }, i) => (
          <g key={name} class={`series series-${i}`}>
            <path class="band" d={bandPath(own, across.at, up.at)} />
            <path
              class="stroke"
              d={own.map((p, j) => `${j === 0 ? "M" : "L"}${across.at(p.x)} ${up.at(p.y)}`).join("")}
            />
            {own.map((p) => (
              <circle key={p.x} cx={across.at(p.x)} cy={up.at(p.y)} r="4" />
            ))}
          </g>
        ))}
      </svg>
      {lines.length > 1 && (
        <ul class="legend-lines" aria-hidden="true">
          {lines.map(({ name }, i) => (
            <li key={name} class={`series-${i}`}>
              <i /> {name}
            </li>
          ))}
        </ul>
      )}
      <div class="hidden">
        <table>
          <caption>
            {y.title}; {x.title}
          </caption>
          <tbody>
            {lines.map(({ name, points: own }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {own.map((p) => (
                  <td key={p.x}>
                    {across.format(p.x)}: {up.format(p.y)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
}

function createScale(axis: Axis, values: readonly number[], from: number, to: number): Scale {
  const bend = axis.scale === "log" ? Math.log : (value: number): number => value;
  const [low, high] = axis.domain ?? padded(values, axis.scale === "log" ? 0 : 0.05);
  const [a, b] = [bend(low), bend(high)];
  const at = (value: number): number => from + ((bend(value) - a) / (b - a || 1)) * (to - from);
  const ticks = axis.ticks ?? roundTicks(low, high);
  return { at, ticks, format: axis.format ?? ((value) => String(Number(value.toPrecision(4)))) };
}

function padded(values: readonly number[], share: number): readonly [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = share * (high - low || Math.abs(high) || 1);
  return [low - room, high + room];
}

/** About five round numbers in a range. */
function roundTicks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, t) => Number(((first + t) * step).toPrecision(10)));
}

function bandPath(
  points: readonly ChartPoint[],
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  if (!points.every(({ error }) => error !== undefined && Number.isFinite(error))) return "";
  const upper = points.map((p) => `${x(p.x)} ${y(p.y + (p.error ?? 0))}`);
  const lower = [...points].reverse().map((p) => `${x(p.x)} ${y(p.y - (p.error ?? 0))}`);
  return `M${[...upper, ...lower].join("L")}Z`;
}
