import { fileURLToPath } from "node:url";
import { conform, conformMixture, type Model, predictColumns, train } from "conformant";
import { createThreads } from "conformant/threads";
import { dataFolders } from "../paper/datasets/data-folder.ts";
import { LABEL } from "../paper/datasets/dataset.ts";
import { readImages } from "../paper/datasets/images.ts";
import { maskColumns } from "../paper/protocol/removal.ts";
import { type BenchRow, datasetFile, duration, time, times } from "./support/measure.ts";
import { startWorker } from "./support/start-worker.ts";

const COMPONENTS = 50;
/** Times as fast on two threads as on one. */
const THREADS_BAR = 1.5;
/** Pixels that are missing in the rows to predict. */
const MISSING = [0, 400, 640];

/** A mixture on binarised MNIST: its fit, and prediction against one component. */
export async function benchMixture(): Promise<BenchRow[]> {
  if (!datasetFile("mnist/train-images-idx3-ubyte.gz")) return [];
  const { training, test } = readImages("mnist", dataFolders());
  const classifier = train(training, { label: LABEL, tolerance: 1e-4 });
  const one = conform(classifier, training);
  let mixture: Model = one;
  const fit = time(() => {
    mixture = conformMixture(classifier, training, { components: COMPONENTS });
  });
  const fitted: BenchRow = {
    what: `conformMixture, ${COMPONENTS} components, binarised MNIST (60,000 × 784)`,
    ours: `${duration(fit)}, ${mixture.certificate.iterations} steps`,
    peer: "–",
    ratio: "–",
    bar: "30 s",
    met: fit <= 30_000,
  };
  const worker = startWorker();
  const threads = createThreads([worker]);
  const shared = time(() => conformMixture(classifier, training, { components: COMPONENTS, threads }));
  await worker.terminate();
  const onTwo: BenchRow = {
    what: "the same on two threads, against one",
    ours: duration(shared),
    peer: duration(fit),
    ratio: `${(fit / shared).toPrecision(3)}×`,
    bar: `${THREADS_BAR}×`,
    met: fit / shared >= THREADS_BAR,
  };
  return [
    fitted,
    onTwo,
    ...MISSING.map((missing): BenchRow => {
      const rows = maskColumns(test, missing, 1);
      const single = times(3, () => predictColumns(one, rows)).median;
      const ours = times(3, () => predictColumns(mixture, rows)).median;
      const ratio = ours / single / COMPONENTS;
      return {
        what: `predictColumns, ${COMPONENTS} components, 10,000 MNIST rows with ${missing} of 784 pixels missing, against one component`,
        ours: duration(ours),
        peer: duration(single),
        ratio: `${ratio.toPrecision(2)} × ${COMPONENTS} its time`,
        bar: `1.5 × ${COMPONENTS}`,
        met: ratio <= 1.5,
      };
    }),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchMixture());
