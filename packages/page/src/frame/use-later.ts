import { useEffect, useState } from "preact/hooks";

/** What takes a while to make, made in a task of its own and drawn in another; undefined until then. */
export function useLater<T>(make: () => T, inputs: readonly unknown[]): T | undefined {
  const [made, setMade] = useState<{ readonly value: T }>();
  useEffect(() => {
    setMade(undefined);
    let timer = setTimeout(() => {
      const value = make();
      timer = setTimeout(() => setMade({ value }));
    });
    return () => clearTimeout(timer);
  }, inputs);
  return made?.value;
}
