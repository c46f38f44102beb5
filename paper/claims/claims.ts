import { anyCompletion } from "./any-completion.ts";
import type { Claim } from "./claim.ts";
import { example1 } from "./example-1.ts";
import { example2 } from "./example-2.ts";
import { figure1 } from "./figure-1.ts";
import { proposition1 } from "./proposition-1.ts";
import { proposition2 } from "./proposition-2.ts";
import { theorem1 } from "./theorem-1.ts";

/** The claims in the order of the paper. */
export const CLAIMS: readonly Claim[] = [
  example1,
  example2,
  proposition1,
  proposition2,
  theorem1,
  figure1,
  anyCompletion,
];
