/** Multiplies two products, beside which `apart` bytes on stand the powers of two that were taken out of them. */
export function timesTwo(products: usize, apart: usize, by: v128): void {
  let product = f64x2.mul(v128.load(products), by);
  const large = f64x2.gt(product, f64x2.splat(1e140));
  const small = f64x2.lt(product, f64x2.splat(1e-140));
  if (v128.any_true(v128.or(large, small))) {
    const scale = v128.bitselect(
      f64x2.splat(7.458340731200207e-155),
      f64x2.splat(1.3407807929942597e154),
      large,
    );
    product = v128.bitselect(f64x2.mul(product, scale), product, v128.or(large, small));
    const power = v128.bitselect(f64x2.splat(512), v128.and(f64x2.splat(-512), small), large);
    v128.store(products + apart, f64x2.add(v128.load(products + apart), power));
  }
  v128.store(products, product);
}
