import { expect, test } from "vitest";
import type { Parsed } from "../../src/options/command.ts";
import { readGroups } from "../../src/options/read-groups.ts";

const columns = ["a", "b", "a+b", "c,d", "e=f", "__proto__"];
const groupsOf = (text: string): object => readGroups({ text: () => text } as unknown as Parsed, columns);

test.each([
  ["g=a+b", { g: ["a+b"] }],
  ["g=b+a", { g: ["b", "a"] }],
  ["g=a+b+a,h=b", { g: ["a+b", "a"], h: ["b"] }],
  ['"g=c,d+e=f"', { g: ["c,d", "e=f"] }],
  ["g = a + e=f", { g: ["a", "e=f"] }],
])("%s has the columns that it names, whatever they are called", (text, groups) => {
  expect(groupsOf(text)).toEqual(groups);
});

test("a group may have the name of every object's prototype", () => {
  expect(Object.entries(groupsOf("__proto__=__proto__+a"))).toEqual([["__proto__", ["__proto__", "a"]]]);
});

test.each([
  ["g=", /--groups names "", but/],
  ["g=a+z", /--groups names "z", but/],
  ["g=a+b+c", /--groups names "c", but/],
  ["=a", /must be NAME=COLUMN\+COLUMN/],
  ["g=b+b", /"b" stands twice in "g"/],
  ["g=b,h=b", /"b" stands in "g" and in "h"/],
  ["b=a", /"b" is the name of a column outside of it/],
])("%s is refused", (text, message) => {
  expect(() => groupsOf(text)).toThrow(message);
});
