import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";
import { root } from "../repository.ts";

/** What a page that reads a model and asks it about rows loads of the library, in kB, compressed: by entry. */
const LARGEST: readonly (readonly [entry: string, kilobytes: number])[] = [
  ["predict", 15],
  ["index", 25],
];

test.each(LARGEST)(
  "loadModel and predict of dist/%s.js take no more than %d kB of a page",
  async (entry, most) => {
    const id = "page";
    const file = join(root, "packages/conformant/dist", `${entry}.js`);
    const page = `import { loadModel, predict } from ${JSON.stringify(file)};\nexport const answer = (text, row) => predict(loadModel(text), row);`;
    const built = await build({
      configFile: false,
      logLevel: "error",
      plugins: [
        {
          name: id,
          resolveId: (asked) => (asked === id ? id : undefined),
          load: (asked) => (asked === id ? page : undefined),
        },
      ],
      build: { write: false, minify: true, lib: { entry: id, formats: ["es"] } },
    });
    const [{ output }] = [built].flat() as readonly {
      readonly output: readonly { readonly code?: string }[];
    }[];
    expect(gzipSync(output[0].code ?? "", { level: 9 }).length).toBeLessThan(1000 * most);
  },
);
