import {
  askNext,
  askPlan,
  askTree,
  howSure,
  isRegression,
  type Model,
  type RegressionModel,
  type Row,
} from "conformant";
import { drawQuestionnaire, watchWork } from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import {
  type Command,
  type Context,
  grouped,
  type Messages,
  type Parsed,
  type Person,
} from "../options/command.ts";
import { readCosts } from "../options/read-costs.ts";
import { readGiven } from "../options/read-given.ts";
import { readGroups } from "../options/read-groups.ts";
import { numberIn, readInteger, seedOption } from "../options/read-value.ts";
import { strictOption } from "../options/source-options.ts";
import { createAtomicFile, writeAtomically } from "../output/atomic-file.ts";
import { converse, endInWords } from "./converse.ts";
import { numberRankingText, numberStandingText } from "./number-text.ts";
import { planText, rankingText } from "./question-text.ts";
import { questionnaireText } from "./questionnaire-text.ts";
import { readAnyModel } from "./read-model.ts";
import { standingInWords, standingOf } from "./standing.ts";

/** The largest depth of a questionnaire. */
const DEEPEST = 12;

export const ask: Command = {
  name: "ask",
  summary: "find the most informative missing value to ask for, or ask interactively",
  arguments: ["MODEL"],
  options: {
    given: {
      list: true,
      takes: "COLUMN=VALUE,…",
      help: 'known values, e.g. "island=dream,bill_length=49.1"',
    },
    interactive: {
      excludes: ["plan", "tree"],
      help: "ask for one value after the other until the decision is safe",
    },
    plan: {
      excludes: ["tree"],
      help: "list the questions to ask, in order, until the decision is safe",
    },
    tree: {
      takes: "DEPTH",
      help: "print a questionnaire of at most DEPTH questions, which can be followed without the model",
    },
    svg: { takes: "FILE", writes: true, requires: ["tree"], help: "draw the questionnaire as SVG" },
    json: { help: "print JSON" },
    strict: { ...strictOption, requires: ["given"] },
    ...grouped("Question options", {
      costs: {
        takes: "FILE",
        help: "cost of each column, as JSON {column: cost} or lines of column,cost; other columns cost 1",
      },
      groups: {
        list: true,
        takes: "G=A+B",
        excludes: ["plan", "tree", "interactive"],
        help: "columns asked for together, under one name: one question with one cost",
      },
      threshold: {
        takes: "P",
        requires: ["plan", "tree", "interactive"],
        help: "stop when knowing every value would keep the decision with this probability; with --tree, when the prediction has it",
        initially: "0.95",
      },
      seed: { ...seedOption, excludes: ["tree"] },
    }),
  },
  example: 'conformant ask penguins.json --given "island=dream"',
  run: runAsk,
};

/** The checked options. */
interface Request {
  readonly costs: Readonly<Record<string, number>>;
  readonly threshold: number;
  readonly seed: number;
  readonly groups: Record<string, string[]>;
  readonly json: boolean;
  readonly withCosts: boolean;
}

async function runAsk(parsed: Parsed, { messages, print, person }: Context): Promise<void> {
  const model = readAnyModel(parsed.positionals[0]);
  const row = readGiven(parsed, model, parsed.flag("strict"), messages);
  const costs = parsed.text("costs");
  const columns = model.schema.columns.map(({ name }) => name);
  const groups = readGroups(parsed, columns);
  const request: Request = {
    costs: costs === undefined ? {} : readCosts(costs, model, Object.keys(groups)),
    groups,
    threshold: readThreshold(parsed),
    seed: readInteger(parsed, "seed", 0, 0),
    json: parsed.flag("json"),
    withCosts: costs !== undefined,
  };
  if (isRegression(model)) return print(rankForNumber(parsed, model, row, request));
  if (parsed.flag("tree")) return print(tree(model, row, request, parsed, messages));
  if (parsed.flag("interactive")) return print(await interview(model, row, person(), request));
  print(parsed.flag("plan") ? plan(model, row, request, messages) : ranking(model, row, request));
}

/** The questions whose answers narrow a predicted number most. */
function rankForNumber(parsed: Parsed, model: RegressionModel, row: Row, request: Request): string {
  const [output] = model.response.outputs;
  const option = ["tree", "plan", "interactive", "groups"].find((name) => parsed.flag(name));
  if (option !== undefined)
    throw new CliError(
      "usage",
      `--${option} is for models of classes; this one predicts the number ${quoted(output)}`,
    );
  const questions = askNext(model, row, { costs: request.costs });
  if (request.json) return JSON.stringify(questions, null, 2);
  const standing = numberStandingText(output, howSure(model, row, { seed: request.seed }), row);
  return `${standing}\n\n${numberRankingText(questions, request.withCosts)}`;
}

function readThreshold(parsed: Parsed): number {
  const text = parsed.text("threshold") ?? "0.95";
  const threshold = numberIn(text);
  if (threshold > 0 && threshold <= 1) return threshold;
  throw new CliError("usage", `--threshold must be a probability above 0 and at most 1, got ${quoted(text)}`);
}

function ranking(model: Model, row: Row, { costs, groups, json, withCosts, seed }: Request): string {
  const how = Object.keys(groups).length > 0 ? { groups } : { lookAhead: true };
  const questions = askNext(model, row, { costs, ...how });
  if (json) return JSON.stringify(questions, null, 2);
  return `${standingInWords(standingOf(model, row, seed), row)}\n\n${rankingText(questions, withCosts)}`;
}

function plan(model: Model, row: Row, { costs, threshold, seed, json }: Request, messages: Messages): string {
  const planned = askPlan(model, row, { costs, threshold, seed, ...watchWork(messages) });
  if (json) return JSON.stringify(planned, null, 2);
  return `${standingInWords(standingOf(model, row, seed), row)}\n\n${planText(planned, threshold)}`;
}

function tree(
  model: Model,
  row: Row,
  { costs, threshold, json }: Request,
  parsed: Parsed,
  messages: Messages,
): string {
  const depth = readInteger(parsed, "tree", 3, 1, DEEPEST);
  const svg = parsed.text("svg");
  if (svg !== undefined) createAtomicFile(svg).discard();
  const questionnaire = askTree(model, row, { costs, threshold, depth, ...watchWork(messages) });
  messages.clear();
  if (svg !== undefined) {
    writeAtomically(svg, drawQuestionnaire(questionnaire));
    messages.note(`picture written to ${svg}`);
  }
  return json ? JSON.stringify(questionnaire, null, 2) : questionnaireText(questionnaire);
}

async function interview(model: Model, row: Row, person: Person, request: Request): Promise<string> {
  try {
    const conversation = await converse(model, row, person, request);
    if (!request.json) return endInWords(conversation, request.threshold);
    const { standing, ...rest } = conversation;
    return JSON.stringify({ ...standing, ...rest }, null, 2);
  } finally {
    person.close();
  }
}
