import { askNext, type Column, impute, type Model, type Question, type Row, type Value } from "conformant";
import { decisionInWords, usualRange } from "conformant/internal";
import { short } from "conformant-workbench";
import { listed } from "../errors.ts";
import type { Person } from "../options/command.ts";
import { complaint, readAnswer } from "../options/read-answer.ts";
import { estimateText, type Standing, standingInWords, standingOf } from "./standing.ts";

/** The result of an interactive session. */
export interface Conversation {
  readonly standing: Standing;
  readonly known: Row;
  /** Columns that were asked for and remain unknown. */
  readonly unknown: readonly string[];
  /** Why the session ended. */
  readonly end: "safe" | "nothing-left" | "stopped";
}

export interface ConversationOptions {
  readonly costs: Readonly<Record<string, number>>;
  /** Stop when the decision would stay the same with this probability. */
  readonly threshold: number;
  readonly seed: number;
}

/** Less information than this, in nats, counts as none. */
const NOTHING = 1e-9;

/** Asks for the most informative column repeatedly, until the decision is safe, nothing is left to ask, or the input ends. */
export async function converse(
  model: Model,
  given: Row,
  person: Pick<Person, "tell" | "ask">,
  { costs, threshold, seed }: ConversationOptions,
): Promise<Conversation> {
  const known: Record<string, Value> = { ...given };
  const unknown: string[] = [];
  let standing = standingOf(model, known, seed);
  person.tell(standingInWords(standing, known));
  person.tell("Press Enter or type ? if you do not know; Ctrl-D stops.");
  for (;;) {
    if (standing.sameDecision.value >= threshold) return { standing, known, unknown, end: "safe" };
    const question = nextQuestion(askNext(model, known, { costs, lookAhead: true }), unknown);
    if (!question) return { standing, known, unknown, end: "nothing-left" };
    const value = await answerTo(person, columnOf(model, question.column), model);
    if (value === undefined) return { standing, known, unknown, end: "stopped" };
    if (value === null) unknown.push(question.column);
    else {
      known[question.column] = value;
      standing = standingOf(model, known, seed);
      person.tell(
        `  ${decisionInWords(standing)} The same with everything known: ${estimateText(standing.sameDecision)}.`,
      );
    }
  }
}

function nextQuestion(questions: readonly Question[], unknown: readonly string[]): Question | undefined {
  return questions.find(
    ({ column, informationGain, ahead }) =>
      (ahead?.informationGain ?? informationGain) > NOTHING && !unknown.includes(column),
  );
}

/** Asks until the answer is valid: a value, null for unknown, undefined at the end of input. */
async function answerTo(person: Pick<Person, "tell" | "ask">, column: Column, model: Model): Promise<Value> {
  for (;;) {
    const text = await person.ask(`${column.name} (${hintOf(column, model)})? `);
    if (text === undefined) return undefined;
    const answer = readAnswer(column, text);
    if ("value" in answer) return answer.value;
    person.tell(`  ${complaint(answer.expected, text)}`);
  }
}

/** The valid answers. */
function hintOf(column: Column, model: Model): string {
  if (column.kind === "categorical") return listed(column.values, 8).replaceAll('"', "");
  if (column.kind === "binary") return "0 or 1";
  const marginal = impute(model, {})[column.name];
  if (marginal.kind === "discrete") return "a number";
  const [low, high] = usualRange(marginal);
  return `a number, usually ${short(low)} to ${short(high)}`;
}

function columnOf({ schema }: Model, name: string): Column {
  const column = schema.columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`no column ${name}`);
  return column;
}

/** Why the session ended, as a sentence. */
export function endInWords({ standing, end, unknown }: Conversation, threshold: number): string {
  const same = `would be the same with probability ${estimateText(standing.sameDecision)} if everything were known`;
  const why = {
    safe: `The decision is safe: it ${same} (${threshold} was wanted).`,
    "nothing-left": `Nothing is left to ask${unknown.length > 0 ? ` (${listed(unknown, 6).replaceAll('"', "")} not known)` : ""}: the decision ${same}.`,
    stopped: `Stopped before it was safe: the decision ${same}.`,
  };
  return `${decisionInWords(standing)} ${why[end]}`;
}
