import type { Questionnaire } from "conformant";
import { useEffect, useState } from "preact/hooks";
import { ASKING } from "../frame/texts.ts";
import { watchWorker } from "../frame/watch-worker.ts";
import type { AnswerReply, AnswerRequest } from "../worker/answer-messages.ts";
import type { ColumnShape } from "./column-shape.ts";
import { FollowQuestionnaire, type FollowQuestionnaireProps } from "./follow-questionnaire.tsx";

interface MadeQuestionnaireProps extends Pick<FollowQuestionnaireProps, "onChange"> {
  readonly modelText: string;
  readonly shapes: readonly ColumnShape[];
}

/** A questionnaire that a worker compiles, where the page came without one. */
export function MadeQuestionnaire({ modelText, ...props }: MadeQuestionnaireProps) {
  const [made, setMade] = useState<Questionnaire>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const worker = new Worker(new URL("../worker/answer-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<AnswerReply>) =>
      data.questionnaire ? setMade(data.questionnaire) : setFailure(data.failure ?? ASKING.tooSlow),
    );
    watchWorker(worker, setFailure);
    worker.postMessage({ modelText } satisfies AnswerRequest);
    worker.postMessage({ id: 0, questionnaire: true } satisfies AnswerRequest);
    return () => worker.terminate();
  }, [modelText]);
  if (made) return <FollowQuestionnaire questionnaire={made} {...props} />;
  return <p role="status">{failure ?? ASKING.making}</p>;
}
