import { type CompareTable, rTable, sklearnTable } from "./compare-table.ts";

/** All tables, small ones first. */
export const TABLES: readonly CompareTable[] = [
  sklearnTable("iris", "load_iris"),
  sklearnTable("wine", "load_wine"),
  rTable("births", "MASS::birthwt", "low", ["bwt"]), // the birth weight is what "low" says
  rTable("crabs", "MASS::crabs", "sp", ["index"]),
  rTable("glass", "MASS::fgl", "type"),
  rTable("infert", "datasets::infert", "case"),
  rTable("diabetes", "MASS::Pima.te", "type"),
  sklearnTable("breast cancer", "load_breast_cancer"),
  rTable("biopsies", "MASS::biopsy", "class", ["ID"]),
  { ...sklearnTable("digits", "load_digits"), large: true },
];
