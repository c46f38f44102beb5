/** Stands for log 0: it decides between components, yet where no component can explain a row, sums of it stay numbers. */
export const LOG_IMPOSSIBLE = -1e4;
