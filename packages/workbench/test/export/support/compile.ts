import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipDefaultLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
  types: [],
};
/** TypeScript's own declarations, which take much longer than a program: parsed once. */
const libraries = new Map<string, ts.SourceFile | undefined>();

function createHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...rest) => {
    if (!/[/]typescript[/]lib[/]/.test(file)) return getSourceFile(file, ...rest);
    if (!libraries.has(file)) libraries.set(file, getSourceFile(file, ...rest));
    return libraries.get(file);
  };
  return host;
}

/** What the compiler says about programs, strictly checked; nothing where their types hold. */
export function compile(...files: readonly string[]): string[] {
  const program = ts.createProgram(files, OPTIONS, createHost());
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}
