// Explains and looks ahead beside the page, so that typing never waits for it.

import { loadModel, type Model, predict, type Row } from "conformant";
import { findCertainty, findReasons } from "./answer.ts";
import type { Asked, Told } from "./messages.ts";

let model: Model | undefined;
let current = 0;

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  if ("modelText" in data) {
    model = loadModel(data.modelText);
    return;
  }
  current = data.id;
  setTimeout(() => answer(data.id, data.row, data.wantsCertainty)); // first take in all that has been asked
});

/** In two parts, so that a newer question can come between them. */
function answer(id: number, row: Row, wantsCertainty: boolean): void {
  if (!model) return;
  const known = model;
  tell(id, () => ({ reasons: findReasons(known, row) }));
  if (!wantsCertainty) return;
  setTimeout(() => tell(id, () => ({ certainty: findCertainty(known, row, predict(known, row)) })));
}

/** Finds a part of the answer and says it, unless the question is an old one by now. */
function tell(id: number, find: () => Omit<Told, "id">): void {
  if (id !== current) return;
  try {
    postMessage({ id, ...find() } satisfies Told);
  } catch (thrown) {
    const failure = thrown instanceof Error ? thrown.message : String(thrown);
    postMessage({ id, failure } satisfies Told);
  }
}
