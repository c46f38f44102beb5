import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { downloadFile, type PublishedFile } from "../../paper/download/download-file.ts";

const CONTENTS = "0,1,1,0\n";
const sha256 = createHash("sha256").update(CONTENTS).digest("hex");

let server: Server;
let asked: string[] = [];
let address = "";
let folder = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/good") response.end(CONTENTS);
    else if (request.url === "/other") response.end("something else");
    else if (request.url === "/broken") {
      response.writeHead(200, { "content-length": 100 });
      response.write("half");
      response.destroy();
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), "conformant-download-"));
  asked = [];
});

const file = (...paths: string[]): PublishedFile => ({
  path: "set/file.txt",
  urls: paths.map((path) => `${address}/${path}`),
  sha256,
});

describe("downloading a published file", () => {
  it("stores what has the right sum, and keeps it the next time", async () => {
    expect(await downloadFile(file("good"), folder)).toBe("downloaded");
    expect(readFileSync(join(folder, "set/file.txt"), "utf8")).toBe(CONTENTS);
    expect(await downloadFile(file("good"), folder)).toBe("kept");
    expect(asked).toEqual(["/good"]);
  });

  it("goes on to the next mirror when one is missing, breaks off or has something else", async () => {
    expect(await downloadFile(file("missing", "broken", "other", "good"), folder)).toBe("downloaded");
    expect(asked).toEqual(["/missing", "/broken", "/other", "/good"]);
  });

  it("leaves nothing behind and says why when no mirror has it", async () => {
    await expect(downloadFile(file("missing", "other"), folder)).rejects.toThrow(
      /set\/file\.txt could not be downloaded[\s\S]*404[\s\S]*14 bytes that are not the published file/,
    );
    expect(existsSync(join(folder, "set"))).toBe(false);
  });

  it("replaces a file that is damaged, and knows contents by git's id too", async () => {
    await downloadFile(file("good"), folder);
    writeFileSync(join(folder, "set/file.txt"), "damaged");
    const gitBlob = createHash("sha1").update(`blob ${CONTENTS.length}\0${CONTENTS}`).digest("hex");
    const { sha256: _, ...unsummed } = file("good");
    expect(await downloadFile({ ...unsummed, gitBlob }, folder)).toBe("downloaded");
    expect(readdirSync(join(folder, "set"))).toEqual(["file.txt"]);
  });
});

describe("the list of published files", () => {
  const manifest = JSON.parse(
    readFileSync(new URL("../../paper/download/manifest.json", import.meta.url), "utf8"),
  ) as PublishedFile[];

  it("has a sum and a secure or published address for every file", () => {
    expect(new Set(manifest.map(({ path }) => path)).size).toBe(manifest.length);
    for (const { urls, sha256: sum, gitBlob } of manifest) {
      expect(urls.length).toBeGreaterThan(0);
      expect(sum ?? gitBlob).toMatch(/^[0-9a-f]{40,64}$/);
    }
  });
});
