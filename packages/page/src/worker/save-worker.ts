// Writes a model for another system, by the exporters of the command.

import { loadModel, type Model } from "conformant";
import { usePortableMath } from "conformant-workbench";
import { exportOnnx, exportPython, exportSql, requireExportable } from "conformant-workbench/export";
import { type Dialect, sqlDialects } from "conformant-workbench/sql";
import { SAVE } from "../frame/studio-texts.ts";
import type { SaveReply, SaveRequest } from "./save-messages.ts";
import { toFailure } from "./to-failure.ts";

usePortableMath(); // as the command does: what follows from a model's numbers is written, too

addEventListener("message", ({ data }: MessageEvent<SaveRequest>) => {
  try {
    tell({ content: write(loadModel(data.model), data) });
  } catch (thrown) {
    tell({ problem: `${toFailure(thrown).message}. ${SAVE.otherForm}` });
  }
});

function write(model: Model, { form, dialect, table }: SaveRequest): string | Uint8Array<ArrayBuffer> {
  requireExportable(model, form);
  switch (form) {
    case "onnx":
      return new Uint8Array(exportOnnx(model, { float: false }));
    case "python":
      return exportPython(model);
    case "sql":
      return exportSql(model, { dialect: dialectOf(dialect), table, keep: [] });
  }
}

function dialectOf(name: string): Dialect {
  const dialect = sqlDialects.get(name);
  if (!dialect) throw new Error(`${name} is not a supported dialect`);
  return dialect;
}

function tell(told: SaveReply): void {
  postMessage(told);
}
