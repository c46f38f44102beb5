/** The functions of assembly/; addresses are in bytes. */
export interface SimdExports {
  addLeaves(
    columns: number,
    D: number,
    cells: number,
    count: number,
    left: number,
    groups: number,
    own: number,
    trees: number,
    open: number,
    values: number,
    width: number,
    sums: number,
    S: number,
  ): void;
  scoreTiles(
    numbers: number,
    stride: number,
    o: number,
    tilts: number,
    components: number,
    cells: number,
    tiles: number,
    out: number,
  ): void;
  eliminate(
    n: number,
    tilts: number,
    depth: number,
    matrix: number,
    gain: number,
    roots: number,
    column: number,
    to: number,
    work: number,
  ): void;
  conditionRows(
    n: number,
    tilts: number,
    depth: number,
    matrix: number,
    gain: number,
    roots: number,
    mean: number,
    cells: number,
    known: number,
    counts: number,
    rows: number,
    work: number,
    sums: number,
  ): void;
  scoreEntries(
    rowStart: number,
    entries: number,
    rows: number,
    base: number,
    table: number,
    scores: number,
    line: number,
  ): void;
  scatterEntries(
    rowStart: number,
    entries: number,
    rows: number,
    residuals: number,
    sums: number,
    line: number,
  ): void;
  addStates(table: number, codes: number, groups: number, rows: number, out: number): void;
  addNumbers(
    cells: number,
    columns: number,
    stride: number,
    weights: number,
    gaps: number,
    K: number,
    scores: number,
  ): void;
  classProbabilities(scores: number, stride: number, K: number, out: number, fractions: number): void;
  exponentials(values: number, rows: number, width: number, fractions: number): void;
  fillTable(
    entryStart: number,
    entries: number,
    changeSlot: number,
    change: number,
    weights: number,
    table: number,
  ): void;
  drainTable(
    entryStart: number,
    entries: number,
    changeSlot: number,
    change: number,
    sums: number,
    counts: number,
  ): void;
  shareRows(
    scores: number,
    rows: number,
    line: number,
    weights: number,
    negligible: number,
    largest: number,
    sums: number,
    fractions: number,
  ): void;
  tiltColumns(
    offsets: number,
    columns: number,
    lanes: number,
    factors: number,
    q: number,
    conditional: number,
    z: number,
    products: number,
    fractions: number,
  ): void;
  weighAtoms(
    offsets: number,
    columns: number,
    lanes: number,
    conditional: number,
    shares: number,
    ones: number,
    smoothing: number,
    target: number,
    residual: number,
  ): void;
  spreadAtoms(
    lanes: number,
    conditional: number,
    atoms: number,
    prior: number,
    roots: number,
    rows: number,
  ): void;
  solveColumns(
    offsets: number,
    columns: number,
    lanes: number,
    conditional: number,
    shares: number,
    ones: number,
    smoothing: number,
    target: number,
    leastCurvature: number,
    residual: number,
    rows: number,
    work: number,
    solved: number,
    capacitance: number,
    y: number,
  ): void;
  combineSolved(lanes: number, solved: number, atoms: number, y: number, direction: number): void;
  gatherDerivatives(derivatives: number, rows: number, count: number, gathered: number): void;
  addToBins(bins: number, wide: number, rows: number, count: number, gathered: number, sums: number): void;
  subtractBins(whole: number, part: number, count: number): void;
  findCut(
    sums: number,
    count: number,
    order: number,
    gradient: number,
    curvature: number,
    rows: number,
    leastRows: number,
    leastCurvature: number,
    l2: number,
    best: number,
  ): number;
  divideRows(
    bins: number,
    wide: number,
    rows: number,
    count: number,
    goesLeft: number,
    others: number,
  ): number;
}
