import { NEW_STUDY, type Study } from "./study.ts";

const [DATABASE, VERSION, STORE] = ["conformant-studio", 2, "parts"];

/** What is kept by itself, so that a step that is taken writes no large file again. */
const PARTS: Readonly<Record<string, readonly (keyof Study)[]>> = {
  file: ["file"],
  brought: ["brought"],
  made: ["made"],
  work: ["step", "choices"],
  before: ["before"],
};

/** Under which the store says whose parts it has, and the name of this page there: a browser may have the studio open several times. */
const [OWNER, SELF] = ["owner", `${performance.timeOrigin} ${Math.random()}`];

/** Opens the browser's own store; rejects where the page may have none, as in some private windows. */
function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      for (const name of [...request.result.objectStoreNames]) request.result.deleteObjectStore(name);
      request.result.createObjectStore(STORE);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Runs requests on the store and waits until what they did is there for good. */
async function ask<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => T): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const result = act(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    return result;
  } finally {
    database.close();
  }
}

/** What was kept when the page was left; undefined where nothing was, or nothing can be. */
export async function restoreStudy(): Promise<Study | undefined> {
  try {
    const requests = await ask("readonly", (store) => Object.keys(PARTS).map((part) => store.get(part)));
    const kept = requests.map(({ result }) => result as Partial<Study> | undefined);
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
    await ask("readwrite", (store) => {
      const owner = store.get(OWNER);
      owner.onsuccess = () => {
        for (const [part, keys] of owner.result === SELF ? changed : Object.entries(PARTS))
          store.put(Object.fromEntries(keys.map((key) => [key, study[key]])), part);
        store.put(SELF, OWNER);
      };
    });
    return true;
  } catch {
    return false;
  }
}

export async function clearStudy(): Promise<void> {
  await ask("readwrite", (store) => store.clear()).catch(() => undefined);
}
