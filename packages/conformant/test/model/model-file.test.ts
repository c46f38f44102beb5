import { describe, expect, it } from "vitest";
import {
  conform,
  loadModel,
  logEvidence,
  type Model,
  predict,
  saveModel,
  trainTrees,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { checksum } from "../../src/model/save-model.ts";
import { expectError } from "../support/error.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

/** A changed file with a checksum that fits, so that the check behind the checksum is reached. */
function edited(model: Model, change: (json: ReturnType<typeof JSON.parse>) => void): string {
  const { checksum: _, ...json } = JSON.parse(saveModel(model));
  change(json);
  return JSON.stringify({ ...json, checksum: checksum(JSON.stringify(json)) });
}

describe("the model file", () => {
  it("reads back to a model that answers the same to the last bit and saves to the same text", () => {
    for (let seed = 0; seed < 20; seed++) {
      const model = randomModel({ seed, columns: 7, classes: 2 + (seed % 4), pseudocount: seed % 2 });
      const text = saveModel(model);
      const copy = loadModel(text);
      const { x0, x3, ...row } = randomRow(model, random(seed));
      expect(predict(copy, row)).toEqual(predict(model, row));
      expect(logEvidence(copy, row)).toBe(logEvidence(model, row));
      expect(copy.certificate).toEqual(model.certificate);
      expect(saveModel(copy)).toBe(text);
    }
  });

  it("carries the metadata of a program unread, and refuses what is no object", () => {
    const model = randomModel({ seed: 1, columns: 2, classes: 2 });
    const metadata = { verdict: { rows: 12, sentence: "no better than guessing" } };
    const text = saveModel({ ...model, metadata });
    expect(loadModel(text).metadata).toEqual(metadata);
    expect(saveModel(loadModel(text))).toBe(text);
    const broken = edited({ ...model, metadata }, (json) => (json.metadata = [1]));
    expectError(() => loadModel(broken), "model-format", /metadata must be an object/);
  });

  it("keeps probabilities of zero", () => {
    const model = randomModel({ seed: 1, columns: 2, classes: 2, kinds: ["binary"] });
    const logQ = Float64Array.of(0, Number.NEGATIVE_INFINITY, Math.log(0.5), Math.log(0.5));
    const zero = { ...model, components: [{ ...model.components[0], logQ }] };
    expect(loadModel(saveModel(zero)).components[0].logQ[1]).toBe(Number.NEGATIVE_INFINITY);
  });

  it("is refused when truncated, wherever it is cut", () => {
    const text = saveModel(randomModel({ seed: 3, columns: 3, classes: 2 }));
    for (let cut = 0; cut < text.length; cut += 37) {
      expectError(() => loadModel(text.slice(0, cut)), "model-format", /not complete JSON/);
    }
  });

  it("is refused when a single digit was altered", () => {
    const text = saveModel(randomModel({ seed: 3, columns: 3, classes: 2 }));
    const digits = [...text.matchAll(/\d/g)]
      .map((match) => match.index)
      .filter((at) => at > text.indexOf('"schema"'));
    for (const at of digits.filter((_, j) => j % 11 === 0)) {
      const digit = (Number(text[at]) + 1) % 10;
      const altered = `${text.slice(0, at)}${digit}${text.slice(at + 1)}`;
      // A digit past the precision of a double does not change the number, and then nothing is altered.
      if (JSON.stringify(JSON.parse(altered)) === text) continue;
      expectError(() => loadModel(altered), "model-altered", /was altered/);
    }
  });

  it("is refused without a checksum", () => {
    const { checksum: _, ...body } = JSON.parse(saveModel(randomModel({ seed: 3, columns: 3, classes: 2 })));
    expectError(() => loadModel(JSON.stringify(body)), "model-altered", /^the model file has no checksum/);
  });

  it("is refused when of a newer version, by name", () => {
    const newer = edited(randomModel({ seed: 1, columns: 2, classes: 2 }), (json) => {
      json.version = 7;
    });
    expectError(() => loadModel(newer), "model-version", /version 7, this library reads up to 6/);
  });

  it("is refused when it is something else, or its parts do not fit", () => {
    const model = randomModel({ seed: 2, columns: 4, classes: 3 });
    expectError(() => loadModel("[1, 2]"), "model-format", /"format": "conformant-model"/);
    expectError(() => loadModel('"x"'), "model-format", /conformant-model/);
    expectError(() => loadModel(3 as never), "invalid-argument", /text of a model file, got 3/);
    const broken: [RegExp, (json: ReturnType<typeof JSON.parse>) => void][] = [
      [/schema needs a non-empty list/, (json) => delete json.schema.columns],
      [/weights must be rows of 2/, (json) => json.classifier.classes.pop()],
      [/weights must be rows of 3/, (json) => json.classifier.weights[0].pop()],
      [/weights must have/, (json) => json.classifier.weights.pop()],
      [/intercept\[0\] must be a finite number/, (json) => (json.classifier.intercept[0] = "1e999")],
      [/logQ must be one list per column/, (json) => json.distribution.components[0].logQ.pop()],
      [/logarithms of probabilities/, (json) => (json.distribution.components[0].logQ[0][0] = 5)],
      [/components must be a non-empty list/, (json) => (json.distribution.components = [])],
      [
        /components must be of weights that sum to 1/,
        (json) => (json.distribution.components[0].logWeight = -1),
      ],
      [/logWeight must be a finite number/, (json) => (json.distribution.components[0].logWeight = null)],
      [/rows must be a number of at least 0/, (json) => (json.distribution.rows = -1)],
      [/certificate.status/, (json) => (json.certificate.status = "fine")],
      [/damaged|must be/, (json) => delete json.distribution],
    ];
    for (const [message, change] of broken)
      expectError(() => loadModel(edited(model, change)), "model-format", message);
  });

  it("of trees is refused where a set of categories has entries for others than the column's, or other marks than 0 and 1", () => {
    const rows = Array.from({ length: 60 }, (_, r) => ({ c: `${r % 4}x`, y: r % 4 < 2 ? "a" : "b" }));
    const model = conform(trainTrees(rows, { label: "y", maxIterations: 2 }), rows);
    expect(predict(loadModel(saveModel(model)), { c: "1x" })).toEqual(predict(model, { c: "1x" }));
    const broken: [RegExp, (json: ReturnType<typeof JSON.parse>) => void][] = [
      [/trees\.sets\[0\] must be 4 entries/, (json) => json.trees.sets[0].push(1)],
      [/trees\.sets must be lists of 0 and 1/, (json) => (json.trees.sets[0][0] = 7)],
    ];
    for (const [message, change] of broken)
      expectError(() => loadModel(edited(model, change)), "model-format", message);
  });
});
