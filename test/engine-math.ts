import { afterAll } from "vitest";

const { exp, log, log1p, expm1, log2, cos } = Math;

// `fit` computes with functions of its own; the files after it in a worker get the engine's back.
afterAll(() => {
  Object.assign(Math, { exp, log, log1p, expm1, log2, cos });
});
