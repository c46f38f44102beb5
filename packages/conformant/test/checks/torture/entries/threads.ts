import {
  createThreads,
  type HelperPort,
  helpThreads,
  type Threads,
} from "../../../../src/entries/threads.ts";
import { predictColumns } from "../../../../src/index.ts";
import { check, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** Threads of which the other does everything, with copies of what it is sent, before the calling one comes to it. */
function otherThread(): Threads {
  let hear: (message: unknown) => void = () => undefined;
  const port: HelperPort = {
    on: (_, listener) => {
      hear = listener;
    },
  };
  helpThreads(port);
  return createThreads([{ postMessage: (message) => hear(structuredClone(message)) }]);
}

function checkThreads(world: World, { whole }: Parameters<Entry>[1]): void {
  const data = world.data(whole[0]);
  const [own, elsewhere] = [{}, { threads: otherThread() }].map((options) =>
    predictColumns(world.model, data, options),
  );
  const isSame = own.probabilities.every((p, at) => Object.is(p, elsewhere.probabilities[at]));
  check(isSame, "another thread predicts other probabilities");
}

export const threads: Readonly<Record<string, Entry>> = {
  createThreads: checkThreads,
  helpThreads: checkThreads,
};
