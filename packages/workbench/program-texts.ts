/** For builds and tests: an import of a program in another language is its text. */
export const programTexts = {
  name: "program-texts",
  transform(code: string, id: string) {
    return /[.](?:py|R)$/.test(id)
      ? { code: `export const text = ${JSON.stringify(code)};`, moduleType: "js" as const, map: null }
      : undefined;
  },
};
