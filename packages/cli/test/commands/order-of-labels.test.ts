import { saveModel } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Names, NUMBER_NAMES, namedModel, PLAIN_NAMES, renamed } from "../support/named-models.ts";
import { succeed } from "../support/run.ts";
import { post, type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const all: Readonly<Record<string, Names>> = { plain: PLAIN_NAMES, numbers: NUMBER_NAMES };

const place = new Workplace();
const { folder: cwd } = place;

beforeAll(() => {
  for (const [name, names] of Object.entries(all)) {
    place.write(`${name}.json`, saveModel(namedModel("additive", names)));
    place.write(`${name}-trees.json`, saveModel(namedModel("trees", names)));
    place.write(`${name}.csv`, `x,color,bit,size\n,${names.categories[1]},1,\n`);
  }
});

describe("names of classes and categories do not change what is printed by", () => {
  /** What a command prints as JSON, checked to be the same for all names. */
  function same(words: (name: string, names: Names) => readonly string[]): () => void {
    const run = (name: string): unknown =>
      JSON.parse(succeed([...words(name, all[name]), "--json", "-q"], { cwd }).stdout);
    return () => {
      expect(run("numbers")).toEqual(renamed(run("plain"), NUMBER_NAMES));
    };
  }
  const given = ({ categories }: Names): string => `color=${categories[1]}`;

  test(
    "inspect",
    same((name) => ["inspect", `${name}.json`]),
  );
  test(
    "inspect of trees",
    same((name) => ["inspect", `${name}-trees.json`]),
  );
  test(
    "predict",
    same((name) => ["predict", `${name}.json`, `${name}.csv`]),
  );
  test(
    "explain",
    same((name) => ["explain", `${name}.json`, `${name}.csv`]),
  );
  test(
    "explain --shapley",
    same((name) => ["explain", `${name}.json`, `${name}.csv`, "--shapley"]),
  );
  test(
    "explain --sensitivity",
    same((name) => ["explain", `${name}.json`, `${name}.csv`, "--sensitivity"]),
  );
  test(
    "ask",
    same((name, names) => ["ask", `${name}.json`, "--given", given(names)]),
  );
  test(
    "ask --tree",
    same((name, names) => ["ask", `${name}.json`, "--given", given(names), "--tree", "2"]),
  );
});

describe("names of classes and categories do not change the answer of the service to", () => {
  const served = new Map<string, Served>();

  beforeAll(async () => {
    for (const name of Object.keys(all)) served.set(name, await startServe([`${name}.json`], { cwd }));
  });
  afterAll(async () => {
    for (const own of served.values()) await own.stop();
  });

  const same =
    (path: string, more: object = {}) =>
    async (): Promise<void> => {
      const ask = async (name: string): Promise<unknown> => {
        const row = { color: all[name].categories[1], bit: 1 };
        return (await post(`${served.get(name)?.url}/${path}`, { row, ...more })).body;
      };
      const plain = await ask("plain");
      expect(plain).not.toHaveProperty("error");
      expect(await ask("numbers")).toEqual(renamed(plain, NUMBER_NAMES));
    };

  test("predict", same("predict", { sure: true }));
  test("explain", same("explain"));
  test("explain with Shapley values", same("explain", { shapley: {} }));
  test("explain with sensitivity", same("explain", { sensitivity: {} }));
  test("ask", same("ask"));
  test("ask with a plan", same("ask", { plan: {} }));
  test("ask with a questionnaire", same("ask", { tree: {} }));
});
