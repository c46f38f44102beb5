/** Rows, or outputs, that are scored together. */
export const TILE = 8;
/** Class scores stand in lines of whole fours of rows. */
export const FOUR = 4;

/** Rows of entries: row r has `entries[rowStart[r]]` to `entries[rowStart[r + 1] − 1]`. */
export interface EntryRows {
  readonly rowStart: Int32Array;
  readonly entries: Int32Array;
}

/** Four covariance matrices in lanes, of which some columns are eliminated already; with tilts, rows that are carried along. */
export interface Eliminated {
  readonly n: number;
  readonly tilts: number;
  /** How many columns are eliminated. */
  readonly depth: number;
  /** What is left of the matrices, lower triangles, and of the tilts below, n lanes each. */
  readonly matrix: Float64Array;
  /** The rows of L, inverses on its diagonal, by column and depth: (n + tilts) × n lanes. */
  readonly gain: Float64Array;
  /** 1 / |L| at each depth as a product and the powers of two that were taken out of it: (n + 1) × 2 lanes. */
  readonly roots: Float64Array;
  /** μ, n lanes. */
  readonly mean: Float64Array;
}

/**
 * The inner loops that most of the time goes into, and the arrays they work on. Those of Gaussians go through eight rows with the same
 * pattern of gaps at once, or through four components: matrices in lanes of four numbers, lower triangles row by row.
 */
export interface Kernels {
  /** An array for the loops; what is in it is left over from before. */
  numbers(count: number): Float64Array;
  /** The same for integers. */
  integers(count: number): Int32Array;
  /** The given numbers where the loops find them. */
  hold(values: Float64Array): Float64Array;
  /** The given rows of entries where the loops find them. */
  holdEntries(rows: EntryRows): EntryRows;

  /**
   * For each row of cells x and for each component |c + W x|² and then d_t + v_t·x for every tilt.
   *
   * @param numbers per component c (o numbers), the lower triangle W row by row, and d_t, v_t (1 + o numbers) of each tilt
   * @param cells in tiles of {@link TILE} rows, tiles × o × 8
   * @param out rows × components × (1 + tilts), with room for whole tiles
   */
  scoreTiles(
    numbers: Float64Array,
    o: number,
    tilts: number,
    components: number,
    cells: Float64Array,
    rows: number,
    out: Float64Array,
  ): void;

  /**
   * Eliminates one more column of four matrices: writes what is left of them, one more column of L and one more of the roots.
   *
   * @param to what is left, as `four.matrix`
   * @param work n + tilts lanes
   */
  eliminate(four: Eliminated, column: number, to: Float64Array, work: Float64Array): void;

  /**
   * Conditions four components on the known cells y of rows, with r = y − μ, L Lᵀ = Σ of the known columns, z = L⁻¹ r and g_t = L⁻¹ of tilt t.
   *
   * @param cells rows × n
   * @param known the known columns of each row, rows × n of which the first `counts` count; those that are eliminated come first
   * @param work of the last row z of the eliminated columns; L of the others, u × u with inverses on the diagonal; their z; their g_t:
   * d + u (u + 1 + tilts) lanes; n more are used on the way
   * @param sums per row the roots, z·z, then g_t·g_t and g_t·z of each tilt: 3 + 2 tilts lanes
   */
  conditionRows(
    four: Eliminated,
    cells: Float64Array,
    known: Int32Array,
    counts: Int32Array,
    from: number,
    to: number,
    work: Float64Array,
    sums: Float64Array,
  ): void;

  /**
   * scores_r = base + Σ_{entries p of row r} table_p for the rows from … to − 1, four numbers each.
   *
   * @param table entries × 4
   * @param scores row `from` first
   * @param line numbers from one row's scores to the next one's
   */
  scoreEntries(
    rows: EntryRows,
    from: number,
    to: number,
    base: Float64Array,
    table: Float64Array,
    scores: Float64Array,
    line: number,
  ): void;

  /** sums_p += Σ_{rows r with entry p} residuals_r over the rows from … to − 1: the transpose of {@link scoreEntries}. */
  scatterEntries(
    rows: EntryRows,
    from: number,
    to: number,
    residuals: Float64Array,
    sums: Float64Array,
    line: number,
  ): void;

  /**
   * For each row the sums of the table's lines that its codes name, eight numbers a line.
   *
   * @param codes rows × groups, where each line begins in the table
   * @param out rows × {@link TILE}, overwritten
   */
  addStates(table: Float64Array, codes: Int32Array, groups: number, out: Float64Array): void;

  /**
   * Adds what numbers are worth to every class, w_k·x, or the gap's score where x is NaN, one column after the other.
   *
   * @param cells columns × stride, a number of whole {@link FOUR}s of rows
   * @param weights columns × K
   * @param gaps columns × K
   * @param scores K × stride
   */
  addNumbers(
    cells: Float64Array,
    weights: Float64Array,
    gaps: Float64Array,
    K: number,
    scores: Float64Array,
  ): void;

  /**
   * The probabilities e^s_k / Σ_k e^s_k of scores; NaN in all classes of a row whose scores give none.
   *
   * @param scores K × stride, used up
   * @param out stride × K
   */
  classProbabilities(scores: Float64Array, K: number, out: Float64Array): void;

  /** Replaces each row's numbers x by e^(x − the row's largest), rows × width. */
  exponentials(values: Float64Array, rows: number, width: number): void;
}

/** What entries stand for: entry p has the changes `entryStart[p]` to `entryStart[p + 1] − 1`, each so much of a slot. */
export interface EntryChanges {
  readonly entryStart: Int32Array;
  readonly changeSlot: Int32Array;
  readonly change: Float64Array;
}

/** Columns of atoms one after the other; the K classes of each atom stand in lanes, an even number: one more of no weight where K is odd. */
export interface AtomColumns {
  /** Where each column's atoms start; the last entry is the number of atoms. */
  readonly offsets: Int32Array;
  readonly lanes: number;
}

/** What tilting columns gives, for C columns of A atoms. */
export interface TiltedColumns {
  /** P(v | k), A × lanes. */
  readonly conditional: Float64Array;
  /** Z_ki, C × lanes. */
  readonly z: Float64Array;
  /** Π_i Z_ki and the powers of two that were taken out of it, two lines of lanes. */
  readonly products: Float64Array;
}

/** The weights ω_ki = T p_k + d_i of the classes in column i. */
export interface ClassWeights {
  /** T p_k, and 0 for a lane that is no class. */
  readonly shares: Float64Array;
  /** 1, and 0 for a lane that is no class. */
  readonly ones: Float64Array;
  /** d_i per column. */
  readonly smoothing: Float64Array;
}

/** The columns' part of a Newton system (D + BᵀB) x = g. */
export interface ColumnSystem {
  /** P(v | k), A × lanes. */
  readonly conditional: Float64Array;
  readonly weights: ClassWeights;
  /** One per atom; this share of it is added to the curvature. */
  readonly target: Float64Array;
  readonly leastCurvature: number;
  /** g, one per atom. */
  readonly residual: Float64Array;
  /** Bᵀ of the columns in question, their atoms × lanes. */
  readonly rows: Float64Array;
  /** Room for V (V + 1) numbers, for the V atoms of a column. */
  readonly work: Float64Array;
  /** D⁻¹ [g 0 Bᵀ], A × (2 + lanes). */
  readonly solved: Float64Array;
  /** I + B D⁻¹ Bᵀ, lanes × lanes, of which the part above the diagonal says nothing; added to. */
  readonly capacitance: Float64Array;
  /** B D⁻¹ g, lanes; added to. */
  readonly y: Float64Array;
}

/** The inner loops of fitting mixtures of atoms; who only asks a model needs none of them. */
export interface FitKernels extends Kernels {
  /** The same integers where the loops find them. */
  holdIntegers(values: Int32Array): Int32Array;

  /**
   * Adds to each row's sums the leaves that it ends in: those that all of its cells leave.
   *
   * @param cells columns × rows
   * @param count rows
   * @param sums rows × S
   * @param scratch as many integers as `left`, and eight per column; overwritten
   */
  addLeaves(
    trees: MaskedLeaves,
    cells: Int32Array,
    count: number,
    sums: Float64Array,
    scratch: Int32Array,
  ): void;

  /** Room for so many bytes. */
  bytes(count: number): Uint8Array;

  /** Copies the derivatives, two numbers each, of the rows from … to − 1 of a list, in the order of the list. */
  gatherDerivatives(
    derivatives: Float64Array,
    rows: Int32Array,
    from: number,
    to: number,
    gathered: Float64Array,
  ): void;

  /**
   * Adds gradient, curvature and 1 to the sums of each row's bin in one column, for the rows from … to − 1 of a list, in their order.
   *
   * @param gathered gradient and curvature of these rows, the first at 0
   * @param sums bins × {@link PER_BIN}, of which the column has those from bin `first` on
   */
  addToBins(
    bins: BinCodes,
    rows: Int32Array,
    from: number,
    to: number,
    gathered: Float64Array,
    sums: Float64Array,
    first: number,
  ): void;

  /** whole −= part. */
  subtractBins(whole: Float64Array, part: Float64Array): void;

  /**
   * Looks for the cut of one column with a larger gain than the best so far, with missing values on the right side and then on the left one;
   * see `growTree`. Returns whether there is one; then it is the best.
   *
   * @param sums bins × {@link PER_BIN}; the column has those from bin `first` on, the last one of them for missing values
   * @param order the bins in the order in which they are cut; in their own without it
   * @param totals of all rows: gradient, curvature and count
   * @param best gain; how many bins, in order, go left; 1 where missing values do
   */
  findCut(
    sums: Float64Array,
    first: number,
    count: number,
    order: Int32Array | undefined,
    totals: Float64Array,
    limits: CutLimits,
    best: Float64Array,
  ): boolean;

  /**
   * Moves the rows that go left in front of those that go right, each in their order, among the rows from … to − 1 of a list. Returns where
   * the latter start.
   *
   * @param goesLeft 1 per bin where its rows go left
   * @param others room for the rows that go right
   */
  divideRows(
    bins: BinCodes,
    rows: Int32Array,
    from: number,
    to: number,
    goesLeft: Uint8Array,
    others: Int32Array,
  ): number;

  /** The given changes where the loops find them. */
  holdChanges(changes: EntryChanges): EntryChanges;

  /** table_p = Σ_{changes of p} change · weights_slot, four numbers each. */
  fillTable(changes: EntryChanges, weights: Float64Array, table: Float64Array): void;

  /** counts_slot += Σ_{entries p that change the slot} change · sums_p: the transpose of {@link fillTable}. */
  drainTable(changes: EntryChanges, sums: Float64Array, counts: Float64Array): void;

  /**
   * Replaces the scores x of each row by shares of its weight in proportion to e^x; negligible ones become 0.
   *
   * @param scores rows × line, an even number
   * @param weights per row
   * @param negligible shares of the whole below this
   * @param logs per row its largest score, and the sum of all e^(x − largest): written
   */
  shareRows(
    scores: Float64Array,
    line: number,
    weights: Float64Array,
    negligible: number,
    logs: { readonly largest: Float64Array; readonly sums: Float64Array },
  ): void;

  /**
   * P(v | k) ∝ q_v f_vk of the columns from … to − 1, and what they are divided by.
   *
   * @param factors f, A × lanes, between 1e−130 and 1e130
   * @param q log q, not above 0, of which one per column is 0; replaced by q
   * @param tilted written, but for the products, which are multiplied
   */
  tiltColumns(
    columns: AtomColumns,
    from: number,
    to: number,
    factors: Float64Array,
    q: Float64Array,
    tilted: TiltedColumns,
  ): void;

  /** residual_v = Σ_k ω_ki P(v | k) − target_v. */
  weighAtoms(
    columns: AtomColumns,
    conditional: Float64Array,
    weights: ClassWeights,
    target: Float64Array,
    residual: Float64Array,
  ): void;

  /**
   * Bᵀ of the atoms from … to − 1: root_k ( P(v | k) − Σ_k p_k P(v | k) ).
   *
   * @param classes p_k and root_k, 0 for a lane that is no class
   * @param rows atoms × lanes, atom `from` first
   */
  spreadAtoms(
    lanes: number,
    conditional: Float64Array,
    from: number,
    to: number,
    classes: { readonly prior: Float64Array; readonly roots: Float64Array },
    rows: Float64Array,
  ): void;

  /** Solves for D⁻¹ [g Bᵀ] in the columns from … to − 1, on the graph of their atoms, and adds to the capacitance and y. */
  solveColumns(columns: AtomColumns, from: number, to: number, system: ColumnSystem): void;

  /** x = D⁻¹ g − D⁻¹ Bᵀ y. */
  combineSolved(lanes: number, solved: Float64Array, y: Float64Array, direction: Float64Array): void;
}

/** Numbers per bin of a histogram: the sums of the gradients and of the curvatures of its rows, and their count. */
export const PER_BIN = 3;

/** The bin of each row, in bytes where these hold all bins. */
export type BinCodes = Uint8Array | Int32Array;

/** What each side of a cut must have, and what limits its gain. */
export interface CutLimits {
  /** Rows at least. */
  readonly leastRows: number;
  /** Curvature at least. */
  readonly leastCurvature: number;
  /** Added to the curvature. */
  readonly l2: number;
}

/** What the splits on a column leave of the leaves of trees, which are bits in groups of four words. */
export interface SplitMasks {
  /** The groups that a line is about, ascending. */
  readonly groups: Int32Array;
  /** Lines × groups × 4: the leaves that remain in a cell, or in a block of 2^shift cells by the nodes outside of the block. */
  readonly lines: Int32Array;
  /** −1 where every cell has a line. */
  readonly shift: number;
  /** The group of each node's tree, by ascending threshold: node n divides cell n from cell n + 1. */
  readonly nodeGroups: Int32Array;
  /** Nodes × 8: the leaves that remain where a row goes right, and those where it goes left. */
  readonly nodeMasks: Int32Array;
}

/** Trees of which some values decide, as bit masks. All arrays are made by the kernels. */
export interface MaskedLeaves {
  readonly columns: readonly SplitMasks[];
  /** The leaves that are left without these columns. */
  readonly left: Int32Array;
  /** Per tree its first word, and the sum that its leaves are added to. */
  readonly trees: Int32Array;
  /** How many of the trees. */
  readonly open: number;
  /** What a leaf adds, bits × width. */
  readonly values: Float64Array;
  readonly width: number;
  /** Sums per row. */
  readonly S: number;
}
