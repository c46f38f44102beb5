import { expectedAnswer } from "./expected-answer.ts";
import type { Figure } from "./figure.ts";
import { twoModels } from "./two-models.ts";
import { whatAMixtureAdds } from "./what-a-mixture-adds.ts";

/** The figures of docs/how-it-works.md. */
export const figures: readonly Figure[] = [expectedAnswer, twoModels, whatAMixtureAdds];
