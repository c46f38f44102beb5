/** The texts of files, by their names beside the page. */
export type PageFiles = Readonly<Record<string, string>>;

/** The folder of all scripts. */
const FOLDER = "assets/";
const NAME = String.raw`\./(?<name>[\w.-]+\.js)`;
/** The imports and exports in the minified scripts of the page. */
const IMPORT = new RegExp(String.raw`\bimport(?:\{(?<names>[^}]*)\}from)?"${NAME}";?`, "g");
const EXPORT = /\bexport\{(?<names>[^}]*)\};?/g;
const LATER = new RegExp(String.raw`\bimport\(["'\x60]${NAME}["'\x60]\)`, "g");
const WORKER =
  /new Worker\(new URL\(["'`](?<name>[\w.-]+\.js)["'`],\s*import\.meta\.url\)\.href,\{type:["'`]module["'`]\}\)/g;

/** The scripts that a script needs: its imports, the workers that it starts, and optionally what it loads later. */
export function neededBy(program: string, withLater: boolean): string[] {
  const patterns = [IMPORT, WORKER, ...(withLater ? [LATER] : [])];
  return patterns.flatMap((pattern) =>
    Array.from(program.matchAll(pattern), ({ groups }) => FOLDER + groups?.name),
  );
}

/**
 * Bundles modules into one script, because browsers load no modules from local files. Each module becomes a function that is called when it
 * is first needed, and a worker is started with the texts of all of them.
 *
 * @param modules by name
 * @param main the module to start with
 */
export function linkPrograms(modules: PageFiles, main: string): string {
  const functions = Object.entries(modules).map(
    ([name, text]) => `${JSON.stringify(name)}:function(exports,packed){"use strict";${linked(text)}\n}`,
  );
  return `(${START.trim()})({${functions.join(",\n")}},${JSON.stringify(main)})`;
}

/** A module as the body of a function. */
function linked(program: string): string {
  const names = (list: string | undefined, pair: (from: string, to: string) => string): string =>
    (list ?? "")
      .split(",")
      .filter((item) => item !== "")
      .map((item) => item.trim().split(/\s+as\s+/))
      .map(([from, to = from]) => pair(from, to))
      .join(",");
  return program
    .replace(IMPORT, (_, list, name) => {
      const load = `packed.load("${FOLDER}${name}");`;
      return list === undefined ? load : `const {${names(list, (from, to) => `${from}:${to}`)}}=${load}`;
    })
    .replace(EXPORT, (_, list) => `Object.assign(exports,{${names(list, (from, to) => `${to}:${from}`)}});`)
    .replace(LATER, `packed.later("${FOLDER}$1")`)
    .replace(WORKER, `packed.work("${FOLDER}$1")`)
    .replaceAll("import.meta.url", '""');
}

/** Starts a page or a worker; its own text becomes part of workers, so it is a string here. */
const START = `
function start(modules, main) {
  const loaded = {};
  const packed = {
    load(name) {
      if (!loaded[name]) modules[name]((loaded[name] = {}), packed);
      return loaded[name];
    },
    later: async (name) => packed.load(name),
    work(name) {
      const texts = Object.entries(modules).map(([own, module]) => JSON.stringify(own) + ":" + module);
      const script = "(" + start + ")({" + texts.join(",") + "}," + JSON.stringify(name) + ")";
      return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    },
  };
  packed.load(main);
}`;
