import { sklearnTable } from "./compare-table.ts";

export const digits = sklearnTable("digits 8×8", "load_digits");
