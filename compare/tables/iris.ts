import { sklearnTable } from "./compare-table.ts";

export const iris = sklearnTable("iris", "load_iris");
