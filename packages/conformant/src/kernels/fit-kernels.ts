import type { Kernels } from "./kernels.ts";

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
