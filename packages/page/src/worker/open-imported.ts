import { type ClassifierFile, openClassifier, refuseLarge } from "conformant-workbench/import";
import { CLASSIFIER_WORDS } from "../frame/studio-texts.ts";
import type { ImportedNames, StudyFile } from "./study-messages.ts";

/** Opens the file of a classifier that was trained elsewhere, as the command does. ONNX and PMML take more to read than a page should load. */
export async function openImported(
  { name, content }: StudyFile,
  { columns, classes, categories }: ImportedNames,
): Promise<ClassifierFile> {
  refuseLarge(name, content.size);
  return openClassifier(name, new Uint8Array(await content.arrayBuffer()), {
    names: said(columns),
    classes: said(classes),
    categories: said(categories),
    words: CLASSIFIER_WORDS,
    readers: {},
  });
}

/** A list, undefined where nothing is said. */
function said(list: readonly string[]): readonly string[] | undefined {
  return list.length > 0 ? list : undefined;
}
