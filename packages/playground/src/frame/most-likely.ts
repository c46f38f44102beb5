/** The class of the largest probability, and that probability; of tied classes the last, as everywhere. */
export function mostLikely(probabilities: Readonly<Record<string, number>>): readonly [string, number] {
  return Object.entries(probabilities).reduce((most, one) => (one[1] >= most[1] ? one : most));
}
