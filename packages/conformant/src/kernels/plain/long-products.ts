/** Products within these bounds can be multiplied by a number between 1e−150 and 1e150 without leaving the range of numbers. */
const [SMALL, LARGE] = [1e-140, 1e140];
/** What is taken out of a product beyond them: two to this power. */
const POWER = 512;

/** Multiplies the product at `at`, beside which `apart` numbers on stands the power of two that was taken out of it. */
export function timesOne(products: Float64Array, at: number, apart: number, by: number): void {
  let product = products[at] * by;
  if (product < SMALL || product > LARGE) {
    const power = product > LARGE ? POWER : -POWER;
    product *= 2 ** -power;
    products[at + apart] += power;
  }
  products[at] = product;
}

/** The logarithm of such a product. */
export function logOfProduct(products: Float64Array, at: number, apart: number): number {
  return products[at + apart] * Math.LN2 + Math.log(products[at]);
}
