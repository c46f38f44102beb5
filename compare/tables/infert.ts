import { rTable } from "./compare-table.ts";

export const infert = rTable("infert", "infert", "case");
