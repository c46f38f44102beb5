import { sklearnTable } from "./compare-table.ts";

export const wine = sklearnTable("wine", "load_wine");
