import { fileHead } from "./file-head.ts";
import { refuseFile } from "./imported-classifier.ts";

const SAVE = 'write it with booster.save_model("model.json")';
const DUMP = "a picture of the trees that lacks what their answers need";

/** Common files that contain no classifier: how they begin, what they are, and what to do instead. */
const OTHERS: readonly (readonly [string | RegExp, string, string])[] = [
  [
    /^\x80[^ -~]/,
    "a pickle of Python, which is a program and is not run here",
    "XGBoost and LightGBM write a file with booster.save_model, scikit-learn with the program that `conformant python` prints",
  ],
  [/^\s*\[\s*\{\s*"nodeid"/, `XGBoost's dump_model, ${DUMP}`, SAVE],
  [/^booster\[\d+\]:/, `XGBoost's dump_model, ${DUMP}`, SAVE],
  [
    /^\s*\{\s*"name"\s*:\s*"tree"[\s\S]*"num_tree_per_iteration"/,
    `LightGBM's dump_model, ${DUMP}`,
    'write it with booster.save_model("model.txt")',
  ],
  [
    /^CBM1|^\s*\{[\s\S]*"oblivious_trees"/,
    "a model of CatBoost in its own format, which is not read",
    'write it with save_model("model.onnx", format="onnx")',
  ],
  ["\x1f\x8b", "packed with gzip", "unpack it; an .rds file of R holds objects, which only R reads"],
  ["PK\x03\x04", "a ZIP archive", "unpack it"],
];

/** Rejects files that are often mistaken for a classifier's, by name. */
export function refuseOtherFiles(path: string, bytes: Uint8Array): void {
  const head = fileHead(bytes);
  for (const [beginning, what, hint] of OTHERS)
    if (typeof beginning === "string" ? head.startsWith(beginning) : beginning.test(head))
      throw refuseFile(path, `this is ${what}`, hint);
}
