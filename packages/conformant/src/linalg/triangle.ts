/** How many numbers the lower triangle of an n × n matrix has: a whole number, which the shift tells the compiler. */
export function triangle(n: number): number {
  return (n * (n + 1)) >> 1;
}
