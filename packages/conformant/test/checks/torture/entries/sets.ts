import {
  calibrate,
  loadCalibration,
  predict,
  predictionSet,
  predictionSets,
  random,
  saveCalibration,
} from "../../../../src/index.ts";
import { check } from "../world.ts";
import type { Entry } from "./entry.ts";

/** Sets of classes and the rows they are made with. */
export const sets = {
  calibrate: (world) => {
    const { labels, table } = calibrate(world.model, world.labelled);
    check(labels.length === table.rows, `${labels.length} labels of ${table.rows} rows`);
  },
  saveCalibration: (world) => {
    const text = saveCalibration(calibrate(world.model, world.labelled));
    check(saveCalibration(loadCalibration(text)) === text, "it reads back to another file");
  },
  loadCalibration: (world) => {
    const text = saveCalibration(calibrate(world.model, world.labelled));
    check(saveCalibration(loadCalibration(text)) === text, "it reads back to another file");
  },
  predictionSet: (world, { share, flag, whole }) => {
    const calibration = calibrate(world.model, world.labelled);
    const set = predictionSet(world.model, calibration, world.row, {
      ...(flag[0] && { coverage: share[0] }),
      ...(flag[1] && { randomized: random(whole[0]) }),
    });
    const { classes } = world.classifier;
    check(
      set.classes.every((name) => classes.includes(name)),
      `a set of ${set.classes.join()}`,
    );
    const answer = predict(world.model, world.row);
    const most = Math.max(...Object.values(answer));
    if (!flag[1]) check(answer[set.classes[0]] >= most - 1e-9, `${set.classes[0]} is not the likeliest`);
    if (!set.enough && !flag[1])
      check(set.classes.length === classes.length, "too few rows rule out a class");
    for (const p of Object.values(set.pValues)) check(p >= 0 && p <= 1, `a p-value of ${p}`);
  },
  predictionSets: (world, { whole }) => {
    const calibration = calibrate(world.model, world.labelled);
    const { members, calibrationRows, classes } = predictionSets(
      world.model,
      calibration,
      world.data(whole[0]),
    );
    check(members.length === world.rows.length * classes.length, `${members.length} members`);
    check(
      calibrationRows.every((n) => n <= calibration.labels.length),
      "more rows than there are",
    );
  },
} satisfies Record<string, Entry>;
