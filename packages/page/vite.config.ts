import { defineConfig, type Plugin } from "vite";
import { programTexts } from "../workbench/program-texts.ts";

/**
 * `new Worker(new URL("./worker.ts", import.meta.url))` with the worker as an entry of the same build, where Vite alone would make
 * a second one: page and worker then share one file that has the library.
 */
const workersOfThisBuild: Plugin = {
  name: "workers-of-this-build",
  apply: "build",
  enforce: "pre", // before Vite's own plugin
  async transform(code, id) {
    const worker = /new URL\("(?<path>\.{1,2}\/[\w/-]+-worker\.ts)", import\.meta\.url\)/;
    const path = worker.exec(code)?.groups?.path;
    if (!path) return undefined;
    const resolved = await this.resolve(path, id);
    if (!resolved) return this.error(`there is no ${path} beside ${id}`);
    const file = this.emitFile({ type: "chunk", id: resolved.id });
    return code.replace(worker, `import.meta.ROLLUP_FILE_URL_${file}`);
  },
};

export default defineConfig({
  base: "./", // the page works in any folder of any file server
  plugins: [workersOfThisBuild, programTexts],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    rolldownOptions: {
      // It does not say so itself, and would bring a second reader of Snappy and all of Brotli's dictionary.
      treeshake: { moduleSideEffects: (id) => !id.includes("/hyparquet-compressors/") },
    },
    cssCodeSplit: false, // one file of styles, so that a packed page has all of them
    modulePreload: {
      polyfill: false,
      // What is loaded later finds its parts by itself, wherever it is loaded from.
      resolveDependencies: (_, parts, { hostType }) => (hostType === "html" ? parts : []),
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
