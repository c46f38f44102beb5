/** How many of what a test draws: some in every run, many in `npm run test:slow`, which imports the same file. */
export function howMany(some: number, many: number): number {
  return process.env.MODE === "slow" ? many : some;
}
