/** 1 / (1 + e^{−x}), without overflow. */
export function logistic(x: number): number {
  const e = Math.exp(-Math.abs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

/** log p / (1 − p), the inverse. */
export function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

/** The same, finite where p is 0 or 1. */
export function finiteLogit(p: number): number {
  return logit(Math.min(1 - 2 ** -53, Math.max(Number.MIN_VALUE, p)));
}
