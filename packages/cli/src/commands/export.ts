import { counted, type ExportFormat, exportFormats, usePortableMath } from "conformant-workbench";
import { sqlDialects } from "conformant-workbench/sql";
import type { Command, Context, Parsed } from "../options/command.ts";
import { usage } from "../options/parse-command-line.ts";
import { readList } from "../options/read-value.ts";
import { writeTogether } from "../output/atomic-file.ts";
import { pageOptions, readPageOptions } from "./page-options.ts";
import { readCalibration } from "./read-calibration.ts";
import { readModel } from "./read-model.ts";

const dialects = [...sqlDialects.keys()];
/** A page is a folder or a file, the other formats are files. */
const formats = [...exportFormats, "page"];

export const exportCommand: Command = {
  name: "export",
  summary: "write a model for other systems: ONNX, SQL, JavaScript, Python, R, JSON, a page",
  arguments: ["MODEL"],
  options: {
    to: { takes: "FORMAT", choices: formats, help: formats.join(", ") },
    output: {
      short: "o",
      writes: true,
      takes: "FILE",
      help: "write here; js adds the types beside it; a page is a folder, or one file NAME.html",
    },
    dialect: { takes: "NAME", choices: dialects, help: `of SQL: ${dialects.join(", ")}`, initially: "ansi" },
    table: { takes: "NAME", help: "the table that the SQL scores", initially: "data" },
    keep: { list: true, takes: "A,B", help: "columns of the table that the SQL copies" },
    float: { help: "ONNX takes and gives numbers in single precision" },
    ...pageOptions,
    calibration: {
      takes: "FILE",
      help: "labelled rows that go with a page, so that it says what can be ruled out; whoever has the page can read them",
    },
  },
  example: "conformant export penguins.json --to js -o penguins.js",
  run: runExport,
};

async function runExport(parsed: Parsed, { messages }: Context): Promise<void> {
  const [format, output] = ["to", "output"].map((name) => parsed.text(name));
  if (format === undefined) throw usage(exportCommand, `export needs --to ${formats.join("|")}`);
  if (output === undefined) throw usage(exportCommand, "export needs -o FILE, or -o DIR for a page");
  usePortableMath(); // what follows from a model's numbers is written, too, and the same wherever it is done
  const model = readModel(parsed.positionals[0]);
  if (format === "page") {
    const { exportPage, isOneFile } = await import("./export-page.ts");
    const calibrated = parsed.text("calibration");
    const calibration = calibrated === undefined ? undefined : readCalibration(calibrated, model);
    const alone = isOneFile(output);
    writeTogether(await exportPage(model, output, readPageOptions(parsed), calibration), !alone);
    messages.note(
      `page written to ${output}; ${alone ? "any browser opens it" : "any file server can offer it"}`,
    );
    if (calibration)
      messages.note(
        `whoever has the page can read the ${counted(calibration.labels.length, "row")} of ${calibrated}`,
      );
    return;
  }
  const dialect = sqlDialects.get(parsed.text("dialect") ?? "ansi");
  if (!dialect) throw usage(exportCommand, `--dialect must be ${dialects.join(", ")}`);
  const { exportModel } = await import("./export-model.ts");
  const files = exportModel(model, format as ExportFormat, output, {
    float: parsed.flag("float"),
    dialect,
    table: parsed.text("table") ?? "data",
    keep: readList(parsed, "keep") ?? [],
  });
  writeTogether(files);
  messages.note(`written to ${files.map(({ path }) => path).join(" and ")}`);
}
