import type { AnyModel } from "conformant";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Limits, short } from "./numbers.ts";
import { spaced } from "./spaced.ts";

/** What people call columns, values and classes; `conformant serve --labels FILE` hands it on. */
export interface Labels {
  readonly columns?: Readonly<Record<string, ColumnLabels>>;
  readonly classes?: Readonly<Record<string, string>>;
  /** The number that is predicted. */
  readonly outcome?: Pick<ColumnLabels, "label" | "unit">;
}

/** How a column is shown. */
export interface ColumnLabels {
  readonly label?: string;
  readonly unit?: string;
  readonly description?: string;
  /** Fields of a group stand together under its name. */
  readonly group?: string;
  /** The usual range: numbers beyond it get a warning. */
  readonly range?: readonly [number, number];
  /** Numbers beyond these are impossible and count as unknown. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Values in the order for people; those that are not listed come after. */
  readonly values?: readonly { readonly value: string; readonly label?: string }[];
}

/** The names that people see. */
export interface Names {
  readonly column: (name: string) => string;
  readonly details: (name: string) => ColumnLabels;
  /** A value with its unit. */
  readonly value: (column: string, value: unknown) => string;
  readonly class: (name: string) => string;
  /** What numbers are possible, by column. */
  readonly limits: Readonly<Record<string, Limits>>;
  /** The number that is predicted, and its unit. */
  readonly outcome: string;
  readonly outcomeUnit: string | undefined;
}

const NO_DETAILS: ColumnLabels = {};

/** The names on the page of a model. */
export function namesOf(model: AnyModel, labels: Labels | undefined): Names {
  return createNames(labels, model.response.outputs[0], model.predictor.label);
}

/** A column whose name says nothing. */
export const NAMELESS = /^(?:label|target|class|y|outcome)$/i;

/**
 * The names of a labels file; what it does not name is called as in the model.
 *
 * @param output the model's name of the number that it predicts
 * @param label the column that holds the classes
 */
export function createNames(
  { columns = {}, classes = {}, outcome }: Labels = {},
  output = "",
  label = "class",
): Names {
  /** Beside a percentage a number alone would be misread. */
  const classText = (name: string): string =>
    /^[-+.\d]+$/.test(name) ? `${NAMELESS.test(label) ? "class" : spaced(label)} ${name}` : name;
  const details = (name: string): ColumnLabels => (Object.hasOwn(columns, name) ? columns[name] : NO_DETAILS);
  return {
    details,
    column: (name) => details(name).label ?? spaced(name),
    value: (column, value) => {
      if (value === null) return "is missing";
      const { values = [], unit } = details(column);
      const label = values.find((own) => own.value === textOf(value))?.label;
      const text = label ?? (typeof value === "number" ? short(value) : String(value));
      return unit === undefined ? text : `${text} ${unit}`;
    },
    class: (name) => (Object.hasOwn(classes, name) ? classes[name] : classText(name)),
    limits: columns,
    outcome: outcome?.label ?? spaced(output),
    outcomeUnit: outcome?.unit,
  };
}

/** A value as the file names it; a bit is "1" or "0". */
function textOf(value: unknown): string {
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}

/** The names on this page. */
export const NamesContext = createContext(createNames());

export function useNames(): Names {
  return useContext(NamesContext);
}
