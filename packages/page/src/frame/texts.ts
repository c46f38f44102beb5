// Every text of a model's page that people read; the studio has its own beside it.

import { NAMELESS } from "./names.ts";

/** Names in a sentence: "a", "a and b", "a, b and c". */
function list(names: readonly string[]): string {
  return names.join(", ").replace(/, ([^,]*)$/, " and $1");
}

/** Headings of the result and one sentence that explains each. */
export const MEANINGS = {
  Why: "Each row adds one field to those above it; the percentage is the answer so far.",
  "Why this number": "Each row adds one field to those above it; the last column is the answer so far.",
  "What would change the answer": "The nearest other value of a single field that leads to another answer.",
  "This case among the training rows": "The most unusual entries first; the mark is this case.",
  "Prediction set":
    "The answers that remain possible, calibrated on cases with a known answer and the same unknown fields.",
  "What if unknown fields are unusual?":
    "Predictions assume that unknown values are no different from known ones, but people with high incomes, for example, may not report them.",
} as const;

export const FRAME = {
  untitled: "What does the model predict?",
  /** The column that is predicted may itself be called "label" or "target". */
  which: (label: string): string => (NAMELESS.test(label) ? "What is the prediction?" : `Which ${label}?`),
  /** Of classes such as yes and no, which are not kinds of the column. */
  whether: (label: string): string => `Predict: ${label}`,
  whichNumber: (outcome: string): string => `Predict: ${outcome}`,
  aboutNumber: (outcome: string, columns: number, rows: string): string =>
    `This model predicts ${outcome} from ${columns} fields. It was trained on ${rows} rows. Fill in what you know and leave the rest unknown.`,
  about: (classes: number, columns: number, rows: string): string =>
    `This model predicts one of ${classes} answers from ${columns} fields. It was trained on ${rows} rows. Fill in what you know and leave the rest unknown.`,
  loading: "Loading the model …",
  failed: "The model could not be loaded",
  notLoaded:
    "A part of this page could not be loaded. Its server does not answer or has a newer version. Reload the page.",
  footer:
    "Everything is computed in this browser. What you enter is not sent anywhere. Made with conformant.",
  toResult: "Skip to the answer",
} as const;

export const FORM = {
  heading: "What you know",
  known: (known: number, all: number): string => `${known} of ${all}`,
  undo: "Undo",
  clear: "Start over",
  /** Leads to the table below. */
  many: "Many rows",
  find: "Find a field",
  noneFound: "No field name contains this text.",
  legend: (ofData: boolean): string =>
    `Gray: ${ofData ? "the training data" : "the distribution fitted to the training data"}. Blue lines and percentages: likely values while a field is unknown.`,
  otherGroup: "Other fields",
  unknown: "unknown",
  next: "ask next",
  forget: (name: string): string => `clear ${name}`,
  slider: (name: string): string => `${name}, slider`,
  notNumber: (example: string): string => `not a number; treated as unknown. Write it like ${example}`,
  ambiguous: "ambiguous comma; treated as unknown. Write 1234 or 1.234",
  impossible: (range: string): string => `not possible (${range}); treated as unknown`,
  atLeast: (low: string): string => `at least ${low}`,
  atMost: (high: string): string => `at most ${high}`,
  /** Used when the minimum and maximum of the data are not known. */
  fitted: (range: string): string => `outside the fitted range ${range}`,
  ofData: (range: string): string => `outside the training data (${range})`,
  range: (low: string, high: string): string => `${low} to ${high}`,
  ways: "How to fill in",
  waysOf: { all: "All fields", one: "One question at a time", tree: "Questionnaire" },
} as const;

export const ASKING = {
  question: (count: number): string => `Question ${count}`,
  thinking: "Finding the best question …",
  next: "Next question",
  skip: "I don’t know, ask another question",
  answered: "Answered so far",
  change: (name: string): string => `change ${name}`,
  enough: "No more questions are needed.",
  littleLeft: "The unknown fields would hardly move the answer.",
  wouldStay: (share: string): string =>
    `The prediction would stay the same with probability ${share} if everything else became known.`,
  goOn: "Continue asking",
  none: "Everything is known.",
  ahead: (name: string): string => `Most informative in combination with ${name}, the next question.`,
  path: (name: string, answers: readonly string[]): string =>
    `${name} with nothing entered and after each field: ${answers.join(", ")}.`,
  soFar: "So far",
  atEnd: "The questionnaire ends here",
  back: "Back",
  again: "Restart",
  exact: "Exact number, if you have it",
  enter: "Enter",
  exactNote: "An exact number is also entered in the form; a range is not.",
} as const;

export const RESULT = {
  label: "Result",
  background: "More about this answer",
  answer: "Answer",
  nothing: "Nothing is known yet. These are the average answers.",
  /** Where the model uses whether values are missing, an empty form is not the average case. */
  nothingEntered: (columns: readonly string[]): string =>
    `Nothing is entered yet. The model takes into account that ${list(columns)} ${columns.length === 1 ? "is" : "are"} missing.`,
  others: "Other answers",
  showAll: (count: number): string => `Show all ${count}`,
  showFew: (count: number): string => `Show the ${count} most likely`,
  sampled: (error: string): string => `Sampled, to within ± ${error} points.`,
  sampledNumber: (error: string): string => `Sampled, to within ± ${error}.`,
  sampledShares: (error: string): string =>
    `Sampled: each percentage in the list is known to within ± ${error} points.`,
  sampledNumbers: (error: string): string =>
    `Sampled: each number in the last column is known to within ± ${error}.`,
  average: "Nothing is known yet. This is the average answer.",
  modelError: (error: string): string =>
    `With every field known, the model is still off by about ${error} (root mean squared error on new rows).`,
  raisedBy: (reasons: string): string => `Raised by ${reasons}`,
  loweredBy: (reasons: string): string => `lowered by ${reasons}`,
  littleOfNumber: "No single field changes the answer noticeably.",
  narrows: (share: string): string => `It is expected to narrow the range by ${share}.`,
  narrowsAll: "It leaves next to no range.",
  narrowsLittle: "It narrows the range most, although little.",
  enoughOfNumber:
    "Enough is known: the unknown fields move the answer by less than half of the model’s own error.",
  curve: (outcome: string, value: string, range: readonly [string, string] | undefined): string =>
    `Distribution of ${outcome}: ${value}${range ? `, from ${range[0]} to ${range[1]} once everything is known (90% of cases)` : ""}`,
  curveLegend: (hasNow: boolean): string =>
    `${hasNow ? "Blue: answers for this case once everything is known. " : ""}Gray: answers for all cases. Line: this answer.`,
  could: "Could become",
  range: (counted: readonly string[]): string =>
    `once the ${counted.length > 0 ? "other " : ""}unknown fields are known${counted.length > 0 ? ` and ${list(counted)} ${counted.length === 1 ? "stays" : "stay"} missing` : ""} (90% of cases)`,
  isCounted: "As long as it is unknown, the model counts it as missing.",
  to: "to",
  wouldStay: (share: string): string => `The answer stays the same with probability ${share}.`,
  because: (reasons: string): string => `Mostly because of ${reasons}`,
  against: (reasons: string): string => `against it: ${reasons}`,
  littleEffect: "No single field matters by more than half a point.",
  ask: "Next, ask for",
  changes: (share: string): string => `It changes the answer with probability ${share}.`,
  together: (name: string): string => `It tells most in combination with ${name}, the next question.`,
  alone: "It tells most about the answer, although by itself it would not change it.",
  after: (names: string): string => `Then ${names}.`,
  enough: (least: string): string =>
    `Enough is known: the probability is at least ${least}, and the unknown fields would hardly change the answer.`,
  complete: "Every field is known.",
  check: (count: number): string => `Next, check ${count === 1 ? "this entry" : "these entries"}.`,
  outside: "Outside the training data:",
  outsideAdvice: "The model has seen no such value. Do not rely on this answer.",
  inData: (entry: string, range: string): string => `${entry} (training data: ${range})`,
  usually: (entry: string, range: string): string => `${entry} (usually ${range})`,
  failed: (why: string): string => `The explanation could not be computed: ${why}`,
  late: "Updating the explanation …",
  unlike: "Unlike the training data.",
  unlikeAdvice: (share: string): string =>
    `Fewer than ${share} rows are this unusual. Check the entries and use the prediction with caution.`,
  withNothing: "average answer",
  withAll: "with all you entered",
  more: (count: number): string => `and ${count} more`,
  less: "Show fewer",
  points: "pts",
  pointsMeaning: "percentage points",
  side: (against: boolean, name: string): string => `${against ? "against" : "for"} ${name}, `,
  direction: (lowers: boolean): string => (lowers ? "lowers the answer, " : "raises the answer, "),
  soFar: "answer so far: ",
  suffices: (count: number, share: string, hasOpposing: boolean): string =>
    `${count === 1 ? "The marked field alone suffices" : `The ${count} marked fields together suffice`} for this answer (${share})${hasOpposing ? ", even with the fields against it" : ""}.`,
  nearlySuffices: (count: number, sufficient: string, answer: string): string =>
    `${count === 1 ? "The marked field alone gives" : `The ${count} marked fields alone give`} ${sufficient}, close to ${answer}.`,
  mark: (count: number): string => (count === 1 ? "suffices" : "decisive"),
  change: (column: string, value: string, side: "higher" | "lower" | undefined): string =>
    side === undefined ? `${column} ${value}` : `${column} ${value} or ${side}`,
  noChange: "No other value of a single field does.",
  said: (prediction: string, share: string): string => `Predicted ${prediction}, ${share}.`,
  saidNext: (question: string): string => ` Next, ask for ${question}.`,
  saidBeyond: (entries: string): string => ` Outside the training data: ${entries}.`,
  barNext: (question: string): string => `next: ${question}`,
  barEnough: "enough is known",
  barBeyond: "outside the data",
  barGo: ", go to the result",
  icons: (count: number, name: string): string => `${count} of 100 such cases: ${name}`,
  print: "Print this case",
} as const;

export const VERDICT = {
  heading: "How good is this model?",
} as const;

/** Where an entry stands among the training rows. */
export const AMONG = {
  share: (share: string): string => `${share} of rows have it`,
  higher: (share: string): string => `higher than ${share} of rows`,
  lower: (share: string): string => `lower than ${share} of rows`,
  all: (above: boolean): string => `${above ? "higher" : "lower"} than all rows`,
} as const;

/** A case on paper. */
export const SHEET = {
  known: "Known",
  unknown: "Unknown",
  none: "none",
  model: "Model",
  digest: "digest",
  date: "Date",
  signature: "Signature",
  name: "Case",
  case: "Case",
  rows: (rows: string): string => `fitted to ${rows} rows`,
} as const;

export const SETS = {
  oneOf: "The answer is one of",
  is: "The answer is",
  promise: (share: string, rows: string): string =>
    `This is true for ${share} of cases with these fields unknown, if they resemble the ${rows} calibration cases and fields are not left unknown because of the answer.`,
  tooFew: (rows: string, needed: number): string =>
    `No answer can be ruled out: only ${rows} calibration cases have all the fields that you entered; ${needed} are needed.`,
  all: (share: string, rows: string): string =>
    `No answer can be ruled out at ${share} coverage (${rows} calibration cases).`,
  coverage: "Coverage",
  share: (percent: number): string => `${percent}%`,
  open: "Calibration file",
  openMeaning:
    "With a file written by conformant calibrate, the page shows which answers can be ruled out. The file stays in this browser.",
  choose: "choose the file",
  failed: (why: string): string => `The file cannot be used: ${why}`,
} as const;

export const SHIFT = {
  column: "Unknown values of",
  value: (column: string, value: string): string => `${column}: ${value}`,
  lower: "lower than usual",
  higher: "higher than usual",
  rarer: "less often than usual",
  oftener: "more often than usual",
  typical: (now: string, usual: string): string => `typically ${now} instead of ${usual}`,
  likely: (value: string, now: string, usual: string): string =>
    `${value} in ${now} of cases instead of ${usual}`,
  asUsual: "as usual",
  result: "Then",
  instead: (share: string): string => `(instead of ${share})`,
  reset: "Reset",
  changes: (prediction: string, column: string, how: string): string =>
    `The prediction would change to ${prediction} if unknown values of ${column} are ${how}.`,
  beyond:
    "No typical value of a single field within the range of the training data would change the prediction.",
  never: "No such assumption about a single field would change the prediction.",
  nothing: "Nothing is unknown, so this does not apply.",
} as const;

export const TABLE = {
  heading: "Many rows at once",
  table: "the table",
  twiceNamed: "Rename one of them.",
  predictFile: (name: string): string => `Predict the rows of ${name}`,
  legend: "CSV table",
  drop: "Drop a CSV file anywhere on the page, or",
  choose: "choose one",
  firstLine: ". The first line names the columns; empty cells are unknown.",
  paste: "Or paste rows",
  predicting: "Predicting …",
  count: (count: number): string =>
    `${count} ${count === 1 ? "row" : "rows"} predicted. Click a row to open it in the form, or a column name to sort.`,
  save: "Download these rows",
  rankBy: "Rank by the probability of",
  noRanking: "no ranking",
  threshold: (share: string): string => `Show rows from ${share}`,
  above: (rows: number): string =>
    `${rows.toLocaleString("en")} ${rows === 1 ? "row has" : "rows have"} at least this probability.`,
  foundAndMissed: (name: string, right: number, all: number, shown: number): string =>
    `They include ${right} of the ${all} rows of ${name} (${all - right} missed) and ${shown - right} of other classes.`,
  ofClass: (name: string): string => `rows of ${name}`,
  shownRows: "rows shown",
  trained: (trained: number, all: number): string =>
    `The model was fitted on ${trained === all ? "these" : `${trained.toLocaleString("en")} of these`} rows, so it finds more of them and misses fewer than among new rows.`,
  region: "Predictions",
  row: "row",
  prediction: "prediction",
  predicted: (outcome: string): string => `predicted ${outcome}`,
  probability: "probability",
  open: (row: number, prediction: string): string => `open row ${row}, predicted ${prediction}`,
  more: (left: number): string => `Show more (${left} left)`,
  unknown: "unknown",
  ignored: "not used",
  struck: "Crossed-out cells are not valid in their column and are treated as unknown.",
} as const;

export const TOKEN = {
  heading: "This model requires a token",
  token: "Token",
  open: "Open the model",
  refused: "The server did not accept this token.",
} as const;
