import { useEffect, useState } from "preact/hooks";

/** A value that survives a reload, and going back, in this tab. */
export function useStoredValue<T>(name: string, initial: T): [T, (change: T | ((before: T) => T)) => void] {
  const [value, setValue] = useState<T>(() => read(name) ?? initial);
  useEffect(() => {
    try {
      sessionStorage.setItem(name, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing is no reason not to go on.
    }
  }, [name, value]);
  return [value, setValue];
}

function read<T>(name: string): T | undefined {
  try {
    const text = sessionStorage.getItem(name);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
