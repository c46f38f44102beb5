/** The next of 1, 2, 3, 4, 5, 6, 8 and 10 times a power of ten. */
export function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= x) ?? 10);
}
