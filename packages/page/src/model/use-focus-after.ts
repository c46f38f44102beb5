import type { Ref } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * Puts the focus into the next question once it is there, but only where a person went on to it: nobody's focus is taken
 * because an answer came.
 *
 * @param place what the question stands in
 * @returns tells that somebody went on
 */
export function useFocusAfter(place: Ref<HTMLElement>, question: unknown): () => void {
  const wentOn = useRef(false);
  useEffect(() => {
    if (!wentOn.current || question === undefined || place === null || typeof place === "function") return;
    wentOn.current = false;
    place.current?.querySelector<HTMLElement>("input, select, button")?.focus();
  }, [question]);
  return () => {
    wentOn.current = true;
  };
}
