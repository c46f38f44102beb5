import { counted, type ExportFormat, exportFormats, usePortableMath } from "conformant-workbench";
import { type Dialect, sqlDialects } from "conformant-workbench/sql";
import { type Command, type Context, grouped, type Parsed } from "../options/command.ts";
import { readList } from "../options/read-value.ts";
import { writeTogether } from "../output/atomic-file.ts";
import { pageOptions, readPageOptions } from "./page-options.ts";
import { readCalibration } from "./read-calibration.ts";
import { readAnyModel, readModel } from "./read-model.ts";

const dialects = [...sqlDialects.keys()];
/** A page is a folder or a file; the other formats are files. */
const formats = [...exportFormats, "page"];

export const exportCommand: Command = {
  name: "export",
  summary: "write a model as ONNX, SQL, JavaScript, Python, R or a web page",
  arguments: ["MODEL"],
  options: {
    to: { takes: "FORMAT", required: true, choices: formats, help: "format" },
    output: {
      short: "o",
      writes: true,
      takes: "FILE",
      required: true,
      help: "write to FILE; a page is a folder or one file NAME.html, js adds a file of types",
    },
    ...grouped("SQL and ONNX options", {
      dialect: {
        takes: "NAME",
        requires: ["to=sql"],
        choices: dialects,
        help: "SQL dialect",
        initially: "ansi",
      },
      table: {
        takes: "NAME",
        requires: ["to=sql"],
        help: "table that the SQL reads",
        initially: "data",
      },
      keep: {
        list: true,
        takes: "A,B",
        requires: ["to=sql"],
        help: "columns of the table that the SQL copies",
      },
      float: { requires: ["to=onnx"], help: "single precision for ONNX inputs and outputs" },
    }),
    ...pageOptions(["to=page"]),
    calibration: {
      group: "Page options",
      takes: "FILE",
      requires: ["to=page"],
      help: "include a calibration set, so that the page shows prediction sets; everyone who has the page can read its rows",
    },
  },
  example: "conformant export penguins.json --to js -o penguins.js",
  run: runExport,
};

async function runExport(parsed: Parsed, { messages }: Context): Promise<void> {
  const [format, output] = ["to", "output"].map((name) => parsed.text(name) ?? "");
  usePortableMath(); // derived numbers are written too, and must be the same in every engine
  const [file] = parsed.positionals;
  if (format === "page") {
    const { exportPage, isOneFile } = await import("./export-page.ts");
    const calibrated = parsed.text("calibration");
    const calibration =
      calibrated === undefined ? undefined : readCalibration(calibrated, readModel(file, "--calibration"));
    const alone = isOneFile(output);
    const page = await exportPage(readAnyModel(file), output, readPageOptions(parsed), calibration);
    writeTogether(page, !alone);
    messages.note(
      `page written to ${output}; ${alone ? "any browser opens it" : "any file server can offer it"}`,
    );
    if (calibration)
      messages.note(
        `whoever has the page can read the ${counted(calibration.labels.length, "row")} of ${calibrated}`,
      );
    return;
  }
  const model = readAnyModel(file);
  const dialect = sqlDialects.get(parsed.text("dialect") ?? "ansi") as Dialect;
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
