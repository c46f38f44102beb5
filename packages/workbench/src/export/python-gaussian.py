# The Gaussian of the numbers ------------------------------------------------------------------------------------------

_TOGETHER = 1 << 22  # numbers in the matrices of patterns that are inverted together
_MEANS = np.array([component["gaussian"]["mean"] for component in MODEL["components"]], float)  # M × d
_COVARIANCES = np.zeros((len(_MEANS), len(_BLOCK), len(_BLOCK)))
for _m, _component in enumerate(MODEL["components"]):
    for _a, _row in enumerate(_component["gaussian"]["covariance"]):
        _COVARIANCES[_m, _a, : _a + 1] = _COVARIANCES[_m, : _a + 1, _a] = _row
_TILTS = _SLOPES[_BLOCK]  # the weights of the block, d × K


def _condition_block(known, gaps):
    """What the known numbers of the block say: the logarithm of their density, n × M, and what the hidden ones are then
    worth to each class, the logarithm of the mean of exp(w·x), n × M × K.

    Rows with the same gaps share a Cholesky factor L of the known numbers' covariance, and patterns with as many known
    numbers are factored together. With z = L⁻¹ (known − mean) and g = L⁻¹ (covariance of known and hidden) w:
    the density is that of z, and the worth w·mean + g·z + (w'Sw − g·g) / 2 over the hidden numbers.
    """
    n, M, K = len(known), len(_MEANS), _TILTS.shape[1]
    density, worth = np.zeros((n, M)), np.zeros((n, M, K))
    patterns, place = np.unique(gaps, axis=0, return_inverse=True)
    place = place.ravel()
    order = np.argsort(place, kind="stable")
    bounds = np.append(np.searchsorted(place[order], np.arange(len(patterns))), n)
    counts = (~patterns).sum(axis=1)
    for o in np.unique(counts):
        own = np.flatnonzero(counts == o)
        step = max(1, _TOGETHER // (M * max(1, o) ** 2))
        for start in range(0, len(own), step):
            part = own[start : start + step]
            columns = np.nonzero(~patterns[part])[1].reshape(len(part), o)  # P × o
            lower = np.linalg.cholesky(_COVARIANCES[:, columns[:, :, None], columns[:, None, :]].transpose(1, 0, 2, 3))
            inverse = np.linalg.inv(lower)  # P × M × o × o
            logs = np.log(np.diagonal(lower, axis1=2, axis2=3)).sum(axis=2) + o * np.log(2 * np.pi) / 2
            tilts = patterns[part][:, :, None] * _TILTS  # the weights of the hidden numbers, P × d × K
            moved = np.einsum("mab,pbk->pmak", _COVARIANCES, tilts)
            g = inverse @ np.take_along_axis(moved, np.broadcast_to(columns[:, None, :, None], (len(part), M, o, K)), axis=2)
            fixed = np.einsum("ma,pak->pmk", _MEANS, tilts)
            fixed += (np.einsum("pak,pmak->pmk", tilts, moved) - (g * g).sum(axis=2)) / 2
            for j, p in enumerate(part):
                rows = order[bounds[p] : bounds[p + 1]]
                deviations = known[rows][:, columns[j]][None] - _MEANS[:, None, columns[j]]  # M × rows × o
                z = deviations @ inverse[j].transpose(0, 2, 1)
                density[rows] = -((z * z).sum(axis=2) / 2 + logs[j][:, None]).T
                worth[rows] = (z @ g[j]).transpose(1, 0, 2) + fixed[j]
    return density, worth
