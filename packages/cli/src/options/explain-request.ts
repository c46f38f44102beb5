import { type AnyModel, type ExplainOptions, isRegression, type ShapleyOptions } from "conformant";
import { CliError, quoted } from "../errors.ts";
import type { Parsed } from "./command.ts";
import { readGroups } from "./read-groups.ts";
import { readList, readNumber, readProbability } from "./read-value.ts";
import { requireModelColumn } from "./unknown-column.ts";

/** The largest number that data may hold. */
const LARGEST = 1e100;

/** The options of an explanation, and of what is shown with it. */
export interface ExplainRequest extends ExplainOptions {
  readonly shapley?: Pick<ShapleyOptions, "game">;
  /** Whether to report how non-random missingness must be to flip the decision. */
  readonly sensitivity: boolean;
}

/** Reads the options of an explanation; every name is checked before a row is read. */
export function readRequest(parsed: Parsed, model: AnyModel): ExplainRequest {
  const columns = model.schema.columns.map(({ name }) => name);
  const groups = readGroups(parsed, columns);
  const names = [...columns, ...Object.keys(groups)];
  const [use, avoid] = ["use", "avoid"].map((option) => {
    const list = readList(parsed, option) ?? [];
    for (const name of list) requireModelColumn(`--${option} names`, name, names);
    return list;
  });
  const both = use.find((name) => avoid.includes(name));
  if (both !== undefined) throw new CliError("usage", `--use and --avoid both name ${quoted(both)}`);
  return {
    groups,
    use,
    avoid,
    timeLimit: readNumber(parsed, "time-limit", 1, 0),
    sensitivity: parsed.flag("sensitivity"),
    ...readThreshold(parsed, model),
    ...readShapley(parsed),
  };
}

function readShapley(parsed: Parsed): Pick<ExplainRequest, "shapley"> {
  if (!parsed.flag("shapley")) return {};
  return { shapley: { game: parsed.flag("interventional") ? "interventional" : "conditional" } };
}

function readThreshold(parsed: Parsed, model: AnyModel): Pick<ExplainOptions, "threshold"> {
  if (parsed.text("threshold") === undefined) return {};
  if (isRegression(model)) return { threshold: readNumber(parsed, "threshold", 0, -LARGEST) };
  return { threshold: readProbability(parsed, "threshold", 0) };
}
