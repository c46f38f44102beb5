import { sklearnTable } from "./compare-table.ts";

export const breastCancer = sklearnTable("breast cancer", "load_breast_cancer");
