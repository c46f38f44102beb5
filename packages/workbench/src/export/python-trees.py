# Trees ----------------------------------------------------------------------------------------------------------------

_TREES = MODEL["trees"]
_NODE_COLUMN, _THRESHOLD, _SET, _LEFT, _RIGHT, _ROOTS, _OUTPUTS = (
    np.array(_TREES[key], float if key == "threshold" else int)
    for key in ("column", "threshold", "set", "left", "right", "roots", "outputs")
)
_VALUES = np.array(_TREES["values"], float).reshape(len(_OUTPUTS), _TREES["width"])
_BASE = np.array(_TREES["base"], float)
_IN_SET = np.zeros((len(_TREES["sets"]), max([1] + [len(own) for own in _TREES["sets"]])), bool)  # sets × codes: goes left
for _s, _own in enumerate(_TREES["sets"]):
    _IN_SET[_s, : len(_own)] = _own
_IS_INNER = _NODE_COLUMN >= 0
_ATOMS = [column["atoms"] if column["kind"] == "numeric" else list(range(len(own[0]))) for column, own in zip(_COLUMNS, _LOG_Q)]
_ATOMS = [np.array(own, float) for own in _ATOMS]
_MASSES = [np.exp(own) for own in _LOG_Q]  # per column M × atoms
_IN_BLOCK = np.isin(np.arange(len(_COLUMNS) + 1), _BLOCK)
_ONE_ROW = {"enumerate": 4096, "tolerance": 0.002, "walks": 1 << 23}
_MANY_ROWS = {"enumerate": 256, "tolerance": 0.01, "walks": 1 << 22}
_REPLICATES, _FIRST, _UNSEEN = 32, 4, 0.25
_IS_SUM = _TREES["link"] in ("probability", "identity")  # the answers are the sums themselves
_SCALE = MODEL.get("scale", 1.0)  # the unit of errors: 1 for probabilities, the standard deviation of a number
_MOST_CELLS = 1 << 24  # rows × nodes that are looked at together


def _answer_trees(cells, one_row):
    """The mean of the trees' answer over the completions of each row, and its standard error, 0 where it is exact.

    The known cells decide where they can. Averaged probabilities and numbers are sums over leaves; other trees are summed over the
    combinations of the cells that their thresholds cut the missing columns into, and where these are too many, or a
    Gaussian describes a missing column, completions are drawn, the same ones for the same row.
    """
    settings = _ONE_ROW if one_row else _MANY_ROWS
    answers, errors = np.zeros((len(cells), _K)), np.zeros(len(cells))
    step = max(1, _MOST_CELLS // len(_NODE_COLUMN))
    for start in range(0, len(cells), step):
        rows = cells[start : start + step]
        for r, (answer, error) in enumerate(_answer_rows(rows, settings)):
            answers[start + r], errors[start + r] = answer, error
    return answers, errors


def _answer_rows(cells, settings):
    gaps = np.append(np.isnan(cells), np.zeros((len(cells), 1), bool), axis=1)  # the last column is that of leaves
    reached = _reach(cells, gaps)
    open_nodes = reached & _IS_INNER & gaps[:, _NODE_COLUMN]
    complete = ~open_nodes.any(axis=1)
    M = len(_CONSTANTS)  # the components of complete rows do not matter
    shares = np.full((len(cells), M), 1 / M) if complete.all() else _posterior(cells).sum(axis=2)
    sums, exact = _expected_sums(reached, gaps, shares)
    for r in range(len(cells)):
        if complete[r] or (exact[r] and _IS_SUM):
            yield _link(sums[r]), 0.0
            continue
        completions = _enumerate_cells(cells[r], np.flatnonzero(open_nodes[r]), shares[r], settings["enumerate"])
        if completions is not None:
            rows, weights = completions
            yield weights @ _link(_sums(rows)), 0.0
        else:
            columns = np.unique(_NODE_COLUMN[open_nodes[r]])
            yield _draw(cells[r], columns, shares[r], sums[r] if exact[r] else None, settings)


def _goes_left(node, x):
    """Whether a number or code goes left at a node."""
    if len(_IN_SET) == 0:
        return x <= _THRESHOLD[node]
    code = np.where(np.isnan(x), 0, x).astype(int) if np.isnan(x).any() else x.astype(int)
    own = _SET[node]
    return np.where(own >= 0, _IN_SET[own, np.where(own >= 0, code, 0)], x <= _THRESHOLD[node])


def _levels():
    """The nodes by depth."""
    levels, nodes = [], _ROOTS
    while len(nodes) > 0:
        levels.append(nodes)
        inner = nodes[_IS_INNER[nodes]]
        nodes = np.concatenate([_LEFT[inner], _RIGHT[inner]])
    return levels


_LEVELS = _levels()


def _reach(cells, gaps):
    """Which nodes the known cells of each row leave open, n × nodes."""
    reached = np.zeros((len(cells), len(_NODE_COLUMN)), bool)
    reached[:, _ROOTS] = True
    for level in _LEVELS:
        inner = level[_IS_INNER[level]]
        columns = _NODE_COLUMN[inner]
        with np.errstate(invalid="ignore"):
            left = _goes_left(inner[None, :], cells[:, columns])
        gap = gaps[:, columns]
        reached[:, _LEFT[inner]] = reached[:, inner] & (gap | left)
        reached[:, _RIGHT[inner]] = reached[:, inner] & (gap | ~left)
    return reached


def _sums(rows):
    """The sums of the trees for complete rows, n × S."""
    node = np.tile(_ROOTS, (len(rows), 1))
    at = np.arange(len(rows))[:, None]
    for _ in range(len(_LEVELS) - 1):
        x = rows[at, _NODE_COLUMN[node]]
        below = np.where(_goes_left(node, x), _LEFT[node], _RIGHT[node])
        node = np.where(_IS_INNER[node], below, node)
    leaves = _LEFT[node]
    if _VALUES.shape[1] > 1:
        return _BASE + _VALUES[leaves].sum(axis=1)
    values, outputs = _VALUES[leaves, 0], _OUTPUTS[leaves]
    return _BASE + np.stack([np.where(outputs == s, values, 0).sum(axis=1) for s in range(len(_BASE))], axis=1)


def _link(sums):
    """Sums as probabilities, or as a number."""
    if _IS_SUM:
        return sums
    if _TREES["link"] == "log":
        return np.exp(sums)
    scores = sums if _TREES["link"] == "softmax" else np.concatenate([np.zeros_like(sums), sums], axis=-1)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    answers = powers / powers.sum(axis=-1, keepdims=True)
    return answers[..., 1:] if _TREES["link"] == "logit" else answers


def _leaf_boxes():
    """Where the leaves lie: sides × leaves the column of each side, and sides × M × leaves the mass of its atoms."""
    sides = [None] * len(_OUTPUTS)
    waiting = [(root, {}) for root in _ROOTS]
    while waiting:
        node, box = waiting.pop()
        i = _NODE_COLUMN[node]
        if i < 0:
            sides[_LEFT[node]] = [(c, _MASSES[c][:, inside].sum(axis=1)) for c, inside in box.items()]
            continue
        left = _goes_left(np.full(len(_ATOMS[i]), node), _ATOMS[i]) if len(_ATOMS[i]) > 0 else np.ones(1, bool)
        inside = box.get(i, True)
        waiting += [(_LEFT[node], {**box, i: left & inside}), (_RIGHT[node], {**box, i: ~left & inside})]
    most = max(len(own) for own in sides)
    columns = np.full((most, len(sides)), len(_COLUMNS))
    masses = np.ones((most, len(_CONSTANTS), len(sides)))
    for leaf, own in enumerate(sides):
        for s, (column, mass) in enumerate(own):
            columns[s, leaf], masses[s, :, leaf] = column, mass
    return columns, masses


_SIDE_COLUMNS, _SIDE_MASSES = _leaf_boxes()
_LEAF_NODES = np.zeros(len(_OUTPUTS), int)
_LEAF_NODES[_LEFT[~_IS_INNER]] = np.flatnonzero(~_IS_INNER)


def _expected_sums(reached, gaps, shares):
    """E[sums | row] = base + Σ leaves value Σ_m P(m | row) Π_missing Q_m(side), n × S, and whether no leaf depends on a
    missing number of the block."""
    open_leaves = reached[:, _LEAF_NODES]
    chance = np.zeros(open_leaves.shape)
    for m in range(shares.shape[1]):
        reach = shares[:, m, None] * open_leaves
        for columns, masses in zip(_SIDE_COLUMNS, _SIDE_MASSES):
            reach *= np.where(gaps[:, columns], masses[m], 1.0)
        chance += reach
    exact = np.ones(len(gaps), bool)
    for columns in _SIDE_COLUMNS if len(_BLOCK) > 0 else []:
        exact &= ~(open_leaves & gaps[:, columns] & _IN_BLOCK[columns]).any(axis=1)
    width = _VALUES.shape[1]
    if width > 1:
        return _BASE + chance @ _VALUES, exact
    into = (_OUTPUTS[:, None] == np.arange(len(_BASE))) * _VALUES
    return _BASE + chance @ into, exact


def _enumerate_cells(row, nodes, shares, most):
    """All combinations of the atoms of missing columns that the open splits can tell apart, as complete rows, and their
    probabilities; None where there are more than `most`, or a Gaussian describes one of the columns."""
    columns = np.unique(_NODE_COLUMN[nodes])
    if _IN_BLOCK[columns].any():
        return None
    cells, size = [], 1
    for i in columns:
        own = nodes[_NODE_COLUMN[nodes] == i]
        by_number = own[_SET[own] < 0]
        keys = [np.searchsorted(np.unique(_THRESHOLD[by_number]), _ATOMS[i])]
        keys += [_IN_SET[s, : len(_ATOMS[i])] for s in np.unique(_SET[own[_SET[own] >= 0]])]
        _, first, group = np.unique(np.stack(keys), axis=1, return_index=True, return_inverse=True)
        masses = np.stack([np.bincount(group.ravel(), mass, len(first)) for mass in _MASSES[i]])
        cells.append((_ATOMS[i][first], masses))
        size *= len(first)
        if size > most:
            return None
    places = np.unravel_index(np.arange(size), [len(values) for values, _ in cells])
    rows, joint = np.tile(row, (size, 1)), np.tile(shares[:, None], (1, size))
    for i, place, (values, masses) in zip(columns, places, cells):
        rows[:, i] = values[place]
        joint *= masses[:, place]
    return np.nan_to_num(rows), joint.sum(axis=0)


def _draw(row, columns, shares, expected, settings):
    """The mean answer over completions drawn in 32 independent Latin hypercubes, in rounds of twice as many points, and its
    standard error from the differences between them. Where the expected sums are known, what the drawn ones miss them by
    is taken out of the answers by regression."""
    random = np.random.default_rng(0)
    answers, scores = np.zeros((_REPLICATES, _K)), np.zeros((_REPLICATES, _K))
    complete = _completions(row, columns, shares)
    target = None if expected is None else _class_scores(expected[None])[0]
    points, n = 0, _FIRST
    while True:
        order = np.argsort(random.random((_REPLICATES, n, len(columns) + 1)), axis=1)
        u = (order + random.random(order.shape)) / n
        sums = _sums(complete(u.reshape(-1, u.shape[2])))
        answers += _link(sums).reshape(_REPLICATES, n, -1).sum(axis=1)
        scores += _class_scores(sums).reshape(_REPLICATES, n, -1).sum(axis=1)
        points += n
        answer, error = _estimate(answers / points, scores / points, target, points)
        if error <= settings["tolerance"] * _SCALE or 2 * points * _REPLICATES * len(_ROOTS) > settings["walks"]:
            return answer, error
        n = points


def _estimate(answers, scores, target, points):
    p, z = answers.mean(axis=0), scores.mean(axis=0)
    dp, dz = answers - p, scores - z
    pp, pz, zz = (dp * dp).sum(axis=0), (dp * dz).sum(axis=0), (dz * dz).sum(axis=0)
    regressed = (zz > 0) & (target is not None)
    zz = np.where(regressed, zz, 1.0)
    slope = np.where(regressed, pz / zz, 0.0)
    off = np.where(regressed, z - (0 if target is None else target), 0.0)
    variance = np.maximum(0, pp - slope * pz) / (_REPLICATES - np.where(regressed, 2, 1))
    error = np.sqrt(variance * (1 / _REPLICATES + off * off / zz)).max()
    return p - slope * off, max(error, _UNSEEN * _SCALE / (points * _REPLICATES))


def _class_scores(sums):
    """What speaks for each answer: the sum of a number, ± the log-odds, or each sum less their mean."""
    if _K == 1:
        return sums
    return np.concatenate([-sums, sums], axis=1) if sums.shape[1] == 1 else sums - sums.mean(axis=1, keepdims=True)


def _completions(row, columns, shares):
    """A function that completes the row from uniform numbers, the first of which chooses the component."""
    drawn = [i for i in columns if not _IN_BLOCK[i]]
    hidden = np.array([i for i in columns if _IN_BLOCK[i]], int)
    cumulative = np.cumsum(shares) / shares.sum()
    tables = {i: np.cumsum(_MASSES[i], axis=1) / _MASSES[i].sum(axis=1, keepdims=True) for i in drawn}
    normals = _hidden_normals(row, hidden, shares) if len(hidden) > 0 else None

    def complete(u):
        rows = np.tile(np.nan_to_num(row), (len(u), 1))
        component = np.minimum(np.searchsorted(cumulative, u[:, 0], side="right"), len(cumulative) - 1)
        for m in np.unique(component):
            own = np.flatnonzero(component == m)
            for j, i in enumerate(drawn):
                atom = np.searchsorted(tables[i][m], u[own, 1 + j], side="right")
                rows[own, i] = _ATOMS[i][np.minimum(atom, len(_ATOMS[i]) - 1)]
            if normals is not None:
                mean, root = normals[m]
                rows[own[:, None], hidden] = mean + _normal_quantile(u[own, 1 + len(drawn) :]) @ root.T
        return rows

    return complete


def _hidden_normals(row, hidden, shares):
    """Mean and a root of the covariance of the hidden numbers given the known ones, by component."""
    known = np.flatnonzero(~np.isnan(row[_BLOCK]))
    wanted = np.searchsorted(_BLOCK, hidden)
    normals = []
    for mean, covariance, share in zip(_MEANS, _COVARIANCES, shares):
        gain = np.linalg.solve(covariance[np.ix_(known, known)], covariance[np.ix_(known, wanted)])
        own = covariance[np.ix_(wanted, wanted)] - covariance[np.ix_(wanted, known)] @ gain
        values, vectors = np.linalg.eigh((own + own.T) / 2) if share > 0 else (np.zeros(len(own)), own)
        centre = mean[wanted] + (row[_BLOCK][known] - mean[known]) @ gain
        normals.append((centre, vectors * np.sqrt(np.maximum(values, 0))))
    return normals


# Numerators and denominators of algorithm AS 241 (Wichura 1988), highest power first: the middle, near and far tails.
_QUANTILE = [
    ([2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
      133.14166789178438, 3.3871328727963665],
     [5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
      42.31333070160091, 1]),
    ([0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
      5.769497221460691, 4.630337846156546, 1.4234371107496835],
     [1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
      1.6763848301838038, 2.053191626637759, 1]),
    ([2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
      1.7848265399172913, 5.463784911164114, 6.657904643501103],
     [2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
      0.1369298809227358, 0.599832206555888, 1]),
]


def _normal_quantile(p):
    """The quantiles of the standard normal distribution."""
    q = p - 0.5
    r = np.sqrt(-np.log(np.maximum(np.minimum(p, 1 - p), 1e-300)))
    middle, near, far = (
        np.polyval(above, x) / np.polyval(below, x)
        for (above, below), x in zip(_QUANTILE, (0.180625 - q * q, r - 1.6, r - 5))
    )
    return np.where(np.abs(q) <= 0.425, q * middle, np.sign(q) * np.where(r <= 5, near, far))
