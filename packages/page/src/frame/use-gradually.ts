import { useEffect, useState } from "preact/hooks";

/** How many of so many parts are drawn: a few at once and the others in tasks of their own, so that the page never stands still. */
export function useGradually(all: number, atOnce: number): number {
  const [drawn, setDrawn] = useState(atOnce);
  useEffect(() => {
    if (drawn >= all) return undefined;
    const timer = setTimeout(() => setDrawn(drawn + atOnce));
    return () => clearTimeout(timer);
  }, [drawn, all]);
  return Math.min(drawn, all);
}
