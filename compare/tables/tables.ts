import { breastCancer } from "./breast-cancer.ts";
import type { CompareTable } from "./compare-table.ts";
import { digits } from "./digits.ts";
import { infert } from "./infert.ts";
import { iris } from "./iris.ts";
import { wine } from "./wine.ts";

/** All tables, small ones first. */
export const TABLES: readonly CompareTable[] = [iris, wine, infert, breastCancer, digits];
