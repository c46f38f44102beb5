import { useEffect, useState } from "preact/hooks";

const QUIET_MS = 600;

/** Says a sentence to screen readers once it has stopped changing. */
export function LiveRegion({ sentence }: { sentence: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(sentence), QUIET_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
  return (
    <p class="hidden" role="status" aria-live="polite">
      {said}
    </p>
  );
}
