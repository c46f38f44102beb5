import { type LineChart as Chart, type ChartPoint, drawLineChart } from "conformant-workbench";

type LineChartProps = Pick<Chart, "x" | "y" | "diagonal"> & {
  readonly lines: readonly { readonly name: string; readonly points: readonly ChartPoint[] }[];
};

/** Lines can be told apart without their colours. */
const DASHES = [undefined, "7 4", "2 4", "10 3 2 3"];

/** Lines with bands of how far they may be off; the same numbers as a table for those who do not see it. */
export function LineChart({ lines, x, y, diagonal = false }: LineChartProps) {
  const coloured = lines.map((line, i) => ({ ...line, color: `var(--series-${i})`, dash: DASHES[i] }));
  const svg = drawLineChart({ title: `${y.title}; ${x.title}`, x, y, diagonal, lines: coloured });
  const [across, up] = [x, y].map(({ format = String }) => format);
  return (
    <>
      {/* Made of numbers, and of texts that are escaped. */}
      <div aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />
      {lines.length > 1 && (
        <ul class="legend-lines" aria-hidden="true">
          {coloured.map(({ name, color, dash }) => (
            <li key={name}>
              <svg viewBox="0 0 30 10" aria-hidden="true">
                <line x1="1" x2="29" y1="5" y2="5" stroke={color} stroke-width="3" stroke-dasharray={dash} />
              </svg>{" "}
              {name}
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
            {lines.map(({ name, points }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {points.map((p) => (
                  <td key={p.x}>
                    {across(p.x)}: {up(p.y)}
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
