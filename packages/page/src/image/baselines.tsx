import { percent } from "../frame/numbers.ts";
import { rankClasses } from "../frame/rank-classes.ts";
import { IMAGE } from "../frame/texts.ts";

interface RivalsProps {
  readonly classes: readonly string[];
  readonly ours: Readonly<Record<string, number>>;
  /** Where the classifier can be given means: trees cannot. */
  readonly mean: Readonly<Record<string, number>> | undefined;
}

/** The probabilities of the model beside those of the classifier on an image whose missing pixels are imputed by means. */
export function Baselines({ classes, ours, mean }: RivalsProps) {
  const [first, second] = [ours, mean].map((answer) => answer && rankClasses(classes, answer)[0][0]);
  return (
    <table class="rivals">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">{IMAGE.class}</span>
          </th>
          <th scope="col">{IMAGE.ours}</th>
          {mean && <th scope="col">{IMAGE.filled}</th>}
        </tr>
      </thead>
      <tbody>
        {classes.map((name) => (
          <tr key={name} data-class={name}>
            <th scope="row">{name}</th>
            <Share p={ours[name]} most={name === first} kind="ours" />
            {mean && <Share p={mean[name]} most={name === second} kind="mean" />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Share({ p, most, kind }: { p: number; most: boolean; kind: string }) {
  return (
    <td class={`${kind}${most ? " first" : ""}`}>
      <span class="track" aria-hidden="true">
        <span class="bar" style={{ width: `${100 * p}%` }} />
      </span>
      <data value={String(p)}>{percent(p)}</data>
    </td>
  );
}
