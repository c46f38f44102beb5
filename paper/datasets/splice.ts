import { tableProtocol } from "../protocol/table-protocol.ts";
import { buildDataset } from "./build-table.ts";
import { readLines, requireFile } from "./data-folder.ts";
import type { Dataset, DatasetSource, Split } from "./dataset.ts";
import { split } from "./split.ts";

const BASES = ["A", "G", "T", "C"];

const POSITIONS = 60;

/** The authors' label numbers: 0 is neither (N), 1 is EI, 2 is IE. */
const AUTHORS_CLASSES = ["N", "EI", "IE"];

/** Practically none, as in the authors' notebook. */
const AUTHORS_PSEUDOCOUNT = 1e-10;

/** Splice junctions of DNA. */
export const splice: DatasetSource = {
  name: "splice",
  testbed: { size: "3K", classes: "3: unbalanced", features: 61, types: "categorical" },
  protocol: (which) =>
    tableProtocol(which, {
      columns: POSITIONS,
      step: 2,
      paperRepeats: 100,
      quickRepeats: 5,
      l2: 10,
      pseudocount: which === "authors" ? AUTHORS_PSEUDOCOUNT : 1,
    }),
  read: readSplice,
};

/** A DNA sequence of 60 bases and its class. */
interface Sequence {
  readonly label: string;
  readonly bases: readonly string[];
}

/** Splice: 60 bases, 3 classes, 3,175 sequences without ambiguous bases, divided by us or as the authors' files are. */
export function readSplice(folders: readonly string[], seed: number, which: Split): Dataset {
  const training = which === "authors" ? readAuthors(folders, "train") : readPublished(folders);
  const test = which === "authors" ? readAuthors(folders, "test") : [];
  const sequences = [...training, ...test];
  const parts =
    which === "authors"
      ? { training: training.map((_, r) => r), test: test.map((_, r) => training.length + r) }
      : split(sequences.length, seed);
  return buildDataset({
    name: "splice",
    title: "Splice",
    columns: Array.from({ length: POSITIONS }, (_, i) => ({
      name: `base${i}`,
      texts: sequences.map(({ bases }) => bases[i]),
      values: BASES,
    })),
    labels: sequences.map(({ label }) => label),
    ...parts,
  });
}

/** UCI's file: "class, name, bases" a line. As the authors do, the 15 sequences with an ambiguous base are left out. */
function readPublished(folders: readonly string[]): Sequence[] {
  return readLines(requireFile(folders, ["splice/splice.data"]))
    .map((line) => line.split(",").map((field) => field.trim()))
    .map(([label, , bases]) => ({ label, bases: [...bases] }))
    .filter(({ bases }) => bases.every((base) => BASES.includes(base)));
}

/** The authors' files: 4 bits a base in the order A, G, T, C, and a label number. */
function readAuthors(folders: readonly string[], part: "train" | "test"): Sequence[] {
  const labels = readLines(requireFile(folders, [`splice/nacl-${part}-splice-labels.txt`]));
  return readLines(requireFile(folders, [`splice/nacl-${part}-splice-samples.txt`])).map((line, r) => {
    const bits = line.split(",");
    const bases = Array.from(
      { length: POSITIONS },
      (_, i) => BASES[bits.slice(4 * i, 4 * i + 4).indexOf("1")],
    );
    return { label: AUTHORS_CLASSES[Number(labels[r])], bases };
  });
}
