import { MEANINGS } from "./texts.ts";

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
