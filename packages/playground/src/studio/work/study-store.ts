import type { Study } from "../study.ts";

const [DATABASE, STORE, KEY] = ["conformant-studio", "studies", "current"];

/** Opens the browser's own store; undefined where the page may have none, as in some private windows. */
function open(): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    if (typeof indexedDB === "undefined") return resolve(undefined);
    try {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
}

/** Runs one request on the store; undefined where it fails: what cannot be kept is not worth an error. */
async function ask<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<T | undefined> {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve) => {
    const request = act(database.transaction(STORE, mode).objectStore(STORE));
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => resolve(undefined);
  }).then((result) => {
    database.close();
    return result as T | undefined;
  });
}

/** What was kept when the page was left. */
export function restoreStudy(): Promise<Study | undefined> {
  return ask<Study>("readonly", (store) => store.get(KEY));
}

/** Keeps a study until it is cleared. */
export async function keepStudy(study: Study): Promise<void> {
  await ask("readwrite", (store) => store.put(study, KEY));
}

export async function clearStudy(): Promise<void> {
  await ask("readwrite", (store) => store.delete(KEY));
}
