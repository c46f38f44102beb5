/** What the words on the page mean, a sentence each; they stand where the words are used. */
const MEANINGS = {
  "Expected prediction":
    "What the model would answer on average, over everything the unknown fields could be, given what you entered.",
  "If everything were known":
    "Learning the unknown fields would move the answer; nine times out of ten it would end up inside the thin line.",
  Why: "How the probability of the prediction gets from what it is with nothing known to the answer, a step per known field, in percentage points (pts).",
  "Sufficient explanation":
    "The fewest known fields that would be enough for the same prediction, even with everything that speaks against it.",
  "Best next question": "The unknown field whose answer is expected to tell the most about the prediction.",
} as const;

export type Word = keyof typeof MEANINGS;

/** A heading with the sentence that explains it. */
export function Heading({ word, id }: { word: Word; id?: string }) {
  return (
    <>
      <h2 {...(id !== undefined && { id })}>{word}</h2>
      <p class="meaning">{MEANINGS[word]}</p>
    </>
  );
}
