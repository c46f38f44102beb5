import type { Model } from "conformant";
import { type OpenPage, openPage, startBrowser, type View } from "./browser.ts";
import type { ExamplePage } from "./example-page.ts";
import { serveFiles } from "./file-server.ts";

/** An exported page on a plain file server, open in a browser. */
export interface ShownExample extends OpenPage {
  readonly model: Model;
  readonly url: string;
  /** Ends browser and server and removes the page. */
  readonly close: () => Promise<void>;
}

/** Serves an exported page and opens it. */
export async function showExample(example: ExamplePage, view?: View): Promise<ShownExample> {
  const files = await serveFiles(example.folder);
  const browser = await startBrowser();
  const close = async (): Promise<void> => {
    await browser.close();
    files.close();
    example.remove();
  };
  return { ...(await openPage(browser, files.url, view)), model: example.model, url: files.url, close };
}
