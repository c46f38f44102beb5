import type { ExplainedRow } from "./explain-rows.ts";

/** The JSON, line by line: one object for one row, a list for several, written as the rows are explained. */
export async function* explanationJson(
  rows: AsyncIterable<ExplainedRow> | Iterable<ExplainedRow>,
): AsyncGenerator<string> {
  let [before, several]: [string | undefined, boolean] = [undefined, false];
  for await (const { number, explanation, shapley, sensitivity } of rows) {
    if (before !== undefined) {
      yield `${several ? "" : "[\n"}${before},`;
      several = true;
    }
    before = JSON.stringify({
      row: number,
      ...explanation,
      ...(shapley && { shapley }),
      ...(sensitivity && { sensitivity }),
    });
  }
  if (before !== undefined) yield several ? `${before}\n]` : before;
}
