import type { Study } from "../studies/study.ts";
import type { Claim, Finding } from "./claim.ts";
import { CLAIMS } from "./claims.ts";

/** A claim and what was found. */
export interface CheckedClaim extends Pick<Claim, "title" | "says">, Finding {}

export interface ClaimsResults {
  readonly claims: readonly CheckedClaim[];
}

/** The claims of the paper that are not about data, each looked at by a program of this folder. */
export const claimsStudy: Study<ClaimsResults> = {
  about: "the paper's examples, propositions and Theorem 1, each by a short program",
  datasets: [],
  run: () => ({ claims: CLAIMS.map(({ title, says, look }) => ({ title, says, ...look() })) }),
  words: ({ claims }) => claims.map(({ title, holds }) => `${title} ${holds ? "holds" : "does not hold"}`),
  section: claimsSection,
};

function claimsSection({ claims }: ClaimsResults): string[] {
  const holding = claims.filter(({ holds }) => holds).length;
  return [
    "## The paper's examples, propositions and theorem",
    `Each is looked at by a short program in [claims/](claims) (\`npx tsx paper/claims/example-1.ts\` prints one); ${holding} of ${claims.length} hold.`,
    ...claims.map(
      ({ title, says, holds, found }) =>
        `**${title}** says that ${says} ${holds ? "It holds" : "**It does not hold**"}:\n\n${found.map((line) => `- ${line}`).join("\n")}`,
    ),
  ];
}
