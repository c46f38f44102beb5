/** Nodes of the Gauss–Kronrod rule with 15 points on [0, 1] of [−1, 1], outermost first; every second is one of Gauss's seven. */
const NODES = [
  0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911,
  0.4058451513773972, 0.20778495500789848, 0,
];
const KRONROD = [
  0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592, 0.1690047266392679,
  0.19035057806478542, 0.20443294007529889, 0.20948214108472782,
];
const GAUSS = [0.1294849661688697, 0.27970539148927664, 0.3818300505051189, 0.4179591836734694];

/** Pieces after which no more are made. */
const MOST_PIECES = 4000;

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly error: number;
}

/**
 * The integral of a function over consecutive intervals by adaptive Gauss–Kronrod quadrature (Piessens et al., QUADPACK): the
 * piece with the largest error is halved until the sum of errors is within the tolerance.
 *
 * @param breaks ascending ends of the first pieces
 * @returns the value, the estimated error, and the ends of the pieces with their middles, ascending
 */
export function integrate(
  f: (x: number) => number,
  breaks: readonly number[],
  tolerance: number,
): { value: number; error: number; nodes: number[] } {
  let pieces = breaks.slice(1).map((to, j) => measure(f, breaks[j], to));
  for (;;) {
    const error = pieces.reduce((sum, piece) => sum + piece.error, 0);
    if (error <= tolerance || pieces.length > MOST_PIECES) return finish(pieces, error);
    // All pieces with more than their share at once: fewer passes, the same pieces.
    const share = tolerance / pieces.length;
    const next = pieces.flatMap((piece) => (piece.error > share ? halve(f, piece) : [piece]));
    if (next.length === pieces.length) return finish(pieces, error);
    pieces = next;
  }
}

function finish(pieces: readonly Piece[], error: number): { value: number; error: number; nodes: number[] } {
  return {
    value: pieces.reduce((sum, { value }) => sum + value, 0),
    error,
    nodes: pieces.flatMap(({ from, to }, j) => [...(j === 0 ? [from] : []), (from + to) / 2, to]),
  };
}

/** Two halves; a piece that cannot be halved any more stays. */
function halve(f: (x: number) => number, piece: Piece): Piece[] {
  const middle = (piece.from + piece.to) / 2;
  if (middle <= piece.from || middle >= piece.to) return [piece];
  return [measure(f, piece.from, middle), measure(f, middle, piece.to)];
}

function measure(f: (x: number) => number, from: number, to: number): Piece {
  const [centre, half] = [(from + to) / 2, (to - from) / 2];
  let [kronrod, gauss] = [0, 0];
  NODES.forEach((node, j) => {
    const sum = node === 0 ? f(centre) : f(centre - half * node) + f(centre + half * node);
    kronrod += KRONROD[j] * sum;
    if (j % 2 === 1) gauss += GAUSS[(j - 1) / 2] * sum;
  });
  // The difference of the rules bounds the error of the coarser one; rounding sets a floor.
  return { from, to, value: half * kronrod, error: Math.max(0, Math.abs(half * (kronrod - gauss)) - 1e-18) };
}
