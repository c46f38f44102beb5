import { type PageFiles, PLACES } from "conformant-workbench";
import { FRAME } from "./texts.ts";

/** The files that a page of one file carries in itself, by name; none where they stand beside it. */
function packedFiles(): PageFiles {
  const text = document.getElementById(PLACES.files)?.textContent;
  return text ? (JSON.parse(text) as PageFiles) : {};
}

/** The text of one of the page's own files. */
export async function readPageFile(name: string, headers: HeadersInit = {}): Promise<string> {
  const packed = packedFiles()[name];
  if (packed !== undefined) return packed;
  const response = await fetch(new URL(name, document.baseURI), { headers }).catch((cause: unknown) => {
    throw new Error(FRAME.notLoaded, { cause });
  });
  if (response.status === 401) throw new TokenNeeded();
  if (!response.ok) throw new Error(`${name} could not be read: the server answered ${response.status}`);
  return response.text();
}

/** The server wants a bearer token, and the one that was given (if any) is not it. */
export class TokenNeeded extends Error {}
