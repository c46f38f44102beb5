import type { AnyModel } from "conformant";
import { describeVerdict, metadataOf } from "conformant-workbench/describe";
import { VERDICT } from "../frame/texts.ts";

/** How good the model is on new rows, where its file says so. */
export function VerdictNote({ model }: { model: AnyModel }) {
  const { verdict } = metadataOf(model);
  if (!verdict) return null;
  const { sentence, facts } = describeVerdict(verdict, model.response.outputs);
  return (
    <section class="verdict-note" aria-labelledby="verdict">
      <h2 id="verdict">{VERDICT.heading}</h2>
      <p class={verdict.better ? "" : "beyond"}>{sentence}</p>
      <dl class="figures">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
