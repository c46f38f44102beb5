import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** A plain file server, as any host of static pages is one; the folder appears below /some/where/. */
export async function serveFiles(folder: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?");
    const name = path.replace("/some/where/", "") || "index.html";
    const file = join(folder, name);
    const found = request.method === "GET" && existsSync(file) && statSync(file).isFile();
    response.writeHead(found ? 200 : 404, { "Content-Type": TYPES[extname(name)] ?? "text/plain" });
    response.end(found ? readFileSync(file) : "not found");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/some/where/`, close: () => server.close() };
}
