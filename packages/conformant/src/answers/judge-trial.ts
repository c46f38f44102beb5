import {
  createJudge,
  type Judge,
  type Judgement,
  type JudgeTask,
  judgeTrial as judgeBy,
  type Trial,
} from "../conform/choosing/judge.ts";
import { requireMade } from "../errors.ts";
import { madeOnce } from "../made-once.ts";
import type { WatchOptions } from "../watch.ts";
import { treesAnswering } from "./trees/trees-answering.ts";

/** The judge of each task: its folds and masks are made once. */
const judges = new WeakMap<JudgeTask, Judge>();

/**
 * What a thread does for the option `judging` of `conformMixture`: fits the mixture of a trial and says what held-out rows make
 * of it. Task and judgement can be handed from thread to thread.
 */
export function judgeTrial(task: JudgeTask, trial: Trial, options: WatchOptions = {}): Judgement {
  requireMade("task", task);
  requireMade("trial", trial);
  const judge = madeOnce(judges, task, () => createJudge(task, task.trees && treesAnswering(task.trees)));
  return judgeBy(judge, trial, options);
}
