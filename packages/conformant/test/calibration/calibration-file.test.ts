import { describe, expect, test } from "vitest";
import {
  calibrate,
  conform,
  loadCalibration,
  loadModel,
  predictionSet,
  saveCalibration,
  saveModel,
  train,
} from "../../src/index.ts";
import { expectError } from "../support/error.ts";

const rows = Array.from({ length: 40 }, (_, r) => ({
  x: r % 7 === 0 ? null : Math.sin(r),
  z: r % 2,
  c: "abc"[r % 3],
  y: r % 5 < 2 ? "no" : "yes",
}));
const model = conform(train(rows.slice(0, 20), { label: "y" }), rows.slice(0, 20));
const calibration = calibrate(model, rows.slice(20));

describe("a calibration file", () => {
  const text = saveCalibration(calibration);

  test("reads back to the same sets, for the model read back too", () => {
    const read = loadCalibration(text);
    const again = loadModel(saveModel(model));
    for (const row of [{}, { z: 1 }, { x: 0.3, c: "b" }, { x: -0.2, z: 0, c: "a" }])
      expect(predictionSet(again, read, row)).toEqual(predictionSet(model, calibration, row));
    expect(saveCalibration(read)).toBe(text);
  });

  test.each([
    ["half of it", text.slice(0, 100), /^the calibration file is not complete JSON/],
    ["a model", saveModel(model), /^a calibration file has "format": "conformant-calibration"/],
    ["null", "null", /^a calibration file has "format"/],
    [
      "one of the future",
      text.replace('"version":1', '"version":3'),
      /has version 3, this library reads 1 and 2/,
    ],
    ["one of numbers", text.replace('"version":1', '"version":2'), /holds numbers, expected classes/],
    ["one that was altered", text.replace('"labels":[', '"labels":[1,'), /was altered/],
  ])("%s is refused", (_, wrong, message) => {
    expectError(() => loadCalibration(wrong), "calibration-format", message);
  });
});
