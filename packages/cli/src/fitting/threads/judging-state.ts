/** Places of the numbers that a thread which judges and the one that waits for it share. */
export const [UNWANTED, STEPS] = [0, 1] as const;
