// Every text of a model's page that people read; the studio has its own beside it.

/** What the words on the page mean, a sentence each; they stand where the words are used. */
export const MEANINGS = {
  "Expected prediction":
    "What the model would answer on average, over everything the unknown fields could be, given what you entered.",
  "What can be ruled out":
    "Checked against cases whose answer is known, with the same fields unknown as here.",
  "If everything were known":
    "Learning the unknown fields would move the answer; nine times out of ten it would end up inside the thin line.",
  Why: "How the probability of the prediction gets from what it is with nothing known to the answer, a step per known field, in percentage points (pts).",
  "Sufficient explanation":
    "The fewest known fields that would be enough for the same prediction, even with everything that speaks against it.",
  "Best next question": "The unknown field whose answer is expected to tell the most about the prediction.",
  "What if unknown fields are unusual?":
    "All answers take an unknown field to be as it usually is; you may know better, as of a test that is left out when a patient looks well, or of an income that the rich do not tell.",
} as const;

export const FRAME = {
  untitled: "What does the model say?",
  which: (label: string): string => `Which ${label}?`,
  about: (classes: number, columns: number, rows: string): string =>
    `A model with ${classes} possible answers and ${columns} columns, learned from ${rows} rows. Fill in what you know and leave the rest unknown.`,
  loading: "Loading the model …",
  failed: "The model could not be loaded",
  notLoaded:
    "A part of this page could not be loaded: its server does not answer, or has a newer page by now. Load the page again.",
  footer:
    "Everything is computed in this browser; what you enter is not sent anywhere. Made with conformant.",
  toResult: "Skip to the answer",
} as const;

export const FORM = {
  heading: "What you know",
  known: (known: number, all: number): string => `${known} of ${all}`,
  undo: "Undo",
  clear: "Start over",
  find: "Find a field",
  noneFound: "No field has this in its name.",
  legend:
    "Grey bars show the training data. Blue lines and percentages show what an unknown field is likely to be, given the others.",
  otherGroup: "Other fields",
  unknown: "unknown",
  sufficient: "part of what suffices",
  next: "ask this next",
  forget: (name: string): string => `make ${name} unknown`,
  slider: (name: string): string => `${name}, slider`,
  notNumber: "not a number: it counts as unknown",
  ambiguous:
    "a comma before three digits may mean thousands or a fraction, so that this counts as unknown; write 1234 or 1.234",
  usual: {
    within: (range: string): string => `usually ${range}`,
    beyond: (range: string): string => `beyond the usual ${range}`,
  },
  /** Where the least and the largest number of the data are known. */
  ofData: {
    within: (range: string): string => `in the data ${range}`,
    beyond: (range: string): string => `beyond the data, which has ${range}`,
  },
  range: (low: string, high: string): string => `${low} to ${high}`,
  ways: "How to fill in",
  waysOf: { all: "All fields", one: "One question at a time", tree: "Questionnaire" },
} as const;

export const ASKING = {
  question: (count: number): string => `Question ${count}`,
  thinking: "Looking for the best question …",
  next: "Next question",
  skip: "Not known, ask something else",
  answered: "Answered so far",
  change: (name: string): string => `change ${name}`,
  enough: "Enough is known.",
  wouldStay: (share: string): string =>
    `With everything else known, too, the prediction would stay as it is with a probability of ${share}.`,
  goOn: "Ask on all the same",
  none: "There is nothing left to ask.",
  ahead: (name: string): string => `It helps most together with ${name}, which comes then.`,
  soFar: "So far",
  atEnd: "The questionnaire ends here",
  back: "One back",
  again: "From the beginning",
  exact: "The exact number, if you have it",
  enter: "Enter",
  exactNote: "What you enter goes into the form as well; a range alone does not.",
  open: "Open a questionnaire",
  openNote: "a file of conformant ask --tree 3 --json",
  wrongFile: "This file is no questionnaire of conformant ask --tree --json.",
  otherModel: (name: string): string =>
    `This questionnaire asks for ${name}, which the model does not have or takes otherwise.`,
} as const;

export const RESULT = {
  label: "Result",
  nothing: "Nothing is known yet: this is how often the model expects each answer.",
  couldBecome: "could become",
  to: "to",
  drawn: (error: string): string =>
    `Where the thin lines end comes from draws, right to about ± ${error} points.`,
  showAll: (count: number): string => `Show all ${count}`,
  showFew: (count: number): string => `Show the likeliest ${count}`,
  beyond: "Beyond the training data:",
  beyondAdvice: "The model has seen nothing like it; check the entry, and take the answer with care.",
  usually: (entry: string, range: string): string => `${entry}, usually ${range}`,
  inData: (entry: string, range: string): string => `${entry}, in the data ${range}`,
  failed: (why: string): string => `The reasons could not be worked out: ${why}`,
  late: "Reasons and questions for the new entries are being worked out.",
  wouldBe: "The prediction would still be",
  withProbability: "with a probability of",
  unlike: "Unlike the training data.",
  unlikeAdvice: (share: string): string =>
    `Fewer than ${share} rows are as unusual as this one; check the entries, and take the prediction with care.`,
  changes: "changes the prediction with a probability of ",
  enough: "tells the most, but enough is known: no answer to it would change the prediction.",
  together: (name: string): string => `together with ${name}, which comes then; by itself it `,
  after: "then",
  withNothing: "with nothing known",
  withAll: "with all you entered",
  others: (count: number): string => `${count} others`,
  points: "pts",
  pointsMeaning: "percentage points",
  side: (against: boolean, name: string): string => `${against ? "against" : "for"} ${name}, `,
  said: (prediction: string, share: string): string => `Predicted ${prediction}, ${share}.`,
  saidNext: (question: string): string => ` Best next question: ${question}.`,
  saidBeyond: (entries: string): string => ` Beyond the training data: ${entries}.`,
  barNext: (question: string): string => `ask next: ${question}`,
  barBeyond: "beyond the data",
  barGo: ", go to the result",
} as const;

export const SETS = {
  oneOf: "The answer is one of",
  is: "The answer is",
  promise: (share: string, rows: string): string =>
    `This holds in ${share} of cases with just these fields unknown, as far as they are like the ${rows} known cases it was checked against and nobody left fields out because of the answer.`,
  tooFew: (rows: string, needed: number): string =>
    `Nothing can be ruled out: of the known cases only ${rows} have all the fields that you entered, and ${needed} are needed.`,
  all: (share: string, rows: string): string =>
    `Nothing can be ruled out: to be right in ${share} of cases every answer must stay possible, by ${rows} known cases.`,
  coverage: "To be right in",
  share: (percent: number): string => `${percent} of 100 cases`,
  bring: "Known cases (a calibration file)",
  bringMeaning:
    "With cases whose answer is known, kept aside by conformant calibrate, the page says which answers can be ruled out. The file stays in this browser.",
  choose: "choose the file",
  failed: (why: string): string => `The file cannot be used: ${why}`,
} as const;

export const SHIFT = {
  column: "Unknown values of",
  value: (column: string, value: string): string => `${column}: ${value}`,
  lower: "lower than usual",
  higher: "higher than usual",
  rarer: "rarer than usual",
  oftener: "more often than usual",
  typical: (now: string, usual: string): string => `typically ${now} instead of ${usual}`,
  likely: (value: string, now: string, usual: string): string =>
    `${value} in ${now} of cases instead of ${usual}`,
  asUsual: "as usual",
  result: "Then",
  instead: (share: string): string => `(instead of ${share})`,
  reset: "Back to as usual",
  changes: (prediction: string, column: string, how: string): string =>
    `The prediction would become ${prediction} if unknown values of ${column} are ${how}.`,
  never: "No such assumption about a single field would change the prediction.",
  nothing: "Nothing is unknown, so that it does not matter why.",
  inNumbers: "In numbers",
} as const;

export const TABLE = {
  heading: "Many rows at once",
  table: "the table",
  twiceNamed: "Rename one of them.",
  predictFile: (name: string): string => `Predict the rows of ${name}`,
  legend: "A table in CSV",
  drop: "Drop a CSV file anywhere on the page, or",
  choose: "choose one",
  firstLine: ". The first line names the columns; empty cells are unknown.",
  paste: "Or paste it",
  predicting: "Predicting …",
  count: (count: number): string =>
    `${count} ${count === 1 ? "row" : "rows"} predicted. Choose a row to open it in the form, the name of a column to sort by it.`,
  save: "Download results",
  region: "Predictions",
  row: "row",
  prediction: "prediction",
  probability: "probability",
  open: (row: number, prediction: string): string => `open row ${row}, predicted ${prediction}`,
  more: (left: number): string => `Show more (${left} left)`,
  unknown: "unknown",
  ignored: "not used",
  struck: "What is struck through is no value of its column and counts as unknown.",
} as const;

export const TOKEN = {
  heading: "This model is behind a token",
  token: "Token",
  open: "Open the model",
  refused: "The server did not accept this token.",
} as const;
