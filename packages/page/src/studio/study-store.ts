import { clear, createStore, getMany, promisifyRequest } from "idb-keyval";
import { NEW_STUDY, type Study } from "./study.ts";

/** An IndexedDB store. It is not available in some private windows. */
const store = createStore("conformant-study", "parts");

/** What is kept by itself, so that a step that is taken writes no large file again. */
const PARTS: Readonly<Record<string, readonly (keyof Study)[]>> = {
  file: ["file"],
  imported: ["imported"],
  made: ["made"],
  work: ["step", "choices"],
  before: ["before"],
};

/** Under which the store says whose parts it has, and the name of this page there: a browser may have the studio open several times. */
const [OWNER, SELF] = ["owner", `${performance.timeOrigin} ${Math.random()}`];

/** What was kept when the page was left; undefined where nothing was, or nothing can be. */
export async function restoreStudy(): Promise<Study | undefined> {
  try {
    const kept = await getMany<Partial<Study> | undefined>(Object.keys(PARTS), store);
    if (kept.every((part) => part === undefined)) return undefined;
    const study: Study = Object.assign({ ...NEW_STUDY }, ...kept);
    return { ...study, choices: { ...NEW_STUDY.choices, ...study.choices } }; // an older page may have kept it
  } catch {
    return undefined;
  }
}

/**
 * Keeps a study until it is cleared: the parts that are others than before, or all where the store has those of another page; what is
 * there belongs together.
 *
 * @returns whether it is kept: the browser may have no room for it
 */
export async function saveStudy(study: Study, before: Study | undefined): Promise<boolean> {
  const changed = Object.entries(PARTS).filter(([, keys]) =>
    keys.some((key) => study[key] !== before?.[key]),
  );
  if (changed.length === 0) return true;
  try {
    await store("readwrite", (parts) => {
      const owner = parts.get(OWNER);
      owner.onsuccess = () => {
        for (const [part, keys] of owner.result === SELF ? changed : Object.entries(PARTS))
          parts.put(Object.fromEntries(keys.map((key) => [key, study[key]])), part);
        parts.put(SELF, OWNER);
      };
      return promisifyRequest(parts.transaction); // until it is there for good
    });
    return true;
  } catch {
    return false;
  }
}

export async function clearStudy(): Promise<void> {
  try {
    await clear(store);
  } catch {
    // There is no store, so there is nothing in it.
  }
}
